"""Excel and OpenDocument workbooks, read by calamine (the extra `files`)."""

import io
import re

from replicast.errors import InvalidArgumentError, install_line, invalid, nearest
from replicast.reading.packing import Archive
from replicast.reading.sheets import Sheet, listing
from replicast.reading.syntaxes.grids import Line, sheet_of_lines

_MOST_CELLS = 5_000_000
_CELL = re.compile(rb'<c\b[^>]*?\br="([A-Z]{1,3})(\d{1,7})"')
_ENTITY = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def spreadsheet_kind(archive: Archive) -> str | None:
    """Tell a workbook among zip archives by the files it must have."""
    if "xl/workbook.xml" in archive.names or "xl/workbook.bin" in archive.names:
        return "Excel workbook"
    if "content.xml" in archive.names and "mimetype" in archive.names:
        return "OpenDocument spreadsheet"
    return None


def read_spreadsheet(raw: bytes, name: str, wanted: str | None, largest: int) -> Sheet:
    """Read one sheet of a workbook: the one asked for, or the only one that holds a table."""
    _refuse_bombs(Archive(raw, name, largest), name)
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        remedy = f"Run {install_line('files')}, or export the sheet as CSV"
        got = f"{name}, a workbook, without the package python-calamine"
        raise invalid("source", "a file that can be read here", got, remedy) from None
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(raw))
        names = list(book.sheet_names)
        chosen = _choose(names, wanted, name)
        filled = [
            (sheet, rows)
            for sheet in chosen
            if len(rows := book.get_sheet_by_name(sheet).to_python(skip_empty_area=False)) > 1
        ]
    except InvalidArgumentError:
        raise
    except BaseException as error:  # damaged workbooks: errors of Rust's are no Exception
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise invalid("source", "an intact workbook", f"{name}: {first}") from None
    if not filled:
        raise invalid("source", "a workbook with a table of scores", f"{name}, which is empty")
    if len(filled) > 1:
        remedy = f"Say `sheet={filled[0][0]}`, for instance"
        got = f"{name} with {listing([sheet for sheet, _ in filled])}"
        raise invalid("sheet", "given for a workbook with several tables", got, remedy)
    title, rows = filled[0]
    lines: list[Line] = [
        (at, [_text(cell) for cell in row]) for at, row in enumerate(rows, start=1)
    ]
    note = (f"Read sheet {title}.",) if len(names) > 1 else ()
    return sheet_of_lines(lines, name, note, caption=title)


def _choose(names: list[str], wanted: str | None, name: str) -> list[str]:
    if wanted is None:
        return names
    if wanted not in names:
        got, remedy = repr(wanted), nearest(wanted, tuple(names))
        raise invalid("sheet", f"one of {listing(names)} in {name}", got, remedy)
    return [wanted]


def _text(cell: object) -> str:
    """Write a cell as text that reads back as it was."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    return str(cell)


def _refuse_bombs(archive: Archive, name: str) -> None:
    """Refuse entities, and a cell so far out that the empty ones before it would fill the memory."""
    for member in archive.names:
        if not member.endswith(".xml") or not member.startswith(("xl/", "content.xml")):
            continue
        raw = archive.read(member)
        if _ENTITY.search(raw[:4096]):
            raise invalid("source", "a workbook without entities of its own", f"{name}: {member}")
        if member.startswith("xl/worksheets/"):
            rows = columns = 0
            for found in _CELL.finditer(raw):
                rows = max(rows, int(found[2]))
                columns = max(columns, _column(found[1]))
            if rows * columns > _MOST_CELLS:
                domain = f"a sheet of at most {_MOST_CELLS:,} cells"
                raise invalid("source", domain, f"{name} with {rows:,} rows x {columns:,} columns")


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
