"""Sampling schemes, by hand."""

import numpy as np
import pytest

import independent
import replicast as rc
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


@pytest.mark.parametrize("scheme", EXPECTED)
def test_samples_of_paired_scores_by_the_second_implementation(scheme: schemes.Scheme) -> None:
    rng = np.random.default_rng(4)
    matrix = rng.integers(-40, 40, size=(7, 5)) / 64  # exact in floats
    second = rng.integers(0, 64, size=35) / 64
    pair = rc.PairedScores(
        first=second + matrix.ravel(), second=second, design=rc.RepeatedKFold(7, 5)
    )
    expected = independent.scheme(matrix.tolist(), scheme)
    np.testing.assert_allclose(pair.sample(scheme), expected, rtol=0, atol=1e-13)
