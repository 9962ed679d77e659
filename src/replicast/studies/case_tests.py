"""The study of tests on cases: level and power beside other tests, coverage of one model's interval."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from scipy import special

from replicast.arrays import Bools, Floats
from replicast.design import FiveByTwo, cross_validation
from replicast.inference.five_by_two import FIVE_BY_TWO_TTEST
from replicast.inference.student import CORRECTED_TTEST
from replicast.inference.traits import Method
from replicast.kernels.counts import binomial_pvalue
from replicast.kernels.intervals import wilson
from replicast.kernels.student import ratio_or_infinity
from replicast.results import is_significant
from replicast.studies.plan import Study
from replicast.studies.published import table as markdown_table
from replicast.studies.scenarios.case_tests import RUNS
from replicast.studies.scenarios.case_worlds import World
from replicast.studies.summary import Rate, Summary, groups, matrix_of, percent

_LEVEL = 0.05
_HIGHEST = 0.055  # level up to which the test may be the default
_SEEN = 0.1  # power of the corrected t from which the test must not fall behind
TESTS = ("cases", "folds", "Bayle", "5x2", "McNemar")
INTERVALS = ("cases", "naive", "folds")


@dataclass(frozen=True)
class Judged:
    """One world with some of its runs: how often each test rejects, and each interval covers."""

    name: str
    world: World
    runs: int
    rejected: dict[str, Rate]
    covered: dict[str, Rate]

    @property
    def label(self) -> str:
        """The world with the number of runs that were used of it."""
        if self.world.runs == self.runs:
            return self.name
        return self.name.replace(f"runs={self.world.runs}", f"runs={self.runs}")


def read_case_tests(_: Study, table: pa.Table) -> list[Judged]:
    """Return every world with every number of runs, those without a difference first."""
    found = []
    for levels, part in groups(table, ["world"]):
        world = World.parse(levels["world"])
        for place, runs in enumerate(runs for runs in RUNS if runs <= world.runs):
            rates = _rejected(world, part, place, runs)
            covered = _covered(world, part) if runs == 1 else {}
            found.append(Judged(levels["world"], world, runs, rates, covered))
    return sorted(found, key=lambda one: (not one.world.is_null, one.runs, one.world.measure))


def _rejected(world: World, part: pa.Table, place: int, runs: int) -> dict[str, Rate]:
    mean, single, df, error = matrix_of(part, "cases")[:, 4 * place : 4 * place + 4].T
    overlap = world.folds / (world.folds - 1)
    corrected = np.sqrt(error**2 + overlap * single**2)
    critical = special.stdtrit(df, 1 - _LEVEL / 2)
    normal = float(special.ndtri(1 - _LEVEL / 2))
    design = cross_validation(world.folds, runs=runs)
    differences = matrix_of(part, "differences")[:, : runs * world.folds]
    rates = {
        "cases": np.abs(ratio_or_infinity(mean, corrected)) > critical,
        "folds": _significant(CORRECTED_TTEST, differences, design),
        "Bayle": np.abs(ratio_or_infinity(mean, error)) > normal,
    }
    if runs == 1:
        rates["5x2"] = _significant(FIVE_BY_TWO_TTEST, matrix_of(part, "halves"), FiveByTwo())
    if runs == 1 and world.measure == "accuracy":
        won, lost = matrix_of(part, "only").astype(np.int64).T
        exact = binomial_pvalue(won, lost, 0 * won, ties_rule="drop", alternative="two-sided")
        rates["McNemar"] = np.asarray(is_significant(exact, _LEVEL))
    return {name: Rate.of(hits) for name, hits in rates.items()}


def _significant(method: Method, rows: Floats, design: Any) -> Bools:
    return np.asarray(is_significant(method.batch_pvalues(rows, design), _LEVEL))


def _covered(world: World, part: pa.Table) -> dict[str, Rate]:
    """Return how often intervals hold the expected score, which is the mean over all datasets."""
    overlap = world.folds / (world.folds - 1)
    models = matrix_of(part, "models")
    held: dict[str, list[Bools]] = {name: [] for name in INTERVALS}
    for mean, error, df in (models[:, :3].T, models[:, 3:].T):
        truth = float(mean.mean())
        for name, wider in (("cases", 1 + overlap), ("naive", 1.0)):
            if world.measure == "accuracy" and world.population != "patients":
                low, high = wilson(mean, world.rows / wider, 1 - _LEVEL)
            else:
                half = special.stdtrit(df, 1 - _LEVEL / 2) * error * np.sqrt(wider)
                low, high = mean - half, mean + half
            held[name].append((low <= truth) & (truth <= high))
    folds = matrix_of(part, "folds")
    k = world.folds
    error = folds.std(axis=1, ddof=1) * np.sqrt(1 / k + 1 / (k - 1))
    apart = np.abs(folds.mean(axis=1) - folds.mean())
    held["folds"].append(apart <= special.stdtrit(k - 1, 1 - _LEVEL / 2) * error)
    return {name: Rate.of(np.concatenate(hits)) for name, hits in held.items()}


def summarise_case_tests(study: Study, read: list[Judged]) -> Summary:
    """Return level and power of every test in every world."""
    rows, numbers = [], []
    for one in read:
        kind = "level" if one.world.is_null else "power"
        count = one.rejected["cases"].count
        cells = [percent(one.rejected[name]) if name in one.rejected else "–" for name in TESTS]
        rows.append((one.label, kind, str(count), *cells))
        shown = {"rejected": one.rejected, "covered": one.covered}
        shares = {
            word: {name: {"rate": r.value, "error": r.error} for name, r in rates.items()}
            for word, rates in shown.items()
        }
        numbers.append(
            {"world": one.name, "runs": one.runs, "kind": kind, "datasets": count, **shares}
        )
    notes = [
        "Percent of datasets with p < 0.05, ± one Monte Carlo standard error. Cases: the corrected "
        "t-test of cases. Folds: the corrected t-test of folds. Bayle: cases without a correction "
        "(Bayle et al. 2020). 5x2: Dietterich's t. McNemar: of the pooled cases of one run."
    ]
    headings = ("world", "", "datasets", *TESTS)
    return Summary(study.title, headings, tuple(rows), tuple(numbers), tuple(notes))


def case_tables(_study: Study, read: list[Judged], _summary: Summary) -> list[str]:
    """Return what the worlds decide, and the coverage of one model's interval."""
    lines = ["## What the worlds decide", ""]
    for title, several in (("One run", False), ("Several runs", True)):
        part = [one for one in read if (one.runs > 1) == several]
        lines += [f"**{title}.** {decide_case_tests(part)}", ""]
    lines += [
        "## Coverage of one model's interval",
        "",
        "Percent of 95% intervals that hold the expected score of the learner on as many training "
        "rows, of both contestants. Cases: Wilson's interval with n / (1 + k / (k - 1)) cases for "
        "accuracy, t with the corrected standard error for other scores and for patients. Naive: "
        "the same without the correction. Folds: t with the corrected error of fold means.",
        "",
    ]
    cells = [
        [one.label, *(percent(one.covered[name]) for name in INTERVALS)]
        for one in read
        if one.covered
    ]
    return [*lines, *markdown_table(("world", *INTERVALS), cells)]


def decide_case_tests(read: Sequence[Judged]) -> str:
    """Say whether the corrected t-test of cases may be the default: by level first, then by power."""
    nulls = [one for one in read if one.world.is_null]
    others = [one for one in read if not one.world.is_null]
    if not nulls or not others:
        return "Not decided: worlds are missing."
    worst = max(nulls, key=lambda one: one.rejected["cases"].value)
    level = worst.rejected["cases"].value
    behind = [
        one
        for one in others
        if one.rejected["folds"].value >= _SEEN
        and one.rejected["cases"].value < one.rejected["folds"].value
    ]
    told = f"The highest level is {100 * level:.1f}% ({worst.label}), of {len(nulls)} worlds."
    if behind:
        shown = "; ".join(
            f"{one.label}: {100 * one.rejected['cases'].value:.0f} against "
            f"{100 * one.rejected['folds'].value:.0f}%"
            for one in behind
        )
        where = f"in {len(behind)} of {len(others)}"
        told += f" Its power is below that of the corrected t {where}: {shown}."
    else:
        told += f" Its power is nowhere below that of the corrected t, in {len(others)} worlds."
    chosen = level <= _HIGHEST and not behind
    return f"{told} {'It is the default.' if chosen else 'It stays a test by name.'}"
