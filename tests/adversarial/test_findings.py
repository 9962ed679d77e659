"""What an attack on version 0.2 found, by the letters of its report; the page's are in tests/web."""

import os
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replicast as rc
from patience import PATIENCE
from replicast.presentation.renderers.markup import escape_latex
from replicast.presentation.writing import write_whole
from replicast.studies.plan import Study
from replicast.studies.store import DirectoryStore, StoreError

STUDY = Study(name="s", scenario="scenario_for_tests:shifted", factors={"shift": (0.0,)}, block=10,
              replicates=10)  # fmt: skip
CLAIM = """
import sys
from replicast.studies.plan import Study
from replicast.studies.store import DirectoryStore, StoreError
study = Study(name="s", scenario="x", replicates=10, block=10, seed=int(sys.argv[2]))
sys.stdin.readline()
try:
    DirectoryStore(sys.argv[1]).claim(study)
    print("mine")
except StoreError:
    print("other")
"""


def test_m8_two_studies_and_one_new_store(tmp_path: Path) -> None:
    """M8: of studies that differ and begin together, one has the folder and the others are refused."""
    command = [sys.executable, "-c", CLAIM, str(tmp_path / "store")]
    runs = [
        subprocess.Popen(
            [*command, str(k)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for k in range(4)
    ]
    for run in runs:
        assert run.stdin is not None
        run.stdin.write("\n")
        run.stdin.flush()
    said = [run.communicate(timeout=PATIENCE)[0].strip() for run in runs]
    assert sorted(said) == ["mine", "other", "other", "other"]
    store = DirectoryStore(tmp_path / "store")
    assert store.study().seed == said.index("mine")
    assert not list((tmp_path / "store").glob(".*"))


def test_m8_two_files_of_one_block(tmp_path: Path) -> None:
    """M8: which of two contents counts is not left to the file system."""
    store = DirectoryStore(tmp_path)
    store.claim(STUDY)
    key = next(STUDY.blocks()).key
    store.write(key, b"one")
    assert store.finished() == {key}
    store.write(key, b"two")
    with pytest.raises(StoreError, match="twice, with different contents"):
        store.finished()


@pytest.mark.parametrize(
    "constants",
    [{"a b": 1}, {"effect": float("nan")}, {"x": float("-inf")}, {"": "\x7f\n\"'"}, {"ü.[": "é\\"}],
)
def test_m9_what_was_written_can_be_read_again(constants: dict[str, Any], tmp_path: Path) -> None:
    """M9: any name of a constant, nan and infinity."""
    study = replace(STUDY, constants=constants, factors={"a b": (1, float("inf"))})
    store = DirectoryStore(tmp_path)
    store.claim(study)
    again = store.study()
    assert again.fingerprint == study.fingerprint
    assert repr(dict(again.constants)) == repr(constants)


def test_m9_bytes_of_ordinary_studies_stay() -> None:
    """M9: stores of before are found again; what needed no quotation marks has none."""
    told = replace(STUDY, constants={"n-1": 0.5, "word": "x"}).to_toml()
    assert 'n-1 = 0.5\nword = "x"\n' in told
    assert "[factors]\nshift = [0.0]\n" in told


@pytest.mark.parametrize(
    "text",
    [
        "scenario = 5", "scenario = 'x'\nfactors = 3", "scenario = 'x'\n[factors]\na = [[1], [2]]",
        "scenario = 'x'\n[constants]\na = 2020-01-01", "scenario = 'x'\nconstants = 5",
        "scenario = 'x'\nseed = -1", "scenario = 'x'\nseed = 'x'",
    ],
)  # fmt: skip
def test_l5_l6_study_files_that_are_none(text: str) -> None:
    """L5, L6: a sentence, before anything runs."""
    with pytest.raises(rc.InvalidArgumentError):
        Study.from_toml(text)


def test_l5_names_as_long_as_a_disk_takes_them(tmp_path: Path) -> None:
    """L5: 250 letters are written, 300 are refused in a sentence."""
    write_whole(tmp_path / ("x" * 250), b"content")
    assert (tmp_path / ("x" * 250)).read_bytes() == b"content"
    with pytest.raises(rc.InvalidArgumentError, match="File name too long"):
        write_whole(tmp_path / ("x" * 300), b"content")
    assert len(list(tmp_path.iterdir())) == 1


def test_l6_a_study_whose_blocks_all_fail(tmp_path: Path) -> None:
    """L6: it does not end as one that succeeded."""
    (tmp_path / "s.toml").write_text(
        "scenario = 'scenario_for_tests:shifted'\nreplicates = 2\nblock = 1\n[constants]\nshift = 'x'\n"
        "seconds = 0\n"
    )
    tests = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", "from replicast.cli import main; main()", "study", "run", "s.toml",
         "--store", "s"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": tests}, text=True,
        capture_output=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert "blocks failed" in done.stdout, done.stderr
    assert done.returncode == 2


@pytest.mark.parametrize("mark", ["\x9b", "\x1b", "\u202e", "\u2066"])
def test_l10_no_commands_to_a_terminal_in_files(mark: str) -> None:
    """L10: controls, also those above ASCII, and letters that turn the order of others."""
    assert mark not in escape_latex(f"a{mark}b")


def test_l11_drafts_of_the_dead_go(tmp_path: Path) -> None:
    """L11: a draft stays as long as its process runs."""
    store = DirectoryStore(tmp_path)
    store.claim(STUDY)
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead = tmp_path / "blocks" / f".x.parquet.{ended.pid}.tmp"
    alive = tmp_path / "blocks" / f".y.parquet.{os.getpid()}.tmp"
    for draft in (dead, alive):
        draft.write_bytes(b"half")
    store.claim(STUDY)
    assert not dead.exists()
    assert alive.exists()


def test_l11_plots_are_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """L11: a picture that cannot be written leaves the old one as it was."""
    path = tmp_path / "plot.png"
    path.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(rc.InvalidArgumentError, match="No space left on device"):
        rc.replicate(t=2.9, folds=10).report(path)
    monkeypatch.undo()
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("kind", [np.float32, np.float64, Decimal, Fraction, np.float16])
def test_m11_probabilities_of_any_kind(kind: Any) -> None:
    """M11: a float32 never reached the root; Decimal and Fraction are numbers too."""
    found = rc.required_pvalue(kind(0.5), design=rc.Datasets(10))
    assert found == pytest.approx(rc.required_pvalue(0.5, design=rc.Datasets(10)), rel=1e-3)


@pytest.mark.parametrize("level", [Decimal("0.05"), Fraction(1, 20), np.float32(0.05)])
def test_l13_levels_of_any_kind(level: Any) -> None:
    """L13: as a level of significance too."""
    found = rc.power(0.5, rc.Datasets(20), significance=level)
    assert found.power == pytest.approx(rc.power(0.5, rc.Datasets(20)).power, rel=1e-4)


@pytest.mark.parametrize("huge", [10**400, -(10**400)], ids=["above", "below"])
def test_l13_numbers_beyond_floats(huge: int) -> None:
    """L13: one of the package's own errors, whatever argument they are given for."""
    for call in (
        lambda: rc.Datasets(huge),
        lambda: rc.RepeatedKFold(runs=huge, folds=10),
        lambda: rc.judge((huge, 1.0), (2.0, 1.0)),
        lambda: rc.check_normality([huge, 1.0, 2.0]),
        lambda: rc.compare([huge, 1.0, 2.0], [1.0, 2.0, 3.0], design=rc.Datasets()),
        lambda: rc.required_pvalue(huge, design=rc.Datasets(10)),
    ):
        with pytest.raises(rc.ReplicastError):
            call()
