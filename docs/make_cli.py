"""Write reference/cli.md from the declarations behind `--help`: python docs/make_cli.py"""

import inspect
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from replicast.cli import app

PAGE = Path(__file__).parent / "reference" / "cli.md"
KINDS = {bool: "", str: "text", int: "number", float: "number", Path: "file"}
HEAD = """# Command line

What `replicast COMMAND --help` says, on one page, written by `docs/make_cli.py`.
`replicast --quiet COMMAND` leaves out progress bars and notes; `--json`, where there is one, prints
the whole record.
"""


def commands(tree: typer.Typer = app, prefix: str = "replicast") -> Iterator[tuple[str, Any]]:
    """Yield every command with its function, those of groups after the others."""
    for command in tree.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__.replace("_", "-")
        yield f"{prefix} {name}", command.callback
    for group in tree.registered_groups:
        assert group.typer_instance is not None
        yield from commands(group.typer_instance, f"{prefix} {_group_name(group)}")


def _group_name(group: Any) -> str:
    name = group.name if isinstance(group.name, str) else group.typer_instance.info.name
    return str(name)


def parameters(function: Callable[..., None]) -> Iterator[tuple[str, bool, str]]:
    """Yield the name of a parameter, whether it is an argument, and what is said about it."""
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind, told = typing.get_args(hints[name])[:2]
        options = [kind, *typing.get_args(kind)]
        if isinstance(told, typer.models.ArgumentInfo):
            shown = f"{told.metavar or name}{'...' if kind not in KINDS else ''}".upper()
            yield shown, True, str(told.help)
            continue
        declared = (told.default, *(told.param_decls or ()))  # typer takes the first for a default
        flags = [one for one in declared if isinstance(one, str) and one.startswith("-")]
        flags = flags or [f"--{name.replace('_', '-')}"]
        value = next((KINDS[one] for one in options if one in KINDS), "text")
        shown = ", ".join(sorted(flags, key=len, reverse=True)) + (f" {value}" if value else "")
        yield shown, False, f"{told.help}{_default(parameter.default)}"


def _default(value: object) -> str:
    if value is inspect.Parameter.empty:
        return " *Required.*"
    return "" if value is None or value is False else f" Default: `{value}`."


def entry(name: str, function: Callable[..., None]) -> str:
    """Describe one command: purpose, usage, options, examples."""
    words, _, examples = (inspect.getdoc(function) or "").partition("Examples\n--------")
    told = list(parameters(function))
    wanted = " ".join(shown for shown, positional, _ in told if positional)
    usage = " ".join(part for part in (name, wanted, "[OPTIONS]" if told else "") if part)
    lines = [f"## {name}", " ".join(words.split()), f"    {usage}"]
    if told:
        rows = [f"| `{shown}` | {_cell(said)} |" for shown, _, said in told]
        lines.append("\n".join(["| option | meaning |", "|---|---|", *rows]))
    called = [line.strip() for line in examples.splitlines() if line.strip()]
    if called:
        lines.append("For example:\n\n" + "\n".join(f"    {line}" for line in called))
    return "\n\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page() -> str:
    """Return the text of the page."""
    return "\n\n".join([HEAD.strip(), *(entry(*one) for one in commands())]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
