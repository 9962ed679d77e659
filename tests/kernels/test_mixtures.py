"""Normal mixtures, against integrals on a grid."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from replicast.kernels import mixtures
from replicast.kernels.mixtures import Mixture, Prior

PRIOR = Prior((0.2, 0.5, 0.3), (0.5, 2.0, 6.0))


def cdf(posterior: Mixture, x: float) -> float:
    parts = zip(*(np.ravel(part) for part in posterior), strict=True)
    return float(sum(w * stats.norm.cdf(x, m, s) for w, m, s in parts))


def test_constants() -> None:
    assert mixtures.DEFAULT_PRIOR == ((1 / 3, 1 / 3, 1 / 3), (1.0, 3.0, 9.0), "signal")
    assert mixtures.FLAT_PRIOR == ((1.0,), (1e6,), "signal")
    assert mixtures.SCEPTIC_PRIOR == ((1.0,), (1.0,), "signal")
    assert mixtures.EMPIRICAL_SPREADS == (0.3, 1.0, 2.0, 3.5, 9.0)


@pytest.mark.parametrize("estimate", [0.0, 1.3, -2.0, 8.0])
def test_mass_and_limits_by_integration(estimate: float) -> None:
    """Of a posterior after an estimate with unit noise."""
    spreads = np.array(PRIOR.spreads)
    shrink = spreads**2 / (spreads**2 + 1)
    likely = np.array(PRIOR.weights) * stats.norm.pdf(estimate, 0, np.hypot(spreads, 1))
    found = Mixture(likely / likely.sum(), estimate * shrink, np.sqrt(shrink))

    def integral(low: float, high: float) -> float:
        grid = np.linspace(low, high, 20_001)
        prior = sum(
            w * stats.norm.pdf(grid, 0, s)
            for w, s in zip(PRIOR.weights, PRIOR.spreads, strict=True)
        )
        return float(integrate.simpson(prior * stats.norm.pdf(estimate - grid), x=grid))

    whole = integral(-15, 20)
    positive = mixtures.positive_mass(found)
    assert isinstance(positive, np.ndarray)
    assert positive == pytest.approx(integral(0, 20) / whole, abs=1e-9)
    tails = np.array([0.025, 0.4, 0.975])
    for tail, limit in zip(tails, mixtures.mixture_limits(found, tails).tolist(), strict=True):
        assert integral(-15, limit) / whole == pytest.approx(tail, abs=1e-9)


MIXTURES = [
    Mixture(np.array([1.0]), np.array([0.7]), np.array([2.0])),
    Mixture(np.array([0.5, 0.5]), np.array([-3.0, 4.0]), np.array([0.1, 0.2])),
    Mixture(np.array([0.1, 0.6, 0.3]), np.array([0.0, 1.0, 5.0]), np.array([3.0, 0.5, 1.0])),
    Mixture(np.array([0.999, 0.001]), np.array([0.0, 40.0]), np.array([1e-3, 1.0])),
    Mixture(np.array([0.3, 0.7]), np.array([1e4, 2e4]), np.array([10.0, 500.0])),
]


@pytest.mark.parametrize("mixture", MIXTURES)
@pytest.mark.parametrize("unit", [1.0, 1e-9, 1e150])
def test_limits_hold_their_mass_in_any_unit(mixture: Mixture, unit: float) -> None:
    tails = np.array([1e-12, 0.001, 0.025, 0.5, 0.9, 0.9995])
    scaled = Mixture(mixture.weights, unit * mixture.means, unit * mixture.spreads)
    for tail, limit in zip(tails, mixtures.mixture_limits(scaled, tails).tolist(), strict=True):
        assert cdf(mixture, limit / unit) == pytest.approx(tail, rel=1e-9)


def em(estimates: list[float], iterations: int) -> list[float]:
    """Expectation and maximisation in plain loops, one pseudo-observation spread over all."""
    spreads = mixtures.EMPIRICAL_SPREADS
    weights = [0.2] * 5
    for _ in range(iterations):
        sums = [0.2] * 5
        for x in estimates:
            joint = [
                w * stats.norm.pdf(x, 0, math.hypot(s, 1))
                for w, s in zip(weights, spreads, strict=True)
            ]
            for k in range(5):
                sums[k] += joint[k] / sum(joint)
        weights = [value / sum(sums) for value in sums]
    return weights


@pytest.mark.parametrize("iterations", [1, 7])
def test_empirical_prior_by_plain_loops(iterations: int) -> None:
    estimates = [0.1, -0.4, 2.0, 5.0, -11.0, 0.9]
    found = mixtures.empirical_prior(np.array(estimates), iterations)
    np.testing.assert_allclose(found.weights, em(estimates, iterations), rtol=1e-10)
    assert found.spreads == mixtures.EMPIRICAL_SPREADS
    assert type(found.weights) is tuple
    assert type(found.weights[0]) is float
    listed = mixtures.empirical_prior(estimates, iterations)
    assert listed == found


def test_empirical_prior_runs_two_hundred_times_and_bears_outliers() -> None:
    estimates = np.linspace(-4.0, 4.0, 99)  # still moving after two hundred rounds
    assert mixtures.empirical_prior(estimates) == mixtures.empirical_prior(estimates, 200)
    assert mixtures.empirical_prior(estimates) != mixtures.empirical_prior(estimates, 199)
    assert mixtures.empirical_prior(estimates) != mixtures.empirical_prior(estimates, 201)
    far = mixtures.empirical_prior(np.array([1e5]), 3)  # all likelihoods are 0 in floats
    np.testing.assert_allclose(far.weights, [0.2] * 5)
    assert sum(far.weights) == pytest.approx(1)
