"""evaluate(): estimators, data and a design become a table of scores."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from replicast.arrays import Codes, Floats
from replicast.design import (
    Design,
    DesignLike,
    Holdout,
    RandomSplits,
    require_count,
    require_design,
)
from replicast.errors import invalid, require_choice, require_flag, require_function, show
from replicast.experiment.data import Problem, prepare
from replicast.experiment.engines import Failure, FastPredict, Scorer, recognise, refit_run
from replicast.experiment.partitions import SmallClasses, fold_accuracy, fold_sizes, partition
from replicast.formatting import format_count, join_words
from replicast.learners.protocol import NOT_PREDICTED, no_answers
from replicast.randomness import RandomSource, generator
from replicast.scores import ScoreTable

Engine = Literal["auto", "refit"]
Progress = Callable[[int, int], None]
_MOST_JOBS = 1000


def evaluate(
    models: Mapping[str, Any] | Sequence[Any],
    X: Any,
    y: ArrayLike,
    *,
    design: DesignLike,
    rng: RandomSource = 0,
    scoring: str | Scorer = "accuracy",
    n_jobs: int = 1,
    keep_predictions: bool = True,
    engine: Engine = "auto",
    small_classes: SmallClasses = "refuse",
    dataset: str = "data",
    progress: Progress | None = None,
) -> ScoreTable:
    """Cross-validate several models on the same splits of one dataset.

    Models are cloned, never fitted in place, and all see the same stratified splits. Gaussian naive
    Bayes, k-nearest neighbours, SVMs with an RBF kernel and the learners of this package are
    recognised and run many times faster with the same predictions; `engine="refit"` switches that
    off. A fit that fails leaves a gap in the table and a record in `failures`.

    Parameters
    ----------
    models : mapping of names to estimators, or sequence of estimators
        Scikit-learn classifiers or pipelines.
    X, y : table and classes
        NumPy or pandas.
    design : KFold, RepeatedKFold, RandomSplits, FiveByTwo or Holdout
        How to split; also written ("kfold:folds=10"), a number of folds, or a splitter of scikit-learn,
        which is read for its kind and sizes: the splits are stratified and drawn from `rng`.
    scoring : str or callable
        "accuracy", another scikit-learn scorer by name, or `scorer(estimator, X, y)`.
    n_jobs : int
        Processes for refitting, threads for recognised learners, -1 for all cores; the answers do not
        depend on it.
    keep_predictions : bool
        Keep the correctness of every case, which makes replication probabilities sharper.
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
    require_function(progress, "progress", "progress(done, total)")
    keep = require_flag(keep_predictions, "keep_predictions")
    named = _named(models)
    problem = prepare(X, y, dataset)
    splits = require_design(design, cases=problem.n)
    source = generator(rng)
    seed = int(source.integers(2**31))
    folds = partition(problem, splits, source, small_classes=small_classes)
    scorer = None if isinstance(scoring, str) and scoring == "accuracy" else _scorer(scoring)
    outcomes = predict_models(
        named, problem, folds, seed, engine=engine, jobs=jobs, scorer=scorer, progress=progress
    )
    return _table(outcomes, problem, splits, folds, scoring, keep)


def require_jobs(n_jobs: object) -> int:
    """Return the number of workers; -1 stands for as many as there are cores."""
    if isinstance(n_jobs, Integral) and n_jobs == -1:
        return os.cpu_count() or 1
    return require_count(n_jobs, "n_jobs", 1, _MOST_JOBS)


def predict_models(
    models: Mapping[str, Any],
    problem: Problem,
    folds: Codes,
    seed: int,
    *,
    engine: str = "auto",
    jobs: int = 1,
    scorer: Scorer | None = None,
    progress: Progress | None = None,
) -> dict[str, "Outcome"]:
    """Return what each model predicts for the test rows of every run of a partition."""
    runner = _Runner(problem, folds, seed, scorer, jobs, progress, len(models))
    fast = {
        name: recognise(model, problem) if engine == "auto" and scorer is None else None
        for name, model in models.items()
    }
    return {
        name: runner.predict_fast(name, quick) if quick else runner.refit(name, models[name])
        for name, quick in fast.items()
    }


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
    able = all(callable(getattr(model, name, None)) for name in ("fit", "predict", "get_params"))
    if not able or isinstance(model, type):
        domain = "estimators that can fit, predict and be cloned"
        raise invalid(argument, domain, shown, "Give an instance of a scikit-learn classifier")


def _scorer(scoring: str | Scorer) -> Scorer:
    if callable(scoring):
        return scoring
    from sklearn.metrics import get_scorer, get_scorer_names

    if not isinstance(scoring, str) or scoring not in get_scorer_names():
        raise invalid("scoring", "accuracy, a scikit-learn scorer or a callable", repr(scoring))
    found: Scorer = get_scorer(scoring)
    return found


@dataclass(frozen=True)
class Outcome:
    """What one model did: predictions (runs, rows), scores (runs, folds) if scored, failures."""

    predicted: Codes
    scores: Floats | None
    failures: list[Failure]

    def correct(self, codes: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return 1 for right and 0 for wrong, and `NOT_PREDICTED` as it is, (runs, rows)."""
        untold = self.predicted == NOT_PREDICTED
        return np.where(untold, NOT_PREDICTED, self.predicted == codes).astype(np.int8)


class _Runner:
    """Run models on one partition, in blocks of runs, and report progress."""

    def __init__(
        self,
        problem: Problem,
        folds: Codes,
        seed: int,
        scorer: Scorer | None,
        jobs: int,
        progress: Progress | None,
        models: int,
    ) -> None:
        self.problem, self.folds, self.seed = problem, folds, seed
        self.scorer, self.jobs, self.progress = scorer, jobs, progress
        self.done, self.total = 0, models * len(folds)

    def _advance(self, runs: int) -> None:
        self.done += runs
        if self.progress is not None:
            self.progress(self.done, self.total)

    def predict_fast(self, name: str, predict: FastPredict) -> Outcome:
        """Predict all runs with the recognised learner, by threads over blocks of runs."""
        blocks = np.array_split(self.folds, min(self.jobs, len(self.folds)))
        try:
            if len(blocks) == 1:
                found = [predict(self.folds)]
            else:
                with ThreadPoolExecutor(self.jobs) as pool:
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

    def refit(self, name: str, model: Any) -> Outcome:
        """Refit every fold, by processes over runs."""
        from joblib import Parallel, delayed

        tasks = (
            delayed(refit_run)(model, name, self.problem, run, row, self.seed, self.scorer)
            for run, row in enumerate(self.folds)
        )
        predicted, scores, failures = [], [], []
        for one, two, three in Parallel(n_jobs=self.jobs, return_as="generator")(tasks):
            predicted.append(one)
            scores.append(two)
            failures += three
            self._advance(1)
        return Outcome(
            np.array(predicted), None if self.scorer is None else np.array(scores), failures
        )


def _table(
    outcomes: dict[str, Outcome],
    problem: Problem,
    design: Design,
    folds: Codes,
    scoring: str | Scorer,
    keep_predictions: bool,
) -> ScoreTable:
    correct = np.stack([each.correct(problem.codes) for each in outcomes.values()])
    failures = tuple(failure for each in outcomes.values() for failure in each.failures)
    n_train, n_test = fold_sizes(folds)
    scores = np.stack(
        [
            fold_accuracy(each.predicted, problem.codes, folds)
            if each.scores is None
            else each.scores
            for each in outcomes.values()
        ]
    )
    sizes: tuple[Floats, Floats] | None = (n_train, n_test)
    match design:
        case RandomSplits():
            scores = scores.swapaxes(-1, -2)
            sizes = n_train.T, n_test.T
        case Holdout():
            tested = folds[0] == 0
            scores = correct[:, :, tested].astype(np.float64)
            scores[scores < 0] = np.nan
            sizes = None  # a score is one case here
    account = [
        f"{join_words(list(outcomes))} on {problem.name}: {format_count(problem.n)} rows, "
        f"{len(problem.classes)} classes, {format_count(int(np.isfinite(scores).sum()))} scores."
    ]
    if failures:
        account.append(f"{len(failures)} fits failed, first {failures[0]}")
    return ScoreTable(
        classifiers=tuple(outcomes),
        datasets=(problem.name,),
        scores=scores[:, None],
        design=design,
        metric=scoring if isinstance(scoring, str) else getattr(scoring, "__name__", "score"),
        n_train=None if sizes is None else sizes[0][None],
        n_test=None if sizes is None else sizes[1][None],
        correct=(correct,) if keep_predictions else (),
        failures=tuple(map(str, failures)),
        account=tuple(account),
    )
