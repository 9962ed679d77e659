"""Which columns of a wide table are classifiers: not those that measure, count or sum up."""

import re
from dataclasses import dataclass

import numpy as np

from replicast.errors import InvalidArgumentError, InvalidContentError, invalid, shorten
from replicast.reading.columns import Column
from replicast.reading.formats.tables.averaging import COINCIDENCE
from replicast.reading.formats.tables.derived import (
    find_bounds,
    find_costs,
    find_differences,
    find_mean,
    refuse_odd_summaries,
)
from replicast.reading.formats.tables.preparing import Table, cluster_column
from replicast.reading.requests import Request, ask_metric, plain_column
from replicast.reading.sheets import called, listing
from replicast.reading.syntaxes.grids import BETWEEN
from replicast.reading.vocabulary.measures import find_measure, is_neutral, is_spread
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import Role, read_place
from replicast.reading.vocabulary.summaries import is_summary

_UNUSED: tuple[Role, ...] = (
    "size", "moment", "status", "remark", "setting", "metric", "cluster",
)  # fmt: skip
_FILLERS = word_lists()["parts"]
_LISTED = 1000  # rows of a table that may have a column of settings


@dataclass(frozen=True)
class Candidate:
    """A column that may hold the scores of a classifier: its name, the classifier's, the measure's."""

    column: str
    classifier: str
    metric: str = ""


def find_candidates(
    table: Table, request: Request
) -> tuple[list[Candidate], dict[str, str], list[str]]:
    """Return the columns that can hold scores of classifiers, their spreads, and what to say."""
    where = (plain_column(name, table.sheet.columns) for name in request.where)
    asked = {*request.columns.values(), *where}
    free = [
        column
        for column in table.columns.values()
        if column.role in (None, "truth", "prediction")
        and column.is_number
        and column.name not in asked
    ]
    notes = []
    spreads = _spreads(free)
    # a name with an accent, süm, is one of its own and no word that lost it
    summaries = [
        c.name
        for c in free
        if (c.name.isascii() or not any(map(str.isalpha, c.name)))
        and is_summary(c.name)
        and c.measure is None
    ]
    plain = [c for c in free if c.name not in (*spreads.values(), *summaries)]
    bounds, costs = find_bounds(plain), find_costs(plain)
    plain = [c for c in plain if c.name not in (*bounds, *costs)]
    sizes = _other_scale(plain)
    plain = [c for c in plain if c.name not in sizes]
    differences = find_differences(plain)
    refuse_odd_summaries(plain, [c for c in free if c.name in summaries], table.sheet.name)
    summaries += find_mean([c for c in plain if c.name not in differences], COINCIDENCE)
    asked.add(cluster_column(table, request) or "")  # whether it is used is known later
    unused = [c.name for c in table.columns.values() if c.role in _UNUSED and c.name not in asked]
    nobodys = [c.name for c in table.columns.values() if c.role == "score" and c.is_number]
    texts = [c.name for c in table.columns.values()
             if c.role is None and not c.is_number and not c.is_empty][1:]  # fmt: skip
    lone = [one for mean, one in spreads.items() if mean == one]
    for names, why in (
        (summaries, "they sum up others"),
        (lone, "they are called spreads"),
        (bounds, "they are the ends of intervals"),
        (costs, "they are times of other columns"),
        (differences, "they compare others"),
        (nobodys, "nothing says whose scores they are"),
        (sizes, "they are counts or sizes"),
        ([*unused, *texts], "they are no scores"),
    ):
        if names:
            notes.append(f"Not used, since {why}: {listing(names)}.")
    left = [c for c in plain if c.name not in (*differences, *summaries)]
    _refuse_places(left, table)
    _refuse_settings(left, table)
    _refuse_counts(left, table)
    split = _split_measures(left, table.sheet.name)
    if split is not None:
        return split, spreads, notes
    measured = [c for c in left if _is_measure(c) and not _is_numbered(c, left)]
    if measured and len(measured) == len(left):
        raise _one_model([c.name for c in measured], table)
    times = [
        c.name for c in measured if c.measure is not None and c.measure.scale in ("time", "rank")
    ]
    if times:
        notes.append(f"Not used, since they are times or ranks: {listing(times)}.")
    odd = [c.name for c in measured if c.name not in times]
    if odd and len(left) - len(measured) < max(2, len(odd)):
        raise _one_model(odd, table)
    if odd:
        got = f"{listing(odd)} beside {listing([c.name for c in left if c.name not in odd], 4)}"
        remedy = "Leave out the columns of measures, or rename classifiers called so"
        raise InvalidContentError(table.sheet.name, "columns of classifiers alone", got, remedy)
    left = [c for c in left if c.name not in times]
    if len(left) < 2:
        raise _too_few([c.name for c in left], table)
    names = without_word_for_mean([c.name for c in left])
    found = [Candidate(c.name, name) for c, name in zip(left, names, strict=True)]
    return found, spreads, notes


def without_word_for_mean(names: list[str]) -> list[str]:
    """Leave out a header line that says mean or score of every column.

    Examples
    --------
    >>> without_word_for_mean(["mean ~ svm", "mean ~ rf"]), without_word_for_mean(["mean ~ svm", "rf"])
    (['svm', 'rf'], ['mean ~ svm', 'rf'])
    """
    for side in (0, -1):
        parts = [name.split(BETWEEN) for name in names]
        if all(len(part) == 2 and is_neutral(part[side]) for part in parts):
            return [part[-1 - side].strip() for part in parts]
    return [name.strip() for name in names]


def _is_measure(column: Column) -> bool:
    return column.measure is not None or (is_neutral(column.name) and squeezed(column.name) != "")


def _is_numbered(column: Column, columns: list[Column]) -> bool:
    """Tell d2 among d0, d1 and d3 from the measure of that name."""
    stems = [one.name.rstrip("0123456789") for one in columns]
    own = column.name.rstrip("0123456789")
    return own != column.name and stems.count(own) > 2


def _spreads(columns: list[Column]) -> dict[str, str]:
    """Pair columns of means with those of their spread: svm and svm_std."""
    names = {squeezed(column.name): column.name for column in columns}
    found = {}
    for column in columns:
        if is_spread(column.name) and len(words(column.name)) > 1:
            rest = "".join(w for w in words(column.name) if not is_spread(w))
            mean = names.get(rest) or names.get(rest + "mean") or names.get(f"mean{rest}")
            found[mean or column.name] = column.name
    return found


def _other_scale(columns: list[Column]) -> list[str]:
    """Return columns of large whole numbers beside fractions: counts and sizes, not scores."""
    fractions = [c for c in columns if not c.is_whole and c.high <= 1 and c.low >= -1]
    if len(fractions) < 2:
        return []
    return [c.name for c in columns if c.is_whole and c.high > 100]


def _refuse_counts(columns: list[Column], table: Table) -> None:
    """Ask about whole numbers far from scores with decimals: classes or sizes, perhaps."""
    scores = [c for c in columns if not c.is_whole]
    low, high = (
        min((c.low for c in scores), default=0.0),
        max((c.high for c in scores), default=0.0),
    )
    odd = [
        c.name
        for c in columns
        if c.is_whole
        and c.different > 1
        and (0 < 3 * c.high < low or c.high > 100 >= high > 0 or c.high > 1 >= high > 0)
    ]
    if len(scores) > 1 and odd:
        got = f"{listing(odd)} with whole numbers far from the others, which may be counts"
        remedy = "Leave out columns that are no scores, and bring scores to one scale"
        raise InvalidContentError(table.sheet.name, "columns of classifiers alone", got, remedy)


def _refuse_places(columns: list[Column], table: Table) -> None:
    """Refuse a table whose columns are the folds or runs of one model."""
    if columns and all(read_place(column.name) for column in columns):
        domain = "a column for each of at least two classifiers"
        got = f"one for each of {listing([column.name for column in columns], 3)}"
        remedy = "Name the classifier of every row in a column called classifier"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _refuse_settings(columns: list[Column], table: Table) -> None:
    """Ask about a column that tells rows of one dataset or seed apart, such as a rate of noise."""
    keys = [c.name for c in table.find("dataset", "fold", "run", "seed", "split", "iteration")]
    frame = table.sheet.frame
    if not keys or len(frame) > _LISTED or not frame.duplicated(keys).any():
        return
    odd = [
        c.name for c in columns if _is_setting(c) and not frame.duplicated([*keys, c.name]).any()
    ]
    if odd and len(columns) - len(odd) > 1:
        domain = "a column that tells rows apart, and says what it is"
        got = f"{listing(odd, 3)} beside {listing(keys, 3)}"
        remedy = "Keep some rows with `where=...`, or say `fold_column=...` or `run_column=...`"
        raise InvalidContentError(table.sheet.name, domain, got, remedy, "where")


def _is_setting(column: Column) -> bool:
    """Tell values of a setting: few, each as often as the others, and no answers of 0 and 1."""
    if column.is_whole and column.low >= 0 and column.high <= 1:
        return False
    codes = column.sheet.coded(column.name).codes
    counts = np.bincount(codes[codes >= 0])
    return len(counts) > 1 and bool(counts.min() == counts.max() > 1)


def _split_measures(columns: list[Column], name: str) -> list[Candidate] | None:
    """Take names such as rpart~Accuracy or nb_auc apart, if all of them are made so."""
    if len(columns) < 2:
        return None
    ways = []
    for side in (0, -1):
        found = [split_measure(column.name, side) for column in columns]
        told = [one for one in found if one is not None]
        if len(told) == len(columns) and len({one.classifier for one in told}) > 1:
            ways.append(told)
    if len(ways) > 1:
        one, other = ways[0][0], ways[1][0]
        got = f"{one.column}, {one.metric} of {one.classifier} or {other.metric} of {other.classifier}"
        remedy = "Rename classifiers that are called like measures"
        raise InvalidContentError(name, "columns that tell classifiers from measures", got, remedy)
    return ways[0] if ways else None


def split_measure(name: str, side: int) -> Candidate | None:
    """Split off the measure at the front (0) or the back (-1) of a name."""
    for mark in (BETWEEN.strip(), " - "):
        if mark in name:
            front, _, back = name.partition(mark) if side == 0 else name.rpartition(mark)
            metric, model = (front, back) if side == 0 else (back, front)
            if find_measure(metric) is None or not model.strip():
                return None
            return Candidate(name, model.strip(), metric.strip())
    parts = re.split(r"[\s_\-.:/|()\[\]]+", name.strip().strip("()[]"))
    for taken in (3, 2, 1):
        if len(parts) > taken:
            chosen = parts[:taken] if side == 0 else parts[-taken:]
            rest = parts[taken:] if side == 0 else parts[:-taken]
            measure = find_measure("_".join(chosen))
            model = "_".join(rest)
            named = find_measure(model) is None and not _FILLERS.issuperset(words(model))
            if measure is not None and measure.part == "test" and named:
                return Candidate(name, model, "_".join(chosen))
    return None


def of_one_metric(
    candidates: list[Candidate], request: Request, table: Table
) -> tuple[str, list[Candidate]]:
    """Return the candidates of the measure asked for, or of the only one."""
    metrics = list(dict.fromkeys(one.metric for one in candidates))
    if metrics == [""]:
        return "", candidates
    wanted = (
        request.metric if request.metric is not None else metrics[0] if len(metrics) == 1 else None
    )
    match = next((one for one in metrics if wanted and squeezed(one) == squeezed(wanted)), None)
    if match is None and request.metric is not None and len(metrics) == 1:
        match = metrics[0]
    if match is None:
        raise ask_metric(metrics, request.metric)
    chosen = [one for one in candidates if one.metric == match]
    if len(chosen) < 2:
        raise _too_few([one.column for one in chosen], table)
    return match, chosen


def _one_model(measures: list[str], table: Table) -> InvalidContentError:
    domain = "scores of at least two classifiers"
    got = f"one model with the measures {listing(measures, 6)}"
    remedy = "Give a file for each model, or a column that names the model"
    return InvalidContentError(table.sheet.name, domain, got, remedy)


def _too_few(names: list[str], table: Table) -> InvalidArgumentError:
    for column in table.columns.values():
        cells = column.sheet.coded(column.name).labels if column.role is None else []
        if not column.is_number and cells and all(re.match(r"[-+]?[.,]?\d", one) for one in cells):
            place = f"{table.sheet.place(0)}, column {called(column.name)}"
            remedy = "Write one number into each cell"
            return InvalidContentError(place, "a number", repr(shorten(cells[0])), remedy)
    got = f"{table.sheet.name} with columns {listing(table.sheet.columns)}"
    if len(names) == 1:
        got += f", of which {names[0]} alone holds scores"
    remedy = "For one row per score name the columns classifier, dataset, run, fold, score"
    return invalid(
        "source", "a table with a column for each of at least two classifiers", got, remedy
    )
