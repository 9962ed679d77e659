"""Sampling schemes, by hand."""

import numpy as np
import pytest

from replicast.kernels import schemes

MATRIX = np.array([[3.0, 1.0, 8.0], [2.0, 6.0, 4.0]])
EXPECTED = {
    "all": [3, 1, 8, 2, 6, 4],
    "folds": [4, 4],
    "runs": [2.5, 3.5, 6],
    "sorted": [1.5, 3.5, 7],
    "first-run": [3, 1, 8],
}


def test_names() -> None:
    assert schemes.SCHEMES == ("all", "folds", "runs", "sorted", "first-run")
    assert set(EXPECTED) == set(schemes.SCHEMES)


@pytest.mark.parametrize("scheme", EXPECTED)
def test_one_matrix_and_a_stack_of_them(scheme: schemes.Scheme) -> None:
    found = schemes.sample_scores(MATRIX, scheme)
    assert found.tolist() == EXPECTED[scheme]
    stack = np.stack([MATRIX, -MATRIX, 2 * MATRIX, MATRIX[::-1]]).reshape(2, 2, 2, 3)
    loop = [[schemes.sample_scores(each, scheme) for each in pair] for pair in stack]
    np.testing.assert_array_equal(schemes.sample_scores(stack, scheme), loop)


@pytest.mark.parametrize("scheme", ["folds", "runs", "sorted"])
def test_means_are_arrays(scheme: schemes.Scheme) -> None:
    assert type(schemes.sample_scores(MATRIX, scheme)) is np.ndarray
