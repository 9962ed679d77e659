"""Weights of a prior, learned from many comparisons: EM over components that are fixed."""

import numpy as np

from calibration.field.corpora import Floats

_ITERATIONS = 1000


def fit_weights(likelihood: Floats, counts: Floats) -> Floats:
    """Return the weights of the components, given likelihoods (pairs, components).

    `counts` says how many comparisons each pair stands for; one more is spread over all components.
    """
    size = likelihood.shape[1]
    scaled = likelihood / likelihood.max(axis=1, keepdims=True)
    weights = np.full(size, 1 / size)
    for _ in range(_ITERATIONS):
        share = scaled * weights
        share /= share.sum(axis=1, keepdims=True)
        updated = counts @ share + 1 / size
        updated /= updated.sum()
        if np.abs(updated - weights).max() < 1e-7:
            break
        weights = updated
    return weights


def normal_likelihood(estimates: Floats, errors: Floats, spreads: tuple[float, ...]) -> Floats:
    """Return the likelihood of each estimate under centred normals; its error adds to the spread."""
    total = np.sqrt(np.array(spreads) ** 2 + errors[:, None] ** 2)
    return np.exp(-((estimates[:, None] / total) ** 2) / 2) / total


def in_likelihood_order(wide: Floats, narrow: Floats) -> tuple[Floats, Floats]:
    """Return both weights with wide / narrow never falling from component to component.

    With components from narrow to wide, the chance of replication under `wide` is then never below
    that under `narrow`, whatever the result. Neighbours that break the order are pooled.
    """
    total = wide + narrow
    blocks: list[tuple[float, float, int]] = []  # sum of wide, sum of both, components
    for one, both in zip(wide.tolist(), total.tolist(), strict=True):
        blocks.append((one, both, 1))
        while len(blocks) > 1 and blocks[-2][0] * blocks[-1][1] > blocks[-1][0] * blocks[-2][1]:
            last, before = blocks.pop(), blocks.pop()
            blocks.append((last[0] + before[0], last[1] + before[1], last[2] + before[2]))
    share = np.concatenate([np.full(size, one / both) for one, both, size in blocks])
    return share * total, (1 - share) * total
