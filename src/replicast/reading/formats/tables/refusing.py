"""What a wide table may be that is none of scores: measures of one model, matrices of pairs, curves."""

import re

import numpy as np

from replicast.errors import Choice, InvalidArgumentError, InvalidContentError, shorten
from replicast.reading.columns import Column
from replicast.reading.formats.tables.candidates import Candidate, split_measure
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.sheets import listing
from replicast.reading.vocabulary.measures import direction_by_arrow, find_measure
from replicast.reading.vocabulary.naming import squeezed, word_lists, words
from replicast.reading.vocabulary.summaries import has_unit

_CONFUSED = word_lists()["confusions"]
_WORDS = frozenset(("cost", "energy", "errors", "memory", "risk"))  # datasets end so: credit-risk


def refuse_square(table: Table, chosen: list[Candidate]) -> None:
    """Refuse a matrix of pairs: confusions, p-values, distances."""
    column = next(
        (c.name for c in table.columns.values() if not c.is_number and not c.is_empty), None
    )
    if column is None or len(table.sheet.frame) != len(chosen):
        return
    below = [_bare(str(cell)) for cell in table.sheet.frame[column]]
    above = [_bare(one.classifier) for one in chosen]
    scores = np.array([table.sheet.parsed(one.column).values for one in chosen]).T
    half = bool(np.isnan(scores[np.triu_indices(len(above), 1)]).all())  # as R writes p-values
    named = table.columns[column].role == "dataset"  # datasets a, b and c of classifiers A, B and C
    if named and {*map(str, table.sheet.frame[column])} != {one.classifier for one in chosen}:
        return
    if set(below) == set(above) or (half and len(above) > 1 and below[:-1] == above[1:]):
        domain = "a row for each dataset or fold"
        got = f"rows and columns of the same names ({listing(sorted(set(above)), 3)})"
        remedy = "A confusion matrix or a matrix of p-values holds no scores to compare"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _bare(name: str) -> str:
    text = re.sub(r"^(true|pred|predicted|actual|class)(?=\d)", "", name.strip().casefold())
    return "".join(word for word in words(text) if word not in _CONFUSED)


def refuse_probabilities(table: Table, chosen: list[Candidate], request: Request) -> None:
    """Refuse numbers from 0 to 1 beside two true classes: probabilities are no scores of cases."""
    truth = next((c for c in table.find("truth") if c.different == 2), None)
    measure = None if request.metric is None else find_measure(request.metric)
    if truth is None or (request.metric is not None and (measure is None or not measure.of_many)):
        return
    columns = [table.columns[one.column] for one in chosen if one.column != truth.name]
    if columns and all(0 <= c.low <= c.high <= 1 and not c.is_whole for c in columns):
        domain = "scores, or predicted classes beside the true ones"
        got = f"numbers from 0 to 1 beside {truth.name}, which may be probabilities"
        remedy = (
            "Compare probabilities by `measure=auc`, in Python with compare_measure, or give the "
            "predicted classes; rename the column if it holds no true classes"
        )
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def refuse_measures(table: Table, label: str, metric: str, request: Request) -> None:
    """Refuse rows that are measures of one experiment, or better in different ways, not datasets."""
    labels = table.sheet.coded(label).labels
    _refuse_units(table, label, request.metric or metric)
    if request.greater_is_better is None:
        _refuse_directions(table, labels)
    known = [one for one in labels if find_measure(one) is not None]
    if len(known) > 1 and 2 * len(known) > len(labels):
        domain = "a row for each dataset or fold"
        got = f"a row for each measure ({listing(known, 3)})"
        remedy = "Give the score of every dataset, fold or case in one measure"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)
    if request.metric is not None and squeezed(request.metric) in map(squeezed, labels):
        domain = "several scores per classifier"
        got = f"one in {request.metric}"
        remedy = "One difference has no spread to judge it by: give every fold, or every case"
        raise InvalidContentError(table.sheet.name, domain, got, remedy)


def _refuse_units(table: Table, label: str, metric: str) -> None:
    """Refuse a row in a unit of its own, kg or dollars, among shares."""
    measure = find_measure(metric)
    odd = [one for one in table.sheet.coded(label).labels if has_unit(one)]
    if odd and measure is not None and measure.scale == "share":
        got = f"{listing(odd, 3)} in a unit of its own"
        remedy = "Leave out what is no score"
        raise InvalidContentError(table.sheet.name, f"scores of {metric} alone", got, remedy)


def _refuse_directions(table: Table, labels: list[str]) -> None:
    """Refuse rows of which some are better high and some low: WikiText ppl ↓ beside HellaSwag acc ↑."""
    told: dict[bool, str] = {}
    for one in labels:
        better = direction_by_arrow(one)
        split = None if better is not None else split_measure(one, -1) or split_measure(one, 0)
        measure = None if split is None else find_measure(split.metric)
        if split is not None and measure is not None and squeezed(split.metric) not in _WORDS:
            better = measure.greater_is_better
        if better is not None:
            told.setdefault(better, one)
    if len(told) > 1:
        domain = "scores that are better in one way"
        got = f"{shorten(told[True])}, better high, beside {shorten(told[False])}, better low"
        remedy = "Keep those of one measure; or say `greater_is_better=...`, if these are but names"
        raise InvalidContentError(table.sheet.name, domain, got, remedy, "greater_is_better")


def ask_rows(table: Table, label: Column, columns: list[str]) -> InvalidArgumentError:
    """Return the question whether rows are datasets or classifiers."""
    name = "the first column, which has no name," if label.is_unnamed else f"column {label.name}"
    first = shorten(str(table.sheet.frame[label.name].iloc[0]))
    got = f"{name} with {first} and columns {listing(columns, 3)}"
    domain = "a table that tells classifiers from datasets"
    choices = (
        Choice("rows", "datasets", "if rows are datasets and columns classifiers"),
        Choice("rows", "classifiers", "if rows are classifiers and columns datasets"),
    )
    if len(columns) > len(table.sheet.frame):  # there are more datasets than classifiers, mostly
        choices = choices[::-1]
    return InvalidContentError(table.sheet.name, domain, got, "", "rows").offering(choices)


def curve(table: Table) -> InvalidContentError:
    """Return the refusal of a training curve."""
    step = table.first("step") or "step"
    domain = "a row for each dataset, fold or case"
    got = f"a row for each {step}: steps of training are no repeats of an experiment"
    remedy = "Give the last value of each run, with a column that says which fold or seed it is"
    return InvalidContentError(table.sheet.name, domain, got, remedy)
