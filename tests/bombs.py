# ruff: noqa: E501  # a row for each bomb
"""Small files that ask for much: made here, none over a megabyte. `python tests/bombs.py FOLDER`."""

import bz2
import gzip
import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

MB = 1024**2
TABLE = b"dataset,svm,nb\niris,0.9,0.8\nvote,0.7,0.6\nwine,0.8,0.9\n"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"


def zipped(files: dict[str, bytes | str]) -> bytes:
    """Return a zip archive."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


def workbook(rows: str, *, sheet: str = "worksheets/s1.xml", strings: str = "") -> bytes:
    """Return a workbook of one sheet, given as XML, wherever it lies in the archive."""
    texts = f'<Relationship Id="r2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    files: dict[str, bytes | str] = {
        "_rels/.rels": f'<Relationships xmlns="{_LINKS}"><Relationship Id="r1" Type="{_OFFICE}/'
        'officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="s1" '
        'sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_LINKS}"><Relationship Id="r1" '
        f'Type="{_OFFICE}/worksheet" Target="{sheet}"/>{texts}</Relationships>',
        f"xl/{sheet}": f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_MAIN}">{strings}</sst>',
    }
    return zipped(files)


def _far(place: str) -> str:
    return f"<row r='1'><c r='A1'><v>1</v></c></row><row r='20000'><c {place}><v>1</v></c></row>"


def _zeros(size: int) -> bytes:
    sink = io.BytesIO()
    with gzip.open(sink, "wb", 9) as file:
        for _ in range(size // MB):
            file.write(b"0" * MB)
    return sink.getvalue()


def _parquet(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def _shared_text() -> bytes:
    """Return a column of 150,000 rows that share one text of a megabyte and a half."""
    places, texts = pa.array([0] * 150_000, pa.int32()), pa.array(["x" * 1536 * 1024])
    rows = pa.DictionaryArray.from_arrays(places, texts)
    table = pa.table({"dataset": rows, "svm": [0.5] * 150_000})
    sink = io.BytesIO()
    with pq.ParquetWriter(sink, table.schema, compression="zstd", store_schema=False) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _spans() -> str:
    cell = "<td colspan=1000 rowspan=1000>1</td>"
    return "<table>" + f"<tr>{cell * 20}</tr>" * 900 + "</table>"


BOMBS: dict[str, Callable[[], bytes]] = {
    # M1, M2: cells and lines that expressions could take long over
    "hyphens.md": lambda: b"| a | b | c |\n|---|---|---|\n| %s | 0.5 | 0.6 |\n" % (b"-" * 60 + b"x"),
    "power.tex": lambda: b"\\begin{tabular}{lrr} d & a & b \\\\ %s & 1 & 2 \\\\\\end{tabular}" % (b"^" * 120_000),
    "blanks.md": lambda: b" " * 120_000 + b"x|\n|---|---|\n| a | 0.5 |\n",
    "blanks.csv": lambda: b"dataset,a,b\nx,1%s x,2\ny,1,2\n" % (b" " * 60_000),
    "blanks.arff": lambda: b"@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,%s\n" % (b" " * 100_000 + b"x"),
    "footnotes.md": lambda: b"| a | b | c |\n|---|---|---|\n| %s | 0.5 | 0.6 |\n" % (b"[^" * 40_000),
    "digits.txt": lambda: b"dataset  a  b\nx  %sx  2\ny  1  2\n" % (b"1" * 60_000),
    "commands.tex": lambda: b"\\begin{tabular}{lrr} d & a & b \\\\ %s & 1 & 2 \\\\\\end{tabular}" % (b"\\footnote[" * 12_000),
    "one-line.csv": lambda: gzip.compress(b"0" * 40 * MB, 9),
    # M3: workbooks
    "apostrophes.xlsx": lambda: workbook(_far("r='XFD1048576'")),
    "spaces.xlsx": lambda: workbook(_far('r = "XFD20000"')),
    "elsewhere.xlsx": lambda: workbook(_far('r="XFD20000"'), sheet="other/sheet1.xml"),
    "reference.xlsx": lambda: workbook(_far('r="&#88;FD20000"')),
    "shared.xlsx": lambda: workbook(
        "".join(f'<row r="{k}"><c r="A{k}" t="s"><v>0</v></c></row>' for k in range(1, 60_000)),
        strings=f"<si><t>{'x' * MB}</t></si>",
    ),
    # H3, M5: packed
    "gigabyte.csv.gz": lambda: _zeros(900 * MB),
    "gigabyte.csv.bz2": lambda: bz2.compress(b"0" * 200 * MB),
    "twice.csv.gz.gz": lambda: gzip.compress(_zeros(900 * MB)),
    "three.zip": lambda: zipped({f"{k}.csv.gz": _zeros(250 * MB) for k in range(3)}),
    "inner.zip": lambda: zipped({"a.csv": TABLE, "inner.zip": zipped({"b.csv": TABLE})}),
    "members.zip": lambda: zipped({f"{k}.csv": b"" for k in range(10_001)})[:MB],
    "shared.parquet": _shared_text,
    "long.parquet": lambda: _parquet(pa.table({"a": pa.nulls(210_000_000, pa.int8())})),
    "spans.html": lambda: _spans().encode(),
    "spans.tex": lambda: b"\\begin{tabular}{lr}\n%s\\end{tabular}" % (b"\\multicolumn{999}{c}{1} & 1 \\\\\n" * 9_000),
    "ragged.md": lambda: b"|" * 2_000 + b"\n|---|---|\n" + (b"|" * 2_000 + b"\n") * 200 + b"|\n" * 200_000,
    "ragged.csv": lambda: b",".join(b"c%d" % k for k in range(20_000)) + b"\n" + b"1\n" * 100_000,
    # M10, L2, L4: JSON
    "surrogate.json": lambda: b'[{"dataset": "\\ud800", "a": 1.5, "b": 2}, {"dataset": "y", "a": 1, "b": 2}]',
    "twice.json": lambda: b'[{"dataset": "x", "a": 1.5, "b": 2, "a": 3}, {"dataset": "y", "a": 1, "b": 2}]',
    "deep.json": lambda: b"[" * 100_000 + b"]" * 100_000,
    "digits.json": lambda: b'[{"dataset": "x", "a": %s, "b": 2}]' % (b"1" * 5_000),
    "digits-400.json": lambda: b'[{"dataset": "x", "a": %s, "b": 2}]' % (b"1" * 400),
    "keys.json": lambda: json.dumps([{f"k{k}": 1} for k in range(50_000)]).encode(),
    "inspect.json": lambda: json.dumps({"version": 2, "eval": {"model": "a", "task": "t"}, "samples": [
        {"id": 1, "epoch": 1, "scores": {"match": {"value": int("1" * 301)}}}]}).encode(),
    # L4: text
    "nul.csv": lambda: b"dataset,a,b\n" + b"x,1,2\n" * 12_000 + b"y\0,1,2\n",
    "wide.csv": lambda: TABLE.decode().encode("utf-32")[:-4],
}  # fmt: skip


def main() -> None:
    """Write all of them into a folder."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in BOMBS.items():
        content = make()
        folder.joinpath(name).write_bytes(content)
        sys.stdout.write(f"{name:<20} {len(content):>10,}\n")


if __name__ == "__main__":
    main()
