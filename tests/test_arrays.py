"""Two arrays and a design are enough for every test."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB

import replicast as rc
from replicast.design import parse_design
from replicast.inference.methods import Method

RNG = np.random.default_rng(6)
SIZED = {
    "kfold": rc.KFold(10),
    "repeated-kfold": rc.RepeatedKFold(runs=2, folds=5),
    "random-splits": rc.RandomSplits(splits=10, n_train=90, n_test=10),
    "seeds": rc.Seeds(10),
    "cross-validated-cases": rc.CrossValidatedCases(folds=5),
}


def arrays(design: rc.Design) -> np.ndarray:
    scores = RNG.normal([[0.82], [0.8]], 0.02, (2, 10))
    return (RNG.random((2, 10)) < 0.6).astype(float) if design.binary else scores


@pytest.mark.parametrize("method", rc.METHODS.values(), ids=lambda method: method.name)
def test_every_test_takes_two_arrays(method: Method) -> None:
    usual = method.designs[0]
    design = SIZED.get(usual) or parse_design(usual)
    first, second = arrays(design)
    pair = rc.PairedScores(first=first, second=second, design=design)
    expected = method.test(pair)
    assert method.test(first, second, design=design).pvalue == expected.pvalue
    if usual in SIZED:
        with pytest.raises(rc.InvalidArgumentError, match="given with two arrays"):
            method.test(first, second)
    else:
        assert method.test(first, second).pvalue == expected.pvalue
    with pytest.raises(rc.InvalidArgumentError, match="together with an array"):
        method.test(pair, second)


def test_splitters_and_numbers_are_designs() -> None:
    first, second = arrays(rc.KFold(10))
    expected = rc.corrected_ttest(first, second, design=rc.KFold(10)).pvalue
    assert rc.corrected_ttest(first, second, design=10).pvalue == expected
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    found = rc.corrected_ttest(first, second, design=splitter)
    assert found.design == rc.RepeatedKFold(runs=2, folds=5)


@pytest.mark.parametrize(
    "splitter",
    [
        RepeatedStratifiedKFold(n_splits=5, n_repeats=2),
        KFold(10, shuffle=True),
        KFold(10, shuffle=True, random_state=np.random.RandomState(0)),
    ],
)
def test_a_splitter_that_draws_anew_pairs_nothing(splitter: Any) -> None:
    first, second = arrays(rc.KFold(10))
    scores = {"one": {"test_score": first}, "other": {"test_score": second}}
    for ask in (
        lambda: rc.compare(first, second, design=splitter),
        lambda: rc.PairedScores(first=first, second=second, design=splitter),
        lambda: rc.read_scores(scores, design=splitter),
    ):
        with pytest.raises(rc.InvalidArgumentError, match="a number as random_state") as error:
            ask()
        assert error.value.argument == "design"
    assert rc.compare(first, second, design=KFold(10)).evidence.n == 10


def test_two_results_of_cross_validate_are_compared() -> None:
    first, second = arrays(rc.KFold(10))
    one, other = ({"test_score": scores, "fit_time": scores} for scores in (first, second))
    found = rc.compare(one, other, design=10)
    assert found.evidence.pvalue == rc.compare(first, second, design=10).evidence.pvalue
    assert rc.corrected_ttest(one, other, design=10).pvalue == found.evidence.pvalue
    both = {"test_f1": first, "test_auc": second}
    with pytest.raises(rc.InvalidArgumentError, match="with one test score, got test_f1, test_auc"):
        rc.compare(both, other, design=10)


def sources(folder: Path) -> dict[str, Any]:
    """Return the same scores of two models on eight datasets in every way people hold them."""
    frame = pd.DataFrame(
        {"dataset": list("abcdefgh"), "svm": arrays(rc.KFold(10))[0][:8] + 0.03, "nb": 0.8}
    ).round(3)
    lists = {name: frame[name].tolist() for name in ("svm", "nb")}
    frame.to_csv(folder / "scores.csv", index=False)
    np.savez(folder / "scores.npz", **{name: np.array(each) for name, each in lists.items()})
    (folder / "scores.json").write_text(json.dumps(lists), encoding="utf-8")
    return {
        "path": folder / "scores.csv",
        "text": str(folder / "scores.csv"),
        "archive": folder / "scores.npz",
        "json": folder / "scores.json",
        "frame": frame,
        "records": frame.to_dict("records"),
        "lists": lists,
        "tuples": {name: tuple(each) for name, each in lists.items()},
        "arrays": {name: np.array(each) for name, each in lists.items()},
        "series": {name: frame.set_index("dataset")[name] for name in lists},
    }


def test_every_verb_takes_whatever_is_read(tmp_path: Path) -> None:
    given = sources(tmp_path)
    first = rc.compare(rc.read_scores(given["path"]))
    for name, source in given.items():
        design = None if name in ("path", "text", "frame", "records", "series") else "datasets"
        found = rc.compare(source, design=design)
        assert found.evidence.pvalue == first.evidence.pvalue, name
        assert found.scores.names == ("svm", "nb")
        assert rc.rank(source, design=design).pairs[0].pvalue == first.evidence.pvalue
        passed = rc.gate(source, design=design, margin=0.01, greater_is_better=True)
        assert passed.difference == pytest.approx(first.evidence.estimate)
        with pytest.raises(rc.InvalidArgumentError, match="`greater_is_better=True` if higher"):
            rc.gate(source, design=design, margin=0.01)  # a gate assumes no direction
        assert rc.compare(source, design=design, names=("nb", "svm")).evidence.lead < 0


def test_two_lists_without_a_design_ask_for_it_as_a_table_does() -> None:
    scores = arrays(rc.KFold(10))
    first, second = ([round(float(score), 3) for score in side] for side in scores)
    with pytest.raises(rc.InvalidArgumentError, match=r"'kfold:folds=10'.*'datasets'"):
        rc.compare(first, second)
    losses = [100 * score for score in first], [101 * score for score in second]
    with pytest.raises(rc.InvalidArgumentError, match="must be a design"):
        rc.compare(3, 4)
    with pytest.raises(rc.InvalidArgumentError, match="greater_is_better"):
        rc.compare({"a": [-each for each in losses[0]], "b": losses[1]}, design=10)
    with pytest.raises(rc.InvalidArgumentError, match="200 for a, 199 for b scores"):
        rc.compare({"a": [0.5] * 200, "b": [0.5] * 199})


def test_a_fitted_search_is_compared_and_ranked() -> None:
    rows, classes = load_iris(return_X_y=True)
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    search = GridSearchCV(GaussianNB(), {"var_smoothing": [1e-9, 0.1, 1.0]}, cv=splitter)
    search.fit(rows, classes)
    assert len(rc.rank(search).pairs) == 3
    names = ("var_smoothing=1.0", "var_smoothing=0.1")
    assert rc.compare(search, names=names).scores.design == rc.RepeatedKFold(runs=2, folds=5)
