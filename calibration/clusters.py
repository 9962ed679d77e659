"""How often equal models are called different where cases hang together in clusters.

python -m calibration.clusters

Sizes of clusters are lognormal and drawn anew for every hundred experiments. A case has three answers
of each model, right or wrong; half of what makes a case hard for a model is shared by its cluster.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast import METHODS, Cases
from replicast.results import is_significant

Floats = NDArray[np.float64]
_GROUPS = (8, 15, 40)
_EACH = 100  # experiments with clusters of the same sizes
_LEVEL = 0.05
_TESTS: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
    ("`case-ttest`", "case-ttest", {}),
    ("`case-ttest`, plain", "case-ttest", {"pvalue_method": "plain"}),
    ("`case-flip`", "case-flip", {"resamples": 999}),
    ("clusters left out", "case-ttest", None),
)


def levels(groups: int, draws: int, rng: np.random.Generator) -> list[float]:
    """Return the share of significant results of every test, between models that are equal."""
    found = np.zeros(len(_TESTS))
    for _ in range(draws):
        labels = np.repeat(np.arange(groups), np.ceil(rng.lognormal(2, 1, groups)).astype(int))
        rows = _differences(labels, rng)
        for at, (_, name, options) in enumerate(_TESTS):
            known = {} if options is None else {"clusters": labels, **options}
            pvalues = METHODS[name].batch_pvalues(rows, Cases(), **known)
            found[at] += is_significant(pvalues, _LEVEL).mean()
    return [float(share) for share in found / draws]


def _differences(labels: NDArray[np.int64], rng: np.random.Generator) -> Floats:
    shape = (_EACH, 2, len(labels))
    shared = rng.normal(size=(_EACH, 2, int(labels.max()) + 1))[..., labels]
    answers = rng.binomial(3, 1 / (1 + np.exp(-shared - rng.normal(size=shape)))) / 3
    return np.asarray(answers[:, 0] - answers[:, 1])


def table(draws: int, rng: np.random.Generator) -> str:
    """Return the levels in percent, a row for each test."""
    columns = [levels(groups, draws, rng) for groups in _GROUPS]
    head = " | ".join(f"{groups} clusters" for groups in _GROUPS)
    lines = [f"| test | {head} |", "|---|---:|---:|---:|"]
    for at, (title, _, _) in enumerate(_TESTS):
        cells = " | ".join(f"{100 * column[at]:.1f}%" for column in columns)
        lines.append(f"| {title} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table; a minute."""
    print(table(100, np.random.default_rng(20241)))


if __name__ == "__main__":
    main()
