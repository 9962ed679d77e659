"""A watched comparison: case by case, resumed, refused, and on real questions."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.kernels import counts, monitoring
from replicast.presentation.telling import tell

ROOT = Path(__file__).parents[1]
RNG = np.random.default_rng(0)
RIGHT = (RNG.random((2, 300)) < [[0.85], [0.6]]).astype(float)


def test_right_and_wrong_by_the_closed_form() -> None:
    watch = rc.Monitor(names=("a", "b"))
    for i, (first, second) in enumerate(RIGHT.T, 1):
        now = watch.add(first, second)
        d = RIGHT[0, :i] - RIGHT[1, :i]
        expected = monitoring.discordant_log_e((d > 0).sum(), (d < 0).sum())
        assert now.log_e == pytest.approx(float(expected), abs=1e-12)
        assert now.cases == i
    assert now.better == "a"
    assert now.pvalue == pytest.approx(np.exp(-now.best))
    d = RIGHT[0] - RIGHT[1]
    log_e = monitoring.discordant_log_e(np.cumsum(d > 0), np.cumsum(d < 0))
    assert now.decided_after == int(np.argmax(log_e >= np.log(20))) + 1


def test_graded_scores_by_every_bet() -> None:
    scores = RNG.random((2, 200)).round(2)
    watch = rc.Monitor(bounds=(0, 2))
    now = watch.add_many(*(2 * scores))
    wealth = np.log1p(monitoring.bets()[:, None] * (scores[0] - scores[1])).sum(axis=1)
    plain = special.logsumexp(wealth) - np.log(len(wealth))
    assert plain - 1e-3 < now.log_e <= plain + 1e-12
    look = watch.look()
    assert look.difference == pytest.approx(2 * (scores[0] - scores[1]).mean())
    assert look.interval.low < look.difference < look.interval.high
    assert 0 < look.forecasts[0][1] < look.forecasts[1][1] < 1


def test_swapping_mirrors() -> None:
    one, other = rc.Monitor(names=("a", "b")), rc.Monitor(names=("b", "a"))
    now, turned = one.add_many(*RIGHT), other.add_many(*RIGHT[::-1])
    assert (now.log_e, now.better, now.decided_after) == (
        turned.log_e,
        turned.better,
        turned.decided_after,
    )
    low, high = one.look().interval
    assert other.look().interval == pytest.approx((-high, -low))


@pytest.mark.filterwarnings("error")
def test_every_case_won_by_one_side() -> None:
    watch = rc.Monitor()
    watch.add_many(np.ones(12), np.zeros(12))
    low, high = watch.look().interval
    assert 0 < low < high == 1


def test_a_decision_stands_and_the_interval_with_it() -> None:
    watch = rc.Monitor(names=("a", "b"))
    watch.add_many([1] * 12, [0] * 12)
    after = watch.add_many([0] * 12, [1] * 12)
    assert (after.better, after.decided_after) == ("a", 7)
    assert after.log_e < 0 < after.best
    assert watch.look().interval.low == 0


def test_datasets_count_by_their_winner() -> None:
    watch = rc.Monitor(design=rc.Datasets())
    now = watch.add_many([81.0, 72.5, 60.0], [80.0, 73.0, 59.0])
    assert (now.first_only, now.second_only) == (2, 1)
    assert watch.look().estimand == "datasets won minus lost"
    assert "datasets" in tell(watch.look()).headline


@pytest.mark.parametrize(
    "design",
    [
        rc.KFold(10),
        rc.RepeatedKFold(),
        rc.RandomSplits(splits=10, n_train=90, n_test=10),
        rc.FiveByTwo(),
    ],
)
def test_scores_that_share_data_are_refused(design: rc.Design) -> None:
    with pytest.raises(rc.errors.DesignMismatchError, match="no fresh evidence"):
        rc.Monitor(design=design)


def test_refusals() -> None:
    with pytest.raises(rc.InvalidArgumentError, match="a score from 0 to 1"):
        rc.Monitor().add(1.5, 0)
    with pytest.raises(rc.InvalidArgumentError, match="a score from 0 to 1"):
        rc.Monitor().add(float("nan"), 0)
    with pytest.raises(rc.InvalidArgumentError, match="least and the largest"):
        rc.Monitor(bounds=(1, 0))
    with pytest.raises(rc.InvalidArgumentError, match="before a look"):
        rc.Monitor().look()
    with pytest.raises(rc.InvalidArgumentError, match="strictly between"):
        rc.Monitor(significance=0)


def test_a_case_is_counted_once() -> None:
    watch = rc.Monitor()
    watch.add(1, 0, case="q1")
    assert watch.add(1, 0, case="q1").cases == 1
    with pytest.raises(rc.InvalidArgumentError, match="'q1' with others"):
        watch.add(0, 0, case="q1")


def test_it_goes_on_where_it_ended(tmp_path: Path) -> None:
    path, ids = tmp_path / "watch.jsonl", [f"q{i}" for i in range(300)]
    whole = rc.Monitor(names=("a", "b"))
    whole.add_many(*RIGHT)
    for stop in (40, 41, 200, 300):  # each begins anew, and feeds all from the start
        watch = rc.Monitor(names=("a", "b"), journal=path)
        watch.add_many(RIGHT[0, :stop], RIGHT[1, :stop], cases=ids[:stop])
    assert watch.progress == whole.progress
    assert watch.look().to_dict() == whole.look().to_dict()
    with pytest.raises(rc.InvalidArgumentError, match="another one"):
        rc.Monitor(names=("a", "c"), journal=path)


def test_records_are_json_and_words() -> None:
    watch = rc.Monitor(names=("new", "old"), total=1000)
    watch.add_many(*RIGHT[:, :60])
    look = watch.look()
    assert json.loads(json.dumps(look.to_dict()))["progress"]["cases"] == 60
    told = tell(look)
    assert told.headline == "Not decided after 60 of 1,000 cases: go on, or end it open"
    assert "on 60 fresh cases; " in {row.label: row for row in told.lines}["again"].remark


def test_what_an_ordinary_p_value_would_do() -> None:
    """A look after every 25 of 1,000 answers, at two equally good models: about one of four."""
    drawn = np.random.default_rng(0).random((2000, 1000))
    won, lost = np.cumsum(drawn < 0.2, axis=1), np.cumsum(drawn > 0.8, axis=1)
    looks = np.s_[:, 24::25]
    pvalues = counts.binomial_pvalue(
        won[looks], lost[looks], 0 * won[looks], ties_rule="drop", alternative="two-sided"
    )
    assert (pvalues < 0.05).any(axis=1).mean() == pytest.approx(0.25, abs=0.03)
    evidence = monitoring.discordant_log_e(won[looks], lost[looks]).max(axis=1)
    assert (evidence >= np.log(20)).mean() <= 0.05


def board() -> np.ndarray:
    rows = pd.read_parquet(ROOT / "calibration" / "corpora" / "livebench.parquet")
    wide = rows.pivot_table(index="question", columns="model", values="score")
    return wide.loc[:, wide.notna().sum() >= 864].dropna().to_numpy().T


@pytest.mark.parametrize("count", [300, pytest.param(3000, marks=pytest.mark.slow)])
def test_real_questions_are_decided_sooner(count: int) -> None:
    """Pairs of LiveBench that all questions decide: how many are decided, and how soon?"""
    models = board()
    rng = np.random.default_rng(1)
    kept = asked = decided = 0
    for _ in range(count):
        first, second = models[rng.choice(len(models), 2, replace=False)]
        if stats.ttest_rel(first, second).pvalue >= 0.05:
            continue
        decided += 1
        order = rng.permutation(len(first))
        gains = np.log1p(monitoring.bets()[:, None] * (first - second)[order])
        log_e = np.logaddexp.reduce(np.cumsum(gains, axis=1), axis=0) - np.log(len(gains))
        crossed = np.flatnonzero(log_e >= np.log(20))
        kept += len(crossed) > 0
        asked += (crossed[0] + 1 if len(crossed) else len(first)) / len(first)
    assert decided > 0.7 * count
    assert kept / decided >= 0.8  # 95% were seen
    assert asked / decided <= 0.5  # 19% were seen


def test_the_evidence_that_decided_is_told_not_that_at_the_end() -> None:
    watch = rc.Monitor(names=("new", "old"))
    now = watch.add_many([1] * 9 + [0] * 7, [0] * 9 + [1] * 7)
    assert now.decided_after == 7
    assert now.deciding_log_e == pytest.approx(
        float(monitoring.discordant_log_e(np.asarray(7), np.asarray(0)))
    )
    assert now.deciding_log_e >= np.log(20) > now.log_e
    rows = {row.label: row for row in tell(watch.look()).rows}
    assert "20 decides; E = " in rows["evidence"].remark
    assert " after 7 cases; anytime-valid p" in rows["evidence"].remark
    still_open = rc.Monitor()
    still_open.add_many([1, 0, 1], [0, 1, 0])
    rows = {row.label: row for row in tell(still_open.look()).rows}
    assert "after" not in rows["evidence"].remark


def test_a_decision_says_why_it_stands_where_the_evidence_has_fallen_since() -> None:
    watch = rc.Monitor(names=("new", "old"))
    watch.add_many([1] * 13, [0] * 12 + [1])
    assert "stands" not in {row.label for row in tell(watch.look()).lines}
    watch.add_many([0] * 8 + [1] * 9, [1] * 8 + [0] * 9)
    assert watch.progress.log_e < np.log(20)
    told = tell(watch.look())
    assert told.headline.startswith("You may stop: new is better")
    why = {row.label: row.value for row in told.lines}["stands"]
    assert why == "the evidence was enough at case 7; later cases do not undo it"


# ------------------------------------------------------------------ would a repeat be significant?
def chances(won: int, lost: int, tied: int, **options: object) -> str:
    watch = rc.Monitor(names=("new", "old"), **options)
    watch.add_many([1] * won + [0] * (lost + tied), [0] * won + [1] * lost + [0] * tied)
    row = {row.label: row for row in tell(watch.look()).lines}["again"]
    return f"{row.value} {row.remark}"


def test_what_is_decided_may_happen_again() -> None:
    told = chances(60, 0, 0)
    ends = "over 99 if close rivals, over 99 if any two"
    assert told == f"over 99 of 100 repeats for new, on 60 fresh cases; {ends}"
    wanted = r"^\d+ of 100 repeats .* on 20 fresh cases; \d+ if close rivals, \d+ if any two$"
    assert re.search(wanted, chances(9, 1, 10))


def test_what_is_not_decided_has_not_happened_yet() -> None:
    assert "for either, on 60 fresh cases; " in chances(0, 0, 60)
    assert "for old, on 10 fresh cases; " in chances(2, 3, 5)


@pytest.mark.parametrize(
    ("design", "first", "second"),
    [
        (rc.Holdout(), [1, 1, 1, 0, 1, 1, 1, 1, 0, 1] * 6, [0, 1, 0, 0, 1, 0, 1, 1, 1, 1] * 6),
        (rc.Cases(), np.linspace(0.5, 0.9, 60), np.linspace(0.5, 0.9, 60)[::-1] - 0.04),
        (rc.Datasets(), [0.8, 0.7, 0.9, 0.8] * 5, [0.7, 0.8, 0.8, 0.7] * 5),
    ],
)
def test_a_look_shows_both_ends_by_relation(design, first, second) -> None:
    watch = rc.Monitor(names=("new", "old"), design=design, total=200)
    watch.add_many(first, second)
    look = watch.look()
    assert [size for size, _ in look.forecasts] == [len(first), 200]
    for (_, chance), ends in zip(look.forecasts, look.forecasts_by_relation, strict=True):
        assert ends.close < chance < ends.any
    assert "if close rivals" in str(look)
    pair = rc.PairedScores(first=first, second=second, design=design)
    model = "sign" if design.over_datasets else None
    scores = rc.replicate(pair, model=model)
    assert look.forecasts[0][1] == pytest.approx(scores.probability, abs=0.01)
    assert look.forecasts_by_relation[0].close == pytest.approx(scores.by_relation.close, abs=0.01)


def test_cases_that_tell_no_spread_are_not_forecast() -> None:
    watch = rc.Monitor(design=rc.Cases())
    watch.add(0.9, 0.8)
    assert watch.look().forecasts == ()
    assert "of 100 repeats" not in str(watch.look())


@pytest.mark.parametrize("layout", ["wide", "long"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_cases_in_blocks_are_told(layout: str, shuffled: bool, tmp_path: Path) -> None:
    """A decision at any time holds for a random order: first all of law, then all of maths, is none."""
    rng = np.random.default_rng(3)
    rows = [
        (f"q{at}", "law" if at < 60 else "maths", *(rng.random(2) < (0.8, 0.6)).astype(int))
        for at in range(120)
    ]
    if shuffled:
        rng.shuffle(rows)
    frame = pd.DataFrame(rows, columns=["case", "subject", "new", "old"])
    if layout == "long":
        frame = frame.melt(["case", "subject"], var_name="model", value_name="correct")
    path = tmp_path / "cases.csv"
    frame.to_csv(path, index=False)
    words = ["stop", str(path), "--higher-is-better", "--columns", "cluster=none"]
    said = CliRunner().invoke(app, words, env={"COLUMNS": "200"}).stdout
    assert "valid if the cases came in random order" in said
    assert ("sorted by subject, in no random order" in said) is not shuffled
