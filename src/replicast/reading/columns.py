"""What every column of a table is, by its name and by what stands in it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.reading.sheets import Sheet
from replicast.reading.vocabulary.cells import parse_coded
from replicast.reading.vocabulary.measures import Measure, find_measure
from replicast.reading.vocabulary.naming import word_lists, words
from replicast.reading.vocabulary.roles import Role, find_role, is_chance, is_label, read_place

_KEYS = frozenset(
    ("fold", "run", "seed", "split", "iteration", "resample", "step", "number", "case", "answer")
)
VERDICTS = [frozenset(pair.split("/")) for pair in word_lists()["verdicts"]]
_LOOKED_AT = 5000  # different cells
_NUMBERED = 2  # columns of one name with a number behind it; more are counted
_MANY = 6  # rows in which no scores count up
_SPARSE = 2  # times their number is the highest of iterations that are folds, at most


@dataclass(frozen=True, kw_only=True)
class Column:
    """What is known about a column: its role and measure by its name, and what stands in it."""

    name: str
    role: Role | None
    measure: Measure | None
    is_number: bool = False
    is_whole: bool = False
    is_counting: bool = False  # the rows: 0, 1, 2 or in other whole steps, as 10, 20, 30
    low: float = np.nan
    high: float = np.nan
    is_empty: bool = False
    sheet: Sheet = field(repr=False, compare=False)

    @property
    def different(self) -> int:
        """Number of different cells."""
        if self.is_number and not pd.api.types.is_numeric_dtype(self.sheet.frame[self.name]):
            values = self.sheet.parsed(self.name).values
            return len(pd.unique(values[np.isfinite(values)]))
        return len(self.sheet.coded(self.name).found)

    @property
    def middle(self) -> float:
        """Median of the numbers, 0 if there are none."""
        values = self.sheet.parsed(self.name).values
        return float(np.nanmedian(values)) if np.isfinite(values).any() else 0.0

    @property
    def is_unnamed(self) -> bool:
        """Whether the header says nothing."""
        return self.name.startswith("Unnamed: ") or not self.name.strip("# ")


def are_binary(columns: Iterable[Column]) -> bool:
    """Say whether columns hold nothing but 0 and 1."""
    return all(one.is_whole and one.low >= 0 and one.high <= 1 for one in columns)


def describe_columns(sheet: Sheet) -> dict[str, Column]:
    """Return what is known about every column of a sheet."""
    found = {name: describe_column(sheet, name) for name in sheet.columns}
    stems = Counter(name.rstrip("0123456789") for name in found if name[-1:].isdecimal())
    numbered = [name for name in found if stems[name.rstrip("0123456789")] > _NUMBERED]
    _find_truth(found)
    for name in numbered:  # D2 among D1, D3 and D4 is no measure
        found[name] = replace(found[name], measure=None)
    return found


def _find_truth(columns: dict[str, Column]) -> None:
    """Call the only column of 0 and 1 the truth beside columns of chances: prob_a, risk_b."""
    chances = [
        one
        for one in columns.values()
        if one.is_number
        and not one.is_whole
        and is_chance(one.name)
        and 0 <= one.low <= one.high <= 1
    ]
    binary = [c for c in columns.values() if c.is_number and are_binary([c]) and c.low < c.high]
    if (
        len(chances) > 1
        and len(binary) == 1
        and not any(c.role == "truth" for c in columns.values())
    ):
        columns[binary[0].name] = replace(binary[0], role="truth")


def describe_column(sheet: Sheet, name: str) -> Column:
    """Return what is known about a column by itself."""
    values = _values(sheet, name)
    measure = find_measure(name)
    if values is None:
        texts = list(sheet.coded(name).found)
        role = _role_of_text(name, texts)
        return Column(name=name, role=role, measure=measure, is_empty=not texts, sheet=sheet)
    told = values[np.isfinite(values)]
    whole = bool(len(told)) and bool((np.rint(told) == told).all())
    named = whole or (is_label(name) and _stand_equally_often(sheet, name))
    role = _role_of_numbers(name, named, right=pd.api.types.is_bool_dtype(sheet.frame[name]))
    if role == "iteration" and told.max() > _SPARSE * len(pd.unique(told)):
        role = "step"  # 100000, 200000: of a training, no folds
    return Column(
        name=name,
        role=role,
        measure=measure,
        is_number=True,
        is_whole=whole,
        is_counting=whole and _is_counting(values),
        low=float(told.min(initial=np.inf)),
        high=float(told.max(initial=-np.inf)),
        sheet=sheet,
    )


def _values(sheet: Sheet, name: str) -> Floats | None:
    """Return the numbers of a column, None if most of its cells are none."""
    cells = sheet.frame[name]
    if pd.api.types.is_numeric_dtype(cells):
        numbers = cells.to_numpy(dtype=np.float64, na_value=np.nan)
        return None if len(numbers) and np.isnan(numbers).all() else numbers
    told = sheet.coded(name)
    if find_role(name) not in (None, "score", "status") and any(
        "/" in str(c) for c in told.found[:_LOOKED_AT]
    ):
        return None  # fold 1/5 is no share
    sample = parse_coded(
        np.arange(min(len(told.found), _LOOKED_AT)),
        list(told.found[:_LOOKED_AT]),
        comma=sheet.decimal_comma,
    )
    if not np.isfinite(sample.values).any():
        return None
    found = sheet.parsed(name)
    numbers, others = np.isfinite(found.values).sum(), found.wrong.sum()
    return found.values if numbers > others else None


def _stand_equally_often(sheet: Sheet, name: str) -> bool:
    """Tell names such as 3.9 and 3.10 from scores: each stands there equally often, several times."""
    codes = sheet.coded(name).codes
    counts = np.bincount(codes[codes >= 0])
    return len(counts) > 1 and bool(counts.min() == counts.max() > 1)


def _is_counting(values: Floats) -> bool:
    if len(values) < 3 or not np.isfinite(values[:3]).all():
        return False
    first, step = values[0], values[1] - values[0]
    if step <= 0 or values[2] - values[1] != step:
        return False  # most columns are told by their first rows
    if first not in (0, 1, step) and (step != 1 or len(values) < _MANY):
        return False  # 80, 85 and 90 percent
    return bool(np.isfinite(values).all() and (np.diff(values) == step).all())


def _role_of_text(name: str, texts: Sequence[object]) -> Role | None:
    """Return the role of a column of text: what all of its labels say, or its name."""
    labels = [str(text) for text in texts[:_LOOKED_AT]]
    places = [read_place(label) for label in labels]
    if labels and all(places):
        kinds = {place.kind for place in places if place is not None}
        if len(kinds) == 1:
            return kinds.pop()
    role = find_role(name)
    verdicts = {label.strip().casefold() for label in labels} in VERDICTS
    if role in ("classifier", "dataset") and verdicts:
        return None  # of a classifier that is called baseline
    return None if role in ("score", "size", "n_train", "n_test", "number") else role


def _says_number(name: str) -> bool:
    """Say whether a name begins with a word for a number: a count is whole, and nDCG is a measure."""
    return name.lstrip().startswith("#") or words(name)[:1] in (("n",), ("num",), ("number",))


def _role_of_numbers(name: str, whole: bool, right: bool) -> Role | None:
    """Return the role of a column of numbers; a key has whole ones."""
    role = find_role(name)
    if role in ("classifier", "dataset") and right:
        return None  # True and False of a classifier called baseline
    if (role == "size" and _says_number(name)) or role in (
        *_KEYS,
        "classifier",
        "dataset",
        "cluster",
        "n_train",
        "n_test",
    ):
        return role if whole else None
    if role == "status" and find_measure(name) is not None:
        return None  # an error in numbers is a measure
    if role in ("metric", "part", "status", "remark", "setting"):
        return None if not whole else "remark"
    return "remark" if role is None and whole and words(name)[-1:] == ("id",) else role
