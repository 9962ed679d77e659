"""Measure replicability: rerun an experiment on new partitions and count equal outcomes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design, require_count
from replicast.errors import invalid, require_choice, require_function, require_instance, show
from replicast.experiment.data import Problem, prepare
from replicast.experiment.evaluation import Runner, require_estimator, require_jobs
from replicast.experiment.partitions import fold_accuracy, partition
from replicast.randomness import RandomSource, generator
from replicast.replicability.procedures import (
    PROCEDURES,
    SOURCES,
    USUAL,
    Procedure,
    Source,
    design_of,
    judge,
)
from replicast.replicability.records import Audit, Replicability
from replicast.scores.parsing import parse_names

Progress = Callable[[int, int], None]
_MOST_RERUNS = 1_000_000


@dataclass(frozen=True)
class Experiment:
    """Two classifiers and a dataset, to be rerun on new random partitions.

    Attributes
    ----------
    first, second : scikit-learn classifiers
        Cloned for every fit.
    X, y : table and classes
        NumPy or pandas.
    names : tuple of str
        Names of the classifiers.
    engine : {"auto", "refit"}
        Whether recognised learners may use their fast way.
    small_classes : {"refuse", "allow"}
        What to do if a class has fewer rows than there are folds.
    """

    first: Any
    second: Any
    X: Any = field(repr=False)
    y: Any = field(repr=False)
    names: tuple[str, str] = ("first", "second")
    dataset: str = "data"
    engine: Literal["auto", "refit"] = "auto"
    small_classes: Literal["refuse", "allow"] = "refuse"

    def __post_init__(self) -> None:
        for argument in ("first", "second"):
            model = getattr(self, argument)
            require_estimator(model, argument, show(model))
        object.__setattr__(self, "names", parse_names(self.names))
        require_choice(self.engine, "engine", ("auto", "refit"))
        require_choice(self.small_classes, "small_classes", ("refuse", "allow"))


def audit(
    experiment: Experiment | Sequence[Experiment],
    *,
    tests: Sequence[str] = USUAL,
    reruns: int = 10,
    rng: RandomSource = 0,
    significance: float = 0.05,
    confidence_level: float = 0.95,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Rerun an experiment on new random partitions of the same data and see which tests agree.

    Every test of one rerun uses the same partitions where it can, so the fits are shared. This is
    replicability, about the same data; the chance that a result holds on fresh data is
    `replicate`.

    Parameters
    ----------
    experiment : Experiment or sequence of them
        One dataset, or several; across datasets R is the mean over them.
    tests : sequence of str
        Names in `PROCEDURES`.
    reruns : int
        How often everything is repeated with new partitions.
    n_jobs : int, optional
        Processes for refitting, threads for recognised learners; -1 for all cores. Left out, what
        `joblib.parallel_config` says, with its backend, such as a Dask cluster; otherwise 1.

    Returns
    -------
    Audit
        A mapping with a `Replicability` for each test, with the p-values of all reruns.

    Examples
    --------
    >>> from replicast import Experiment, audit, datasets
    >>> from replicast.learners import MixedNaiveBayes, NearestNeighbour
    >>> iris = datasets.load("iris")
    >>> found = audit(
    ...     Experiment(MixedNaiveBayes(), NearestNeighbour(), iris.X, iris.y),
    ...     tests=["corrected-cv-10"], reruns=4,
    ... )
    >>> found["corrected-cv-10"].outcomes
    ((0, 4, 0),)
    """
    tests = _listed(tests, str, "tests")
    for name in tests:
        require_choice(name, "tests", tuple(PROCEDURES))
    experiments = _listed(experiment, Experiment, "experiment")
    for each in experiments:
        require_instance(each, Experiment, "experiment")
    reruns = require_count(reruns, "reruns", 2, _MOST_RERUNS)
    require_function(progress, "progress", "progress(done, total)")
    jobs = require_jobs(n_jobs)
    repeats = _Repeats(reruns, generator(rng), jobs, progress)
    chosen = [PROCEDURES[name] for name in tests]
    rows = [_outcomes(each, chosen, repeats) for each in experiments]
    datasets = [each.dataset for each in experiments]
    tested = {
        name: Replicability.from_pvalues(
            np.array([row[name][0] for row in rows]),
            np.array([row[name][1] for row in rows]),
            test=name,
            datasets=datasets,
            significance=significance,
            confidence_level=confidence_level,
        )
        for name in tests
    }
    place = datasets[0] if len(datasets) == 1 else f"{len(datasets)} datasets"
    return Audit(tests=tested, names=experiments[0].names, dataset=place)


def _listed(given: Any, one: type, argument: str) -> list[Any]:
    """Return one, or several, as a list."""
    items = [given] if isinstance(given, one) else given
    if not isinstance(items, Sequence) or not items:
        raise invalid(argument, "at least one", given)
    return list(items)


class _Repeats(NamedTuple):
    """How often an experiment is repeated, from which random numbers, and by how many jobs."""

    reruns: int
    rng: np.random.Generator
    jobs: int | None
    progress: Progress | None


def _outcomes(
    experiment: Experiment, procedures: Sequence[Procedure], repeats: _Repeats
) -> dict[str, tuple[Floats, Floats]]:
    """Return p-values and directions (reruns,) of every procedure; they share their predictions."""
    problem = prepare(experiment.X, experiment.y, experiment.dataset)
    seed = int(repeats.rng.integers(2**31))
    differences: dict[Source, Floats] = {}
    for source in SOURCES:
        amounts = [procedure.amount for procedure in procedures if procedure.source == source]
        if amounts:
            design = design_of(source, max(amounts), problem.n)
            differences[source] = _differences(experiment, problem, design, repeats, seed)
    return {
        procedure.name: judge(procedure, differences[procedure.source], problem.n)
        for procedure in procedures
    }


def _differences(
    experiment: Experiment, problem: Problem, design: Design, repeats: _Repeats, seed: int
) -> Floats:
    """Return differences in accuracy (reruns, runs, folds) on fresh partitions."""
    many = design.rerun(repeats.reruns)
    folds = partition(problem, many, repeats.rng, small_classes=experiment.small_classes)
    runner = Runner(problem, folds, seed, jobs=repeats.jobs, progress=repeats.progress)
    models = {"first": experiment.first, "second": experiment.second}
    found = runner.predict(models, experiment.engine)
    for outcome in found.values():
        if outcome.failures:
            failed = f"{len(outcome.failures)} that failed, first {outcome.failures[0]}"
            remedy = "An experiment can only be rerun if every fit succeeds"
            raise invalid("experiment", "one whose fits succeed", failed, remedy)
    first, second = (
        fold_accuracy(outcome.predicted, problem.codes, folds) for outcome in found.values()
    )
    return (first - second).reshape(repeats.reruns, -1, first.shape[1])
