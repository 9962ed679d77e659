"""Ledger and journal: what is written stands, and what was changed is seen."""

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replicast as rc
from patience import PATIENCE
from replicast.judging.journal import Journal, JournalError
from replicast.presentation.telling import tell

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_lines_come_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    entries = [{"kind": "x", "value": 0.1}, {"kind": "Zürich \u2028\n", "list": [1, None]}]
    for entry in entries:
        journal.append(entry)
    assert journal.read() == (tuple(entries), 0)
    assert len(journal.path.read_text("utf-8").split("\n")) == 3
    assert Journal(tmp_path / "none.jsonl").read() == ((), 0)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_in_a_sentence(tail: bytes) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / "j.jsonl")
        journal.append({"kind": "x"})
        with journal.path.open("ab") as file:
            file.write(tail)
        try:
            entries = journal.read().entries
        except rc.ReplicastError:
            return
        assert entries[0] == {"kind": "x"}
        journal.append({"kind": "y"})
        assert journal.read().entries[-1] == {"kind": "y"}


def test_a_cut_line_is_skipped_and_the_next_one_whole(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    for i in range(3):
        journal.append({"kind": i})
    whole = journal.path.read_bytes()
    for end in range(len(whole)):
        journal.path.write_bytes(whole[:end])
        before = journal.read().entries
        assert before == tuple({"kind": i} for i in range(len(before)))
        journal.append({"kind": 9})
        after, torn = journal.read()
        assert after == (*before, {"kind": 9})
        assert torn <= 1


def test_a_changed_line_is_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    journal.append({"kind": "x", "chance": 0.25})
    journal.path.write_text(journal.path.read_text().replace("0.25", "0.95"))
    with pytest.raises(rc.InvalidArgumentError, match="line 1: expected a line as it was written"):
        journal.read()


@pytest.mark.parametrize(
    "content",
    [
        "dataset,a,b\niris,1,2\n",
        '{"doc_id": 1}\n',
        " ",
        "{",
        '{\n  "name": "x"\n}\n',
        "\n# A\n",
        '{"k\n',
    ],
)
def test_another_file_is_not_written_to(tmp_path: Path, content: str) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(content)
    if content == "{":  # the first letter of a line that was cut short
        Journal(path).append({"kind": 1})
        return
    with pytest.raises(JournalError, match="is no journal of replicast"):
        Journal(path).append({"kind": 1})
    assert path.read_text() == content


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be written: Is a directory"):
        Journal(tmp_path).append({"kind": 1})
    with pytest.raises(JournalError, match="cannot be read"):
        Journal(tmp_path).read()


def test_the_same_outcome_is_written_and_counted_once(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    code = (
        "import sys, replicast as rc\n"
        "ledger = rc.Ledger(sys.argv[1])\n"
        "for i in range(15):\n"
        "    ledger.record(rc.judge((3.1, 1.2), (2.0 + i, 1.0)))\n"
    )
    runs = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
    assert [run.wait(timeout=PATIENCE) for run in runs] == [0, 0, 0]
    assert len(path.read_text().splitlines()) == 15
    assert rc.Ledger(path).calibration().forecasts == 15
    first = path.read_text().splitlines()[0]
    path.write_text(path.read_text() + first + "\n")  # as an older version wrote it
    assert rc.Ledger(path).calibration().forecasts == 15


def pair(shift: float, seed: int) -> rc.PairedScores:
    rng = np.random.default_rng(seed)
    second = rng.normal(0.8, 0.02, 10)
    first = second + shift + rng.normal(0, 0.01, 10)
    return rc.PairedScores(first=first, second=second, design=rc.KFold(10), names=("a", "b"))


def test_a_forecast_written_beforehand_is_the_one_that_counts(tmp_path: Path) -> None:
    ledger = rc.Ledger(tmp_path / "f.jsonl")
    one, other = pair(0.02, 1), pair(0.02, 2)
    said = rc.replicate(one, estimator="flat")
    ledger.forecast(rc.corrected_ttest(one), said, now=NOON)
    assert ledger.calibration().open == 1
    judged = ledger.record(rc.judge(one, other), now=NOON)
    assert judged.forecast.probability == said.probability
    assert judged.forecast.registered == "2026-03-01T12:00:00+00:00"
    assert judged.forecast.log_score == pytest.approx(np.log(said.probability))
    again = ledger.record(rc.judge(one, other))
    assert again.forecast == judged.forecast
    found = ledger.calibration()
    assert (found.forecasts, found.registered, found.open) == (1, 1, 0)
    assert found.said == said.probability


def test_calibration_by_hand(tmp_path: Path) -> None:
    ledger = rc.Ledger(tmp_path / "f.jsonl")
    rng = np.random.default_rng(0)
    chances, happened = [], []
    for i in range(40):
        judged = ledger.record(
            rc.judge((rng.normal(2, 1), 1.0), (rng.normal(1.5, 1), 1.0 + i / 100))
        )
        chances.append(judged.forecast.probability)
        happened.append(judged.again)
    found = ledger.calibration()
    p, y = np.array(chances), np.array(happened)
    assert found.said == pytest.approx(p.mean())
    assert found.happened == y.sum()
    assert found.log_score == pytest.approx(np.log(np.where(y, p, 1 - p)).mean())
    assert found.surprise == pytest.approx((y - p).sum() / np.sqrt((p * (1 - p)).sum()))
    assert sum(one.forecasts for one in found.bins) == 40
    for one in found.bins:
        inside = (p >= one.low) & (p < one.high)
        assert one.happened == y[inside].sum()
        assert one.interval.low <= y[inside].mean() <= one.interval.high
    assert json.loads(json.dumps(found.to_dict()))["forecasts"] == 40
    told = tell(found)
    assert told.read == "40 forecasts with an outcome, none open"
    assert told.headline.endswith(f"{found.happened} of 40 happened")


def test_an_empty_ledger_says_so(tmp_path: Path) -> None:
    found = rc.Ledger(tmp_path / "f.jsonl").calibration()
    assert found.forecasts == 0
    assert "No outcome yet" in tell(found).headline


def test_another_file_is_no_ledger(tmp_path: Path) -> None:
    Journal(tmp_path / "j.jsonl").append({"kind": "outcome", "chance": "high"})
    with pytest.raises(rc.InvalidArgumentError, match="Is this a ledger"):
        rc.Ledger(tmp_path / "j.jsonl").calibration()
