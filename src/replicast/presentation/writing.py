"""Write results to files, whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from replicast.errors import invalid


def write_whole(path: Path, content: bytes, argument: str = "output") -> None:
    """Write a file under a temporary name and rename it, so that nothing half-written is left."""
    draft = path.with_name(f".{os.getpid()}.tmp")  # short: the name itself may be as long as any
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise invalid(argument, "a file that can be written", f"{path}: {reason}") from None
