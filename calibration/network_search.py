"""The search that made networks.json: `python -m calibration.network_search`.

Random networks are tried until C4.5 beats naive Bayes by the wanted amount, measured with 300 training
and 20,000 test rows over many training sets, and until the t-test on sorted runs finds that about as
often as in the paper: networks with the same gap differ much in how noisy it is.
"""

import json
from pathlib import Path

import numpy as np

from replicast.kernels.splits import stratified_folds
from replicast.learners import C45Classifier, MixedNaiveBayes
from replicast.learners.mixed.table import MixedTable
from replicast.replicability.procedures import PROCEDURES, judge
from replicast.results import is_significant
from replicast.studies.scenarios.networks import NO_PARENT, Network, accuracies

ATTRIBUTES = 10
TRAIN_ROWS, TEST_ROWS = 300, 20_000
GAPS = (0.0277, 0.0583, 0.1127)  # of sources 2 to 4 (Bouckaert 2004)
POWERS = (0.211, 0.517, 0.996)  # of the t-test on sorted runs there
TOLERANCE, POWER_TOLERANCE = 0.003, 0.05
SEED = 2004


def independent_source(rng: np.random.Generator) -> Network:
    """Return a network in which nothing depends on the class or on another attribute."""
    chance = rng.uniform(0.2, 0.8, size=ATTRIBUTES)
    return Network((NO_PARENT,) * ATTRIBUTES, np.tile(chance[:, None, None], (1, 2, 2)))


def random_source(rng: np.random.Generator) -> Network:
    """Return a naive Bayes structure with random arrows and random chances."""
    share = rng.uniform(0.3, 1.0)
    parents = tuple(
        int(rng.integers(i)) if i and rng.random() < share else NO_PARENT for i in range(ATTRIBUTES)
    )
    strength = rng.uniform(0.3, 1.5)
    return Network(parents, rng.beta(strength, strength, size=(ATTRIBUTES, 2, 2)))


def gap(
    network: Network,
    training_sets: int,
    test_rows: int,
    rng: np.random.Generator,
    rows: int = TRAIN_ROWS,
) -> float:
    """Return the mean accuracy of C4.5 minus that of naive Bayes."""
    X_test, y_test = network.sample(test_rows, rng)
    test = MixedTable.from_codes(X_test, 2)
    gaps = []
    for _ in range(training_sets):
        X, y = network.sample(rows, rng)
        train = MixedTable.from_codes(X, 2)
        tree, bayes = (
            np.mean(learner.fit(train, y).predict(test) == y_test)
            for learner in (C45Classifier(), MixedNaiveBayes())
        )
        gaps.append(tree - bayes)
    return float(np.mean(gaps))


def sorted_power(network: Network, size: int, rng: np.random.Generator) -> float:
    """Return how often the t-test on sorted runs of 10 x 10 cross-validation is significant."""
    found = []
    for _ in range(size):
        X, y = network.sample(TRAIN_ROWS, rng)
        folds = stratified_folds(y, 10, 10, rng)
        tree, bayes = (accuracies(name, X, y, folds) for name in ("c45", "naive-bayes"))
        values = (tree - bayes).round(12)
        found.append(judge(PROCEDURES["t-sorted"], values[None], TRAIN_ROWS)[0][0])
    return float(is_significant(np.array(found), 0.05).mean())


def search(wanted: float, power: float, rng: np.random.Generator) -> tuple[Network, float]:
    """Return a network with the wanted gap and about the wanted power, and its gap."""
    while True:
        network = random_source(rng)
        if abs(gap(network, 6, 1500, rng) - wanted) > 0.012:
            continue
        if abs(gap(network, 40, TEST_ROWS, rng) - wanted) > TOLERANCE / 2:
            continue
        if abs(sorted_power(network, 60, rng) - power) > 3 * POWER_TOLERANCE:
            continue
        measured = gap(network, 200, TEST_ROWS, rng)
        close = abs(sorted_power(network, 600, rng) - power) <= POWER_TOLERANCE / 2
        if close and abs(measured - wanted) <= TOLERANCE / 3:
            return network, measured


def main() -> None:
    """Search all sources and write them into the package."""
    rng = np.random.default_rng(SEED)
    found = [
        (independent_source(rng), 0.0),
        *(search(*wanted, rng) for wanted in zip(GAPS, POWERS, strict=True)),
    ]
    content = {
        "made_by": "python -m calibration.network_search",
        "seed": SEED,
        "gaps": [round(measured, 5) for _, measured in found],
        "networks": [network.to_dict() for network, _ in found],
    }
    target = Path(__file__).parents[1] / "src/replicast/studies/scenarios/networks.json"
    target.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
