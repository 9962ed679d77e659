"""Write reference/cli.md from the declarations behind `--help`: python docs/make_cli.py"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from replicast.cli import app
from replicast.cli.help import SECTIONS, default_words, parameters, purpose_and_examples

PAGE = Path(__file__).parent / "reference" / "cli.md"
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


def entry(name: str, function: Callable[..., None]) -> str:
    """Describe one command: purpose, usage, options, examples."""
    paragraphs, examples = purpose_and_examples(function)
    told = list(parameters(function))
    wanted = " ".join(one.shown for one in told if one.positional)
    usage = " ".join(part for part in (name, wanted, "[OPTIONS]" if told else "") if part)
    lines = [f"## {name}", *paragraphs, f"    {usage}"]
    if told:
        rows = [
            f"| `{one.shown}` | {_cell(one.words + default_words(one.default))} |" for one in told
        ]
        lines.append("\n".join(["| option | meaning |", "|---|---|", *rows]))
    if examples:
        lines.append("For example:\n\n" + "\n".join(f"    {line}" for line in examples))
    return "\n\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def page() -> str:
    """Return the text of the page."""
    order = [f"replicast {name}" for names in SECTIONS.values() for name in names]
    known = dict(commands())
    named = [
        name for path in order for name in known if name == path or name.startswith(f"{path} ")
    ]
    return "\n\n".join([HEAD.strip(), *(entry(name, known[name]) for name in named)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
