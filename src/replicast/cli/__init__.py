"""The command line: parse, call, print. Progress bars live here; statistics do not."""

import sys

from replicast.cli import (
    audit,
    compare,
    gate,
    judge,
    plan,
    rank,
    replicate,
    report,
    serve,
    stop,
    study,
)
from replicast.cli.terminal import app

__all__ = [
    "app",
    "audit",
    "compare",
    "gate",
    "judge",
    "main",
    "plan",
    "rank",
    "replicate",
    "report",
    "serve",
    "stop",
    "study",
]


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
