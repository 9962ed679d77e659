"""Scenarios: generators of experiments with known truth, by name or by `module:function`.

A scenario is a function `(levels, replicates, rng)` that returns columns of equal length: one record a
replicate, or several with a column `replicate` of their own. Levels and constants of the study come
in one mapping. It must draw all its randomness from `rng`.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import numpy as np

from replicast.arrays import Floats
from replicast.errors import invalid, nearest
from replicast.studies.scenarios.marking import marked_function

Columns = dict[str, Any]
Scenario = Callable[[Mapping[str, Any], range, np.random.Generator], Columns]

SCENARIOS = {
    "datasets-of-growing-size": "replicast.studies.scenarios.datasets:growing_datasets",
    "oracle": "replicast.studies.scenarios.cross_validated:oracle",
    "svm-against-forest": "replicast.studies.scenarios.cross_validated:svm_against_forest",
    "bayesian-network": "replicast.studies.scenarios.networks:bayesian_network",
    "uci-replicability": "replicast.studies.scenarios.real_data:uci_replicability",
    "special-cases": "replicast.studies.scenarios.real_data:special_cases",
    "case-tests": "replicast.studies.scenarios.case_tests:case_tests",
    "normal-differences": "replicast.studies.scenarios.idealised:normal_differences",
}


def empty_columns(*names: str) -> Columns:
    """Return columns of these names that hold no record yet."""
    return {name: [] for name in names}


def add_record(columns: Columns, *values: Any) -> None:
    """Add a record, its values in the order of the columns."""
    for column, value in zip(columns.values(), values, strict=True):
        column.append(value)


def differences(accuracy: Mapping[str, list[Floats]], first: str, second: str) -> list[Floats]:
    """Return the differences of two learners' accuracies, for every way the rows were split."""
    return [(a - b).round(12) for a, b in zip(accuracy[first], accuracy[second], strict=True)]


def find_scenario(name: str) -> Scenario:
    """Return a scenario by its key, or a function of one's own by `module:function`."""
    if name in SCENARIOS:
        module, _, function = SCENARIOS[name].partition(":")
        found: Scenario = getattr(import_module(module), function)
        return found
    if ":" not in str(name):
        names = tuple(SCENARIOS)
        raise invalid(
            "scenario", f"one of {', '.join(names)}, or module:function", repr(name),
            nearest(str(name), names),
        )  # fmt: skip
    return marked_function(name)
