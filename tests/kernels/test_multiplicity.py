"""Adjusted p-values, against lists sorted by hand and partitions counted one by one."""

import numpy as np
import pytest

import independent
from replicast.kernels import multiplicity

FAMILIES = [
    [0.01, 0.04, 0.03, 0.005, 0.2, 0.9],
    [0.5, 0.5, 0.02, 0.02, 0.02, 1.0],
    [0.3, 0.2, 0.1, 0.05, 0.04, 0.0301],
    [0.02, 0.021, 0.022, 0.023, 0.6, 0.0],
]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["bonferroni", "holm", "hochberg", "shaffer"])
def test_each_correction_of_six_pvalues(name: str, family: list[float]) -> None:
    extra = (4,) if name == "shaffer" else ()
    expected = getattr(independent, name)(family, *extra)
    found = getattr(multiplicity, name)(np.array(family), *extra)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize("name", multiplicity.CORRECTIONS)
def test_adjust_by_name(name: str) -> None:
    family = np.array(FAMILIES[0])
    found = multiplicity.adjust(family, name, 4)
    extra = (4,) if name == "shaffer" else ()
    np.testing.assert_allclose(found, getattr(independent, name)(FAMILIES[0], *extra), rtol=1e-14)


def test_names_and_the_default() -> None:
    assert multiplicity.CORRECTIONS == ("holm", "hochberg", "shaffer", "bonferroni")
    values = [multiplicity.adjust(np.array(FAMILIES[3]), n, 4) for n in multiplicity.CORRECTIONS]
    assert len({tuple(v.tolist()) for v in values}) == 4
    np.testing.assert_array_equal(
        multiplicity.adjust(np.array([0.2, 0.6]), "bonferroni", 3), [0.4, 1.0]
    )


@pytest.mark.parametrize("classifiers", range(8))
def test_equalities_that_can_hold_together(classifiers: int) -> None:
    found = multiplicity.true_together(classifiers)
    assert list(found) == sorted(independent.possible_true(classifiers))
    assert isinstance(found, tuple)


@pytest.mark.parametrize("classifiers", [3, 5])
def test_shaffer_of_other_families(classifiers: int) -> None:
    pairs = classifiers * (classifiers - 1) // 2
    family = np.linspace(0.001, 0.09, pairs)[::-1]
    found = multiplicity.shaffer(family, classifiers)
    np.testing.assert_allclose(found, independent.shaffer(family.tolist(), classifiers))


def test_one_pvalue_stays() -> None:
    one = np.array([0.3])
    for name in multiplicity.CORRECTIONS:
        assert multiplicity.adjust(one, name, 2).tolist() == [0.3]


def test_values_stay_within_one() -> None:
    ones = np.ones(3)
    for name in multiplicity.CORRECTIONS:
        assert multiplicity.adjust(ones, name, 3).tolist() == [1.0, 1.0, 1.0]
