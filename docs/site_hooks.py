"""What the site does to the pages before they are rendered."""

import inspect
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from replicast import METHODS, PROCEDURES

TESTS = "<!-- every test of METHODS -->"
AUDITED = "<!-- every procedure of PROCEDURES -->"
LEFT_OUT = {"mutants.md"}  # of the search: every kernel's name, and nothing to read up
LISTS_OF_NUMBERS = re.compile(r"studies/[\w-]+/README\.md|calibration\.md|track-record\.md")
REFERENCE = Path(__file__).parent / "reference" / "api.md"
CALL_OUTS = "<!-- call-outs -->"
_WORDS = {
    "METHODS": "Every registered test, by name.",
    "PROCEDURES": "Every way to split, sample and test on one dataset that an audit can rerun.",
}
ENTRY = re.compile(r"^::: (replicast(?!\.learners)[\w.]*)\.(\w+)$", flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Any = None, **_: object) -> str:
    """Colour examples as a Python prompt does; the reference lists names, each with its own page."""
    tests = "\n\n".join(f"::: replicast.{method.test.__name__}" for method in METHODS.values())
    text = markdown.replace("```python\n>>>", "```pycon\n>>>").replace(TESTS, tests)
    text = text.replace(AUDITED, _audited())
    if page is not None:
        place = page.file.src_uri
        if place == "reference/api.md":
            text = ENTRY.sub(lambda found: _line(found[1], found[2]), text)
        if place in LEFT_OUT:
            page.meta["search"] = {"exclude": True}
        elif LISTS_OF_NUMBERS.fullmatch(place):  # found, below the pages that explain
            page.meta["search"] = {"boost": 0.1}
        elif place == "papers.md" or place.startswith("recipes/"):
            page.meta["search"] = {"boost": 3}
    return call_out(text) if CALL_OUTS in text else text


def call_out(markdown: str) -> str:
    """Put a number before the line of an output that an item of the list below explains."""
    before, _, after = markdown.partition(CALL_OUTS)
    opening, _, rest = after.partition("```console\n")
    block, fence, words = rest.partition("\n```\n")
    lines = block.split("\n")
    marks: dict[int, list[str]] = {}
    for number, fragment in re.findall(r"^(\d+)\. \*\*`(.+?)`\*\*", words, flags=re.MULTILINE):
        begun = [at for at, line in enumerate(lines) if line.strip().startswith(fragment)]
        at = (begun or [at for at, line in enumerate(lines) if fragment in line])[0]
        marks.setdefault(at, []).append(number)
    shown = [f"{','.join(marks.get(at, [])):>4}  {line}".rstrip() for at, line in enumerate(lines)]
    return f"{before}{opening}```{{ .console .numbered }}\n" + "\n".join(shown) + fence + words


def on_files(files: Any, config: Any) -> Any:
    """Add a page for every public name, made of its docstring."""
    from mkdocs.structure.files import File

    for name, text in function_pages().items():
        files.append(File.generated(config, f"reference/names/{name}.md", content=text))
    return files


def function_pages() -> dict[str, str]:
    """Return the text of the page of every name the reference lists."""
    sections = re.split(
        r"^## ", on_page_markdown(REFERENCE.read_text(encoding="utf-8")), flags=re.M
    )
    tests = {method.test.__name__: method.title for method in METHODS.values()}
    pages = {}
    for section in sections[1:]:
        title, _, text = section.partition("\n")
        homes = {name: home for home, name in ENTRY.findall(text) if name != "datasets"}
        for name, home in homes.items():
            others = ", ".join(f"[`{one}`]({one}.md)" for one in homes if one != name)
            beside = f"\n\n*{title.strip()}:* {others}." if others else ""
            known, boost = (f"{name} ({tests[name]})", 4) if name in tests else (name, 1)
            pages[name] = (
                f"---\ntitle: {known}\nsearch:\n  boost: {boost}\n---\n\n"
                f"[All names](../api.md)\n\n::: {home}.{name}\n"
                f"    options:\n      heading_level: 1\n{beside}\n"
            )
    return pages


def documented() -> dict[str, Any]:
    """Return everything the reference lists, by its name."""
    text = on_page_markdown(REFERENCE.read_text(encoding="utf-8"))
    return {name: getattr(import_module(home), name) for home, name in ENTRY.findall(text)}


def _audited() -> str:
    """Return the tests that an audit takes, by name."""
    rows = [f"| `{name}` | {procedure.title} |" for name, procedure in PROCEDURES.items()]
    return "\n".join(["| name | test |", "|---|---|", *rows])


def _line(home: str, name: str) -> str:
    if name == "datasets":  # a module, described on the page itself
        return f"::: replicast.{name}"
    thing = getattr(import_module(home), name)
    told = _WORDS.get(name) or (inspect.getdoc(thing) or "").split("\n\n")[0]
    sentence = re.split(r"(?<=\.)\s", " ".join(told.split()), maxsplit=1)[0]
    return f"- [`{name}`](names/{name}.md): {sentence}"
