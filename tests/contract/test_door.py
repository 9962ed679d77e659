"""One door for a test: what is known about it stands in its family, and other rooms look it up."""

import ast
import importlib
import pkgutil
import re
import typing
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import replicast as rc
from replicast import METHODS, inference
from replicast.design import (
    Cases,
    CrossValidatedCases,
    Datasets,
    Design,
    FiveByTwo,
    Holdout,
    KFold,
    RandomSplits,
    Seeds,
)
from replicast.effects import EFFECTS
from replicast.errors import DegenerateScoresWarning
from replicast.inference.methods import Method, default_method
from replicast.inference.traits import continuous
from replicast.presentation.telling import tell
from replicast.replication.first_result import MODELS, read_first_result

PACKAGE = Path(rc.__file__).parent
EVERY = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
DESIGNS: tuple[Design, ...] = (
    Datasets(14),
    KFold(10),
    RandomSplits(splits=15, n_train=90, n_test=10),
    FiveByTwo(),
    Holdout(40),
    Cases(30),
    CrossValidatedCases(30, folds=5),
    Seeds(8),
)
# where a test may be named: its family, the papers' own studies, and the list of public names
MAY_NAME_TESTS = ("inference/", "studies/published/", "studies/scenarios/", "studies/library.py")


def own_design(method: Method) -> Design:
    return next(design for design in DESIGNS if design.name in method.designs)


def pair_for(method: Method) -> rc.PairedScores:
    rng = np.random.default_rng(5)
    design = own_design(method)
    if design.binary:
        return rc.PairedScores(
            first=rng.random(40) < 0.9, second=rng.random(40) < 0.7, design=design
        )
    n = design.n_scores
    return rc.PairedScores(first=rng.normal(1.5, 1, n), second=np.zeros(n), design=design)


def texts(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that are no docstrings, with their lines."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if text and id(node) not in statements:
            yield node.lineno, node.value


def test_no_other_room_names_a_test() -> None:
    key = re.compile(rf"(?<![\w-])({'|'.join(METHODS)})(?![\w-])")
    functions = {method.test.__name__ for method in METHODS.values()}
    found = []
    for file in sorted(PACKAGE.rglob("*")):
        place = file.relative_to(PACKAGE).as_posix()
        if place.startswith(MAY_NAME_TESTS):
            continue
        if file.suffix == ".py":
            lines = list(texts(file))
            if place == "__init__.py":  # public functions, of which one is called as its key
                lines = [(line, text) for line, text in lines if text not in functions]
        elif file.suffix in (".j2", ".js", ".css"):
            lines = list(enumerate(file.read_text(encoding="utf-8").splitlines(), 1))
        else:
            continue
        found += [f"{place}:{line}: {text!r}" for line, text in lines if key.search(text)]
    assert found == [], "look the trait up in METHODS, or import the Method from its family"


def test_a_family_names_its_own_tests_alone() -> None:
    for file in sorted((PACKAGE / "inference").glob("*.py")):
        own = vars(importlib.import_module(f"replicast.inference.{file.stem}")).get("TESTS", ())
        others = set(METHODS) - {method.name for method in own}
        assert not [text for _, text in texts(file) if text in others], file.name


def test_every_test_of_a_family_is_in_the_table() -> None:
    declared = []
    for module in pkgutil.iter_modules(inference.__path__):
        names = vars(importlib.import_module(f"replicast.inference.{module.name}"))
        declared += names.get("TESTS", ())
        assert {id(one) for one in names.values() if isinstance(one, Method)} <= {
            id(one) for one in METHODS.values()
        }
    assert sorted(one.name for one in declared) == sorted(METHODS)
    assert all(METHODS[one.name] is one for one in declared)


@EVERY
def test_every_word_is_known_to_the_room_that_reads_it(method: Method) -> None:
    hints = typing.get_type_hints(Method)
    for trait in ("gives", "symbol", "effect", "difference", "assumes", "convention"):
        assert getattr(method, trait) in typing.get_args(hints[trait]), trait
    assert {method.effect, method.difference} <= set(EFFECTS)
    assert set(method.replication) <= set(MODELS)
    assert set(method.power) <= {"exact", "shifted", "large-sample"}
    assert method.reference
    # a statistic has a letter, or counts say more; a posterior has neither
    assert bool(method.symbol) + bool(method.counts) == (method.gives == "p-value")


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_every_design_has_one_test_that_is_valid_for_it(design: Design) -> None:
    defaults = [one for one in METHODS.values() if one.is_default_for(design)]
    assert [one.name for one in defaults] == [default_method(design)]
    assert defaults[0].is_valid_for(design)


@EVERY
def test_the_lead_of_rows_is_that_of_the_result(method: Method) -> None:
    pair = pair_for(method)
    result, mirrored = method.test(pair), method.test(pair.swapped())
    assert result.lead > 0 > mirrored.lead
    both = method.lead(np.stack([pair.differences, -pair.differences]))
    assert np.sign(both).tolist() == [1, -1]


@EVERY
def test_the_smallest_pvalue_is_that_of_a_win_everywhere(method: Method) -> None:
    if method.smallest_pvalue is continuous:
        assert method.smallest_pvalue(10) == 0
        return
    for n in (5, 12, 40):
        design = own_design(method).grow(None, n).design
        rows = np.ones((1, n)) if design.binary else np.arange(1.0, n + 1)[None]
        found = method.batch_pvalues(rows, design)
        assert method.smallest_pvalue(n) == pytest.approx(found[0], rel=1e-9)


@EVERY
def test_scores_decided_by_convention_are_those_the_trait_names(method: Method) -> None:
    design = own_design(method)
    ones = np.ones(design.n_scores)
    pair = rc.PairedScores(first=ones, second=0 * ones, design=design)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        method.test(pair)
    warned = any(one.category is DegenerateScoresWarning for one in told)
    assert warned == (method.convention == "equal differences")


@EVERY
def test_everything_is_said_about_every_test(method: Method) -> None:
    found = rc.compare(pair_for(method), method=method.name)
    assert found.effect.kind == method.effect
    assert found.difference.kind == method.difference
    assert (found.normality is not None) == (method.assumes == "normal differences")
    assert 0 <= found.power.power <= 1
    assert (found.replication is None) == (not method.replication)
    assert (found.replication is None) == any(
        caution.code == "no-replication-model" for caution in found.cautions
    )
    said, line = found.more(), tell(found).quote
    assert method.title in said
    assert method.title in line
    if method.symbol:
        statistic = re.compile(rf"{method.symbol}(\(.*\))? = ")
        assert statistic.search(said)
        assert statistic.search(line)
    assert "{" not in said + line


@pytest.mark.parametrize("model", MODELS)
def test_every_model_of_replication_reads_its_test(model: str) -> None:
    assert model in MODELS[model].replication
    found = read_first_result(pair_for(MODELS[model]), model=model)
    assert found.model.name == model


def test_one_line_decides_what_is_significant() -> None:
    """Kernels, which know no records, compare for themselves; everyone else asks results."""
    compared = re.compile(
        r"\bp(?:values?)?\)? *<=? *(?:significance|level|_?LEVEL|alpha|0\.0[15])\b"
    )
    for file in sorted(PACKAGE.rglob("*.py")):
        place = file.relative_to(PACKAGE).as_posix()
        if place.startswith("kernels/") or place == "results.py":
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Compare):
                assert not compared.search(ast.unparse(node)), f"{place}:{node.lineno}"


@EVERY
def test_the_observed_effect_of_normal_differences_is_theirs(method: Method) -> None:
    rows = np.random.default_rng(3).normal(0.5, 1, size=(2000, 20))
    centre, spread = method.moments(rows)
    assert (centre / spread).mean() == pytest.approx(0.5, abs=0.06)  # small samples see a bit more
    assert centre.mean() == pytest.approx(0.5, abs=0.02)
