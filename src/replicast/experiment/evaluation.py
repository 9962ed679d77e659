"""evaluate(): estimators, data and a design become a table of scores."""

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from replicast.arrays import Codes
from replicast.design import DesignLike, KFold, require_count, require_design
from replicast.errors import invalid, require_choice, require_extra, require_flag, show
from replicast.experiment.data import Problem, prepare
from replicast.experiment.engines import Failure, FastPredict, Outcome, recognise, refit_run
from replicast.experiment.partitions import SmallClasses, partition
from replicast.experiment.scoring import Progress, Scorer, Scoring, parse_progress, parse_scoring
from replicast.experiment.tables import tabulate_outcomes
from replicast.learners.protocol import no_answers
from replicast.randomness import RandomSource, generator
from replicast.scores.tables import ScoreTable

Engine = Literal["auto", "refit"]
_MOST_JOBS = 1000


@overload
def evaluate(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: ArrayLike,
    *,
    design: DesignLike,
    rng: RandomSource = ...,
    scoring: str | Scorer | None = ...,
    groups: ArrayLike | None = ...,
    sample_weight: ArrayLike | None = ...,
    n_jobs: int | None = ...,
    keep_predictions: bool = ...,
    engine: Engine = ...,
    small_classes: SmallClasses = ...,
    dataset: str = ...,
    progress: Progress | bool | None = ...,
) -> ScoreTable: ...
@overload
def evaluate(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: ArrayLike,
    *,
    design: DesignLike,
    rng: RandomSource = ...,
    scoring: list[str] | tuple[str, ...] | Mapping[str, str | Scorer],
    groups: ArrayLike | None = ...,
    sample_weight: ArrayLike | None = ...,
    n_jobs: int | None = ...,
    keep_predictions: bool = ...,
    engine: Engine = ...,
    small_classes: SmallClasses = ...,
    dataset: str = ...,
    progress: Progress | bool | None = ...,
) -> dict[str, ScoreTable]: ...
def evaluate(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: ArrayLike,
    *,
    design: DesignLike,
    rng: RandomSource = 0,
    scoring: Scoring | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    n_jobs: int | None = None,
    keep_predictions: bool = True,
    engine: Engine = "auto",
    small_classes: SmallClasses = "refuse",
    dataset: str = "data",
    progress: Progress | bool | None = None,
) -> ScoreTable | dict[str, ScoreTable]:
    """Cross-validate several models on the same splits of one dataset.

    Models are cloned, never fitted in place, and all see the same splits, stratified by class. Several
    scorers give a table each, from the same fits. Gaussian naive Bayes, k-nearest neighbours, SVMs with
    an RBF kernel and the learners of this package are recognised and run many times faster with the
    same predictions; `engine="refit"` switches that off. A fit that fails leaves a gap in the table
    and a record in `failures`.

    Parameters
    ----------
    models : mapping of names to estimators, or sequence of estimators
        Scikit-learn classifiers, regressors or pipelines of such; all of one kind.
    X, y : table and classes, or numbers for regressors
        NumPy, pandas, sparse matrices, or a list of texts for pipelines that read them.
    design : KFold, RepeatedKFold, RandomSplits, FiveByTwo, Holdout or Seeds
        How to split. Seeds hold out a fifth of the rows, and fit each model anew with every seed, given
        to each `random_state` that is None. Also written ("kfold:folds=10"), a number of folds, or a
        splitter of scikit-learn, which is read for its kind and sizes: the splits are stratified and
        drawn from `rng`. GroupKFold and LeaveOneGroupOut need `groups`.
    scoring : str, callable, list or dict, optional
        "accuracy" (for regressors the negative root mean squared error), another scikit-learn scorer by
        name, or `scorer(estimator, X, y)`; several as a list of names or a dict, which give a dict of
        tables by name.
    groups : labels, one per row, optional
        Rows of one group are tested together, as those of one patient; for folds.
    sample_weight : numbers, one per row, optional
        How much each row counts, in fitting and in scoring.
    n_jobs : int, optional
        Processes for refitting, threads for recognised learners, -1 for all cores; the answers do not
        depend on it. Left out, it is what `joblib.parallel_config` says, whose backend is used too: a
        Dask cluster, for instance; otherwise 1.
    keep_predictions : bool
        Keep the correctness of every case beside accuracies, which makes replication probabilities
        sharper.
    progress : bool or callable, optional
        True writes a line that counts runs; a function is called as `progress(done, total)`.
    small_classes : {"refuse", "allow"}
        What to do if a class has fewer rows than there are folds.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from replicast import RepeatedKFold, compare, evaluate, datasets
    >>> iris = datasets.load("iris")
    >>> table = evaluate(
    ...     {"bayes": GaussianNB(), "1-nn": KNeighborsClassifier(1)}, iris.X, iris.y,
    ...     design=RepeatedKFold(runs=2, folds=10), rng=1,
    ... )
    >>> table.scores.shape
    (2, 1, 2, 10)
    >>> compare(table.pair("bayes", "1-nn")).verdict.outcome
    'inconclusive'
    """
    require_choice(engine, "engine", ("auto", "refit"))
    jobs = require_jobs(n_jobs)
    told = parse_progress(progress)
    keep = require_flag(keep_predictions, "keep_predictions")
    named = _named(models)
    numbers = _predict_numbers(named)
    weighted = sample_weight is not None
    scorers, several = parse_scoring(scoring, numbers=numbers, weighted=weighted)
    problem = prepare(X, y, dataset, numbers=numbers, groups=groups, weights=sample_weight)
    splits = require_design(design, cases=problem.n)
    if splits.groups and problem.groups is not None:  # each group is a fold
        splits = KFold(int(problem.groups.max()) + 1)
    source = generator(rng)
    seed = int(source.integers(2**31))
    if splits.seeds:
        _require_open_states(named)
    folds = partition(problem, splits, source, small_classes=small_classes)
    asked = [one for one in scorers.values() if one is not None]
    runner = Runner(problem, folds, seed, scorers=asked, jobs=jobs, progress=told)
    outcomes = runner.predict(named, engine)
    tables, place = {}, 0
    for name, one in scorers.items():
        at = None if one is None else place
        tables[name] = tabulate_outcomes(outcomes, problem, splits, folds, name, at, keep)
        place += one is not None
    return tables if several else next(iter(tables.values()))


def _predict_numbers(models: Mapping[str, Any]) -> bool:
    """Say whether models are regressors; some of each kind have nothing to be compared by."""
    from sklearn.base import is_regressor

    kinds = {name: bool(is_regressor(model)) for name, model in models.items()}
    if len(set(kinds.values())) > 1:
        one = next(name for name, number in kinds.items() if number)
        other = next(name for name, number in kinds.items() if not number)
        got = f"{other} and the regressor {one}"
        raise invalid("models", "all classifiers or all regressors", got)
    return any(kinds.values())


def _require_open_states(models: Mapping[str, Any]) -> None:
    """Refuse models whose every seed would be the same: all random states are fixed."""
    for name, model in models.items():
        states = {
            key: state
            for key, state in model.get_params().items()
            if key.split("__")[-1] == "random_state"
        }
        if states and None not in states.values():
            key, state = next(iter(states.items()))
            domain = "models whose random_state is None, for seeds"
            raise invalid("models", domain, f"{show(name)} with {key}={show(state)}")


def require_jobs(n_jobs: object) -> int | None:
    """Return the number of workers; -1 stands for all cores, None for what joblib was told."""
    if n_jobs is None:
        return None
    if isinstance(n_jobs, Integral) and n_jobs == -1:
        return os.cpu_count() or 1
    return require_count(n_jobs, "n_jobs", 1, _MOST_JOBS)


def _named(models: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    elif isinstance(models, Sequence) and not isinstance(models, str):
        named = {}
        for model in models:
            name = type(model).__name__
            count = sum(key.split(" ")[0] == name for key in named)
            named[f"{name} {count + 1}" if count else name] = model
    else:
        named = {type(models).__name__: models}
    if not named:
        raise invalid("models", "at least one estimator", "none")
    for name, model in named.items():
        require_estimator(model, "models", f"{show(name)}: {show(model)}")
    return named


def require_estimator(model: object, argument: str, shown: str) -> None:
    """Raise if something is not a classifier as scikit-learn has them."""
    require_extra("run")
    able = all(callable(getattr(model, name, None)) for name in ("fit", "predict", "get_params"))
    if not able or isinstance(model, type):
        domain = "estimators that can fit, predict and be cloned"
        raise invalid(argument, domain, shown, "Give an instance of a scikit-learn classifier")


@dataclass
class Runner:
    """Run models on one partition, in blocks of runs, and report progress."""

    problem: Problem
    folds: Codes
    seed: int
    scorers: Sequence[Scorer] = ()
    jobs: int | None = None
    progress: Progress | None = None
    done: int = 0
    total: int = 0

    def predict(self, models: Mapping[str, Any], engine: str = "auto") -> dict[str, Outcome]:
        """Return what each model predicts for the test rows of every run of the partition."""
        self.total = len(models) * len(self.folds)
        fast = {
            name: recognise(model, self.problem) if engine == "auto" and not self.scorers else None
            for name, model in models.items()
        }
        return {
            name: self._predict_fast(name, quick) if quick else self._refit(name, models[name])
            for name, quick in fast.items()
        }

    def _advance(self, runs: int) -> None:
        self.done += runs
        if self.progress is not None:
            self.progress(self.done, self.total)

    def _predict_fast(self, name: str, predict: FastPredict) -> Outcome:
        """Predict all runs with the recognised learner, by threads over blocks of runs."""
        jobs = self.jobs or 1
        blocks = np.array_split(self.folds, min(jobs, len(self.folds)))
        try:
            with ThreadPoolExecutor(len(blocks)) as pool:
                found = list(pool.map(predict, blocks))
        except (ValueError, FloatingPointError) as error:
            message = f"{type(error).__name__}: {error}"
            lost = [
                Failure(name, self.problem.name, run, fold, message)
                for run in range(len(self.folds))
                for fold in range(int(self.folds.max()) + 1)
            ]
            self._advance(len(self.folds))
            return Outcome(no_answers(self.folds), None, lost)
        self._advance(len(self.folds))
        return Outcome(np.concatenate(found), None, [])

    def _refit(self, name: str, model: Any) -> Outcome:
        """Refit every fold, by processes over runs."""
        from joblib import Parallel, delayed

        tasks = (
            delayed(refit_run)(model, name, self.problem, run, row, self.seed, self.scorers)
            for run, row in enumerate(self.folds)
        )
        predicted, scores, failures = [], [], []
        for one, two, three in Parallel(n_jobs=self.jobs, return_as="generator")(tasks):
            predicted.append(one)
            scores.append(two)
            failures += three
            self._advance(1)
        return Outcome(np.array(predicted), np.array(scores), failures)
