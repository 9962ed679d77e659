"""Excel and OpenDocument workbooks, read by calamine (the extra `files`) in a process of its own."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from replicast.errors import install_line, invalid, nearest
from replicast.reading.limits import HERE, Limits
from replicast.reading.packing import Archive
from replicast.reading.sheets import Sheet, listing
from replicast.reading.syntaxes.grids import Line, sheet_of_lines

# the place of a cell, in either kind of quotation marks, in whichever file of the workbook
_PLACE = re.compile(rb"\br\s{0,9}=\s{0,9}[\"']([A-Z]{1,3})(\d{1,7})[\"']")
_ENTITY = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_PROGRAM = Path(__file__).with_name("apart.py")


def spreadsheet_kind(archive: Archive) -> str | None:
    """Tell a workbook among zip archives by the files it must have."""
    if "xl/workbook.xml" in archive.names or "xl/workbook.bin" in archive.names:
        return "Excel workbook"
    if "content.xml" in archive.names and "mimetype" in archive.names:
        return "OpenDocument spreadsheet"
    return None


def read_spreadsheet(raw: bytes, name: str, wanted: str | None, limits: Limits = HERE) -> Sheet:
    """Read one sheet of a workbook: the one asked for, or the only one that holds a table."""
    _refuse_bombs(Archive(raw, name, limits), name, limits)
    told = _parsed_apart(raw, name, wanted)
    names, filled = told["names"], told["filled"]
    _require_known(names, wanted, name)
    if not filled:
        raise invalid("source", "a workbook with a table of scores", f"{name}, which is empty")
    if len(filled) > 1:
        remedy = f"Say `sheet={filled[0][0]}`, for instance"
        got = f"{name} with {listing([sheet for sheet, _ in filled])}"
        raise invalid("sheet", "given for a workbook with several tables", got, remedy)
    title, rows = filled[0]
    lines: list[Line] = list(enumerate(rows, start=1))
    note = (f"Read sheet {title}.",) if len(names) > 1 else ()
    return sheet_of_lines(lines, name, note, limits, caption=title)


def _parsed_apart(raw: bytes, name: str, wanted: str | None) -> Any:
    """Have a process of its own parse a workbook; a library that fails there harms nobody."""
    command = [sys.executable, "-P", str(_PROGRAM), *([] if wanted is None else [wanted])]
    done = subprocess.run(command, input=raw, capture_output=True, check=False)
    told = json.loads(done.stdout) if not done.returncode else {"memory": True}
    if "absent" in told:
        remedy = f"Run {install_line('files')}, or export the sheet as CSV"
        got = f"{name}, a workbook, without the package {told['absent']}"
        raise invalid("source", "a file that can be read here", got, remedy)
    if "memory" in told:
        domain = "a workbook that takes at most 2 GB of memory and a minute to read"
        raise invalid("source", domain, f"{name}, which takes more", "Export the sheet as CSV")
    if "wrong" in told:
        raise invalid("source", "an intact workbook", f"{name}: {told['wrong']}")
    return told


def _require_known(names: list[str], wanted: str | None, name: str) -> None:
    if wanted is not None and wanted not in names:
        got, remedy = repr(wanted), nearest(wanted, tuple(names))
        raise invalid("sheet", f"one of {listing(names)} in {name}", got, remedy)


def _refuse_bombs(archive: Archive, name: str, limits: Limits) -> None:
    """Refuse entities, and a cell so far out that the empty ones before it would fill the memory."""
    for member in archive.names:
        raw = archive.read(member)
        if _ENTITY.search(raw[:4096]):
            raise invalid("source", "a workbook without entities of its own", f"{name}: {member}")
        rows = columns = 0
        for found in _PLACE.finditer(raw):
            rows = max(rows, int(found[2]))
            columns = max(columns, _column(found[1]))
        limits.require_shape(rows, columns, name, "texts")


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
