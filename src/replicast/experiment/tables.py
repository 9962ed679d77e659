"""What models did becomes a table of scores: of folds, or of the cases of one test set."""

from typing import Any

import numpy as np

from replicast.arrays import Bools, Codes, Floats
from replicast.design import Cases, Design, run_shape
from replicast.errors import DesignMismatchError
from replicast.experiment.data import Problem
from replicast.experiment.engines import Failure, Outcome
from replicast.experiment.partitions import fold_accuracy, fold_sizes
from replicast.experiment.scoring import ACCURACY, OF_CASES
from replicast.formatting import format_count, join_words
from replicast.scores.tables import ScoreTable


def tabulate_outcomes(
    outcomes: dict[str, Outcome],
    problem: Problem,
    design: Design,
    folds: Codes,
    metric: str,
    scorer: int | None,
    keep_predictions: bool,
) -> ScoreTable:
    """Return the table of one scorer; None is accuracy, told by the predictions themselves."""
    failures = [failure for each in outcomes.values() for failure in each.failures]
    cases = _case_scores(outcomes, problem, folds, metric, scorer)
    sizes: dict[str, Any] = {}
    if design.of_cases:  # a score is one case here
        scores = _tested_scores(cases, np.asarray(folds[0] == 0), metric)
        design = Cases(design.count, binary=scorer is None)
    else:  # what was drawn one by one becomes splits with their seeds
        n_train, n_test = fold_sizes(folds)
        shape = run_shape(design, n_test.size)
        scores = _fold_scores(outcomes, problem, folds, scorer).reshape(len(outcomes), *shape)
        sizes = {"n_train": n_train.reshape(shape)[None], "n_test": n_test.reshape(shape)[None]}
    keep = keep_predictions and not design.seeds  # cases of a split come again by seed
    return ScoreTable(
        classifiers=tuple(outcomes),
        datasets=(problem.name,),
        scores=scores[:, None],
        design=design,
        metric=metric,
        case_scores=(cases,) if keep and cases is not None else (),
        failures=tuple(map(str, failures)),
        account=_account(outcomes, problem, scores, failures),
        **sizes,
    )


def _account(
    outcomes: dict[str, Outcome], problem: Problem, scores: Floats, failures: list[Failure]
) -> tuple[str, ...]:
    """Say what was run, and what of it failed."""
    kinds = f"{len(problem.classes)} classes, " if problem.classes else ""
    done = (
        f"{join_words(list(outcomes))} on {problem.name}: {format_count(problem.n)} rows, "
        f"{kinds}{format_count(int(np.isfinite(scores).sum()))} scores."
    )
    return (done, f"{len(failures)} fits failed, first {failures[0]}") if failures else (done,)


def _fold_scores(
    outcomes: dict[str, Outcome], problem: Problem, folds: Codes, scorer: int | None
) -> Floats:
    """Return the score of every fold: accuracy, or what the scorer of that number measured."""
    return np.stack(
        [
            fold_accuracy(each.predicted, problem.codes, folds)
            if scorer is None or each.scores is None
            else each.scores[:, scorer]
            for each in outcomes.values()
        ]
    )


def _case_scores(
    outcomes: dict[str, Outcome], problem: Problem, folds: Codes, metric: str, scorer: int | None
) -> Floats | None:
    """Return the score of every case (models, runs, cases), NaN if not tested; None if it has none."""
    if scorer is None:
        return np.stack([each.correct(problem.codes) for each in outcomes.values()])
    if problem.weights is not None or problem.target is None or metric not in OF_CASES:
        return None
    scores = [OF_CASES[metric](problem.target, each.predicted) for each in outcomes.values()]
    return np.where(folds < 0, np.nan, np.stack(scores))


def _tested_scores(cases: Floats | None, tested: Bools, metric: str) -> Floats:
    """Return the score of every case of one test set, (models, 1, cases), where it is a mean of them."""
    if cases is None:
        domain = f"several test sets for {metric}, which is no mean of cases here"
        remedy = f"Score by {join_words([ACCURACY, *OF_CASES], 'or')}, or use folds"
        raise DesignMismatchError("design", domain, "holdout", remedy)
    return cases[:, :, tested]
