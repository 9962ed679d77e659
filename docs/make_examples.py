"""Run the examples of the pages and write down what they print: python docs/make_examples.py"""

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from replicast.cli import app

DOCS = Path(__file__).parent
PAGES = sorted(
    path
    for path in DOCS.rglob("*.md")
    if re.search(r"```(console\n\$ |python\n>>>)", path.read_text())
)
CONSOLE = re.compile(r"```console\n\$ replicast ((?:[^\n]*\\\n)*[^\n]*)\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(>>>.*?)```", re.DOTALL)


def run_console(command: str) -> str:
    """Return what a command shows on a terminal of 80 columns."""
    words = shlex.split(command.replace("\\\n", " "))
    done = CliRunner().invoke(app, words, env={"COLUMNS": "80", "NO_COLOR": "1"})
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return "\n".join(line.rstrip() for line in done.output.splitlines()).strip("\n") + "\n"


def run_python(block: str, names: dict[str, Any]) -> str:
    """Return a block with the output that its statements have now."""
    lines = []
    for example in doctest.DocTestParser().get_examples(block):
        first, *others = example.source.splitlines()
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in others)]
        shown = _output(example.source, names).rstrip("\n")
        lines += [line or "<BLANKLINE>" for line in shown.split("\n")] if shown else []
    return "\n".join([*lines, ""])


def _output(source: str, names: dict[str, Any]) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            exec(compile(ast.Interactive(ast.parse(source).body), "<docs>", "single"), names)
        except Exception as error:
            name = "".join(traceback.format_exception_only(error))
            return f"Traceback (most recent call last):\n    ...\n{name}"
    return said.getvalue()


def refreshed(text: str) -> str:
    """Return a page with its examples run anew; the statements of a page share their names."""
    names: dict[str, Any] = {}

    def console(found: re.Match[str]) -> str:
        return f"```console\n$ replicast {found[1]}\n{run_console(found[1])}```"

    def python(found: re.Match[str]) -> str:
        return f"```python\n{run_python(found[1], names)}\n```"

    parts: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]
    parts = ((CONSOLE, console), (PYTHON, python))
    for pattern, replace in parts:
        text = pattern.sub(replace, text)
    return text


def refresh_readme() -> None:
    """Run the commands of the README where its own table is, and its Python at the root."""
    path = DOCS.parent / "README.md"
    text = path.read_text(encoding="utf-8")
    (table,) = re.findall(r"```csv\n(.*?)```", text, flags=re.DOTALL)
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("scores.csv").write_text(table, encoding="utf-8")
        shown = {found[1]: run_console(found[1]) for found in CONSOLE.finditer(text)}
    text = CONSOLE.sub(
        lambda found: f"```console\n$ replicast {found[1]}\n{shown[found[1]]}```", text
    )
    names: dict[str, Any] = {}
    text = PYTHON.sub(lambda found: f"```python\n{run_python(found[1], names)}\n```", text)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    os.chdir(DOCS.parent)
    refresh_readme()
    wanted = [Path(name).resolve() for name in sys.argv[1:]] or PAGES
    for path in wanted:
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
