"""What is pasted into a form as a whole: the scores of a pilot, means as a paper writes them."""

import re
from typing import NamedTuple

import numpy as np

from replicast.design import Design
from replicast.errors import invalid
from replicast.formatting import typed_number
from replicast.reading.vocabulary.cells import read_means

_SCORE = re.compile(r"(?<![\w.])[-+−–]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?%?(?![\w.])")
_JOINED = re.compile(r"(?<![^\s;])[-+−–]?\d+,\d+%?(?![^\s;])")  # by a comma alone


_PILOT = "three or more lines with one difference each, or with two scores each"


class EffectSize(NamedTuple):
    """A mean difference, its standard deviation, and of how many differences; 0 if nobody said."""

    mean: float
    sd: float
    differences: int

    @property
    def effect(self) -> float:
        """Mean over standard deviation."""
        return abs(self.mean) / self.sd


def read_pilot(text: str) -> EffectSize:
    """Read the differences of a pilot: one per line, or two scores per line; not the names.

    Examples
    --------
    >>> read_pilot("1 2 4").differences
    3
    """
    numbers = np.array(_pilot_lines(text))
    differences = numbers[:, 0] - numbers[:, 1] if numbers.shape[1] == 2 else numbers[:, 0]
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    if sd <= 1e-12 * float(np.abs(numbers).max()):
        raise invalid("pilot", "differences that vary", "the same difference everywhere")
    return EffectSize(mean, sd, len(differences))


def _pilot_lines(text: str) -> list[list[float]]:
    """Return one or two numbers for each line, of three lines or more."""
    lines = [line for line in map(_SCORE.findall, _decimals(text).splitlines()) if line]
    if len(lines) == 1:  # differences side by side
        lines = [[number] for number in lines[0]]
    widths = sorted({len(line) for line in lines})
    if len(lines) < 3 or widths not in ([1], [2]):
        got = f"lines of {' and '.join(map(str, widths))} numbers" if widths else "nothing"
        raise invalid("pilot", _PILOT, got)
    return [[float(typed_number(number.strip("%"))) for number in line] for line in lines]


def _decimals(text: str) -> str:
    """Return a pilot with decimal points; a single comma on a line may part two numbers."""
    joined = [len(_JOINED.findall(line)) for line in text.splitlines()]
    if 1 in joined and "." not in text:
        got = "numbers with a comma, which are one or two"
        raise invalid("pilot", _PILOT, got, "Write a decimal point or a blank")
    return text.replace(",", ".") if max(joined, default=0) > 1 else text


def read_pasted_means(text: str) -> dict[str, str]:
    """Return the fields of two means with their spreads and design; none where it is no such text."""
    pasted = read_means(text)
    if pasted is None:
        return {}
    fields = ("first_mean", "second_mean", "first_sd", "second_sd")
    return dict(zip(fields, map(str, (*pasted.means, *pasted.sds)), strict=True)) | _fields_of(
        pasted.design
    )


def _fields_of(design: Design | None) -> dict[str, str]:
    """Return the fields of a design."""
    if design is None:
        return {}
    setting = "seeds" if design.seeds else "datasets" if design.over_datasets else "folds"
    size = design.folds if setting == "folds" else design.count
    return {"setting": setting, setting: str(size or ""), "runs": str(design.runs or 1)}
