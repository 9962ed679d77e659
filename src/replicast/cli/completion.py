"""replicast completion: what a shell needs to complete commands; it asks before it writes."""

import os
import sys
from pathlib import Path

import typer

from replicast.cli.bundles import argument, option
from replicast.cli.terminal import app, note

_SHELLS = ("bash", "zsh", "fish")


@app.command()
def completion(
    shell: str | None = argument("bash, zsh or fish. Default: the one of $SHELL.", None),
    write: bool = option(
        "Install it where the shell finds it, after a question.", False, "--write"
    ),
) -> None:
    """Print what a shell needs to complete commands and options.

    Examples
    --------
      replicast completion bash --write

      replicast completion fish | source
    """
    from typer.completion import (  # type: ignore[attr-defined]  # they have no other name
        get_completion_script,
        install,
    )

    from replicast.errors import invalid, require_choice

    name = require_choice(shell or Path(os.environ.get("SHELL", "")).name, "shell", _SHELLS)
    settings = {"prog_name": "replicast", "complete_var": "_REPLICAST_COMPLETE", "shell": name}
    if not write:
        typer.echo(get_completion_script(**settings))
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        remedy = "Send what is printed without it to the file yourself"
        raise invalid("write", "given at a terminal, where it can ask", "no terminal", remedy)
    if typer.confirm(f"Change the start files of {name}, so that it completes?", err=True):
        _, path = install(**settings)
        note(f"Written to {path}; a new shell completes.")
    else:
        note("Nothing was written.")
