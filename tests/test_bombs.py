"""Hostile files through every door: each gets a sentence, in little memory, before a parser works."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import replicast as rc
from bombs import BOMBS, MB, TABLE
from patience import PATIENCE
from replicast.reading.limits import HERE, PAGE, LimitError, Limits
from replicast.reading.packing import load
from replicast.web.forms import ScoresQuestion
from replicast.web.jobs import report_scores

READ = """
import json, resource, sys, warnings
from pathlib import Path
import replicast as rc
warnings.simplefilter("ignore")  # a table that was read may be degenerate
resource.setrlimit(resource.RLIMIT_AS, (3 * 1024**3, 3 * 1024**3))
told = {}
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        told[path.name] = "read: " + repr(rc.read_scores(path, greater_is_better=True).classifiers)
    except rc.ReplicastError as error:
        told[path.name] = str(error)
print(json.dumps(told))
"""
SAID = {
    "one-line.csv": "bytes in a line", "apostrophes.xlsx": "at most 5,000,000 cells",
    "spaces.xlsx": "at most 5,000,000 cells", "elsewhere.xlsx": "at most 5,000,000 cells",
    "shared.xlsx": "2 GB of memory", "gigabyte.csv.gz": "250 times its bytes",
    "gigabyte.csv.bz2": "250 times its bytes", "twice.csv.gz.gz": "packed once",
    "inner.zip": "an archive of files, got inner.zip with inner.zip in it",
    "shared.parquet": "at most 1,000,000 letters in a cell", "long.parquet": "100,000,000 rows",
    "spans.html": "5,000,000 cells", "spans.tex": "5,000,000 cells", "ragged.md": "200,000,000 cells",
    "ragged.csv": "200,000,000 cells", "surrogate.json": "a lone surrogate",
    "twice.json": "'a' twice", "deep.json": "nested at most 200 deep",
    "digits.json": "at most 300 digits", "digits-400.json": "at most 300 digits",
    "keys.json": "200,000,000 cells", "inspect.json": "at most 300 digits", "nul.csv": "binary data",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all of them, none over a megabyte."""
    place = tmp_path_factory.mktemp("bombs")
    for name, make in BOMBS.items():
        content = make()
        assert len(content) <= MB, (name, len(content))
        (place / name).write_bytes(content)
    return place


def test_every_bomb_gets_a_sentence(folder: Path) -> None:
    """M1 to M5, M10, L2, L4: in a process that may take 3 GB, and none ends it."""
    done = subprocess.run(
        [sys.executable, "-c", READ, str(folder)], capture_output=True, text=True, timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told) == set(BOMBS)
    for name, sentence in told.items():
        assert sentence.startswith("read: ") or sentence[-1] in ".?", name
        assert SAID.get(name, "") in sentence, name
    assert told["wide.csv"] == "read: ('svm', 'nb')"


@pytest.mark.parametrize("name", [name for name in BOMBS if not name.endswith((".zip", ".xlsx"))])
def test_bombs_on_the_page(name: str, folder: Path) -> None:
    """The page has the same limits, and smaller ones for bytes, rows and columns."""
    raw = (folder / name).read_bytes()
    told = report_scores({name: raw}, ScoresQuestion(direction="higher", rows="datasets"))
    assert told.mistakes or told.questions or told.html


def test_one_table_of_limits() -> None:
    """Item 2: the page differs from the command line in sizes alone, from one table."""
    smaller = {"packed", "unpacked", "archive", "rows", "columns", "cells"}
    for limit, most in vars(HERE).items():
        assert (getattr(PAGE, limit) < most) == (limit in smaller), limit


def test_m4_endless_files(tmp_path: Path) -> None:
    """M4: a device says that it is empty, and a file may be longer than it says."""
    for device in ("/dev/zero", "/dev/urandom"):
        with pytest.raises(rc.InvalidArgumentError, match=r"a file or a pipe, got .*, a device"):
            rc.read_scores(device)
    with pytest.raises(LimitError, match=r"got maps with more"):  # its size is said to be 0
        load(Path("/proc/self/maps"), Limits(packed=1))
    pipe = subprocess.run(
        [sys.executable, "-c", "import replicast as rc; from pathlib import Path;"
         "from replicast.reading.limits import Limits; from replicast.reading.packing import load\n"
         "try: load(Path('/dev/stdin'), Limits(packed=10**6))\n"
         "except rc.ReplicastError as error: print(error)"],
        input=b"1,2\n" * 10**6, capture_output=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    assert b"got stdin with more" in pipe.stdout
    path = tmp_path / "scores.csv"
    path.write_bytes(TABLE)
    assert load(path) == TABLE


def test_l1_a_header_longer_than_the_first_look() -> None:
    """L1: names are taken from the whole first line, however long it is."""
    names = [f"model-{k:0100d}" for k in range(700)]  # 74 KB
    rows = [",".join([d, *(f"0.{k % 9}" for k in range(700))]) for d in ("iris", "vote", "wine")]
    text = "\n".join([",".join(["dataset", *names]), *rows])
    table = rc.read_scores({"wide.csv": text.encode()}, metric="accuracy")
    assert table.classifiers == tuple(names)


def test_l3_no_memory_is_said_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """L3, M5: what pandas calls an error of the parser is told as what it is."""
    import pandas as pd

    def exhausted(*_: object, **__: object) -> None:
        raise pd.errors.ParserError("Error tokenizing data. C error: out of memory")

    monkeypatch.setattr(pd, "read_csv", exhausted)
    with pytest.raises(rc.InvalidArgumentError, match="fits into the memory of this machine"):
        rc.read_scores({"s.csv": TABLE})


def test_m5_no_memory_on_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """M5: a MemoryError of whatever a command does is a sentence there, and exit code 2."""
    from replicast.cli import app

    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("replicast.replication.replicate.replicate", exhausted)
    monkeypatch.setattr("sys.argv", ["replicast", "replicate", "--t", "2.4", "--folds", "10"])
    with pytest.raises(SystemExit) as ended:
        app()
    assert ended.value.code == 2
    assert "more memory than there is" in capsys.readouterr().err


def test_l7_an_empty_path() -> None:
    """L7: an unset variable of the shell is no folder."""
    with pytest.raises(rc.InvalidArgumentError, match="the path of a file"):
        rc.read_scores("")


def test_l5_a_path_that_is_too_long() -> None:
    """L5: of 5,000 letters, or with half of a letter in it."""
    for path in ("x" * 5000, "\ud800.csv"):
        with pytest.raises(rc.InvalidArgumentError, match="a readable file"):
            rc.read_scores(path)
