"""Rounding away what subtraction leaves behind."""

import math

import numpy as np
import pytest

from replicast.kernels import rounding


def test_unit_is_that_of_the_fourteenth_digit() -> None:
    scales = np.array([1.0, 0.9, 0.1, 0.11, 10.0, 11.0, 99.0, 1e-200, 3e250])
    expected = [1e-14, 1e-14, 1e-15, 1e-14, 1e-13, 1e-12, 1e-12, 1e-214, 1e237]
    np.testing.assert_allclose(rounding.rounding_unit(scales), expected, rtol=1e-12)


@pytest.mark.parametrize("scale", [0.0, 1e-300, 1e-290, math.inf, math.nan, -1.0])
def test_no_unit_where_rounding_would_do_harm(scale: float) -> None:
    assert rounding.rounding_unit(np.float64(scale)) == 0.0
    assert rounding.rounding_unit(np.array([scale, 1.0])).tolist() == [0.0, 1e-14]


def test_smallest_scale() -> None:
    assert rounding.rounding_unit(np.array(1.001e-290)) > 0
    assert rounding.rounding_unit([2.0, 1]).dtype == np.float64


def test_decimal_differences_become_equal() -> None:
    differences = np.array([0.8 - 0.7, 0.9 - 0.8, 0.3 - 0.2, 0.1 + 0.2 - 0.3])
    assert len(set(differences[:3].tolist())) > 1
    snapped = rounding.snap(differences, np.array(0.9))
    np.testing.assert_allclose(snapped, [0.1, 0.1, 0.1, 0.0], atol=1e-16)
    assert len(set(snapped[:3].tolist())) == 1
    assert snapped[3] == 0.0


def test_snap_takes_one_magnitude_for_each_row() -> None:
    rows = np.array([[1.00000000000004e-3, 2e-3], [1.00000000000004e-3, 2e-3], [5e-300, math.pi]])
    found = rounding.snap(rows, np.array([[1.0], [1e-3], [0.0]]))
    # units 1e-14 and 1e-17: the first row loses the tail, the second keeps it
    np.testing.assert_allclose(found[0], [1e-3, 2e-3], rtol=1e-15)
    np.testing.assert_allclose(found[1], rows[1], rtol=1e-15)
    assert found[1, 0] > found[0, 0]
    assert found[2].tolist() == rows[2].tolist()


def test_rows_are_snapped_each_by_its_largest() -> None:
    rows = np.array(
        [
            [0.8 - 0.7, 0.9 - 0.8, -(0.3 - 0.2), 0.0],
            [-(0.8 - 0.7), 1e-17, 0.25, -100.0],
            [1e-295, -3.3e-300, 0.0, 1e-310],
            [0.0, 0.0, 0.0, 0.0],
            [1e-290, 1e-305, 0.0, -1.23456789012345678e-300],
            [0.1234567890123456, -0.3, 0.2 + 4e-15, 0.25],
        ]
    )
    before = rows.copy()
    found = rounding.snap_rows(rows)
    np.testing.assert_array_equal(rows, before)
    first = found[0]
    assert first[0] == first[1] == -first[2]
    np.testing.assert_allclose(found[0], [0.1, 0.1, -0.1, 0.0], rtol=1e-14)
    np.testing.assert_allclose(found[1], [-0.1, 0.0, 0.25, -100.0], rtol=1e-13, atol=0)
    assert found[1, 1] == 0.0
    np.testing.assert_array_equal(found[2:5], rows[2:5])
    np.testing.assert_allclose(found[5], [0.12345678901235, -0.3, 0.2, 0.25], rtol=1e-15)
    expected = rounding.snap(rows, np.abs(rows).max(axis=1, keepdims=True))
    np.testing.assert_array_equal(found, expected)


def test_rows_of_other_types_and_layouts() -> None:
    assert rounding.snap_rows(np.array([[1, 2], [3, 4]])).dtype == np.float64
    wide = np.arange(12.0).reshape(3, 4) / 10
    np.testing.assert_array_equal(rounding.snap_rows(wide.T), rounding.snap_rows(wide.T.copy()))
    np.testing.assert_array_equal(
        rounding.snap_rows(wide[:, ::2]), rounding.snap_rows(wide)[:, ::2]
    )
    assert rounding.snap_rows(np.empty((0, 3))).shape == (0, 3)
    assert rounding.snap_rows([[0.1, 0.2]]).shape == (1, 2)
    large = rounding.snap_rows(np.array([[2e-290, 1.000000000000000123e-290]]))
    np.testing.assert_allclose(large, [[2e-290, 1e-290]], rtol=1e-13)
