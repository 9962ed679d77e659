"""The effect a plan is made for, from a pasted pilot."""

import re
from typing import NamedTuple

import numpy as np

from replicast.errors import invalid
from replicast.formatting import typed_number

_SCORE = re.compile(r"(?<![\w.])[-+−–]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?%?(?![\w.])")
_JOINED = re.compile(r"(?<![^\s;])[-+−–]?\d+,\d+%?(?![^\s;])")  # by a comma alone


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
    domain = "three or more lines with one difference each, or with two scores each"
    joined = [_JOINED.findall(line) for line in text.splitlines()]
    if any(len(found) == 1 for found in joined) and "." not in text:
        got, remedy = (
            "numbers with a comma, which are one or two",
            "Write a decimal point or a blank",
        )
        raise invalid("pilot", domain, got, remedy)
    if any(len(found) > 1 for found in joined):  # commas of decimals
        text = text.replace(",", ".")
    lines = [_SCORE.findall(line) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) == 1:  # differences side by side
        lines = [[number] for number in lines[0]]
    widths = {len(line) for line in lines}
    if len(lines) < 3 or widths not in ({1}, {2}):
        got = f"lines of {' and '.join(map(str, sorted(widths)))} numbers" if widths else "nothing"
        raise invalid("pilot", domain, got)
    numbers = np.array([[float(typed_number(n.strip("%"))) for n in line] for line in lines])
    differences = numbers[:, 0] - numbers[:, 1] if widths == {2} else numbers[:, 0]
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    if sd <= 1e-12 * float(np.abs(numbers).max()):
        raise invalid("pilot", "differences that vary", "the same difference everywhere")
    return EffectSize(mean, sd, len(differences))
