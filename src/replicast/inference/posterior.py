"""Bayesian answers: how probable is it that the first classifier is better?"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Floats
from replicast.design import Design, DesignLike
from replicast.errors import invalid, is_whole, number, require_positive
from replicast.inference.evidence import Admitted, Scores, admit
from replicast.inference.layouts import coin_tosses
from replicast.inference.ranks import drawn_pvalues
from replicast.inference.student import corrected_power, shifted_corrected_power
from replicast.inference.traits import CROSS_VALIDATION, INDEPENDENT, Method
from replicast.kernels import posterior, power, student
from replicast.randomness import RandomSource, generator
from replicast.results import PosteriorResult

_WEIGHTS_AT_ONCE = 1_000_000
_MOST_DRAWS = 1_000_000_000
_OWN_UP_TO = 50  # datasets; beyond, the power of Wilcoxon's test is within two points


def _require_rope(rope: float) -> float:
    found = number(rope)
    if not 0 <= found < np.inf:
        raise invalid("rope", "zero or a positive difference of scores", rope)
    return found


def correlated_posterior(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    rope: float = 0.0,
) -> PosteriorResult:
    """Return the posterior of the mean difference on one dataset, by the correlated t model.

    The Bayesian twin of `corrected_ttest` [1]_: same design, same correction. Differences within
    ±`rope`, in the unit of the scores, count as practically equal. Use it for folds or splits of
    one dataset; for one score per dataset use `signed_rank_posterior`.

    References
    ----------
    .. [1] Corani and Benavoli (2015), Machine Learning 100, 285-304.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, correlated_posterior
    >>> pair = PairedScores(first=[0.9, 0.8, 0.7], second=[0.8, 0.75, 0.6], design=KFold(3))
    >>> round(correlated_posterior(pair, rope=0.01).first_better, 3)
    0.946
    """
    rope = _require_rope(rope)
    admitted = admit(CORRELATED_POSTERIOR, scores, second, design)
    left, middle, right = _correlated(admitted.sample[None], admitted.scores.design, rope)
    return _result(admitted, rope, (left[0], middle[0], right[0]), "student")


def _result(
    admitted: Admitted, rope: float, masses: tuple[float, float, float], exactness: str
) -> PosteriorResult:
    """Record the mass on the left, within the rope, and on the right."""
    left, middle, right = (float(mass) for mass in masses)
    return PosteriorResult(
        method=admitted.method.name,
        names=admitted.scores.names,
        n=len(admitted.sample),
        estimate=float(admitted.sample.mean()),
        rope=rope,
        first_better=right,
        equivalent=middle,
        second_better=left,
        exactness=exactness,
        design=admitted.scores.design,
        cautions=admitted.cautions,
    )


def _correlated_row_pvalues(sample: Floats, design: Design, *, rope: float = 0.0) -> Floats:
    return _doubled_rest(*_correlated(sample, design, _require_rope(rope)))


def _correlated(sample: Floats, design: Design, rope: float) -> tuple[Floats, Floats, Floats]:
    n = sample.shape[-1]
    mean, error, _ = student.correlated_t(sample, test_train_ratio=design.test_train_ratio)
    left, middle, right = posterior.correlated_regions(mean, error, n - 1, rope)
    # equal differences: leave the tail of as many signs undecided, as the t-tests do
    doubt = np.where((error == 0) & (mean != 0), 2.0 ** -coin_tosses(design, n), 0.0)
    left, right = left * (1 - doubt), right * (1 - doubt)
    return left, np.maximum(middle, doubt), right


def _doubled_rest(left: Floats, middle: Floats, right: Floats) -> Floats:
    """Double the mass outside the better region; a sum, since 1 - mass would lose small ones."""
    return np.asarray(np.minimum(1.0, 2 * (middle + np.minimum(left, right))))


def signed_rank_posterior(
    scores: Scores | ArrayLike,
    second: ArrayLike | None = None,
    *,
    design: DesignLike | None = None,
    rope: float = 0.0,
    prior: float = 0.5,
    draws: int = 20_000,
    rng: RandomSource = 0,
) -> PosteriorResult:
    """Return the posterior of the Bayesian signed-rank test over datasets.

    A Dirichlet process over the differences [1]_; `prior` is the weight of a pseudo-dataset with no
    difference. Differences within ±`rope` count as practically equal. Use it for one score per
    dataset; for folds of one dataset use `correlated_posterior`. The seed is fixed unless given, so
    the same scores give the same answer.

    References
    ----------
    .. [1] Benavoli, Corani, Mangili, Zaffalon and Ruggeri (2014), ICML, 1026-1034.

    Examples
    --------
    >>> from replicast import Datasets, PairedScores, signed_rank_posterior
    >>> first, second = [0.91, 0.85, 0.77, 0.93, 0.66], [0.89, 0.84, 0.70, 0.90, 0.61]
    >>> pair = PairedScores(first=first, second=second, design=Datasets())
    >>> signed_rank_posterior(pair, rope=0.01).first_better > 0.9
    True
    """
    rope = _require_rope(rope)
    admitted = admit(SIGNED_RANK_POSTERIOR, scores, second, design)
    left, middle, right = _signed_rank(admitted.sample[None], rope, prior, draws, rng)[0]
    return _result(admitted, rope, (left, middle, right), "monte-carlo")


def _rank_row_pvalues(
    sample: Floats,
    _: Design,
    *,
    rope: float = 0.0,
    prior: float = 0.5,
    draws: int = 20_000,
    rng: RandomSource = 0,
) -> Floats:
    return _doubled_rest(*_signed_rank(sample, _require_rope(rope), prior, draws, rng).T)


def _signed_rank(
    sample: Floats, rope: float, prior: float, draws: int, rng: RandomSource
) -> Floats:
    prior = require_positive(prior, "prior", "a positive weight")
    if not is_whole(draws) or not 1 <= draws <= _MOST_DRAWS:
        raise invalid("draws", f"a whole number from 1 to {_MOST_DRAWS:,}", draws)
    batches = _weights(sample.shape[-1], prior, int(draws), generator(rng))
    votes = posterior.signed_rank_regions(sample, rope=rope, batches=batches)
    # a third of a draw for each region: a Monte Carlo probability is never exactly 0 or 1
    return (votes + 1 / 3) / (draws + 1)


def _weights(n: int, prior: float, draws: int, source: np.random.Generator) -> Iterator[Floats]:
    """Yield unnormalised Dirichlet weights (some draws, groups + 1), as many as memory likes."""
    pseudo = source.standard_gamma(prior, size=draws)
    sizes = posterior.group_sizes(n)
    step = max(1, _WEIGHTS_AT_ONCE // (len(sizes) + 1))
    for start in range(0, draws, step):
        part = pseudo[start : start + step]
        shape = len(part), len(sizes)
        if len(sizes) == n:
            weights = source.standard_exponential(shape)
        else:
            weights = source.standard_gamma(sizes, shape)
        yield np.column_stack([part, weights])


def _quick_pvalues(rows: Floats) -> Floats:
    """Return p-values of as many rows as take about a second; over many scores they are Wilcoxon's."""
    if rows.shape[-1] > _OWN_UP_TO:
        return drawn_pvalues(rows)
    return _doubled_rest(*_signed_rank(rows[:1000], rope=0.0, prior=0.5, draws=1000, rng=0).T)


CORRELATED_POSTERIOR = Method(
    name="correlated-posterior",
    title="Bayesian correlated t-test",
    reference="Corani & Benavoli (2015), Machine Learning 100",
    test=correlated_posterior,
    row_pvalues=_correlated_row_pvalues,
    designs=CROSS_VALIDATION,
    gives="posterior",
    assumes="normal differences",
    convention="equal differences",
    power={"exact": corrected_power, "shifted": shifted_corrected_power},
    replication=("corrected-t",),
)
SIGNED_RANK_POSTERIOR = Method(
    name="signed-rank-posterior",
    title="Bayesian signed-rank test",
    reference="Benavoli et al. (2014), ICML",
    test=signed_rank_posterior,
    row_pvalues=_rank_row_pvalues,
    designs=INDEPENDENT,
    gives="posterior",
    effect="rank-effect",
    assumes="symmetric differences",
    power={"large-sample": lambda effect, n, _, level: power.signed_rank_power(effect, n, level)},
    quick_pvalues=_quick_pvalues,
    replication=("wilcoxon",),
)
TESTS = (CORRELATED_POSTERIOR, SIGNED_RANK_POSTERIOR)
