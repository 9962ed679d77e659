"""Which columns of a wide table are classifiers: not those that measure, count or sum up."""

import re
from dataclasses import dataclass

import numpy as np

from replicast.errors import Choice, InvalidArgumentError, invalid
from replicast.reading.columns import Column, are_binary
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.formats.tables.summing import sums_up
from replicast.reading.requests import Request, ask_metric, plain_column
from replicast.reading.sheets import listing
from replicast.reading.syntaxes.grids import BETWEEN
from replicast.reading.vocabulary.measures import (
    find_measure,
    is_neutral,
    is_spread,
    without_interval,
)
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import is_denominator, read_place
from replicast.reading.vocabulary.summaries import is_cost, is_difference

_FILLERS = word_lists()["parts"]
_ENDS = word_lists()["bounds"] | word_lists()["spread"]
_PREDICTED = frozenset(("pred", "preds", "prediction", "predictions", "predicted", "yhat", "ypred"))
_ERRORS = frozenset(("err", "errs", "error", "errors", "fehler"))
_FEWEST = 2  # classifiers
_BEYOND = 1.5  # times the largest score
OTHER_SCALE = " on another scale than"


@dataclass(frozen=True)
class Candidate:
    """A column that may hold the scores of a classifier: its name, the classifier's, the measure's."""

    column: str
    classifier: str
    metric: str = ""


def find_candidates(table: Table, request: Request) -> tuple[list[Candidate], dict[str, str]]:
    """Return the columns that hold scores of classifiers; and others with the reason why not."""
    where = (plain_column(name, table.sheet.columns) for name in request.where)
    asked = {*request.columns.values(), *where}
    free = [
        c
        for c in table.columns.values()
        if c.is_number and c.role in (None, "truth", "prediction") and c.name not in asked
    ]
    aside = _counting(table, free, request) | _answers_beside_marks(free)
    aside |= aside_of([c for c in free if c.name not in aside], request, table)
    left = [c for c in free if c.name not in aside]
    _refuse_truth(left, table)
    _ask_rate(left, table, request)
    if len(left) == 1 and left[0].measure is not None:  # one model, one measure
        return [Candidate(left[0].name, "model", left[0].name)], aside
    split = split_measures([c.name for c in left], table)
    if split is not None:
        return split, aside
    timed = {c.name for c in left if c.measure and c.measure.scale in ("time", "rank")}
    split = _models([c for c in left if c.name not in timed], table)
    return split, aside | dict.fromkeys(timed, "they are times or ranks")


def _answers_beside_marks(columns: list[Column]) -> dict[str, str]:
    """Return the right answers, by which models are marked, with the reason why they are no model."""
    marks = [c for c in columns if c.role != "truth"]
    if len(marks) < _FEWEST or not are_binary(marks):
        return {}
    answers = [c.name for c in columns if c not in marks and not are_binary([c])]
    return dict.fromkeys(answers, "models are marked right or wrong by it")


def _ask_rate(columns: list[Column], table: Table, request: Request) -> None:
    """Ask whether errors are divided by what they are counted in: words, tokens, characters."""
    asked = request.notes_among(table.sheet.columns) is not None or request.metric is not None
    counted = [c for c in columns if c.is_whole and not _ERRORS.isdisjoint(words(c.name))]
    if asked or len(counted) < _FEWEST or len(counted) < len(columns):
        return
    most = max(c.high for c in counted)
    for one in table.find("size"):
        if one.is_whole and is_denominator(one.name) and one.high >= most:
            got = f"{listing([c.name for c in counted], 3)} beside {one.name}"
            choice = Choice("note_column", one.name, "to compare errors per row")
            error = table.question("note_column", "errors per row, or a rate", got, [choice])
            error.remedy += f"; or `measure=wer` to divide them by {one.name}"
            raise error


def _refuse_truth(columns: list[Column], table: Table) -> None:
    """Refuse numbers that are predicted, beside columns called predictions of them."""
    said = [
        c.name
        for c in columns
        if c.role == "prediction" or not _PREDICTED.isdisjoint(words(c.name))
    ]
    others = [c.name for c in columns if c.name not in said]
    if len(said) > 1 and len(others) == 1:
        got = f"{others[0]}, which may be what {listing(said, 3)} predict"
        remedy = (
            f"Call {others[0]} y_true and compare by `measure=mae` or another, or leave it out with "
            "`note_column=...`"
        )
        raise table.refusal("scores, or a column of the truth", got, remedy, "measure")


def _counting(table: Table, free: list[Column], request: Request) -> dict[str, str]:
    """Return the columns that only count the rows, unless the caller names them."""
    asked = {*request.columns.values(), *(request.classifiers or ())}
    gone = [
        c.name
        for c in table.columns.values()
        if c.is_whole
        and c.name not in asked
        and (c.role == "number" or c.is_unnamed or (c.is_counting and c.role is None))
    ]
    return dict.fromkeys(gone, "they count rows") if len(gone) < len(free) else {}


def aside_of(columns: list[Column], request: Request, table: Table) -> dict[str, str]:
    """Return the columns that are no scores, by name and scale, with the reason; ask about odd ones."""
    told = request.notes_among([c.name for c in columns])
    if told is not None:
        return dict.fromkeys(told, "you said so")
    found = {c.name: why for c in columns if (why := _named_aside(c, columns))}
    rest = [c for c in columns if c.name not in found]
    odd = _off_scale(rest)
    if len(rest) - len(odd) < _FEWEST:
        return found
    known = {c.name: why for c in odd if (why := _may_be(c.name))}
    unknown = [c.name for c in odd if c.name not in known]
    ask_notes(unknown, [c.name for c in rest if c not in odd], OTHER_SCALE, table)
    return found | known


def ask_notes(odd: list[str], others: list[str], are: str, table: Table) -> None:
    """Ask whether some columns or rows, which are such and such, are left out."""
    if odd and others:
        choices = (
            Choice("note_column", "+".join(odd), f"to leave out {listing(odd, 3)}"),
            Choice("note_column", "none", "to keep all"),
        )
        got = f"{listing(odd)}{are} {listing(others, 3)}"
        raise table.question("note_column", "scores of one kind", got, choices)


def _named_aside(column: Column, columns: list[Column]) -> str:
    """Say why a column is no classifier by its name alone: Mean, svm_std, svm_lower; else nothing."""
    if column.measure is None and sums_up(column, columns):
        return "they sum up others"
    own = words(column.name)
    bound = own[-1:] and own[-1] in _ENDS and own[:-1] in {words(c.name) for c in columns}
    spread = bound or (is_spread(column.name) and len(own) > 1)
    return "they are spreads of others" if spread else ""


def _may_be(name: str) -> str:
    """Say what a column on another scale is, if its name may be that of something else than a model."""
    if is_difference(name):
        return "they compare others"
    last = find_measure(words(name)[-1]) if words(name) else None
    timed = is_cost(name) or (last is not None and last.scale == "time")
    return "they are times of other columns" if timed else ""


def _off_scale(columns: list[Column]) -> list[Column]:
    """Return the columns on another scale than the others."""
    odd = [c for c in columns if _is_off_scale(c, [one for one in columns if one is not c])]
    top = max((c.high for c in columns if not _may_be(c.name)), default=np.inf)
    return odd + [c for c in columns if c not in odd and _may_be(c.name) and c.high > _BEYOND * top]


def _is_off_scale(column: Column, others: list[Column]) -> bool:
    """Say whether numbers are far below those of others, or signed or counted where they are not."""
    if len(others) < _FEWEST:
        return False
    top, middle = max(c.high for c in others), min(c.middle for c in others)
    if min(c.low for c in others) >= 0 and (column.low < 0 or column.high < middle / 4):
        return True
    counted = column.is_whole and not all(c.is_whole for c in others)
    return counted and (column.high > 100 >= top or column.high > 1 >= top)


def _models(left: list[Column], table: Table) -> list[Candidate]:
    """Return the columns of models; refuse those of measures, of folds, or a single one."""
    measured = [c.name for c in left if c.measure or (is_neutral(c.name) and words(c.name))]
    plain = [c.name for c in left if c.name not in measured]
    if measured and len(plain) < max(_FEWEST, len(measured)):
        got = f"one model with the measures {listing(measured, 6)}"
        remedy = (
            "Give a file for each model, or a column that names the model; one measure alone, others "
            "left out with `note_column=...`, is answered with its interval"
        )
        raise table.refusal("scores of at least two classifiers", got, remedy)
    if measured:
        got = f"{listing(measured)} beside {listing(plain, 4)}"
        remedy = (
            "Leave out the columns of measures with `note_column=...`, rename classifiers, or compare "
            "by `measure=...` (wer of errors and words, c-index of risks, times and events)"
        )
        raise table.refusal("columns of classifiers alone", got, remedy)
    if plain and all(map(read_place, plain)):
        remedy = "Name the classifier of every row in a column called classifier"
        domain = "a column for each of at least two classifiers"
        raise table.refusal(domain, f"one for each of {listing(plain, 3)}", remedy)
    if len(plain) < _FEWEST:
        raise _too_few(plain, table)
    return [Candidate(name, name.strip()) for name in plain]


def _too_few(names: list[str], table: Table) -> InvalidArgumentError:
    got = f"{table.sheet.name} with columns {listing(table.sheet.columns)}"
    if len(names) == 1:
        got += f", of which {names[0]} alone holds scores"
    remedy = "For one row per score name the columns classifier, dataset, run, fold, score"
    domain = "a table with a column for each of at least two classifiers"
    return invalid("source", domain, got, remedy)


def split_measures(names: list[str], table: Table) -> list[Candidate] | None:
    """Take names such as rpart~Accuracy or nb_auc apart, if all are made so; refuse two ways of it."""
    ways = []
    for side in (0, -1):
        found = _split_alike(names, side)
        if len(found) == len(names) and len({one.classifier for one in found}) > 1:
            ways.append(found)
    if len(ways) > 1:
        one, other = ways[0][0], ways[1][0]
        got = f"{one.column}, {one.metric} of {one.classifier} or {other.metric} of {other.classifier}"
        remedy = "Rename classifiers that are called like measures"
        raise table.refusal("columns that tell classifiers from measures", got, remedy)
    return ways[0] if ways else None


def _split_alike(names: list[str], side: int) -> list[Candidate]:
    """Split off measures of so few words that all names have the same: correct, not a_correct."""
    ways = [
        [one for name in names if (one := split_measure(name, side, most)) is not None]
        for most in (3, 2, 1)
    ]
    alike = (
        way for way in ways if len(way) == len(names) and len({one.metric for one in way}) == 1
    )
    return next(alike, ways[0])


def split_measure(name: str, side: int, most: int = 3) -> Candidate | None:
    """Split off the measure at the front (0) or the back (-1) of a name, of so many words at most."""
    mark = next((one for one in (BETWEEN.strip(), " - ") if one in name), None)
    if mark is not None:
        front, _, back = name.partition(mark) if side == 0 else name.rpartition(mark)
        metric, model = (front, back) if side == 0 else (back, front)
        known = find_measure(metric) is not None or (words(metric) and is_neutral(metric))
        return Candidate(name, model.strip(), metric.strip()) if known and model else None
    parts = re.findall(r"[^\s_\-.:/|()\[\],']+", without_interval(name))
    for taken in range(min(most, len(parts) - 1), 0, -1):
        at = taken if side == 0 else len(parts) - taken
        metric, model = ("_".join(some) for some in (parts[:at], parts[at:])[:: 1 + 2 * side])
        if _is_measure_of(metric, model):
            return Candidate(name, model, metric)
    return None


def _is_measure_of(metric: str, model: str) -> bool:
    measure = find_measure(metric)
    named = find_measure(model) is None and not _FILLERS.issuperset(words(model))
    return named and measure is not None and measure.part == "test"


def of_one_metric(
    candidates: list[Candidate], request: Request, table: Table
) -> tuple[str, list[Candidate]]:
    """Return the candidates of the measure asked for, or of the only one."""
    metrics = list(dict.fromkeys(one.metric for one in candidates))
    if len(metrics) == 1:
        return metrics[0], candidates
    wanted = squeezed(request.metric or "")
    match = next((one for one in metrics if wanted and squeezed(one) == wanted), None)
    if match is None:
        raise ask_metric(metrics, request.metric)
    chosen = [one for one in candidates if one.metric == match]
    if len(chosen) < min(_FEWEST, len(candidates)):
        raise _too_few([one.column for one in chosen], table)
    return match, chosen
