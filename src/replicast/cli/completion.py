"""replicast completion: what a shell needs to complete commands; it asks before it writes."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from replicast.cli.terminal import app, note

_MARK = "# completion of replicast"
_VARIABLE = "_REPLICAST_COMPLETE"


class _Shell(NamedTuple):
    """Where a shell looks for completions, and what it needs before them."""

    file: Callable[[], Path]
    before: str = ""


_SHELLS = {
    "bash": _Shell(lambda: Path.home() / ".bashrc"),
    "zsh": _Shell(
        lambda: Path(os.environ.get("ZDOTDIR") or Path.home()) / ".zshrc",
        "autoload -Uz compinit && compinit\n",
    ),
    "fish": _Shell(
        lambda: (
            Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
            / "fish/completions/replicast.fish"
        )
    ),
}


@app.command()
def completion(
    shell: Annotated[
        str | None, typer.Argument(help="bash, zsh or fish. Default: the one of $SHELL.")
    ] = None,
    write: Annotated[
        bool,
        typer.Option("--write", help="Add it to the start file of the shell, after a question."),
    ] = False,
) -> None:
    """Print what a shell needs to complete commands and options.

    Examples
    --------
      replicast completion bash --write

      replicast completion fish | source
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # has no other name

    from replicast.errors import require_choice

    name = shell or Path(os.environ.get("SHELL", "")).name
    require_choice(name, "shell", tuple(_SHELLS))
    script = get_completion_script(prog_name="replicast", complete_var=_VARIABLE, shell=name)
    lines = f"{_MARK}\n{_SHELLS[name].before}{script.strip()}\n"
    if not write:
        typer.echo(lines, nl=False)
        return
    _write(_SHELLS[name].file(), lines)


def _write(path: Path, lines: str) -> None:
    """Add lines to a file, if whoever sits at the terminal agrees."""
    from replicast.errors import invalid

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        remedy = "Send what is printed without it to the file yourself"
        raise invalid("write", "given at a terminal, where it can ask", "no terminal", remedy)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if _MARK in before:
        note(f"{path} has it already.")
        return
    typer.echo(lines, err=True)
    if not typer.confirm(f"Add these lines to {path}?", default=False, err=True):
        note("Nothing was written.")
        raise typer.Exit(0)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{lines}" if before else lines)
    note(f"Added to {path}; a new shell completes.")
