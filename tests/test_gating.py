"""Gates: false passes at the margin, the power they state, and what they say."""

import dataclasses
import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

import replicast as rc
from replicast.judging.rulers import disagreement, ruler_of
from replicast.kernels import margins, ranks, student
from replicast.presentation.telling import tell
from replicast.replication.priors import prior_for

RUNS = 100_000
ERROR = np.sqrt(0.05 * 0.95 / RUNS)


def cases(won: int, lost: int, total: int, names: tuple[str, str] = ("new", "old")):
    first, second = np.ones(total), np.ones(total)
    second[:won], first[won : won + lost] = 0.0, 0.0
    return rc.PairedScores(first=first, second=second, design=rc.Holdout(), names=names)


def rows(mean: float, n: int, design: rc.Design, seed: int = 0):
    rng = np.random.default_rng(seed)
    second = rng.normal(0.8, 0.02, n)
    return rc.PairedScores(
        first=second + mean + rng.normal(0, 0.01, n),
        second=second,
        design=design,
        names=("new", "old"),
    )


def above(differences: np.ndarray, bound: float) -> np.ndarray:
    return (
        ranks.signed_rank_pvalues(differences - bound, method="auto", alternative="greater")[0]
        < 0.05
    )


# ------------------------------------------------------------------ false passes
@pytest.mark.parametrize("drawn", ["normal", "laplace", "uniform"])
def test_false_passes_over_datasets(drawn: str) -> None:
    rng = np.random.default_rng(1)
    noise = getattr(rng, drawn)(*((-1.7, 1.7) if drawn == "uniform" else ()), size=(RUNS, 20))
    differences = -0.01 + 0.02 * noise  # the truth is the margin itself
    passed = (
        ranks.signed_rank_pvalues(differences + 0.01, method="auto", alternative="greater")[0]
        < 0.05
    )
    assert passed.mean() <= 0.05 + 3 * ERROR


@pytest.mark.parametrize("folds", [5, 10, 100])
def test_false_passes_over_folds(folds: int) -> None:
    """Folds that correlate as Nadeau and Bengio assume."""
    rng = np.random.default_rng(2)
    share = 1 / 10
    common = rng.normal(size=(RUNS, 1)) * np.sqrt(share)
    differences = -0.01 + 0.02 * (common + rng.normal(size=(RUNS, folds)) * np.sqrt(1 - share))
    _, _, t = student.correlated_t(differences + 0.01, test_train_ratio=share / (1 - share))
    passed = student.t_pvalue(t, folds - 1, "greater") < 0.05
    assert passed.mean() == pytest.approx(0.05, abs=3.5 * ERROR)


@pytest.mark.parametrize(("n", "changed"), [(60, 0.12), (200, 0.05), (200, 0.3), (1000, 0.1)])
def test_false_passes_over_cases(n: int, changed: float) -> None:
    rng = np.random.default_rng(3)
    margin = 0.03
    rates = [(changed - margin) / 2, (changed + margin) / 2, 1 - changed]
    won, lost, _ = rng.multinomial(n, rates, RUNS).T
    critical = margins.critical_margin(n, -margin, 0.05)
    passed = margins.shows_above(won, lost, n, critical)
    assert passed.mean() <= 0.05 + 3 * ERROR
    failed = margins.shows_below(
        won, lost, n, margins.critical_margin(n, margin, 0.05)._replace(bound=-margin)
    )
    assert failed.mean() <= 0.05 + 3 * ERROR


# ------------------------------------------------------------------ stated power
@pytest.mark.parametrize("goal", ["not-worse", "better", "equivalent"])
def test_stated_power_over_cases(goal: Any) -> None:
    pair = cases(12, 9, 400)
    found = rc.gate(pair, margin=0.02, goal=goal)
    rng = np.random.default_rng(4)
    for true, chance, counted in (
        (found.sight.reference, found.sight.pass_chance, "pass"),
        (found.sight.bad, found.sight.fail_chance, "fail"),
    ):
        rate = disagreement(12, 9, 400, true)
        won, lost, _ = rng.multinomial(
            400, [(rate + true) / 2, (rate - true) / 2, 1 - rate], 40_000
        ).T
        assert outcome(won, lost, 400, goal, counted).mean() == pytest.approx(chance, abs=0.02)


def outcome(won: np.ndarray, lost: np.ndarray, n: int, goal: str, counted: str) -> np.ndarray:
    """Where counts show what a gate with a margin of 0.02 asks for."""

    def up(bound: float, level: float = 0.05) -> np.ndarray:
        return margins.shows_above(won, lost, n, margins.critical_margin(n, bound, level))

    def down(bound: float, level: float = 0.05) -> np.ndarray:
        return margins.shows_above(lost, won, n, margins.critical_margin(n, -bound, level))

    passed = {"not-worse": up(-0.02), "better": up(0.02), "equivalent": up(-0.02) & down(0.02)}
    failed = {"not-worse": down(-0.02), "better": down(0.02),
              "equivalent": down(-0.02, 0.025) | up(0.02, 0.025)}  # fmt: skip
    return (passed if counted == "pass" else failed)[goal]


@pytest.mark.parametrize("goal", ["not-worse", "better", "equivalent"])
def test_stated_power_over_folds(goal: Any) -> None:
    pair = rows(0.002, 10, rc.KFold(10))
    found = rc.gate(pair, margin=0.015, goal=goal)
    spread = float(pair.differences.std(ddof=1))
    rng = np.random.default_rng(5)
    ratio = 1 / 9
    common = rng.normal(size=(40_000, 1)) * np.sqrt(ratio)
    noise = spread * (common + rng.normal(size=(40_000, 10)))
    for true, chance, passing in (
        (found.sight.reference, found.sight.pass_chance, True),
        (found.sight.bad, found.sight.fail_chance, False),
    ):
        mean, error, _ = student.correlated_t(true + noise, test_train_ratio=ratio)
        assert shown(mean, error, 9, goal, 0.015, passing).mean() == pytest.approx(chance, abs=0.02)
    chance = rc.gate(pair, margin=0.015, goal=goal).sight
    assert abs(chance.visible) > abs(chance.reference) or goal != "not-worse"


def shown(mean, error, df, goal, margin, passing):
    bar = stats.t.isf(0.05, df)
    up = {bound: (mean - bound) / error > bar for bound in (-margin, margin)}
    down = {bound: (bound - mean) / error > bar for bound in (-margin, margin)}
    if passing:
        return {"not-worse": up[-margin], "better": up[margin],
                "equivalent": up[-margin] & down[margin]}[goal]  # fmt: skip
    if goal == "equivalent":
        tight = stats.t.isf(0.025, df)
        return ((-margin - mean) / error > tight) | ((mean - margin) / error > tight)
    return down[-margin] if goal == "not-worse" else down[margin]


def test_stated_power_over_datasets() -> None:
    pair = rows(0.0, 24, rc.Datasets())
    found = rc.gate(pair, margin=0.01)
    spread = float(pair.differences.std(ddof=1))
    drawn = np.random.default_rng(6).normal(0.0, spread, (40_000, 24))
    passed = above(drawn, -0.01)
    assert passed.mean() == pytest.approx(found.sight.pass_chance, abs=0.02)


def test_a_visible_drop_fails_in_80_of_100() -> None:
    for pair in (cases(12, 9, 400), rows(0.0, 10, rc.KFold(10)), rows(0.0, 24, rc.Datasets())):
        found = rc.gate(pair, margin=0.02)
        ruler = ruler_of(rc.METHODS[found.method].test(pair), pair)
        chance = ruler.chance(found.sight.visible, 0.05, below=-0.02)
        assert chance == pytest.approx(0.8, abs=0.015)


def test_the_size_said_to_be_needed_is_enough() -> None:
    found = rc.gate(cases(10, 10, 300), margin=0.02)
    assert found.sight.pass_chance < 0.8
    n = found.sight.needed
    grown = rc.gate(cases(round(10 * n / 300), round(10 * n / 300), n), margin=0.02)
    assert grown.sight.pass_chance == pytest.approx(0.8, abs=0.06)


# ------------------------------------------------------------------ verdicts
def test_verdicts_and_exit_codes() -> None:
    for won, lost, outcome, code in (
        (12, 10, "pass", 0),
        (2, 60, "fail", 1),
        (5, 18, "cannot tell", 3),
    ):
        found = rc.gate(cases(won, lost, 600), margin=0.02)
        assert (found.outcome, found.exit_code) == (outcome, code)
        assert found.gained == tuple(range(won))
        assert found.lost == tuple(range(won, won + lost))
        assert json.loads(json.dumps(found.to_dict()))["outcome"] == outcome
    assert rc.gate(cases(60, 2, 600), margin=0.02, goal="better").outcome == "pass"
    assert rc.gate(cases(60, 2, 600), goal="better").outcome == "pass"
    assert rc.gate(cases(2, 60, 600), goal="better").outcome == "fail"
    assert rc.gate(cases(5, 5, 600), margin=0.03, goal="equivalent").outcome == "pass"
    assert rc.gate(cases(90, 2, 600), margin=0.03, goal="equivalent").outcome == "fail"


def test_verdicts_follow_the_interval_for_t_tests() -> None:
    pair = rows(0.004, 10, rc.KFold(10))
    low, high = rc.corrected_ttest(pair).confidence_interval(0.9)
    for margin in np.linspace(0.0005, 0.02, 40):
        assert (rc.gate(pair, margin=margin).outcome == "pass") == (low > -margin)
        inside = rc.gate(pair, margin=margin, goal="equivalent").outcome == "pass"
        assert inside == (low > -margin and high < margin)


@pytest.mark.parametrize(("won", "lost", "total"), [(8, 4, 100), (4, 1, 60)])
def test_interval_ends_at_the_bound_where_the_exact_test_does(
    won: int, lost: int, total: int
) -> None:
    pair = cases(won, lost, total)
    assert rc.mcnemar(pair).confidence_interval(0.9).low < -0.02
    found = rc.gate(pair, margin=0.02)
    assert (found.outcome, found.interval.low) == ("pass", -0.02)
    (told,) = found.cautions
    assert told.code == "interval-ends-at-bound"
    p = f"{found.pass_pvalue:.3f}"
    assert told.text.endswith(f"the bound of the gate, where the test does (p = {p}).")


@pytest.mark.parametrize("total", [40, 150])
def test_verdicts_and_intervals_agree_for_cases(total: int) -> None:
    told = 0
    for won in range(0, 14, 2):
        for lost in range(0, 14, 2):
            for goal, bound in (("not-worse", -0.03), ("better", 0.03)):
                found = rc.gate(cases(won, lost, total), margin=0.03, goal=goal)
                low, high = found.interval
                assert low <= found.difference <= high
                assert (low >= bound) == (found.outcome == "pass") or low == bound
                assert (high <= bound) == (found.outcome == "fail") or high == bound
                told += bool(found.cautions)
            found = rc.gate(cases(won, lost, total), margin=0.03, goal="equivalent")
            if found.outcome == "pass":
                assert -0.03 <= found.interval.low <= found.interval.high <= 0.03
            if found.outcome == "fail":
                assert found.interval.low >= 0.03 or found.interval.high <= -0.03
    assert told


def test_ranks_about_the_margin() -> None:
    pair = rows(-0.004, 16, rc.Datasets())
    moved = rc.PairedScores(first=pair.first + 0.01, second=pair.second, design=rc.Datasets())
    found = rc.gate(pair, margin=0.01)
    assert found.pass_pvalue == pytest.approx(rc.signed_rank(moved, alternative="greater").pvalue)
    assert found.fail_pvalue == pytest.approx(rc.signed_rank(moved, alternative="less").pvalue)


def test_losses_are_turned() -> None:
    pair = rows(0.004, 10, rc.KFold(10))
    loss = rc.PairedScores(first=-pair.first, second=-pair.second, design=rc.KFold(10),
                           greater_is_better=False)  # fmt: skip
    one, other = rc.gate(pair, margin=0.01), rc.gate(loss, margin=0.01)
    assert one.pass_pvalue == pytest.approx(other.pass_pvalue)


def test_required_power() -> None:
    found = rc.gate(cases(3, 0, 200), margin=0.02)
    assert found.outcome == "pass"
    assert found.sight.pass_chance < 0.8
    strict = rc.gate(cases(3, 0, 200), margin=0.02, required_power=0.8)
    assert (strict.outcome, strict.exit_code) == ("cannot tell", 3)
    assert "were required" in str(strict)
    assert rc.gate(cases(12, 10, 6000), margin=0.02, required_power=0.8).outcome == "pass"
    with pytest.raises(rc.InvalidArgumentError, match="which improvement the gate should see"):
        rc.gate(cases(12, 10, 600), goal="better", required_power=0.8)


def test_equal_scores_everywhere() -> None:
    same = rc.PairedScores(first=[0.5] * 10, second=[0.5] * 10, design=rc.KFold(10))
    found = rc.gate(same, margin=0.01)
    assert found.outcome == "pass"
    assert found.pass_pvalue == 2.0**-10
    assert found.cautions[0].code == "degenerate"
    unchanged = rc.gate(cases(0, 0, 400), margin=0.02)
    assert (unchanged.outcome, unchanged.cautions) == ("pass", ())
    assert rc.gate(cases(0, 0, 40), margin=0.02).outcome == "cannot tell"


def test_cases_that_look_like_datasets_are_a_question() -> None:
    """Ranks about a margin would pass a candidate that loses by more than it."""
    new, old = np.repeat([1.0, 0.0], [600, 400]), np.repeat([1.0, 0.0], [640, 360])
    table = rc.ScoreTable(
        classifiers=("new", "old"), datasets=tuple(f"q{i}" for i in range(1000)),
        scores=np.stack([new, old])[:, :, None, None], design=rc.Datasets(),
    )  # fmt: skip
    with pytest.raises(
        rc.errors.DesignMismatchError, match="If a row is a case, say `design='holdout'`"
    ):
        rc.gate(table.pair("new", "old"), margin=0.02)
    said = dataclasses.replace(table, design=rc.Holdout())
    pair = said.pair("new", "old")
    assert pair.design == rc.Holdout(1000)
    assert rc.gate(pair, margin=0.02).outcome == "fail"
    assert said.pair("new", "old", dataset=None).names == ("new", "old")


@pytest.mark.parametrize(
    ("options", "argument"),
    [
        ({"margin": 0}, "margin"),
        ({"margin": None}, "margin"),
        ({"margin": -1}, "margin"),
        ({"margin": 2.0}, "margin"),
        ({"margin": 0.1, "goal": "worse"}, "goal"),
        ({"margin": 0.1, "significance": 0.6}, "significance"),
        ({"margin": 0.1, "required_power": 2}, "required_power"),
        ({"margin": 0.1, "method": "sign-test"}, "method"),
    ],
)
def test_refusals(options: dict[str, Any], argument: str) -> None:
    with pytest.raises(rc.InvalidArgumentError) as told:
        rc.gate(cases(10, 12, 400), **options)
    assert told.value.argument in (argument, "design")


def test_refused_methods() -> None:
    pair = rows(0.0, 12, rc.Datasets())
    with pytest.raises(rc.InvalidArgumentError, match="standard error"):
        rc.gate(pair, margin=0.01, method="sign-test")
    with pytest.raises(rc.InvalidArgumentError, match="p-values"):
        rc.gate(pair, margin=0.01, method="signed-rank-posterior")
    assert rc.gate(pair, margin=0.01, method="paired-ttest").test == "paired t-test"


def test_words() -> None:
    passed = tell(rc.gate(cases(12, 10, 600), margin=0.02))
    assert passed.headline == "PASS  new is not worse than old by more than 2 points"
    lines = {row.label: f"{row.value} {row.remark}".strip() for row in passed.lines}
    assert lines["found"] == "0.3 points 90% interval −1.0 to 1.7 points; p = 0.004"
    assert passed.read == "600 cases"
    assert lines["lost"].startswith("10 (gained 12): 13 14 15")
    failed = tell(rc.gate(cases(2, 60, 600), margin=0.02))
    assert failed.headline.startswith("FAIL  new is worse than old")
    unsure = tell(rc.gate(cases(5, 18, 600), margin=0.02))
    assert unsure.headline.startswith("CANNOT TELL  whether new is worse than old")
    assert [found.signal for found in (passed, failed, unsure)] == ["pass", "fail", "cannot tell"]


@pytest.mark.parametrize(
    ("goal", "margin", "bound"),
    [
        ("not-worse", 0.02, "−2 points"),
        ("better", 0.02, "2 points"),
        ("better", None, "zero"),
        ("equivalent", 0.02, "2 points"),
    ],
)
def test_a_gate_that_cannot_tell_names_the_bound(
    goal: Any, margin: float | None, bound: str
) -> None:
    found = rc.gate(cases(6, 5, 100), margin=margin, goal=goal)
    told = {row.label: row.value for row in tell(found).lines}
    assert told["why"] == f"both less and more than {bound} fit"


# ------------------------------------------------------------------ what a pass is worth
@pytest.mark.parametrize("margin", [0.01, 0.03])
def test_the_truth_is_what_the_prior_says_of_it(margin: float) -> None:
    """Draw true differences from the prior, keep those with the result seen, count what should pass."""
    rng = np.random.default_rng(3)
    n, spread = 100, 0.2
    noise = rng.normal(size=n)
    gaps = 0.02 + spread * (noise - noise.mean()) / noise.std(ddof=1)
    pair = rc.PairedCases(first=0.5 + gaps, second=np.full(n, 0.5))
    found = rc.gate(pair, margin=margin)
    ends = found.true_by_relation
    assert ends is not None
    error = spread / np.sqrt(n)
    for relation, chance in (
        ("close", ends.close),
        ("any", ends.any),
        ("unknown", found.true_chance),
    ):
        prior = prior_for("cases", relation, n)
        parts = rng.choice(len(prior.weights), 2_000_000, p=prior.weights)
        true = rng.normal(size=2_000_000) * np.array(prior.spreads)[parts] * error
        seen = true + rng.normal(size=2_000_000) * error
        like = true[np.abs(seen - 0.02) < 0.02 * error]
        assert np.mean(like > -margin) == pytest.approx(chance, abs=0.015)
    assert "truth" in str(found)
    assert "if close rivals" in found.more()


def test_the_truth_mirrors_and_grows_with_the_margin() -> None:
    pair = rc.PairedScores(
        first=np.repeat([1.0, 0.0, 1.0], [30, 20, 200]),
        second=np.repeat([0.0, 1.0, 1.0], [30, 20, 200]),
        design=rc.Holdout(),
    )
    chances = [rc.gate(pair, margin=width).true_chance for width in (0.01, 0.02, 0.05, 0.1)]
    assert chances == sorted(chances)
    worse = rc.gate(pair.swapped(), margin=0.02).true_chance
    beyond = rc.gate(pair, margin=0.02, goal="better").true_chance
    assert worse + beyond == pytest.approx(1)
    assert rc.gate(pair, margin=0.02, goal="equivalent").true_chance < worse


def test_equal_differences_have_no_believed_truth() -> None:
    equal = rc.PairedScores(first=[0.8] * 10, second=[0.7] * 10, design=rc.KFold(10))
    assert rc.gate(equal, margin=0.02).true_chance is None
