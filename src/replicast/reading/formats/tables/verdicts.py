"""Right and wrong in words: pass and fail, C and I, yes and no become 1 and 0."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.errors import InvalidContentError, shorten
from replicast.reading.columns import VERDICTS, Column
from replicast.reading.requests import Request
from replicast.reading.sheets import Sheet, called, listing
from replicast.reading.vocabulary.cells import is_missing
from replicast.reading.vocabulary.naming import squeezed, word_lists
from replicast.reading.vocabulary.roles import find_role
from replicast.reading.vocabulary.summaries import is_beside

_RIGHT = {pair.split("/")[0] for pair in word_lists()["verdicts"]}
_UNFINISHED, _UNDECIDED = word_lists()["unfinished"], word_lists()["undecided"]
_RARE = 0.1  # share of the cells that may be something else than right or wrong, and are named


def right_or_wrong(sheet: Sheet, columns: Mapping[str, Column], request: Request) -> Sheet:
    """Take pass and fail, C and I, yes and no for 1 and 0 where no other column holds scores.

    A column that the caller names is taken so whatever stands beside it. Beside true classes a column
    has to be called a verdict, since classes may be called yes and no.
    """
    frame, notes = sheet.frame, []
    chosen = [one for one in columns.values() if _may_be_verdict(one, columns, request)]
    known = {
        text for one in chosen for text in sheet.coded(one.name).words
    }  # a model may be right everywhere
    pairs = {one.name: _pair(one, known) for one in chosen}
    counts = Counter(filter(None, pairs.values()))
    for column in chosen:
        told, pair = sheet.coded(column.name), pairs[column.name]
        texts = told.words
        if not pair or counts[pair] < max(counts.values()):  # or a remark beside models
            continue
        judged = pair | _UNDECIDED
        values = [float(text in _RIGHT) if text in judged else np.nan for text in texts]
        marks = np.array([*values, np.nan])[told.codes]
        whole = not np.isnan(marks).any()
        frame = frame.assign(**{column.name: marks.astype(bool) if whole else marks})
        lost = column.measure is not None and not column.measure.greater_is_better
        ones, zeros = ("1", "0") if lost else ("right", "wrong")
        written = dict(zip(texts, told.labels, strict=True))
        first, second = (written.get(text, text) for text in _in_order(pair))
        other = [written[text] for text in texts if text in _UNDECIDED]
        also = f", and so is {listing(other)}" if other else ""
        notes.append(f"{first} is {ones} and {second} is {zeros}{also} in {column.name}.")
    if not notes:
        return sheet
    named = tuple(one.name for one in chosen)
    return replace(sheet, frame=frame, notes=(*sheet.notes, *notes), verdicts=named)


def _may_be_verdict(column: Column, columns: Mapping[str, Column], request: Request) -> bool:
    """Say whether a column of words may hold verdicts, by its name and by what stands beside it."""
    if column.is_number or column.is_empty:
        return False
    asked = squeezed(request.metric or "")
    if column.name == request.score_column or (asked and squeezed(column.name) == asked):
        return True
    if column.role not in (None, "score", "status") or any(map(_is_score, columns.values())):
        return False
    return is_judged(column) or all(
        other.role not in ("truth", "prediction") for other in columns.values()
    )


def _is_score(column: Column) -> bool:
    """Say whether a column may hold scores that are numbers: no times, prices or lengths."""
    if not column.is_number or column.role not in (None, "score") or is_beside(column.name):
        return False
    return not pd.api.types.is_bool_dtype(column.sheet.frame[column.name])


def is_judged(column: Column) -> bool:
    """Say whether a column is called a verdict: correct, grade, result, passed."""
    return column.measure is not None or find_role(column.name) == "score"


def _in_order(pair: frozenset[str]) -> list[str]:
    """Return the word for right and then that for wrong."""
    return sorted(pair, key=lambda text: text not in _RIGHT)


def _pair(column: Column, known: set[str]) -> frozenset[str]:
    """Return the two words for right and wrong; name a rare cell that is neither, nor missing."""
    told = column.sheet.coded(column.name)
    texts = told.words
    pair = next((pair for pair in VERDICTS if pair <= known and pair & {*texts}), frozenset())
    judged = pair | _UNDECIDED
    odd = [text not in judged and (text in _UNFINISHED or not is_missing(text)) for text in texts]
    cells = told.where(odd)
    if not pair or cells.mean() > _RARE:
        return frozenset()
    if cells.any():
        at = int(np.flatnonzero(cells)[0])
        right, wrong = _in_order(pair)
        place = f"{column.sheet.place(at)}, column {called(column.name)}"
        got = repr(shorten(told.labels[int(told.codes[at])]))
        remedy = "Say which it is, or leave the cell empty if there is no result"
        raise InvalidContentError(place, f"{right} or {wrong}, as in other rows", got, remedy)
    return pair
