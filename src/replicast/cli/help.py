"""What --help prints: purpose, examples and options; commands in the order people need them."""

import inspect
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from rich.console import Console

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "You have scores": ("compare", "rank"),
    "You have a paper": ("replicate", "plan"),
    "In a browser": ("serve",),
    "After the first result": ("judge", "gate", "stop", "ledger"),
    "Run experiments": ("audit", "study", "datasets", "warm"),
    "Look around": ("demo", "help", "completion"),
}
_KINDS = {bool: "", str: "TEXT", int: "NUMBER", float: "NUMBER", Path: "FILE"}
_WIDEST = 24  # an option longer than this has its words on the next line
_EXAMPLES = "Examples\n--------"


class Parameter(NamedTuple):
    """An argument or option: how it is written, whether it is an argument, and what it means."""

    shown: str
    positional: bool
    words: str
    default: object


def parameters(function: Callable[..., Any]) -> Iterator[Parameter]:
    """Yield what a command takes, from the declarations of its function."""
    function = inspect.unwrap(function, stop=lambda one: hasattr(one, "__signature__"))
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if hints[name] is typer.Context:  # which typer hands in
            continue
        kind, told = typing.get_args(hints[name])[:2]
        options = [kind, *typing.get_args(kind)]
        if isinstance(told, typer.models.ArgumentInfo):
            shown = f"{told.metavar or name}{'...' if kind not in _KINDS else ''}".upper()
            yield Parameter(shown, True, str(told.help), parameter.default)
            continue
        declared = (told.default, *(told.param_decls or ()))  # typer takes the first for a default
        flags = [one for one in declared if isinstance(one, str) and one.startswith("-")]
        flags = flags or [f"--{name.replace('_', '-')}"]
        value = told.metavar or next((_KINDS[one] for one in options if one in _KINDS), "TEXT")
        shown = ", ".join(sorted(flags, key=len, reverse=True)) + (f" {value}" if value else "")
        yield Parameter(shown, False, str(told.help), parameter.default)


def default_words(value: object) -> str:
    """Say what holds if an option is left out."""
    if value is inspect.Parameter.empty:
        return " Required."
    return "" if value is None or value is False else f" Default: {value}."


def purpose_and_examples(function: Callable[..., Any]) -> tuple[list[str], list[str]]:
    """Return the paragraphs of a command's purpose, and its examples line by line."""
    words, _, examples = (inspect.getdoc(inspect.unwrap(function)) or "").partition(_EXAMPLES)
    paragraphs = [" ".join(part.split()) for part in words.split("\n\n") if part.strip()]
    return paragraphs, [line.strip() for line in examples.splitlines() if line.strip()]


def print_command(path: str, function: Callable[..., Any], console: "Console") -> None:
    """Print the help of one command."""
    told = list(parameters(function))
    paragraphs, examples = purpose_and_examples(function)
    wanted = [
        one.shown if one.default is inspect.Parameter.empty else f"[{one.shown}]"
        for one in told
        if one.positional
    ]
    usage = " ".join([path, *wanted, *(["[OPTIONS]"] if len(told) > len(wanted) else [])])
    console.print(f"Usage: {usage}\n", markup=False)
    for text in paragraphs:
        _indented(text, console, 0)
        console.print()
    if examples:
        console.print("[bold]Examples[/]")
        for line in examples:
            _indented(line, console, 2)
        console.print()
    for title, positional in (("Arguments", True), ("Options", False)):
        rows = [
            (one.shown, one.words + default_words(one.default))
            for one in told
            if one.positional == positional
        ]
        if not positional:
            rows.append(("-h, --help", "Show this and exit."))
        elif not rows:
            continue
        print_rows(title, rows, console)
        if positional:
            console.print()


def print_group(
    path: str, purpose: str, sections: Mapping[str, list[tuple[str, str]]],
    function: Callable[..., Any] | None, console: "Console",
) -> None:  # fmt: skip
    """Print the help of a group: its commands by section, and its own options."""
    console.print(f"Usage: {path} COMMAND [OPTIONS]\n", markup=False)
    _indented(purpose, console, 0)
    console.print()
    for title, rows in sections.items():
        print_rows(title, rows, console)
        console.print()
    options = [] if function is None else [(one.shown, one.words) for one in parameters(function)]
    print_rows("Options", [*options, ("-h, --help", "Show this and exit.")], console)
    console.print()
    console.print(f"{path} COMMAND --help shows examples and options of a command.", markup=False)


def print_rows(title: str, rows: list[tuple[str, str]], console: "Console") -> None:
    """Print a title, and below it names with what they mean."""
    console.print(f"[bold]{title}[/]")
    wide = min(max(len(shown) for shown, _ in rows), _WIDEST)
    for shown, words in rows:
        if len(shown) > wide:
            console.print(f"  {shown}", markup=False)
            shown = ""
        lines = _wrapped(words, console.width - wide - 4)
        console.print(f"  {shown:<{wide}}  {lines[0]}", markup=False)
        for line in lines[1:]:
            console.print(f"  {'':<{wide}}  {line}", markup=False)


def _indented(text: str, console: "Console", by: int) -> None:
    lines = _wrapped(text, console.width - by)
    for at, line in enumerate(lines):
        console.print(f"{'':<{by + (2 if at and by else 0)}}{line}", markup=False)


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    width = max(width, 20)
    whole = wrap(text, width, break_on_hyphens=False, break_long_words=False) or [""]
    lines = []
    for line in whole:  # a value longer than the line is broken after a comma, if it has one
        while len(line) > width and "," in line[: width - 1]:
            at = line.rindex(",", 0, width) + 1
            lines.append(line[:at])
            line = line[at:]
        lines.extend(wrap(line, width, break_on_hyphens=False) or [""])
    return lines
