"""Which columns of a wide table are classifiers: not those that measure, count or sum up."""

import re
from dataclasses import dataclass

import numpy as np

from replicast.errors import Choice, InvalidArgumentError, InvalidContentError, invalid, shorten
from replicast.reading.columns import Column
from replicast.reading.formats.tables.preparing import Table, cluster_column
from replicast.reading.requests import Request, ask_metric, plain_column
from replicast.reading.sheets import called, listing
from replicast.reading.syntaxes.grids import BETWEEN
from replicast.reading.vocabulary.measures import find_measure, is_neutral, is_spread
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.roles import Role, read_place
from replicast.reading.vocabulary.summaries import (
    has_unit,
    is_cost,
    is_difference,
    is_price,
    is_summary,
)

_UNUSED: tuple[Role, ...] = (
    "size", "moment", "status", "remark", "setting", "metric", "cluster",
)  # fmt: skip
_FILLERS = word_lists()["parts"]
_BOUNDS = word_lists()["bounds"] | {"bound", "ci", "limit"}
_MEANS = frozenset(("mean", "average", "avg", "median"))
_FEWEST = 2  # classifiers
_BEYOND = 1.5  # times the largest score
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
    free = _free(table, request)
    spreads = _spreads(free)
    aside = {name: "they are called spreads" for mean, name in spreads.items() if mean == name}
    plain = [c for c in free if c.name not in spreads.values()]
    _refuse_settings(plain, table)
    aside |= _aside(plain, request, table.sheet.name)
    left = [c for c in plain if c.name not in aside]
    _refuse_places(left, table)
    split = _split_measures(left, table.sheet.name)
    if split is None:
        split, timed = _models(left, table)
        aside |= timed
    return split, spreads, _say(aside, table, request)


def _free(table: Table, request: Request) -> list[Column]:
    """Return the columns of numbers that have no other use."""
    where = (plain_column(name, table.sheet.columns) for name in request.where)
    asked = {*request.columns.values(), *where}
    return [
        column
        for column in table.columns.values()
        if column.role in (None, "truth", "prediction")
        and column.is_number
        and column.name not in asked
    ]


def _aside(columns: list[Column], request: Request, place: str) -> dict[str, str]:
    """Return the columns that are no scores, by name and scale, with the reason; ask about odd ones."""
    told = request.notes_among([c.name for c in columns])
    found = dict.fromkeys(told or (), "you said so")
    if told is not None:
        return found
    found = {c.name: why for c in columns if (why := _called(c, columns))}
    rest = [c for c in columns if c.name not in found]
    odd = [c for c in rest if is_off_scale(c, [one for one in rest if one is not c])]
    top = max((c.high for c in rest if not _may_be(c.name)), default=np.inf)
    odd += [c for c in rest if c not in odd and _may_be(c.name) and c.high > _BEYOND * top]
    if len(rest) - len(odd) < _FEWEST:
        return found
    known = {c.name: why for c in odd if (why := _may_be(c.name))}
    unknown = [c.name for c in odd if c.name not in known]
    unknown += [c.name for c in columns if c.name in found and _is_no_mean(c, rest)]
    if unknown:
        others = [c.name for c in rest if c not in odd]
        got = f"{listing(unknown)} on another scale than {listing(others, 3)}"
        value = "+".join(unknown)
        choices = (
            Choice("note_column", value, f"if {listing(unknown, 3)} is no classifier"),
            Choice("note_column", "none", "if all columns are classifiers"),
        )
        domain = "columns of classifiers alone"
        raise InvalidContentError(place, domain, got, "", "note_column").offering(choices)
    return found | known


def _called(column: Column, columns: list[Column]) -> str:
    """Say why a column is no classifier by its name alone, nothing if it may be one."""
    name = column.name
    # a name with an accent, süm, is one of its own and no word that lost it
    plain = name.isascii() or not any(map(str.isalpha, name))
    if plain and is_summary(name) and column.measure is None:
        return "they sum up others"
    if is_cost(name) and has_unit(name) and len(words(name)) > 2:
        return "they are times of other columns"
    return "they are the ends of intervals" if _is_bound(column, columns) else ""


def _may_be(name: str) -> str:
    """Say what a column on another scale is, if its name may be that of something else than a model."""
    if is_difference(name):
        return "they compare others"
    last = find_measure((words(name) or ("",))[-1])
    if is_cost(name) or is_price(name) or (last is not None and last.scale == "time"):
        return "they are times of other columns"
    return ""


def _is_bound(column: Column, columns: list[Column]) -> bool:
    """Tell both ends of an interval around a column: svm, svm_lower, svm_upper."""
    own = words(column.name)
    bases = {words(c.name) for c in columns}
    ends = [at for at in range(1, len(own)) if own[:at] in bases and _BOUNDS.issuperset(own[at:])]
    if not ends:
        return False
    base = own[: ends[0]]
    return (
        sum(one[: len(base)] == base and _BOUNDS.issuperset(one[len(base) :]) for one in bases) == 3
    )


def is_off_scale(column: Column, others: list[Column]) -> bool:
    """Say whether numbers are far below those of others, or signed or counted where they are not."""
    if len(others) < _FEWEST or not np.isfinite(column.low):
        return False
    lows, highs = [c.low for c in others], [c.high for c in others]
    if min(lows) >= 0 and (column.low < 0 or column.high < 0.25 * min(map(_middle, others))):
        return True
    counted = column.is_whole and not all(c.is_whole for c in others)
    if not counted or column.different < _FEWEST:
        return False
    high = max(highs)
    return column.high > 100 >= high or column.high > 1 >= high or 0 < 3 * column.high < min(lows)


def _middle(column: Column) -> float:
    values = column.sheet.parsed(column.name).values
    return float(np.nanmedian(values)) if np.isfinite(values).any() else 0.0


def _is_no_mean(column: Column, others: list[Column]) -> bool:
    """Say whether a column called Mean lies outside of the others: one may fill gaps with means."""
    if "".join(words(column.name)) not in _MEANS or len(others) < _FEWEST:
        return False
    own = column.sheet.parsed(column.name).values
    rest = np.array([c.sheet.parsed(c.name).values for c in others])
    with np.errstate(invalid="ignore"):
        return bool(((own < rest.min(axis=0) - 1e-9) | (own > rest.max(axis=0) + 1e-9)).any())


def _models(left: list[Column], table: Table) -> tuple[list[Candidate], dict[str, str]]:
    """Return the columns of models, without times and ranks; refuse measures among them."""
    measured = [c for c in left if _is_measure(c)]
    if len(left) == len(measured) == 1 and left[0].measure is not None:  # one model, one measure
        return [Candidate(left[0].name, "model", left[0].name)], {}
    if measured and len(measured) == len(left):
        raise _one_model([c.name for c in measured], table)
    timed = {
        c.name: "they are times or ranks"
        for c in measured
        if c.measure is not None and c.measure.scale in ("time", "rank")
    }
    odd = [c.name for c in measured if c.name not in timed]
    if odd and len(left) - len(measured) < max(_FEWEST, len(odd)):
        raise _one_model(odd, table)
    if odd:
        got = f"{listing(odd)} beside {listing([c.name for c in left if c.name not in odd], 4)}"
        remedy = (
            "Leave out the columns of measures with `note_column=...`, rename classifiers, or compare "
            "by `measure=...` (wer of errors and words, c-index of risks, times and events)"
        )
        raise InvalidContentError(table.sheet.name, "columns of classifiers alone", got, remedy)
    kept = [c for c in left if c.name not in timed]
    if len(kept) < _FEWEST:
        raise _too_few([c.name for c in kept], table)
    names = without_word_for_mean([c.name for c in kept])
    return [Candidate(c.name, name) for c, name in zip(kept, names, strict=True)], timed


def _say(aside: dict[str, str], table: Table, request: Request) -> list[str]:
    """Say which columns are not used, and why."""
    asked = {*request.columns.values(), cluster_column(table, request) or ""}  # used, or told later
    columns = table.columns.values()
    found = dict(aside)
    nobodys = [c.name for c in columns if c.role == "score" and c.is_number]
    found |= dict.fromkeys(nobodys, "nothing says whose scores they are")
    unused = [c.name for c in columns if c.role in _UNUSED and c.name not in asked]
    found |= dict.fromkeys(unused, "they are no scores")
    texts = [c.name for c in columns if c.role is None and not c.is_number and not c.is_empty][1:]
    found |= dict.fromkeys(texts, "they are no scores")
    reasons = dict.fromkeys(found.values())
    return [
        f"Not used, since {why}: {listing([name for name, told in found.items() if told == why])}."
        for why in reasons
    ]


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
    if len(chosen) < min(2, len(candidates)):
        raise _too_few([one.column for one in chosen], table)
    return match, chosen


def _one_model(measures: list[str], table: Table) -> InvalidContentError:
    domain = "scores of at least two classifiers"
    got = f"one model with the measures {listing(measures, 6)}"
    remedy = (
        "Give a file for each model, or a column that names the model; one measure alone, others left "
        "out with `note_column=...`, is answered with its interval"
    )
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
