"""What the site does to the pages before they are rendered."""

import inspect
import re
from pathlib import Path
from typing import Any

import replicast as rc
from replicast import METHODS

TESTS = "<!-- every test of METHODS -->"
REFERENCE = Path(__file__).parent / "reference" / "api.md"
CALL_OUTS = "<!-- call-outs -->"
_WORDS = {
    "METHODS": "Every registered test, by name.",
    "PROCEDURES": "Every way to split, sample and test on one dataset that an audit can rerun.",
}
ENTRY = re.compile(r"^::: replicast\.(\w+)$", flags=re.MULTILINE)


def on_page_markdown(markdown: str, page: Any = None, **_: object) -> str:
    """Colour examples as a Python prompt does; the reference lists names, each with its own page."""
    tests = "\n\n".join(f"::: replicast.{method.test.__name__}" for method in METHODS.values())
    text = markdown.replace("```python\n>>>", "```pycon\n>>>").replace(TESTS, tests)
    if page is not None and page.file.src_uri == "reference/api.md":
        text = ENTRY.sub(lambda found: _line(found[1]), text)
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
    pages = {}
    for section in sections[1:]:
        title, _, text = section.partition("\n")
        names = [name for name in ENTRY.findall(text) if name != "datasets"]
        for name in names:
            others = ", ".join(f"[`{one}`]({one}.md)" for one in names if one != name)
            beside = f"\n\n*{title.strip()}:* {others}." if others else ""
            pages[name] = (
                f"---\ntitle: {name}\n---\n\n[All names](../api.md)\n\n::: replicast.{name}\n"
                f"    options:\n      heading_level: 1\n{beside}\n"
            )
    return pages


def _line(name: str) -> str:
    if name == "datasets":  # a module, described on the page itself
        return f"::: replicast.{name}"
    told = _WORDS.get(name) or (inspect.getdoc(getattr(rc, name)) or "").split("\n\n")[0]
    sentence = re.split(r"(?<=\.)\s", " ".join(told.split()), maxsplit=1)[0]
    return f"- [`{name}`](names/{name}.md): {sentence}"
