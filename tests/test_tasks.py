"""Tasks that are fixed: the mean over them, stratified over seeds, folds or cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from calibration.tasks import level
from scipy import stats
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.presentation.telling import tell

RNG = np.random.default_rng(12)
RUNS = rc.Seeds(5, split=None)
SCALES = {"hopper": 3000.0, "walker": 4000.0, "ant": 100.0, "swimmer": 50.0}


def drawn(tasks: int = 4, seeds: int = 5, gain: float = 0.0) -> dict[str, rc.PairedScores]:
    """Draw runs of two algorithms on tasks with spreads of their own."""
    found = {}
    for at in range(tasks):
        first, second = (10 * at + (1 + at) * RNG.normal(size=seeds) for _ in range(2))
        found[f"task {at}"] = rc.PairedScores(
            first=first + gain, second=second, design=rc.Seeds(seeds, split=None), names=("a", "b")
        )
    return found


def reference(tasks: dict[str, rc.PairedScores]) -> tuple[float, float, float]:
    """Return the stratified mean difference, its interval's half width and p, in ten lines."""
    gaps, parts, squares = [], [], []
    for pair in tasks.values():
        gaps.append(pair.first.mean() - pair.second.mean())
        for side in (pair.first, pair.second):
            part = side.var(ddof=1) / len(side) / len(tasks) ** 2
            parts.append(part)
            squares.append(part**2 / (len(side) - 1))
    error, df = np.sqrt(sum(parts)), sum(parts) ** 2 / sum(squares)
    pvalue = 2 * stats.t.sf(abs(np.mean(gaps)) / error, df)
    return float(np.mean(gaps)), float(stats.t.ppf(0.975, df) * error), float(pvalue)


@pytest.mark.parametrize("seeds", [3, 5, 10])
@pytest.mark.parametrize("count", [2, 4, 10])
def test_the_interval_is_the_references(count: int, seeds: int) -> None:
    tasks = drawn(count, seeds)
    found = rc.compare_tasks(tasks, scaling="none")
    gap, half, pvalue = reference(tasks)
    assert (found.estimate, found.pvalue) == pytest.approx((gap, pvalue), rel=1e-9)
    assert tuple(found.confidence_interval()) == pytest.approx((gap - half, gap + half), rel=1e-9)
    assert found.seeds == (seeds, seeds)
    assert found.design == rc.Seeds(seeds, split=None)


@pytest.mark.parametrize("seeds", [5, 10])
def test_the_level_is_kept(seeds: int) -> None:
    """Two equal algorithms on five tasks differ significantly in about 5 of 100 experiments."""
    hits = [rc.benchmarks_ttest(drawn(5, seeds)).pvalue < 0.05 for _ in range(3000)]
    assert 0.04 <= np.mean(hits) <= 0.06  # standard error 0.4 points


@pytest.mark.parametrize("world", ["normal", "unequal"])
@pytest.mark.parametrize(("tasks", "seeds"), [(4, 5), (10, 5), (10, 10)])
def test_the_level_is_kept_by_scores_on_their_own_range(world: str, tasks: int, seeds: int) -> None:
    """Ranges that move with the spread made equal algorithms differ in 6.2 of 100 experiments."""
    found = level(world, tasks, seeds, "range", 20_000)
    assert 0.042 <= found.value <= 0.058  # standard error 0.15 points


def test_an_error_is_widened_by_no_range_but_the_scores_own() -> None:
    tasks = {
        name: rc.PairedScores(first=RNG.normal(size=5), second=4 * RNG.normal(size=5), design=RUNS)
        for name in SCALES
    }
    ends = {
        name: (min(*pair.first, *pair.second), max(*pair.first, *pair.second))
        for name, pair in tasks.items()
    }
    own = rc.compare_tasks(tasks, scaling="range")
    assert rc.compare_tasks(tasks, ranges=ends).standard_error == own.standard_error
    wider = {name: (low, high + 1e-9) for name, (low, high) in ends.items()}
    given = rc.compare_tasks(tasks, ranges=wider)
    assert 1.1 < own.standard_error / given.standard_error < 1.3
    assert given.estimate == pytest.approx(own.estimate)


def test_scales_are_asked_for_and_made_one() -> None:
    tasks = {
        name: rc.PairedScores(
            first=scale * (1 + RNG.normal(size=5) / 10), second=scale * (0.9 + RNG.normal(size=5) / 10),
            design=RUNS,
        )
        for name, scale in SCALES.items()
    }  # fmt: skip
    with pytest.raises(rc.InvalidArgumentError, match="`scaling` must be said") as caught:
        rc.compare_tasks(tasks)
    assert [choice.value for choice in caught.value.choices] == ["range", "none"]
    found = rc.compare_tasks(tasks, scaling="range")
    scaled = {}
    for name, pair in tasks.items():
        both = np.concatenate([pair.first, pair.second])
        low, width = both.min(), np.ptp(both)
        scaled[name] = rc.PairedScores(
            first=(pair.first - low) / width, second=(pair.second - low) / width, design=RUNS
        )
    assert found.estimate == pytest.approx(reference(scaled)[0])
    given = rc.compare_tasks(tasks, ranges={name: (0, scale) for name, scale in SCALES.items()})
    means = [(pair.first - pair.second).mean() / SCALES[name] for name, pair in tasks.items()]
    assert given.estimate == pytest.approx(np.mean(means))
    with pytest.raises(rc.InvalidArgumentError, match="`ranges` must be two scores for each"):
        rc.compare_tasks(tasks, ranges={"hopper": (0, 1)})


def test_how_probably_a_run_is_better() -> None:
    tasks = drawn(6, 5, gain=2.0)
    found = rc.compare_tasks(tasks, scaling="none")
    shares = [stats.mannwhitneyu(pair.first, pair.second).statistic / 25 for pair in tasks.values()]
    assert found.improvement is not None
    assert found.improvement.estimate == pytest.approx(np.mean(shares))
    low, high = found.improvement.confidence_interval()
    assert low < np.mean(shares) < high


def test_the_interval_of_improvement_covers() -> None:
    true, held = float(stats.norm.cdf(0.5 / np.sqrt(2))), []
    for _ in range(300):
        tasks = {
            str(at): rc.PairedScores(first=RNG.normal(0.5, 1, 8), second=RNG.normal(size=8),
                                     design=rc.Seeds(8, split=None))
            for at in range(6)
        }  # fmt: skip
        improvement = rc.compare_tasks(tasks).improvement
        assert improvement is not None
        low, high = improvement.confidence_interval()
        held.append(low <= true <= high)
    assert np.mean(held) >= 0.92


def test_new_seeds_and_other_tasks_are_two_repeats() -> None:
    tasks = drawn(10, 5, gain=3.0)
    found = rc.compare_tasks(tasks, scaling="none")
    means = [[pair.first.mean(), pair.second.mean()] for pair in tasks.values()]
    over = rc.compare(*np.array(means).T, design=rc.Datasets())
    assert over.replication is not None
    assert found.replication is not None
    assert found.other_tasks == over.replication.probability
    assert found.replication.probability != found.other_tasks
    assert found.replication.design == RUNS
    few = rc.compare_tasks(drawn(4), scaling="none")
    assert few.other_tasks is None
    assert "few-tasks" in [caution.code for caution in few.cautions]


def test_folds_of_fixed_datasets_have_the_error_of_the_corrected_test() -> None:
    pairs = {
        name: rc.PairedScores(first=RNG.random(10), second=RNG.random(10), design=rc.KFold(10))
        for name in "xyz"
    }
    found = rc.compare_tasks(pairs)
    parts = [rc.corrected_ttest(pair) for pair in pairs.values()]
    error = np.sqrt(sum(part.standard_error**2 for part in parts)) / 3
    assert found.standard_error == pytest.approx(error)
    assert found.estimate == pytest.approx(np.mean([part.estimate for part in parts]))


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    rows = [
        {"algorithm": name, "env": env, "seed": seed,
         "return": scale * (1 + 0.2 * (name == "ppo") + RNG.normal() / 10)}
        for name in ("ppo", "sac") for env, scale in SCALES.items() for seed in range(5)
    ]  # fmt: skip
    path = tmp_path / "runs.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    return path


def run(*words: Any, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words], env={"COLUMNS": "200"})
    assert done.exit_code == code, done.output
    return " ".join(done.output.split())


def test_a_file_of_runs_is_asked_about_and_answered(runs: Path, tmp_path: Path) -> None:
    assert "--tasks fixed" in run("compare", runs, "--more")
    asked = run("compare", runs, "--tasks", "fixed", code=2)
    assert "--design seeds:count=5,split=none" in asked
    words = ["compare", runs, "--tasks", "fixed", "--design", "seeds:count=5,split=none"]
    assert "--scaling range" in run(*words, code=2)
    words += ["--scaling", "range"]
    said = run(*words)
    for part in ("ppo is better than sac", "a run", "5 seeds on 4 fixed tasks"):
        assert part in said
    told = json.loads(run(*words, "--json"))
    assert (told["way"], told["design"]) == ("seeds", "seeds:count=5,split=none")
    for ending in ("html", "md", "tex", "csv", "svg"):
        run(*words, "-o", tmp_path / f"report.{ending}")
        assert (tmp_path / f"report.{ending}").stat().st_size > 200


def test_findings_are_planned_gated_and_judged() -> None:
    """Seeds on tasks, different cases and errors out of folds: every verb takes what was found."""
    y = RNG.normal(size=100)
    folds = rc.compare_measure(
        "mse", y, y + 0.5 * RNG.normal(size=100), y + 0.6 * RNG.normal(size=100), folds=10
    )
    apart = rc.compare_unpaired([1] * 80 + [0] * 20, [1] * 70 + [0] * 30)
    for found, margin in ((rc.compare_tasks(drawn(8, 5), scaling="none"), 5.0), (apart, 0.2),
                          (folds, 0.5)):  # fmt: skip
        json.dumps(found.to_dict(), allow_nan=False)
        assert "of 100 repeats" in str(rc.plan(found))
        assert rc.gate(found, margin=margin).outcome == "pass"
        assert rc.judge(found, found).again == found.significant
        assert found._repr_html_()


def test_how_tasks_count_is_said_in_words() -> None:
    tasks = drawn()
    assert "4 fixed tasks, each counts the same" in tell(rc.compare_tasks(tasks)).read
    weights = dict(zip(tasks, (1, 2, 3, 4), strict=True))
    found = tell(rc.compare_tasks(tasks, weights=weights))
    assert "4 fixed tasks with different weights" in found.read


def returns(tmp_path: Path) -> Path:
    """Runs of reinforcement learning on six tasks with scales of their own."""
    rng = np.random.default_rng(0)
    sizes = {"hopper": 1000, "walker": 3000, "swimmer": 40, "ant": 500, "run": 5000, "hum": 600}
    rows = [
        (model, task, seed, size * gain * (1 + 0.05 * rng.normal()))
        for task, size in sizes.items()
        for model, gain in (("new", 1.1), ("old", 1.0))
        for seed in range(5)
    ]
    path = tmp_path / "returns.csv"
    pd.DataFrame(rows, columns=["model", "env", "seed", "return"]).to_csv(path, index=False)
    return path


def test_returns_on_several_scales_are_told(tmp_path: Path) -> None:
    pair = rc.read_scores(returns(tmp_path)).pair("new", "old")
    for found in (
        rc.compare(pair),
        rc.gate(pair, margin=1),
        rc.compare(pair, method="paired-ttest"),
    ):
        assert "different-sizes" in [caution.code for caution in found.cautions]
    signs = rc.compare(pair, method="sign-test")
    assert "different-sizes" not in [caution.code for caution in signs.cautions]


def test_fixed_tasks_are_gated_and_planned(tmp_path: Path) -> None:
    path, seeds = returns(tmp_path), ("--design", "seeds:count=5,split=none")
    fixed = ("--tasks", "fixed", "--scaling", "range", *seeds, "--json")
    compared = json.loads(run("compare", path, *fixed))
    models = ("--candidate", "new", "--baseline", "old")
    gated = json.loads(run("gate", path, *models, "--margin", "0.2", *fixed))
    assert gated["difference"] == compared["estimate"]
    planned = json.loads(run("plan", path, *fixed))
    assert planned["now"] == compared["replication"]["probability"]
    said = run("plan", "--t", "2", "--folds", "10", "--tasks", "fixed", code=2)
    assert "given with a file of scores" in said
