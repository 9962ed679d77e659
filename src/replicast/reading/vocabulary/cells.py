"""What stands in a cell: a number in any writing, a mean with its spread, or that it is missing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Floats
from replicast.design import Design, parse_design
from replicast.errors import InvalidArgumentError
from replicast.reading.vocabulary.naming import word_lists

_MISSING = word_lists()["missing"]  # several words stand there with _ between them

# no number is longer, and two of them side by side can be cut in as many ways as they have digits
_NUMBER = r"[-+−–]?(?:\d{1,100}(?:[.,  '’]\d{1,100}){0,6}|[.,]\d{1,100})(?:[eE][-+−]?\d{1,9})?"
_CELL = re.compile(
    rf"(?P<mean>{_NUMBER})\s*+(?P<percent>%)?+\s*+"
    rf"(?:(?:±|\+/-|\+-|\+\\-)\s*+(?P<spread>{_NUMBER})\s*+(?P<also>%)?+|"
    rf"\(\s*+(?:(?i:sd|std|s\.d\.|se|σ)\s*+[=:]?+\s*+)?±?+\s*+(?P<inner>{_NUMBER})\s*+%?+\s*+\)"
    rf"|[\[(]\s*+(?:95\s*+%?+\s*+CI:?+\s*+)?(?P<low>{_NUMBER})\s*+%?+\s*+(?:[,;–-]|to)"
    rf"\s*+(?P<high>{_NUMBER})\s*+%?+\s*+[\])])?"
)
_OF_SO_MANY = re.compile(r"(\d{1,9}) ?/ ?(\d{1,9})")  # 17/20
_TOO_LONG = re.compile(  # >24h
    r"[>≥]\s*\d+(?:\.\d+)?\s*(?:h|hrs?|hours?|d|days?|mins?|minutes?|s|secs?|seconds?)", re.I
)
_MARKS = "*†‡§•○∘●◦^✓✗↑↓▲▼ "
# of Markdown, around a part of the cell: **80.6** ± 0.3
_BOLD = re.compile(r"(?<![\w*])(\*{1,3}|_{1,2}|`)([^*_`]+)\1(?![\w*])")
# around the sign before a spread: 80.6* ± 0.3
_STAR = re.compile(r"(?<=[\d%])[*†‡§]+(?=\s*[±+(\[])|(?<=[±(\s])\*+(?=[\d.])")
_LETTER = re.compile(  # groups that differ, as tests after an analysis of variance print them
    r"(?<=\d)\s*(?:\^?\{?(?:[a-d*†‡]|ab?c?d?e?|bc?d?e?|cde?)\}?|\s[vV]|[\u02b0-\u02ff\u1d2c-\u1dbf]+)$"
)


@dataclass(frozen=True)
class Numbers:
    """A column of cells read as numbers."""

    values: Floats  # NaN where a cell is missing, or no number
    wrong: NDArray[np.bool_]  # neither numbers nor missing
    spreads: Floats | None = None  # behind ± or in brackets
    percent: NDArray[np.bool_] | None = None  # cells with a percent sign
    absent: tuple[str, ...] = ()  # words that say a score is missing
    unclear: str | None = None  # a cell whose comma may be a decimal one or one between thousands
    beside: bool = False  # an interval, a rank or a difference stands in brackets, and is not kept


def is_missing(cell: object) -> bool:
    """Say whether a cell has no value, or a word for that."""
    if isinstance(cell, str):
        words = cell.casefold().split()
        return not words or "_".join(words) in _MISSING
    found = pd.isna(cell)  # type: ignore[call-overload]  # of any cell
    return isinstance(found, bool | np.bool_) and bool(found)


def parse_numbers(cells: "pd.Series[str]", *, comma: bool = False) -> Numbers:
    """Read cells as numbers; `comma` says that a comma stands for a decimal point.

    Examples
    --------
    >>> found = parse_numbers(pd.Series(["93.4 ± 1.2", "88%", "NA", "x1"]))
    >>> found.values.tolist(), found.absent, found.wrong.tolist()
    ([93.4, 88.0, nan, nan], ('NA',), [False, False, False, True])
    """
    if pd.api.types.is_numeric_dtype(cells):
        return plain_numbers(cells)
    try:
        codes, found = pd.factorize(cells.astype(object))
    except TypeError:  # dicts and lists are no numbers
        codes, found = pd.factorize(cells.map(str))
    return parse_coded(np.asarray(codes, dtype=np.intp), list(found), comma=comma)


def plain_numbers(cells: "pd.Series[str]") -> Numbers:
    """Return a column that holds numbers already."""
    values = cells.to_numpy(dtype=np.float64, na_value=np.nan)
    return Numbers(values, np.isinf(values))


def parse_coded(codes: NDArray[np.intp], found: Sequence[object], *, comma: bool) -> Numbers:
    """Read cells given as the different ones and a code for each row, -1 where nothing stands."""
    told = [_parse_cell(cell, comma) for cell in found]
    parts = [(one.mean, one.spread, float(one.percent), float(one.state)) for one in told]
    table = np.array(parts or [(0.0, 0.0, 0.0, 0.0)])
    empty = codes < 0
    picked = table[np.where(empty, 0, codes)]
    values = np.where(empty, np.nan, picked[:, 0])
    state = np.where(empty, _ABSENT, picked[:, 3])
    spreads = np.where(empty, np.nan, picked[:, 1])
    signs = np.where(empty, 0, picked[:, 2]).astype(bool)
    words = [str(found[i]).strip() for i, one in enumerate(told) if one.state == _ABSENT]
    beside = any(one.beside for one in told)
    return Numbers(
        values=values,
        wrong=np.asarray(state == _WRONG),
        spreads=spreads if not beside and not np.isnan(spreads).all() else None,
        percent=signs if signs.any() else None,
        absent=tuple(dict.fromkeys(word for word in words if word)),
        unclear=next((str(found[i]).strip() for i, one in enumerate(told) if one.unclear), None),
        beside=beside,
    )


_FINE, _ABSENT, _WRONG = 0, 1, 2


@dataclass(frozen=True)
class _Cell:
    mean: float = np.nan
    spread: float = np.nan
    percent: bool = False
    state: int = _FINE
    unclear: bool = False
    beside: bool = False


def _parse_cell(cell: object, comma: bool) -> _Cell:
    if not isinstance(cell, str):
        return _Cell(state=_ABSENT) if is_missing(cell) else _of_number(cell)
    plain = _BOLD.sub(r"\2", cell).strip()
    if is_missing(plain) or _TOO_LONG.fullmatch(plain):
        return _Cell(state=_ABSENT)
    return _of_text(_STAR.sub("", _LETTER.sub("", plain.strip(_MARKS)).strip(_MARKS)), comma)


def _of_text(text: str, comma: bool) -> _Cell:
    """Read a share of so many, or a number with what stands behind it."""
    share = _OF_SO_MANY.fullmatch(text)
    if share is not None and int(share[1]) <= int(share[2]) > 0:
        return _Cell(int(share[1]) / int(share[2]))
    found = _CELL.fullmatch(text)
    if found is None:
        return _Cell(state=_WRONG)
    mean, unclear = _number(found["mean"], comma)
    spread = found["spread"] or found["inner"]
    second = np.nan if spread is None else _number(spread, comma)[0]
    ends = [_number(found[end], comma)[0] for end in ("low", "high") if found[end]]
    if not np.isfinite(mean) or (ends and not ends[0] <= mean <= ends[1]):
        return _Cell(state=_WRONG)
    percent = bool(found["percent"] or found["also"])
    beside = bool(ends) or _is_no_spread(found["inner"], found["mean"])
    return _Cell(mean, second, percent, unclear=unclear, beside=beside)


def _of_number(cell: object) -> _Cell:
    try:
        value = float(cell)  # type: ignore[arg-type]  # what has no float is told by the error
    except (TypeError, ValueError, OverflowError):
        return _Cell(state=_WRONG)
    return _Cell(value) if np.isfinite(value) else _Cell(state=_WRONG)


class PaperMeans(NamedTuple):
    """Two means with their spreads, and the design, where the text tells one."""

    means: tuple[float, float]
    sds: tuple[float, float]
    design: Design | None


def read_means(text: str) -> PaperMeans | None:
    """Read two means with spreads as papers write them, with their design; None if there are no two.

    Examples
    --------
    >>> read_means("**80.6** (0.3) vs 79.9 (0.4)").sds
    (0.3, 0.4)
    >>> read_means("93.4 ± 1.2, 92.1 ± 1.0 over 10 folds")
    PaperMeans(means=(93.4, 92.1), sds=(1.2, 1.0), design=KFold(folds=10))
    """
    means, told = _with_design(" ".join(text.split()))
    design = _design_told(told) if told else None
    text = text if design is None else means
    parts = re.split(r";|\bvs\.?\b|\bversus\b|\bagainst\b|,\s++", text)
    cells = [_parse_cell(part.strip(), comma=False) for part in parts]
    if len(cells) != 2 or any(one.state != _FINE or np.isnan(one.spread) for one in cells):
        return None
    first, second = cells
    return PaperMeans((first.mean, second.mean), (first.spread, second.spread), design)


def _with_design(text: str) -> tuple[str, str]:
    """Return what stands before the last brackets, or before over, on or across, and what they say."""
    if text.endswith(")"):
        means, _, told = text[:-1].rpartition("(")
        return means, told
    for word in (" over ", " on ", " across "):
        means, said, told = text.partition(word)
        if said:
            return means.rstrip(","), told
    return text, ""


def _design_told(text: str) -> Design | None:
    try:
        return parse_design(text.strip())
    except InvalidArgumentError:  # no design: a spread in brackets, or no number at all
        return None


def _is_no_spread(inner: str | None, mean: str) -> bool:
    """Tell a rank, a difference or the last digits in brackets: 92.1 (3), 92.1 (+0.4)."""
    if inner is None:
        return False
    return inner[0] in "-+−–" or (inner.isdecimal() and not mean.lstrip("-+−–").isdecimal())


def _number(text: str, comma: bool) -> tuple[float, bool]:
    """Return a number, and whether its comma can be read in two ways."""
    plain = re.sub(r"[  '’\s]", "", text.replace("−", "-").replace("–", "-"))
    unclear = False
    if "," in plain:
        groups = re.fullmatch(r"[-+]?\d{1,3}(?:,\d{3})+(\.\d+)?", plain)
        if groups and not comma:
            unclear = groups[1] is None and plain.count(",") == 1
            plain = plain.replace(",", "")
        elif comma:
            plain = plain.replace(".", "").replace(",", ".")
        else:
            return np.nan, False
    try:
        return float(plain), unclear
    except ValueError:
        return np.nan, False
