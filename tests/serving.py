"""A real `replicast serve` in a process of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from patience import PATIENCE

COMMAND = [sys.executable, "-c", "from replicast.cli import main; main()", "serve", "--port"]


@contextmanager
def serving() -> Iterator[tuple[str, int]]:
    """Yield the address and the process number of a server; at its end it must not have failed."""
    with subprocess.Popen(
        [*COMMAND, "0"], stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"}
    ) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", told)
        assert found, told + process.stderr.read()
        try:
            yield found.group(), process.pid
        finally:
            process.terminate()
            said = process.communicate(timeout=PATIENCE)[1]
    assert "Traceback" not in said, said
