"""A workbook is parsed in a process of its own, whose memory and time are limited.

Run as a program: a workbook at its input, the sheets as JSON at its output. It imports nothing of
replicast, so that it starts at once, and ends with the library that parses, whatever that does.
"""

import io
import json
import sys
from collections.abc import Sequence

MEMORY = 2 * 1024**3  # bytes
SECONDS = 60  # of work


def limit() -> None:
    """Forbid this process more memory and time than a workbook may take."""
    try:
        import resource
    except ImportError:  # not on every system; cells are counted before, too
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def text_of(cell: object) -> str:
    """Write a cell as text that reads back as it was."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell)


def sheets(raw: bytes, wanted: str | None) -> dict[str, object]:
    """Return the names of all sheets, and the rows of those that hold a table."""
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
    names = list(book.sheet_names)
    filled = []
    for name in names:
        if wanted in (None, name):
            rows: Sequence[Sequence[object]] = book.get_sheet_by_name(name).to_python(
                skip_empty_area=False
            )
            if len(rows) > 1:
                filled.append((name, [[text_of(cell) for cell in row] for row in rows]))
    return {"names": names, "filled": filled}


def main() -> None:
    """Answer with the sheets, with what is wrong, or that a package is not there."""
    raw = sys.stdin.buffer.read()
    wanted = sys.argv[1] if len(sys.argv) > 1 else None
    try:
        import python_calamine  # noqa: F401  # loaded before the memory is limited
    except ImportError:
        answer: dict[str, object] = {"absent": "python-calamine"}
    else:
        limit()
        try:
            answer = sheets(raw, wanted)
        except MemoryError:
            answer = {"memory": True}
        except BaseException as error:  # damaged workbooks: errors of Rust's are no Exception
            first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            answer = {"wrong": first}
    sys.stdout.buffer.write(json.dumps(answer).encode())


if __name__ == "__main__":
    main()
