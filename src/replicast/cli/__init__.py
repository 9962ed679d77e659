"""The command line: parse, call, print. Progress bars live here; statistics do not."""

import sys

from replicast.cli import audit, compare, rank, replicate, report, serve, study
from replicast.cli.terminal import app

__all__ = ["app", "audit", "compare", "main", "rank", "replicate", "report", "serve", "study"]


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
