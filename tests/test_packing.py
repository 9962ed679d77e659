"""Archives, workbooks and encodings: unpacked within limits, and nothing in them is run."""

import bz2
import gzip
import io
import lzma
import pickle
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import replicast as rc
from replicast import InvalidArgumentError
from replicast.reading.door import open_documents
from replicast.reading.limits import Limits
from replicast.web.forms import ScoresQuestion
from replicast.web.jobs import report_scores

CSV = "dataset,svm,nb\niris,0.9,0.8\nvote,0.7,0.6\nwine,0.8,0.9\n"
BOOK = (
    '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://'
    'schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>{}</sheets></workbook>'
)
LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}'
    "</Relationships>"
)
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def zipped(files: dict[str, bytes | str]) -> bytes:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return sink.getvalue()


def workbook(*sheets: str, head: str = "") -> bytes:
    """Write a workbook of sheets given as CSV, or as XML."""
    files: dict[str, bytes | str] = {
        "_rels/.rels": LINKS.format(
            f'<Relationship Id="r1" Type="{KIND}officeDocument" Target="xl/workbook.xml"/>'
        ),
        "xl/workbook.xml": head + BOOK.format(
            "".join(f'<sheet name="s{i}" sheetId="{i}" r:id="r{i}"/>' for i in range(1, len(sheets) + 1))
        ),
        "xl/_rels/workbook.xml.rels": LINKS.format("".join(
            f'<Relationship Id="r{i}" Type="{KIND}worksheet" Target="worksheets/s{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )),
    }  # fmt: skip
    for i, text in enumerate(sheets, start=1):
        rows = text if text.startswith("<") else "".join(
            f'<row r="{r}">{"".join(_cell(one, r, c) for c, one in enumerate(line.split(",")))}</row>'
            for r, line in enumerate(text.split(), start=1)
        )  # fmt: skip
        space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        files[f"xl/worksheets/s{i}.xml"] = (
            f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>"
        )
    return zipped(files)


def _cell(cell: str, row: int, column: int) -> str:
    place = f'r="{chr(65 + column)}{row}"'
    if cell.replace(".", "").isdecimal():
        return f"<c {place}><v>{cell}</v></c>"
    return f'<c {place} t="inlineStr"><is><t>{cell}</t></is></c>'


def read(name: str, raw: bytes, **options: Any) -> rc.ScoreTable:
    return rc.read_scores({name: raw}, metric="accuracy", **options)


@pytest.mark.parametrize(
    "raw",
    [
        CSV.encode(), gzip.compress(CSV.encode()), bz2.compress(CSV.encode()),
        lzma.compress(CSV.encode()),
        CSV.encode("utf-16"), CSV.replace(",", "\t").encode("utf-16"), CSV.encode("utf-8-sig"),
        zipped({"deep/scores.csv": CSV}), b"sep=;\n" + CSV.replace(",", ";").encode(), workbook(CSV),
        b"# a remark\n" + CSV.encode(), b"Table 3,,\n" + CSV.encode(), CSV.replace(",", "|").encode(),
    ],
    ids=lambda raw: f"{raw[:2].hex()}-{len(raw)}",  # some hold the time at which they were packed
)  # fmt: skip
def test_one_table_in_many_wrappings(raw: bytes) -> None:
    table = read("scores", raw)
    assert (table.classifiers, table.datasets) == (("svm", "nb"), ("iris", "vote", "wine"))
    assert table.scores[:, 0, 0, 0].tolist() == [0.9, 0.8]


def test_sheets_of_a_workbook_are_asked_for() -> None:
    two = workbook(CSV, CSV.replace("0.9", "0.5"))
    with pytest.raises(InvalidArgumentError, match="given for a workbook with several tables, got"):
        read("book.xlsx", two)
    assert read("book.xlsx", two, sheet="s2").scores[0, 0, 0, 0] == 0.5
    with pytest.raises(InvalidArgumentError, match=r"`sheet` must be one of s1, s2 .* got 's3'"):
        read("book.xlsx", two, sheet="s3")


def refused(name: str, raw: bytes, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        read(name, raw)


class Trap:
    """Writes a file if it is unpickled."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.path, "w")


def test_nothing_is_executed_and_nothing_is_written(tmp_path: Path) -> None:
    trap = tmp_path / "sprung"
    raw = pickle.dumps(Trap(str(trap)))
    refused("scores.pkl", raw, "a pickle. Opening one runs the code in it, so replicast never does")
    assert not trap.exists()
    outside = zipped({"../../../outside.csv": CSV, "/etc/scores.txt": "nothing,here\n"})
    with pytest.raises(InvalidArgumentError):
        read("scores.zip", outside)
    assert list(tmp_path.iterdir()) == []


def test_bombs_get_a_sentence() -> None:
    many = {"many.zip": zipped({f"{i}.csv": "a" for i in range(51)})}
    with pytest.raises(InvalidArgumentError, match=r"at most 50 files, got many\.zip with 51"):
        open_documents(many, None, Limits(members=50))
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    refused(
        "far.xlsx", workbook(far), r"at most 5,000,000 cells, got far.xlsx with 1,048,576 rows x"
    )
    entity = '<!DOCTYPE x [<!ENTITY a "aaaa">]>'
    refused("laughs.xlsx", workbook(CSV, head=entity), "a workbook without entities of its own")
    refused("broken.zip", zipped({"s.csv": CSV})[:60], "an intact zip archive, got broken.zip")
    bomb = zipped({"s.csv": b"0" * 60 * 1024**2})
    told = report_scores({"bomb.zip": bomb}, ScoresQuestion())
    assert "at most 50 MB unpacked, got bomb.zip with 60 MB" in told.mistakes[0].text
    fine = report_scores({"scores.xlsx": workbook(CSV)}, ScoresQuestion(direction="higher"))
    assert not fine.mistakes


def test_the_stores_of_mlflow_are_refused_with_the_way_out(tmp_path: Path) -> None:
    run = tmp_path / "mlruns" / "0" / "3f2a" / "metrics"
    run.mkdir(parents=True)
    (run / "accuracy").write_text("1700000000000 0.9 0\n")
    with pytest.raises(InvalidArgumentError, match=r"store of MLflow.*search_runs"):
        rc.read_scores(tmp_path / "mlruns")
    path = tmp_path / "mlflow.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE experiments (experiment_id INTEGER, name VARCHAR)")
        database.commit()
    with pytest.raises(InvalidArgumentError, match=r"the database of MLflow.*search_runs"):
        rc.read_scores(path)
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE scores (model VARCHAR, accuracy REAL)")
        database.commit()
    with pytest.raises(InvalidArgumentError, match="a SQLite database"):
        rc.read_scores(path)


@pytest.mark.parametrize("blanks", ["  ", " "])
@pytest.mark.parametrize("rows", [12, 40_000])
def test_a_missing_score_between_blanks_is_asked_about(blanks: str, rows: int) -> None:
    """Cut at blanks, the scores after it would go to the wrong classifiers."""
    lines = [f"d{i} 0.{i % 90 + 10} 0.{i % 80 + 15} 0.{i % 70 + 20}" for i in range(rows)]
    lines[rows // 2] = "d5 0.25 0.31"
    text = "\n".join(["dataset A B C", *lines]).replace(" ", blanks)
    with pytest.raises(rc.InvalidArgumentError, match="write NA where a score is missing"):
        read("scores.txt", text.encode())


@pytest.mark.parametrize("short", ["monks 2 97.1 97.3", "monks 1 97.1 97.3"])
def test_a_number_at_the_end_of_a_name_is_no_score(short: str) -> None:
    """Copied from a paper, with the last cell of a row empty: the number would move into it."""
    rows = [
        "iris 96.7 95.3 95.0",
        "heart 84.1 82.2 83.7",
        "vote 96.3 95.9 95.4",
        "zoo 100 96.0 95.0",
    ]
    told = "or in two ways"
    for text in ([*rows[:1], short, *rows[1:]], [*rows[:1], short, short, *rows[1:]]):
        with pytest.raises(InvalidArgumentError, match=told):
            read("pasted table", "\n".join(["Dataset Ours RF SVM", *text]).encode())
    found = read("pasted table", "\n".join(["Dataset Ours RF SVM", *rows]).encode())
    assert found.scores[0, :, 0, 0].tolist() == [96.7, 84.1, 96.3, 100.0]


PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("outer", PACKERS)
@pytest.mark.parametrize("inner", PACKERS)
def test_a_second_packing_is_refused(outer: str, inner: str, tmp_path: Path) -> None:
    twice = PACKERS[outer](PACKERS[inner](CSV.encode()))
    path = tmp_path / f"s.csv.{inner}.{outer}"
    path.write_bytes(twice)
    member = f"s.csv.{outer}"
    for source in (path, {path.name: twice}, {"s.zip": zipped({member: twice})}):
        with pytest.raises(InvalidArgumentError, match=r"packed once, got s\.csv.*, packed twice"):
            rc.read_scores(source, metric="accuracy")
    once = {"s.zip": zipped({member: PACKERS[outer](CSV.encode())})}
    assert rc.read_scores(once, metric="accuracy").classifiers == ("svm", "nb")


@pytest.mark.parametrize("pack", [*PACKERS.values(), lambda raw: raw])
def test_files_of_an_archive_share_its_limit(pack: Any) -> None:
    rows = (CSV + "x" * 1000).encode()
    ending = next((f".{name}" for name, packer in PACKERS.items() if packer is pack), "")
    archive = {"s.zip": zipped({f"{k}.csv{ending}": pack(rows) for k in range(3)})}
    assert len(open_documents(archive, None, Limits(archive=3 * len(rows)))) == 3
    with pytest.raises(InvalidArgumentError, match="an archive or workbook of at most"):
        open_documents(archive, None, Limits(archive=3 * len(rows) - 1))


def test_a_member_without_a_name_is_left_out() -> None:
    """Found by the fuzzer: zipfile asks for the last letter of its name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("s.csv", "dataset,a,b\nx,0.9,0.8\ny,0.8,0.7\n")
        archive.writestr("nn", "x")
    raw = packed.getvalue().replace(b"nn", b"\0n")  # a name ends before a null byte
    assert zipfile.ZipFile(io.BytesIO(raw)).infolist()[1].filename == ""
    assert rc.read_scores({"a.zip": raw}, metric="accuracy").classifiers == ("a", "b")
