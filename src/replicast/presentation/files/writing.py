"""Write results to files, whole or not at all."""

import os
from pathlib import Path

from replicast.errors import invalid


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under a temporary name and rename it, so that nothing half-written is left."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        draft.write_bytes(content)
        os.replace(draft, path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise invalid("output", "a file that can be written", f"{path}: {reason}") from None
