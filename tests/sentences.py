"""Every sentence a user can see, with its place: python tests/sentences.py prints them all.

Strings of the package (errors, cautions, narratives, help), its public docstrings, the templates and
scripts of the pages, the README and the documentation. A value that is filled in stands as {}.
"""

import ast
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import NamedTuple

import replicast as rc
from replicast.cli import app

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "replicast"
_COMMANDS = [one.callback.__name__ for one in app.registered_commands if one.callback is not None]


class Sentence(NamedTuple):
    """A text, and the file and line that show it."""

    place: str
    text: str


def sentences() -> list[Sentence]:
    """Return all there is to read, in the order of the files."""
    found: list[Sentence] = []
    for path in sorted(SOURCE.rglob("*.py")):
        found += _of_module(path)
    for path in sorted(SOURCE.rglob("*.j2")):
        found += _of_template(path)
    for path in sorted(SOURCE.rglob("*.js")):
        found += _of_script(path)
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        found += _of_page(path)
    return found


def _at(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def _of_module(path: Path) -> Iterator[Sentence]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    shown = rc.__all__ if path.parent.name != "cli" else [*rc.__all__, *_COMMANDS]
    docstrings = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings[id(first.value)] = getattr(node, "name", "") in shown
    inside = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node) if part is not node
    }  # fmt: skip
    for node in ast.walk(tree):
        if id(node) in inside or docstrings.get(id(node)) is False:
            continue
        text = _written(node)
        if text is not None and re.search(r"[a-z]{2}[^\n]* [^\n]*[a-z]{2}", text):
            yield Sentence(_at(path, node.lineno), " ".join(text.split()))  # type: ignore[attr-defined]  # strings have a line


def _written(node: ast.AST) -> str | None:
    """Return a string as it will be read."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_written(part) or "{}" for part in node.values)
    return None


def _of_template(path: Path) -> Iterator[Sentence]:
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        spoken = re.findall(r'"([^"<>]*[a-z] [^"<>]*)"', line)  # labels handed to macros
        plain = re.sub(r"\{%.*?%\}", " ", line)
        plain = re.sub(r"<[^>]*>", " ", re.sub(r"\{\{.*?\}\}", "{}", plain))
        for text in (*spoken, plain):
            shown = " ".join(unescape(text).split())
            if re.search(r"[A-Za-z]{2,} [A-Za-z]", shown):
                yield Sentence(_at(path, at), shown)


def _of_script(path: Path) -> Iterator[Sentence]:
    for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for quoted in re.findall(r"[\"`]([^\"`]*)[\"`]", line):
            if re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", quoted):
                yield Sentence(_at(path, at), re.sub(r"\$\{.*?\}", "{}", quoted))


def _of_page(path: Path) -> Iterator[Sentence]:
    """Return the paragraphs of a page; what examples print comes from the package."""
    text = re.sub(
        r"```.*?```",
        lambda m: "\n" * m[0].count("\n"),
        path.read_text(encoding="utf-8"),
        flags=re.S,
    )
    line = 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        shown = " ".join(paragraph.split())
        if re.search(r"[a-z]{2} [a-z]{2}", shown):
            yield Sentence(_at(path, line), shown)
        line += paragraph.count("\n")


if __name__ == "__main__":
    for one in sentences():
        print(f"{one.place}  {one.text}")  # noqa: T201  # its purpose
