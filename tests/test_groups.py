"""Groups left out together, cases that no pair shares, and engines that are joblib's."""

import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import model_selection as split
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier
from typer.testing import CliRunner

import replicast as rc
from replicast.cli import app
from replicast.design import require_design

RNG = np.random.default_rng(5)
GROUPS = np.repeat(np.arange(9), 12)
X = RNG.normal(size=(108, 4))
Y = (X[:, 0] + RNG.normal(size=108) > 0).astype(int)
MODELS = {"tree": DecisionTreeClassifier(random_state=0), "logistic": LogisticRegression()}


def test_folds_of_groups_are_folds() -> None:
    assert require_design(split.GroupKFold(5)) == rc.KFold(5)
    assert require_design(split.StratifiedGroupKFold(4)) == rc.KFold(4)
    first, second = RNG.random(5), RNG.random(5)
    found = rc.compare(first, second, design=split.GroupKFold(5))
    assert found.evidence.pvalue == rc.corrected_ttest(first, second, design=rc.KFold(5)).pvalue


def test_groups_left_out_one_by_one_are_datasets_with_a_caution() -> None:
    first, second = RNG.random(9) / 10 + 0.8, RNG.random(9) / 10 + 0.75
    found = rc.compare(first, second, design=split.LeaveOneGroupOut())
    assert found.evidence.pvalue == pytest.approx(stats.wilcoxon(first - second).pvalue)
    assert found.scores.design == rc.Datasets(9, groups=True)
    assert "shared-training" in [caution.code for caution in found.cautions]
    assert str(found.scores.design.words) == "9 groups, each left out once"
    plain = rc.compare(first, second, design=rc.Datasets())
    assert "shared-training" not in [caution.code for caution in plain.cautions]


def test_evaluate_keeps_groups_whole() -> None:
    table = rc.evaluate(MODELS, X, Y, design=split.LeaveOneGroupOut(), groups=GROUPS)
    assert table.scores.shape == (2, 1, 1, 9)
    assert table.n_test is not None
    assert set(table.n_test.ravel()) == {12}
    five = rc.evaluate(MODELS, X, Y, design=split.GroupKFold(5), groups=GROUPS)
    assert five.n_test is not None
    assert set(five.n_test.ravel() % 12) == {0}


def test_a_number_of_a_paper_is_no_score_of_folds() -> None:
    found = rc.compare(RNG.random(10), np.full(10, 0.4), design=rc.KFold(10))
    assert "one-number" in [caution.code for caution in found.cautions]


# --------------------------------------------------------------------------- no pairs
def test_two_proportions_are_newcombes() -> None:
    """Newcombe (1998), table II, method 10: 56/70 and 48/80; 9/10 and 3/10."""
    for (a, m), (b, n), ends in (
        ((56, 70), (48, 80), (0.0524, 0.3339)),
        ((9, 10), (3, 10), (0.1705, 0.8090)),
        ((10, 10), (0, 20), (0.6791, 1.0)),
    ):
        first, second = ([1] * right + [0] * (of - right) for right, of in ((a, m), (b, n)))
        found = rc.compare_unpaired(first, second)
        assert tuple(found.confidence_interval()) == pytest.approx(ends, abs=5e-5)
        turned = rc.compare_unpaired(first, second, greater_is_better=False)
        assert tuple(turned.confidence_interval()) == pytest.approx((-ends[1], -ends[0]), abs=5e-5)
    table = [[56, 14], [48, 32]]
    pearson = stats.chi2_contingency(table, correction=False).statistic * 149 / 150
    found = rc.compare_unpaired([1] * 56 + [0] * 14, [1] * 48 + [0] * 32)
    assert found.pvalue == pytest.approx(stats.chi2.sf(pearson, 1))


def test_equal_scores_on_each_side_say_as_much_as_there_are_ways_to_divide_them() -> None:
    assert rc.compare_unpaired([2.0, 2.0], [3.0] * 10).pvalue == pytest.approx(2 / 66)
    assert rc.compare_unpaired([2.0] * 10**6, [3.0] * 10**6).pvalue == 0


def test_other_scores_are_welchs() -> None:
    first, second = RNG.normal(1, 1, 30), RNG.normal(0.5, 2, 50)
    found, truth = (
        rc.compare_unpaired(first, second),
        stats.ttest_ind(first, second, equal_var=False),
    )
    assert (found.statistic, found.pvalue) == pytest.approx((truth.statistic, truth.pvalue))
    ends = truth.confidence_interval()
    assert tuple(found.confidence_interval()) == pytest.approx((ends.low, ends.high))
    [caution] = found.cautions
    assert "as if there were 2 times as many" in caution.text
    assert rc.gate(found, margin=5.0).outcome == "pass"


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_the_level_without_pairs(share: float) -> None:
    rng = np.random.default_rng(8)
    draws = rng.random((2000, 130)) < share
    hits = [rc.compare_unpaired(row[:50], row[50:]).significant for row in draws if row.any()]
    assert 0.03 <= np.mean(hits) <= 0.065


def test_files_of_different_cases_are_compared_without_pairs(tmp_path: Path) -> None:
    rows = [
        {"model": model, "case": f"{model}{at}", "correct": int(RNG.random() < share)}
        for model, share, count in (("A", 0.8, 120), ("B", 0.6, 100))
        for at in range(count)
    ]
    path = tmp_path / "apart.csv"
    pd.DataFrame(rows).to_csv(path, index=False)
    done = CliRunner().invoke(app, ["compare", str(path), "--more"], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert "The two answered different cases (120 and 100)" in " ".join(done.output.split())
    gated = CliRunner().invoke(
        app, ["gate", str(path), "--candidate", "A", "--baseline", "B", "--margin", "2"]
    )
    assert gated.exit_code == 0, gated.output


# --------------------------------------------------------------------------- engines
@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_joblib_says_where_to_run(backend: str) -> None:
    design = rc.RepeatedKFold(runs=3, folds=4)
    plain = rc.evaluate(MODELS, X, Y, design=design)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        other = rc.evaluate(MODELS, X, Y, design=design)
    assert np.array_equal(plain.scores, other.scores)


_CLUSTER = """
import joblib, numpy as np, replicast as rc
from dask.distributed import Client, LocalCluster
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

if __name__ == "__main__":
    rng = np.random.default_rng(5)
    X = rng.normal(size=(80, 4))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    models = {"tree": DecisionTreeClassifier(random_state=0), "logistic": LogisticRegression()}
    design = rc.RepeatedKFold(runs=3, folds=4)
    again = rc.Experiment(*models.values(), X, y)
    options = {"tests": ["corrected-cv-10"], "reruns": 2}
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client, joblib.parallel_config(backend="dask"):
            far = rc.evaluate(models, X, y, design=design)
            audit = rc.audit(again, **options)
            worked = client.run(lambda dask_worker: len(dask_worker.state.log))
    assert sum(worked.values()) > 10, worked
    assert np.array_equal(far.scores, rc.evaluate(models, X, y, design=design).scores)
    assert audit.to_dict() == rc.audit(again, **options).to_dict()
    print("the same")
"""


def test_a_dask_cluster_gives_the_same_answers(tmp_path: Path) -> None:
    script = tmp_path / "cluster.py"
    script.write_text(_CLUSTER)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=600, cwd=tmp_path,
        check=False,
    )  # fmt: skip
    assert done.stdout.strip().endswith("the same"), done.stderr[-2000:]
