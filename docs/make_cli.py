"""Write reference/cli.md from the declarations behind `--help`: python docs/make_cli.py"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from replicast.cli import app

PAGE = Path(__file__).parent / "reference" / "cli.md"
HEAD = """# Command line

What `replicast COMMAND --help` says, on one page, written by `docs/make_cli.py`.
`replicast --quiet COMMAND` leaves out progress bars and notes; `--json`, where there is one, prints
the whole record.
"""


def commands(context: Any = None) -> Iterator[tuple[str, Any]]:
    """Yield every command by its path, with the context that its help is written in."""
    context = context or typer.Context(typer.main.get_command(app), info_name="replicast")
    for name in context.command.list_commands(context):
        inside = typer.Context(context.command.commands[name], info_name=name, parent=context)
        if hasattr(inside.command, "commands"):
            yield from commands(inside)
        else:
            yield inside.command_path, inside


def records(context: Any) -> list[tuple[str, str]]:
    """Return how each argument and option is written, and what it means, as its help says."""
    found = [one.get_help_record(context) for one in context.command.get_params(context)]
    return [record for record in found if record is not None and "--help" not in record[0]]


def entry(name: str, context: Any) -> str:
    """Describe one command: purpose, usage, options, examples."""
    command = context.command
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    paragraphs = [" ".join(part.split()) for part in command.help.strip().split("\n\n")]
    lines = [f"## {name}", *paragraphs, f"    {usage}"]
    rows = [f"| `{shown}` | {_cell(words)} |" for shown, words in records(context)]
    if rows:
        lines.append("\n".join(["| option | meaning |", "|---|---|", *rows]))
    if command.epilog:
        examples = command.epilog.partition("Examples:\n")[2].splitlines()
        lines.append("For example:\n\n" + "\n".join(f"    {line.strip()}" for line in examples))
    return "\n\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page() -> str:
    """Return the text of the page."""
    return (
        "\n\n".join([HEAD.strip(), *(entry(name, context) for name, context in commands())]) + "\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
