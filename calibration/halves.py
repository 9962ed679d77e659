"""How the 5x2cv test depends on the network: `python -m calibration.halves 0.0583 0.517`.

Random networks with the gap of a source are tried as in the search for ours; for each the gap with 150
training rows, the power of the t-test on sorted runs and the consistency of the 5x2cv test are printed.
"""

import sys

import numpy as np

from calibration.network_search import TRAIN_ROWS, gap, random_source
from replicast.kernels.splits import stratified_folds
from replicast.replicability.procedures import PROCEDURES, judge
from replicast.results import is_significant
from replicast.studies.published.bouckaert import Behaviour, behaviour
from replicast.studies.scenarios.networks import Network, accuracies

DATASETS, REPETITIONS, NETWORKS = 60, 10, 400


def both_tests(network: Network, rng: np.random.Generator) -> tuple[float, Behaviour]:
    """Return the power of the t-test on sorted runs, and how the 5x2cv test behaves."""
    pvalues: dict[str, list[float]] = {"t-sorted": [], "5x2cv-t": []}
    for _ in range(DATASETS):
        X, y = network.sample(TRAIN_ROWS, rng)
        partitions = stratified_folds(y, 10, 10, rng), stratified_folds(y, 2, 5 * REPETITIONS, rng)
        for name, folds in zip(pvalues, partitions, strict=True):
            tree, bayes = (accuracies(learner, X, y, folds) for learner in ("c45", "naive-bayes"))
            shape = (1, 10, 10) if name == "t-sorted" else (REPETITIONS, 5, 2)
            values = (tree - bayes).round(12).reshape(shape)
            pvalues[name].extend(judge(PROCEDURES[name], values, TRAIN_ROWS)[0])
    power = float(is_significant(np.array(pvalues["t-sorted"]), 0.05).mean())
    return power, behaviour(np.array(pvalues["5x2cv-t"]), REPETITIONS)


def main(wanted: float, power: float) -> None:
    """Print a line for each network with the wanted gap; a star where the power fits too."""
    rng, found = np.random.default_rng(1), 0
    while found < NETWORKS:
        network = random_source(rng)
        if abs(gap(network, 5, 1200, rng) - wanted) > 0.012:
            continue
        measured = gap(network, 30, 5000, rng)
        if abs(measured - wanted) > 0.004:
            continue
        found += 1
        seen, halves = both_tests(network, rng)
        small = gap(network, 30, 5000, rng, rows=TRAIN_ROWS // 2)
        print(
            f"gap {100 * measured:.1f}, with half the rows {100 * small:.1f}; t on sorted runs "
            f"{100 * seen:.0f}%; 5x2cv rejects {100 * halves.rejects.value:.1f}%, consistent "
            f"{100 * halves.consistent.value:.0f}%{' *' if abs(seen - power) <= 0.1 else ''}"
        )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:3]))
