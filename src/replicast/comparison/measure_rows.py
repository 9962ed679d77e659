"""The table of measures by name: what each needs, which way is better, and how it is made of cases."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from replicast.arrays import Floats, Ints
from replicast.comparison.estimates import (
    Area,
    Function,
    Means,
    Moved,
    Parts,
    Sums,
    Weighted,
    parts_of_function,
)
from replicast.errors import DesignMismatchError, invalid, nearest, require_function
from replicast.kernels import measures
from replicast.scores.parsing import require_numbers

Needs = Literal[
    "classes", "scores", "chances", "numbers", "counts", "survival", "answers", "anything"
]
_PASS = re.compile(r"pass@([1-9]\d{0,3})")


@dataclass(frozen=True)
class KnownCases:
    """What is known of the cases: the truth, the positive class, and both predictions."""

    truth: Any
    positive: object
    predicted: tuple[Any, ...]

    @cached_property
    def classes(self) -> tuple[Any, ...]:
        """All classes that occur, in a fixed order."""
        arrays = self.truth, *self.predicted
        found = {value for values in arrays for value in np.ravel(values).tolist()}
        return tuple(sorted(found, key=lambda value: (str(type(value)), value)))


@dataclass(frozen=True, kw_only=True)
class MeasureRow:
    """One measure: its name, what predictions it needs, which way is better, and its parts."""

    name: str
    needs: Needs
    greater_is_better: bool = True
    parts: Callable[[KnownCases, Any, str], Parts]


def binary(values: Any, positive: object, argument: str) -> Floats:
    """Return 1 for the positive class and 0 for all others."""
    if values.ndim != 1:
        raise invalid(argument, "one class for each case", f"shape {values.shape}")
    classes = set(values.tolist())
    if positive is None:
        if not classes <= {0, 1}:
            domain = "given where classes are not 0 and 1"
            raise invalid("positive", domain, "nothing", "Name the positive class")
        positive = 1
    if np.ndim(positive) != 0 or isinstance(positive, dict | set | frozenset):  # type: ignore[arg-type]  # anything
        raise invalid("positive", "one class", positive)
    return np.asarray([value == positive for value in values.tolist()], dtype=np.float64)


def _codes(values: Any, cases: KnownCases, argument: str) -> Ints:
    if values.ndim != 1:
        raise invalid(argument, "one class for each case", f"shape {values.shape}")
    places = {label: at for at, label in enumerate(cases.classes)}
    return np.array([places[value] for value in values.tolist()], dtype=np.int64)


def _numbers(values: Any, argument: str, ndim: int = 1) -> Floats:
    found = require_numbers(values, argument)
    if found.ndim != ndim or not np.isfinite(found).all():
        raise invalid(argument, "a finite number for every case", f"shape {found.shape}")
    return found


def _chances(cases: KnownCases, predicted: Any, argument: str) -> tuple[Ints, Floats]:
    """Return true classes as codes and a chance for each class, of two from that of the positive."""
    if np.ndim(predicted) == 1:
        chance = _numbers(predicted, argument)
        codes = binary(cases.truth, cases.positive, "truth").astype(np.int64)
        chances = np.stack([1 - chance, chance], axis=1)
    else:
        chances = _numbers(predicted, argument, 2)
        known = sorted(set(cases.truth.tolist()))
        if len(known) != chances.shape[1]:
            domain = f"a column for each of the {len(known)} classes of `truth`, in their order"
            raise DesignMismatchError(argument, domain, f"shape {chances.shape}")
        codes = np.searchsorted(np.array(known), np.asarray(cases.truth))
    if chances.min() < 0 or chances.max() > 1 or np.abs(chances.sum(axis=1) - 1).max() > 1e-6:
        got = f"numbers from {chances.min():g} to {chances.max():g}"
        raise invalid(argument, "probabilities that add up to 1", got)
    return codes, chances


def _accuracy(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    _codes(predicted, cases, argument)
    right = [a == b for a, b in zip(cases.truth.tolist(), predicted.tolist(), strict=True)]
    return Means(np.asarray(right, dtype=np.float64))


def _counted(
    of_sums: Callable[[Floats], Floats], cases: KnownCases, predicted: Any, arg: str
) -> Parts:
    truth = binary(cases.truth, cases.positive, "truth")
    said = binary(predicted, cases.positive, arg)
    return Sums(measures.precision_recall_counts(truth, said), of_sums)


def _confused(
    of_sums: Callable[[Floats], Floats], cases: KnownCases, predicted: Any, arg: str
) -> Parts:
    truth, said = _codes(cases.truth, cases, "truth"), _codes(predicted, cases, arg)
    return Sums(measures.confusion_counts(truth, said, len(cases.classes)), of_sums)


def _given(
    value: Callable[[Ints, Floats], Floats], cases: KnownCases, predicted: Any, arg: str
) -> Parts:
    return Means(value(*_chances(cases, predicted, arg)))


def _calibration(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    parts = measures.calibration_parts(*_chances(cases, predicted, argument))
    return Sums(parts, measures.calibration_error)


def _error(
    value: Callable[[Floats, Floats], Floats], cases: KnownCases, predicted: Any, arg: str
) -> Parts:
    return Means(value(_numbers(cases.truth, "truth"), _numbers(predicted, arg)))


def _r2(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    truth = _numbers(cases.truth, "truth")
    if np.ptp(truth) == 0:
        raise invalid("truth", "numbers that differ", "one number")
    return Sums(measures.r2_parts(truth, _numbers(predicted, argument)), measures.r2)


def _ratio(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    """Return errors over words: counts of both, or texts, whose words are counted."""
    if cases.truth.dtype.kind in "UOS":
        pairs = zip(cases.truth.tolist(), predicted.tolist(), strict=True)
        counts = [(measures.word_errors(str(a), str(b)), len(str(a).split())) for a, b in pairs]
        rows = np.array(counts, dtype=np.float64)
    else:
        rows = np.stack([_numbers(predicted, argument), _numbers(cases.truth, "truth")], axis=1)
    if rows[:, 1].min() < 0 or rows[:, 1].sum() <= 0:
        raise invalid("truth", "what to divide by, such as words, not negative", "others")
    return Sums(rows, measures.ratio)


def _area(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    truth = binary(cases.truth, cases.positive, "truth")
    if not 0 < truth.sum() < len(truth):
        raise invalid("truth", "cases of both classes", "one class")
    scores = require_numbers(predicted, argument)
    if scores.ndim != 1 or not np.isfinite(scores).all():
        raise invalid(argument, "a finite score of the positive class for every case", "others")
    return Area(truth, scores)


def _precision_area(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    truth = binary(cases.truth, cases.positive, "truth") == 1
    if not truth.any():
        raise invalid("truth", "some cases of the positive class", "none")
    return Weighted(partial(measures.average_precision, truth, _numbers(predicted, argument)))


def _rest_areas(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    return Moved(*measures.rest_areas(*_chances(cases, predicted, argument)))


def _concordance(cases: KnownCases, predicted: Any, argument: str) -> Parts:
    known = _numbers(cases.truth, "truth", 2)
    if known.shape[1] != 2 or not np.isin(known[:, 1], (0, 1)).all() or not known[:, 1].any():
        domain = "a time and 1 for an event, 0 for none, of every case"
        raise invalid("truth", domain, f"shape {known.shape}")
    risk = _numbers(predicted, argument)
    return Moved(*measures.concordance(known[:, 0], known[:, 1] == 1, risk))


def _passes(k: int, _: KnownCases, predicted: Any, argument: str) -> Parts:
    answers = np.asarray(require_numbers(predicted, argument))
    given = np.isfinite(answers).sum(axis=-1) if answers.ndim == 2 else np.zeros(1)
    known = answers[np.isfinite(answers)]
    if given.min() < k or not np.isin(known, (0, 1)).all():
        domain = f"at least {k} answers to every case, each 1 or 0 (cases, answers)"
        raise invalid(argument, domain, f"shape {answers.shape}, at least {given.min():g} answers")
    return Means(measures.passes(answers, k))


def _row(name: str, needs: Needs, parts: Any, *given: Any, less: bool = False) -> MeasureRow:
    return MeasureRow(
        name=name, needs=needs, greater_is_better=not less, parts=partial(parts, *given)
    )


MEASURES: Mapping[str, MeasureRow] = MappingProxyType(
    {
        row.name: row
        for row in (
            _row("auc", "scores", _area),
            _row("accuracy", "classes", _accuracy),
            _row("balanced-accuracy", "classes", _confused, measures.balanced_accuracy),
            _row("f1", "classes", _counted, measures.f1_of),
            _row("precision", "classes", _counted, measures.precision_of),
            _row("recall", "classes", _counted, measures.recall_of),
            _row("macro-f1", "classes", _confused, measures.macro_f1),
            _row("weighted-f1", "classes", _confused, measures.weighted_f1),
            _row("mcc", "classes", _confused, measures.matthews),
            _row("kappa", "classes", _confused, measures.kappa),
            _row("auc-ovr", "chances", _rest_areas),
            _row("average-precision", "scores", _precision_area),
            _row("brier", "chances", _given, measures.brier_scores, less=True),
            _row("log-loss", "chances", _given, measures.log_losses, less=True),
            _row("ece", "chances", _calibration, less=True),
            _row("mse", "numbers", _error, measures.squared_errors, less=True),
            _row("mae", "numbers", _error, measures.absolute_errors, less=True),
            _row("r2", "numbers", _r2),
            _row("wer", "counts", _ratio, less=True),
            _row("ratio", "counts", _ratio),
            _row("c-index", "survival", _concordance),
        )
    }
)
NAMED: tuple[str, ...] = (*MEASURES, "pass@k")


def find_measure(name: str) -> MeasureRow:
    """Return a measure by its name; pass@5 has its number in it."""
    if name in MEASURES:
        return MEASURES[name]
    passed = _PASS.fullmatch(name)
    if passed is None:
        raise invalid("measure", f"one of {', '.join(NAMED)}", repr(name), nearest(name, NAMED))
    return _row(name, "answers", _passes, int(passed[1]))


def measure_given(measure: str | Function | None, statistics: Function | None) -> MeasureRow:
    """Return a measure by its name, or made of a function of cases or of sums."""
    if isinstance(measure, str):
        row = find_measure(measure)
        if statistics is not None:
            raise invalid("statistics", "left out for a named measure", "a function")
        return row
    if measure is None:
        raise invalid("measure", f"one of {', '.join(NAMED)}, or a function", "None")
    require_function(measure, "measure", "measure(truth, predicted)")
    require_function(statistics, "statistics", "statistics(truth, predicted)")
    return MeasureRow(
        name=getattr(measure, "__name__", "measure"),
        needs="anything",
        parts=lambda cases, predicted, _: parts_of_function(
            measure, statistics, cases.truth, predicted
        ),
    )


def fitting_measures(truth: Any, predicted: Any, positive: object = None) -> tuple[str, ...]:
    """Return the measures by name that such predictions have: of classes, chances or numbers.

    Examples
    --------
    >>> fitting_measures(np.array([1.5, 2.5]), np.array([1.0, 2.0]))
    ('mse', 'mae', 'r2')
    >>> fitting_measures(np.array([0, 1]), np.array([0.2, 0.9]))
    ('auc', 'average-precision', 'brier', 'log-loss', 'ece')
    """
    classes, said = set(np.ravel(truth).tolist()), set(np.ravel(predicted).tolist())
    two = len(classes) == 2 and (positive is not None or classes == {0, 1})
    if np.ndim(predicted) == 2:
        return ("auc-ovr", "brier", "log-loss", "ece")
    if said <= classes:
        of_two = ("f1", "precision", "recall")
        named = [name for name, row in MEASURES.items() if row.needs == "classes"]
        return tuple(name for name in named if two or name not in of_two)
    if two and all(0 <= value <= 1 for value in said):
        return ("auc", "average-precision", "brier", "log-loss", "ece")
    return ("mse", "mae", "r2")
