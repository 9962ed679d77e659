"""Designs are data: kinds with traits, one way to grow, one answer for one experiment."""

import ast
from pathlib import Path

import numpy as np
import pytest

import replicast as rc
from replicast.design import AXES, Design, format_design, parse_design

SOURCE = Path(rc.__file__).parent
CLASSES = {
    "CrossValidatedCases",
    "CrossValidation",
    "Cases",
    "Datasets",
    "Design",
    "RandomSplits",
    "Seeds",
}
BUILDERS = {"FiveByTwo", "Holdout", "KFold", "RepeatedKFold"}
EVERY: tuple[Design, ...] = (
    rc.Datasets(20),
    rc.Datasets(20, groups=True),
    rc.KFold(10),
    rc.RepeatedKFold(runs=10, folds=10),
    rc.RandomSplits(splits=100, n_train=900, n_test=100),
    rc.FiveByTwo(),
    rc.Holdout(500),
    rc.Cases(500),
    rc.Cases(500, clusters=50),
    rc.Cases(500, answers=3),
    rc.CrossValidatedCases(500, folds=5),
    rc.CrossValidatedCases(500, clusters=50, folds=5, answers=3),
    rc.Seeds(5),
    rc.Seeds(5, splits=4, paired=True),
    rc.Seeds(5, splits=4, test_percent=0),
    rc.Seeds(5, split=None),
)
# rooms that may still ask for a class, and how often at most; the numbers only fall
ALLOWED = {"reading/designs.py": 1}
BELOW = ("design/", "scores/", "inference/")


def class_checks(path: Path) -> int:
    """Count where a module asks of what class a design is."""
    found = 0
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        asked: ast.AST | None = None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            asked = node.args[1]
        elif isinstance(node, ast.MatchClass):
            asked = node.cls
        elif isinstance(node, ast.Compare) and "type(" in ast.unparse(node):
            asked = node
        if asked is not None:
            names = {one.id for one in ast.walk(asked) if isinstance(one, ast.Name)}
            found += bool(names & ((CLASSES - {"Design"}) | BUILDERS))
    return found


def test_no_room_above_inference_asks_for_the_class_of_a_design() -> None:
    counts = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if not name.startswith((*BELOW, "learners/")) and class_checks(path):
            counts[name] = class_checks(path)
    assert counts == ALLOWED


@pytest.mark.parametrize("text", ["isinstance(d, KFold | Seeds)", "type(d) is Cases"])
def test_the_counter_sees_a_check(text: str, tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(text)
    assert class_checks(module) == 1


def test_one_run_is_one_design() -> None:
    assert rc.KFold(10) == rc.RepeatedKFold(runs=1, folds=10)
    assert hash(rc.KFold(10)) == hash(rc.RepeatedKFold(runs=1, folds=10))
    assert format_design(rc.RepeatedKFold(runs=1, folds=10)) == "kfold:folds=10"
    assert parse_design("repeated-kfold:runs=1,folds=10") == rc.KFold(10)
    assert rc.FiveByTwo() != rc.RepeatedKFold(runs=5, folds=2)  # their usual tests differ


@pytest.mark.parametrize("design", EVERY, ids=format_design)
def test_every_kind_has_every_trait(design: Design) -> None:
    assert parse_design(format_design(design)) == design
    assert eval(repr(design), vars(rc)) == design
    assert design.name == design.names[0] == format_design(design).partition(":")[0]
    assert design.words
    assert design.unit
    assert design.repeated
    assert {axis.name for axis in design.axes} <= set(AXES)
    assert all(bool(axis.ceiling) == bool(axis.endless) and axis.cost for axis in design.axes)
    assert sum(method.is_default_for(design) for method in rc.METHODS.values()) == 1


@pytest.mark.parametrize("design", EVERY, ids=format_design)
def test_every_kind_grows_along_its_axes(design: Design) -> None:
    for axis in design.axes:
        now = design.amount(axis.name)
        same = design.grow(axis.name, now)
        assert same.data_factor == 1
        assert same.design.n_scores == design.n_scores
        grown, factor = design.grow(axis.name, 4 * now)
        assert design.is_akin(grown)
        if axis.field:
            assert (getattr(grown, axis.field), factor) == (4 * now, 1)
        else:
            assert (grown, factor) == (design, 4)
    for larger in design.larger:
        assert design.is_akin(larger.design)
        assert larger.data_factor > 1 or (larger.design.n_scores or 0) > (design.n_scores or 0)


@pytest.mark.parametrize(
    ("design", "axis", "amount", "grown"),
    [
        (rc.KFold(10), "runs", 5, "repeated-kfold:runs=5,folds=10"),
        (rc.KFold(10), "folds", 20, "kfold:folds=20"),
        (rc.RepeatedKFold(runs=3, folds=5), "folds", 10, "repeated-kfold:runs=3,folds=10"),
        (rc.FiveByTwo(), "runs", 10, "repeated-kfold:runs=10,folds=2"),
        (rc.Holdout(500), "cases", 2000, "holdout:cases=2000"),
        (rc.Cases(500, clusters=50), "cases", 1200, "cases:count=1200,clusters=120,answers=1"),
        (rc.Cases(10, clusters=2), "cases", 3, "cases:count=3,clusters=2,answers=1"),
        (rc.Cases(500, answers=3), "answers", 7, "cases:count=500,answers=7"),
        (rc.CrossValidatedCases(20), "cases", 8, "cross-validated-cases:count=8,answers=1,folds=8"),
        (rc.Seeds(5, splits=2), "splits", 6, "seeds:count=5,splits=6"),
        (rc.Seeds(5, splits=2), "seeds", 9, "seeds:count=9,splits=2"),
    ],
)
def test_growth(design: Design, axis: str, amount: float, grown: str) -> None:
    assert format_design(design.grow(axis, amount).design) == grown


def test_what_cannot_grow_is_refused_with_what_can() -> None:
    with pytest.raises(rc.errors.DesignMismatchError, match="cases, runs or folds for 10-fold"):
        rc.KFold(10).grow("seeds", 3)


RIGHT = np.random.default_rng(4).random((2, 80)) < np.array([[0.85], [0.7]])


def test_cases_that_are_right_or_wrong_have_one_answer() -> None:
    first, second = RIGHT.astype(float)
    counted = rc.replicate(
        discordant=(int((first > second).sum()), int((second > first).sum())), cases=80
    )
    truth = np.ones(80, dtype=int)
    answers = [
        rc.compare(first, second, design=rc.Holdout()),
        rc.compare(first, second, design=rc.Cases()),
        rc.compare(rc.PairedCases(first=first, second=second)),
        rc.compare(
            rc.PairedPredictions(truth=truth, first=first.astype(int), second=second.astype(int))
        ),
    ]
    assert {found.evidence.method for found in answers} == {"mcnemar"}
    assert {found.evidence.pvalue for found in answers} == {counted.first_pvalue}
    chances = {found.replication.probability for found in answers if found.replication}
    assert chances == {counted.probability}


def test_a_test_of_cases_runs_on_right_and_wrong_if_asked_for() -> None:
    first, second = RIGHT.astype(float)
    found = [
        rc.compare(first, second, design=design, method="case-ttest").evidence.pvalue
        for design in (rc.Holdout(), rc.Cases())
    ]
    assert found[0] == found[1]


def test_five_runs_of_two_folds_differ_only_in_the_test() -> None:
    rng = np.random.default_rng(8)
    first, second = rng.normal([[0.82], [0.8]], 0.02, (2, 10))
    five, repeated = rc.FiveByTwo(), rc.RepeatedKFold(runs=5, folds=2)
    assert rc.compare(first, second, design=five).evidence.method == "five-by-two-ftest"
    assert rc.compare(first, second, design=repeated).evidence.method == "corrected-ttest"
    for method in ("corrected-ttest", "five-by-two-ftest", "five-by-two-ttest"):
        one, other = (
            rc.compare(first, second, design=design, method=method) for design in (five, repeated)
        )
        assert one.evidence.pvalue == other.evidence.pvalue
        assert (one.replication is None) == (other.replication is None)
        if one.replication is not None and other.replication is not None:
            assert one.replication.probability == other.replication.probability
