"""How many scores let a good candidate pass: never fewer than it takes, by enumeration or simulation."""

import dataclasses
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaln, stdtr, xlogy

import replicast as rc
from replicast.judging.records import Gate
from replicast.judging.rulers import ruler_of
from replicast.judging.sight import aim_of, see
from replicast.kernels import margins
from replicast.kernels.cases import clustered_mean
from replicast.presentation.telling import tell
from test_gating import cases, rows

pytestmark = pytest.mark.filterwarnings(
    "ignore::replicast.errors.DegenerateScoresWarning"
)  # asked for


@cache
def outcomes(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return every number of wins and losses of n cases."""
    won, lost = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = won + lost <= n
    return won[inside], lost[inside]


def seen(found: Gate) -> str:
    """Return the line about what a gate can see."""
    return {row.label: row.value for row in tell(found).lines}["gate"]


def masses(n: int, win: np.ndarray, loss: np.ndarray) -> np.ndarray:
    won, lost = outcomes(n)
    tied = np.maximum(1 - win - loss, 0)
    log = gammaln(n + 1) - gammaln(won + 1) - gammaln(lost + 1) - gammaln(n - won - lost + 1)
    with np.errstate(divide="ignore"):
        return np.exp(log + xlogy(won, win) + xlogy(lost, loss) + xlogy(n - won - lost, tied))


def passing(n: int, margin: float) -> np.ndarray:
    """Say of every outcome whether Tango's score rejects a drop of the margin, exactly, at 0.05."""
    won, lost = outcomes(n)
    b, delta = won + lost, -margin
    linear = -b + (2 * n - won + lost) * delta
    root = np.sqrt(linear**2 + 8 * n * lost * delta * (1 - delta))
    rate = (root - linear) / (4 * n)
    score = (won - lost - n * delta) / np.sqrt(n * (2 * rate + delta * (1 - delta)))
    order = np.argsort(-score, kind="stable")
    ends = np.searchsorted(-score[order], -score + 1e-9, side="right") - 1
    largest = np.zeros(len(score))
    for loss in margin + (1 - margin) / 2 * (1 - np.cos(np.linspace(0, np.pi, 300))) / 2:
        tails = np.cumsum(masses(n, loss - margin, loss)[order])
        largest = np.maximum(largest, tails[ends])
    return largest < 0.05


def chance(n: int, margin: float, goal: str, rate: float) -> float:
    won, lost = outcomes(n)
    passed = passing(n, margin)
    if goal == "equivalent":
        place = {pair: at for at, pair in enumerate(zip(won.tolist(), lost.tolist(), strict=True))}
        turned = [place[pair] for pair in zip(lost.tolist(), won.tolist(), strict=True)]
        passed = passed & passed[turned]
    return float(masses(n, rate / 2, rate / 2)[passed].sum())


@pytest.mark.parametrize(
    ("won", "lost", "n", "margin", "goal", "needed"),
    [
        (0, 0, 58, 0.05, "not-worse", 93),
        (0, 0, 58, 0.05, "equivalent", 124),
        (1, 1, 100, 0.05, "not-worse", 124),
        (0, 0, 30, 0.05, "not-worse", 124),
    ],
)
def test_the_size_said_to_be_needed_by_enumeration(
    won: int, lost: int, n: int, margin: float, goal: Any, needed: int
) -> None:
    """Golden sizes by enumeration of all outcomes; 42, 58, 73 and others were said to be enough."""
    sight = rc.gate(cases(won, lost, n), margin=margin, goal=goal).sight
    rate = (won + lost + 1) / (n + 2)
    assert sight.pass_chance == pytest.approx(chance(n, margin, goal, rate), abs=1e-6)
    assert sight.pass_chance < 0.8
    assert sight.needed == needed
    assert chance(needed, margin, goal, rate) >= 0.8 > chance(needed - 1, margin, goal, rate)


@pytest.mark.parametrize("goal", ["not-worse", "better", "equivalent"])
def test_more_are_needed_wherever_these_are_too_few(goal: Any) -> None:
    for won, lost, n, margin in (
        (0, 0, 10, 0.05), (0, 0, 140, 0.02), (1, 0, 58, 0.05), (3, 1, 45, 0.05), (5, 5, 200, 0.05),
        (20, 20, 200, 0.03),
    ):  # fmt: skip
        pair = cases(won, lost, n)
        sight = rc.gate(pair, margin=margin, goal=goal).sight
        if sight.pass_chance >= 0.8:
            assert sight.needed is None
            continue
        assert sight.needed > n
        grown = ruler_of(rc.mcnemar(pair), pair).grown(sight.needed)
        assert grown.chance(sight.reference, 0.05, **aim_of(goal, margin).passing) >= 0.8


def test_the_power_that_is_required_is_the_one_planned_for() -> None:
    sizes = [
        rc.gate(cases(10, 10, 300), margin=0.02, required_power=power).sight.needed
        for power in (0.5, 0.8, 0.95)
    ]
    assert sizes == sorted(set(sizes))
    found = rc.gate(cases(10, 10, 300), margin=0.02, required_power=0.95)
    assert "would make it 95" in seen(found)


@pytest.mark.parametrize(
    ("bound", "level"), [(-0.02, 0.05), (-0.001, 0.05), (0.05, 0.01), (-0.2, 0.1)]
)
def test_critical_scores_do_not_rise_beyond_the_cases_planned_exactly(
    bound: float, level: float
) -> None:
    known = margins.critical_margin(10_000, bound, level).score
    for n in (25_000, 80_000):
        assert margins.critical_margin(n, bound, level).score <= known + 1e-3


@pytest.mark.parametrize(("n", "margin"), [(3, 0.05), (3, 0.02), (4, 0.01), (6, 0.01), (8, 0.005)])
@pytest.mark.parametrize("goal", ["not-worse", "equivalent"])
def test_datasets_said_to_be_needed_are_enough(n: int, margin: float, goal: Any) -> None:
    """Draws of their own, and the critical ranks by counting subsets of 1 to n."""
    pair = rows(0.0, n, rc.Datasets(), seed=n)
    sight = rc.gate(pair, margin=margin, goal=goal).sight
    assert sight.pass_chance < 0.8
    needed = sight.needed
    assert needed > n
    assert needed >= 5  # 2 ** -5 is the first below 0.05
    drawn = np.random.default_rng(1).normal(0, pair.differences.std(ddof=1), (20_000, needed))
    shown = signed_ranks_show(drawn + margin)
    if goal == "equivalent":
        shown &= signed_ranks_show(margin - drawn)
    assert shown.mean() >= 0.8 - 0.012  # three standard errors of both simulations


def signed_ranks_show(rows: np.ndarray) -> np.ndarray:
    n = rows.shape[1]
    sums = (stats.rankdata(np.abs(rows), axis=1) * (rows > 0)).sum(axis=1)
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.concatenate([ways, np.zeros(rank)]) + np.concatenate([np.zeros(rank), ways])
    tail = np.cumsum(ways[::-1])[::-1] / 2.0**n
    return tail[sums.astype(int)] < 0.05


def test_many_datasets_are_planned_as_a_smaller_error() -> None:
    """The size beyond 400 by the efficiency of the ranks under normal differences, pi / 3."""
    pair = rows(0.0, 20, rc.Datasets())
    sd, margin = pair.differences.std(ddof=1), 0.0005
    expected = np.pi / 3 * (sd * (stats.norm.isf(0.05) + stats.norm.isf(0.2)) / margin) ** 2
    found = rc.gate(pair, margin=margin).sight.needed
    assert expected > 1000
    assert found == pytest.approx(expected, rel=0.03)


def test_graded_cases_said_to_be_needed_are_enough() -> None:
    first = np.random.default_rng(0).normal(0.5, 0.1, 30)
    pair = rc.PairedScores(first=first, second=np.full(30, 0.5), design=rc.Cases())
    needed = rc.gate(pair, margin=0.03).sight.needed
    assert needed > 30
    shift = 0.03 / first.std(ddof=1)
    for n, enough in ((needed, True), (needed - 1, False)):
        power = stats.nct.sf(stats.t.isf(0.05, n - 1), n - 1, shift * np.sqrt(n))
        assert (power >= 0.8) == enough


def test_clusters_said_to_be_needed_are_enough_and_are_told() -> None:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(12), np.tile([3, 9], 6))
    drawn = rng.normal(0, 0.1, 12)[labels] + rng.normal(0, 0.2, len(labels))
    pair = rc.PairedCases(first=drawn, second=0 * drawn, clusters=labels)
    found = rc.gate(pair, margin=0.08)
    groups = found.sight.needed_clusters
    assert groups > 12
    assert found.sight.needed == 6 * groups
    assert f"; {6 * groups} cases in {groups} clusters would make it 80" in seen(found)
    ruler = ruler_of(rc.case_ttest(pair), pair)
    sizes = np.resize(ruler.sizes, groups).astype(int)
    where, shared = np.repeat(np.arange(groups), sizes), ruler.shared
    noise = rng.normal(0, shared**0.5, (4000, groups))[:, where]
    noise += rng.normal(0, (1 - shared) ** 0.5, (4000, len(where)))
    spread = np.sqrt((sizes * (1 + (sizes - 1) * shared)).sum()) / sizes.sum()
    mean, error, df = clustered_mean(noise * ruler.error * np.sqrt(12 / groups) / spread, where)
    assert (stdtr(df, -(mean + 0.08) / error) < 0.05).mean() >= 0.8 - 0.022


# ------------------------------------------------------------------ too few to show anything
@pytest.mark.parametrize(("folds", "passes"), [(3, 0.0), (4, 0.0), (5, 1.0)])
def test_equal_folds_pass_no_more_often_than_their_sign_flips_allow(
    folds: int, passes: float
) -> None:
    level = [0.9] * folds
    found = rc.gate(rc.PairedScores(first=level, second=level, design=rc.KFold(folds)), margin=0.05)
    assert found.pass_pvalue == 2.0**-folds
    assert (found.sight.pass_chance, found.sight.fail_chance) == (passes, passes)
    assert found.outcome == ("pass" if passes else "cannot tell")
    assert found.sight.needed == (None if passes else 5)
    text = " ".join(found.more().split())
    if not passes:
        assert f"{folds} folds cannot show anything" in text
        assert "weak: an equal candidate passes 0 of 100 times" in text
        assert "no 90% interval: too few folds" in text
        assert "5 folds would make it 80" in text
        assert "interval ends" not in text


@pytest.mark.parametrize("gap", [0.0, 0.01])
def test_three_datasets_show_nothing_whatever_they_are(gap: float) -> None:
    old = np.array([0.8, 0.9, 0.7])
    pair = rc.PairedScores(first=old + gap, second=old, design=rc.Datasets())
    found = rc.gate(pair, margin=0.001)
    assert (found.sight.pass_chance, found.sight.fail_chance) == (0, 0)
    assert np.isinf(found.sight.visible)
    assert found.sight.needed == 5
    text = " ".join(found.more().split())
    assert "inf" not in text
    assert "3 datasets cannot show anything" in text
    assert "no 90% interval: too few datasets" in text


def test_a_larger_drop_never_fails_less_often() -> None:
    for pair in (cases(0, 0, 58), rows(0.0, 6, rc.Datasets()), rows(0.0, 3, rc.KFold(3))):
        ruler = ruler_of(rc.METHODS[rc.gate(pair, margin=0.02).method].test(pair), pair)
        for margin in (0.001, 0.01, 0.05, 0.2):
            sight = see(ruler, aim_of("not-worse", margin), 0.05, pair.design, 0.8)
            larger = abs(sight.bad) > abs(sight.visible)
            assert (sight.fail_chance >= 0.8) == larger or sight.fail_chance == pytest.approx(0.8)


def test_better_without_a_margin_needs_no_size() -> None:
    told = seen(rc.gate(cases(6, 5, 100), goal="better"))
    assert told.endswith("with no margin more cases do not help")


def test_one_difference_is_told_once() -> None:
    told = str(rc.gate(cases(0, 10, 500), margin=0.02, goal="better"))
    assert told.count("−2.0 points") == 1


def test_a_chance_that_all_but_reaches_what_is_asked_is_not_said_to_miss_it() -> None:
    found = rc.gate(cases(10, 10, 300), margin=0.02)
    close = dataclasses.replace(found.sight, pass_chance=0.797)
    near = dataclasses.replace(found, sight=close)
    assert seen(near) == "weak: an equal candidate passes just below 80 of 100 times"
    strict = dataclasses.replace(near, required_power=0.8, outcome="cannot tell")
    assert {row.label: row.value for row in tell(strict).lines}["why"] == "80 of 100 were required"


def test_59_unchanged_cases_are_the_first_that_pass_five_points() -> None:
    for n, outcome in ((58, "cannot tell"), (59, "pass")):
        found = rc.gate(cases(0, 0, n), margin=0.05)
        assert found.outcome == outcome
        assert found.pass_pvalue == pytest.approx(0.95**n)
