"""Seeds where nothing is split into training and test data: Welch's t-test, and new seeds alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.design import format_design, parse_design
from replicast.presentation.telling import tell

RNG = np.random.default_rng(9)
NEW, OLD = RNG.normal(130, 35, 10), RNG.normal(90, 20, 10)


def pair(**more: Any) -> rc.PairedScores:
    design = rc.Seeds(10, split="none", **more)
    return rc.PairedScores(first=NEW, second=OLD, design=design, names=("new", "old"))


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_test_is_welchs_or_the_paired_one(paired: bool, alternative: Any) -> None:
    found = rc.seeds_ttest(pair(paired=paired), alternative=alternative)
    truth = (
        stats.ttest_rel(NEW, OLD, alternative=alternative)
        if paired
        else stats.ttest_ind(NEW, OLD, equal_var=False, alternative=alternative)
    )
    assert (found.statistic, found.pvalue) == pytest.approx((truth.statistic, truth.pvalue))
    if alternative == "two-sided":
        ours, theirs = found.confidence_interval(), truth.confidence_interval()
        assert tuple(ours) == pytest.approx((theirs.low, theirs.high))
    shared = rc.seeds_ttest(rc.PairedScores(first=NEW, second=OLD, design=rc.Seeds(10)))
    assert shared.pvalue > 5 * rc.seeds_ttest(pair()).pvalue  # a split that is there counts


def test_the_design_is_written_and_read() -> None:
    design = rc.Seeds(10, split=None)
    assert design == rc.Seeds(10, split="none") == parse_design("seeds:count=10,split=none")
    assert format_design(design) == "seeds:count=10,split=none"
    assert design.words == "10 seeds without a split"
    for wrong in ("seeds:count=10,split=perhaps", "seeds:count=10,splits=3,split=none"):
        with pytest.raises(rc.InvalidArgumentError):
            parse_design(wrong)


@pytest.mark.parametrize("paired", [False, True])
def test_power_is_that_of_the_t_test(paired: bool) -> None:
    found = rc.power(1.2, rc.Seeds(10, paired=paired, split=None), method="seeds-ttest").power
    df = 9 if paired else 18
    reach, shift = stats.t.isf(0.025, df), 1.2 * np.sqrt(10)
    truth = stats.nct.sf(reach, df, shift) + stats.nct.cdf(-reach, df, shift)
    assert found == pytest.approx(truth, abs=1e-3)


def test_a_repeat_has_new_seeds_alone() -> None:
    found = rc.compare(pair())
    again, shared = found.replication, rc.compare(NEW, OLD, design=rc.Seeds(10)).replication
    assert again is not None
    assert shared is not None
    assert again.replicability is None  # new seeds are the replication itself
    assert again.probability > shared.probability
    assert "with new seeds" in again.definition
    assert [one.target_design for one in found.outlook] == [
        rc.Seeds(20, split=None), rc.Seeds(40, split=None)
    ]  # fmt: skip


def test_the_chance_is_the_power_averaged_over_what_is_known() -> None:
    """By brute force: effects drawn from the prior, kept as likely as they give this t."""
    rng = np.random.default_rng(1)
    found = rc.replicate(t=2.6, design="seeds:count=10,split=none", relation="any")
    sizes = rng.choice(found.prior.components, 400_000, p=found.prior.weights)
    effects = rng.normal(0, sizes)  # in deviations of the difference of two seeds
    weights = stats.nct.pdf(2.6, 18, np.clip(effects * np.sqrt(10), -30, 30))
    again = stats.nct.sf(stats.t.isf(0.025, 18), 18, np.clip(effects * np.sqrt(10), -30, 30))
    known = np.isfinite(weights) & np.isfinite(again)
    truth = np.average(again[known], weights=weights[known])
    assert found.probability == pytest.approx(truth, abs=0.01)


def test_a_plan_asks_for_seeds() -> None:
    planned = rc.plan(rc.replicate(t=2.6, design=rc.Seeds(10, split=None)), probability=0.7)
    assert planned.vary == "seeds"
    assert planned.needed is not None
    assert 10 < planned.needed < 100
    far = rc.plan(rc.replicate(t=2.6, design=rc.Seeds(10, split=None)), probability=0.999)
    assert "direction is right" in str(far)
    assert "split" not in str(far).replace("without a split", "")
    with pytest.raises(rc.InvalidArgumentError, match="seeds for 10 seeds without a split"):
        rc.plan(pair(), vary="splits")


def test_a_gate_and_a_judgement_are_welchs_too() -> None:
    gate = rc.gate(pair(), margin=5.0)
    truth = stats.ttest_ind(NEW + 5.0, OLD, equal_var=False, alternative="greater").pvalue
    assert gate.pass_pvalue == pytest.approx(truth)
    assert gate.test == "Welch's t-test over seeds"
    other = rc.PairedScores(first=NEW[::-1] + 1, second=OLD - 2, design=pair().design,
                            names=("new", "old"))  # fmt: skip
    judged = rc.judge(pair(), other, data="fresh")
    error = np.sqrt(NEW.var(ddof=1) / 10 + OLD.var(ddof=1) / 10)
    assert judged.original.standard_error == pytest.approx(error, rel=0.1)


def test_no_surface_speaks_of_a_split_that_is_not_there() -> None:
    found, many = rc.compare(pair()), pd.DataFrame({"a": NEW, "b": OLD, "c": OLD + 3})
    ranked = rc.rank(rc.read_scores(many, design=rc.Seeds(10, split=None), greater_is_better=True))
    means = rc.replicate(means=(9.0, 8.0), sds=(1.0, 1.1), design=rc.Seeds(10, split=None))
    told = [
        found, found.more(), found.evidence, found.replication, tell(found).quote, ranked.more(),
        means, means.more(),
        rc.replicate(t=2.6, design="seeds:count=10,split=none").more(),
        rc.plan(found.replication, probability=0.99),
    ]  # fmt: skip
    for said in map(str, told):
        plain = " ".join(said.split()).replace("without a split", "")
        plain = plain.replace("Nothing is split into training and test data", "")
        plain = plain.replace("nothing is split into training and test data", "")
        assert "split" not in plain, plain
        assert "fresh data" not in plain
        assert "what papers report" not in plain
    assert "Welch's t-test over seeds" in " ".join(found.more().split())


def test_equal_seeds_decide_by_their_number() -> None:
    with pytest.warns(rc.errors.DegenerateScoresWarning, match="All 6 differences"):
        found = rc.seeds_ttest(
            rc.PairedScores(first=[2.0] * 6, second=[1.0] * 6, design=rc.Seeds(6, split=None))
        )
    assert (found.pvalue, found.exactness) == (2**-5, "convention")


def table(**columns: str) -> pd.DataFrame:
    """Return seeds of two agents; columns may have other names."""
    names = {"algo": "algo", "seed": "seed", "score": "accuracy"} | columns
    rows = [(algo, "Ant-v4", seed, value) for algo, values in (("new", NEW), ("old", OLD))
            for seed, value in enumerate(values)]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["algo", "place", "seed", "score"]).rename(columns=names)
    return frame.drop(columns="place") if "place" in frame else frame


LEARNING = [
    {"place": "env"}, {"place": "environment"}, {"score": "return"}, {"score": "reward"},
    {"score": "episode_return"}, {"score": "final_return"}, {"place": "env_id", "score": "Reward"},
]  # fmt: skip


@pytest.mark.parametrize("columns", LEARNING, ids=lambda columns: "-".join(columns.values()))
@pytest.mark.parametrize("design", [None, "seeds:count=10", "seeds:count=10,paired=yes"])
def test_reinforcement_learning_is_asked_whether_there_is_a_split(
    columns: dict[str, str], design: str | None
) -> None:
    frame = table(**columns)
    options: dict[str, Any] = {"greater_is_better": True}
    with pytest.raises(rc.InvalidArgumentError) as asked:
        rc.read_scores(frame, design=design, **options)
    said = str(asked.value)
    written = design or "seeds:count=10"
    for answer in ("none", "shared"):
        assert f"`design='{written},split={answer}'`" in said
        found = rc.read_scores(frame, design=f"{written},split={answer}", **options)
        p = rc.compare(found.pair("new", "old")).evidence.pvalue
        told = rc.Seeds(
            10, paired="paired" in written, split="none" if answer == "none" else "shared"
        )
        assert p == rc.compare(NEW, OLD, design=told).evidence.pvalue


def test_others_are_not_asked() -> None:
    found = rc.read_scores(table(), design="seeds:count=10", greater_is_better=True)
    assert found.design == rc.Seeds(10)
    several = pd.concat([table(place="split"), table(place="split").assign(split="b")])
    assert rc.read_scores(
        several.rename(columns={"accuracy": "reward"}), greater_is_better=True
    ).design == rc.Seeds(10, splits=2)  # a column of splits says that there are some


def test_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    table(place="env", score="return").to_csv(path, index=False)
    run = CliRunner().invoke
    asked = run(app, ["compare", str(path), "--design", "seeds:count=10"], env={"COLUMNS": "400"})
    assert asked.exit_code == 2
    assert "--design seeds:count=10,split=none" in asked.output
    done = run(app, ["compare", str(path), "--design", "seeds:count=10,split=none", "--json"])
    record = json.loads(done.stdout)
    truth = stats.ttest_ind(NEW, OLD, equal_var=False).pvalue
    assert record["evidence"]["pvalue"] == pytest.approx(truth)
    assert record["evidence"]["design"] == "seeds:count=10,split=none"


def test_rows_that_are_split_have_a_split() -> None:
    X, y = RNG.normal(size=(40, 2)), np.repeat([0, 1], 20)
    with pytest.raises(rc.InvalidArgumentError, match="seeds on a split"):
        rc.evaluate({"bayes": GaussianNB()}, X, y, design=rc.Seeds(3, split=None))
