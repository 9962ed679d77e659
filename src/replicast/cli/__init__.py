"""The command line: parse, call, print. Progress bars live here; statistics do not."""

import gc
import os
import sys
from typing import Any

from replicast.cli import (  # noqa: F401  # each adds its commands
    audit,
    compare,
    completion,
    gate,
    judge,
    plan,
    rank,
    replicate,
    serve,
    stop,
    study,
    topics,
)
from replicast.cli.terminal import app as app


def main() -> None:
    """Run the command line; Ctrl-C ends it without a traceback."""
    gc.set_threshold(20_000, 50, 100)  # what is loaded is no garbage, and most commands end soon
    before, sys.unraisablehook = sys.unraisablehook, _end_if_interrupted
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.exit(0)
    finally:
        sys.unraisablehook = before


def _end_if_interrupted(lost: Any) -> None:
    """End at once where Python would print an interrupt and go on: it came while garbage was freed."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        os._exit(130)
    sys.__unraisablehook__(lost)
