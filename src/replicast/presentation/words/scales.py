"""Differences and scores in the users' unit, with the decimals that an interval deserves."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Self

from replicast.design import Design
from replicast.formatting import (
    decimals,
    format_number,
    format_percent,
    format_pvalue,
    format_signed,
    join_words,
    plural,
)

ASSUMED_WAY = " (higher is better, assumed: --lower-is-better)"
_AXES = {"score": "score", "se": "standard errors"}


@dataclass(frozen=True)
class Scale:
    """A unit (`fraction`, `percent`, `score` or a word) and how many decimals its numbers have.

    Examples
    --------
    >>> scale = Scale.of("fraction", (0.0166, 0.0566))
    >>> scale.bounded(0.0366, (0.0166, 0.0566)), scale.between((-0.01, 0.02)), scale.typed(0.01)
    ('3.7 points [1.7, 5.7]', '−1.0 to 2.0 points', '1 point')
    """

    unit: str
    digits: int = 1

    @classmethod
    def of(cls, unit: str, limits: Sequence[float], beside: float | None = None) -> Self:
        """Return the scale with the decimals of an interval; percentages have at least one.

        A value `beside` the interval is never written as one of its ends.
        """
        scale = cls(unit)
        near = None if beside is None else scale.factor * beside
        low, high = limits
        digits = decimals(scale.factor * low, scale.factor * high, near)
        return cls(unit, max(digits, 1) if scale.noun == " points" else digits)

    @property
    def factor(self) -> int:
        """What a difference of the scores is multiplied by where it is shown."""
        return 100 if self.unit == "fraction" else 1

    @property
    def noun(self) -> str:
        """The word after a difference."""
        if self.unit in ("fraction", "percent"):
            return " points"
        return "" if self.unit == "score" else f" {self.unit}"

    @property
    def axis(self) -> str:
        """The words below an axis of differences."""
        return f"difference in {_AXES.get(self.unit, 'points')}"

    def number(self, value: float) -> str:
        """Write a difference without its unit."""
        if not isfinite(value):
            return format_number(value)
        return format_signed(value * self.factor, self.digits)

    def difference(self, value: float) -> str:
        """Write a difference with its unit."""
        return f"{self.number(value)}{self.noun}"

    def typed(self, value: float) -> str:
        """Write a difference that somebody chose with the digits they typed: `1 point`."""
        shown = f"{value * self.factor:.6g}".replace("-", "−")
        return f"{shown}{self.noun.removesuffix('s') if shown == '1' else self.noun}"

    def score(self, value: float) -> str:
        """Write a score; of percentages nobody needs more than two decimals."""
        if self.noun != " points":
            return self.number(value)
        return f"{Scale(self.unit, min(self.digits, 2)).number(value)}%"

    def bounded(self, value: float, limits: Sequence[float]) -> str:
        """Write a difference with its interval, if it has one."""
        low, high = limits
        inside = f" [{self.number(low)}, {self.number(high)}]" if has_width(limits) else ""
        return f"{self.difference(value)}{inside}"

    def between(self, limits: Sequence[float], word: str = "to") -> str:
        """Write two limits."""
        return f"{f' {word} '.join(map(self.number, limits))}{self.noun}"


def has_width(limits: Sequence[float]) -> bool:
    """Say whether two limits bound anything: neither too few scores do nor equal differences."""
    low, high = limits
    return bool(isfinite(high - low) and high > low)


def hundred(probability: float) -> str:
    """Write a chance as so many of 100, without the 100: `86`, `over 99`, `under 1`."""
    return format_percent(probability).removesuffix("%")


def from_to(*probabilities: float) -> str:
    """Write chances without the 100: `95 to 97`, or one number where they are the same."""
    return " to ".join(dict.fromkeys(map(hundred, probabilities)))


def bare_pvalue(pvalue: float) -> str:
    """Write a p-value in a column of such: `0.04`, `<0.001`."""
    return format_pvalue(pvalue).removeprefix("p ").removeprefix("= ").replace("< ", "<")


def brief_design(design: Design) -> str:
    """Say in few words how scores arose: `10 runs of 10 folds`, `334 cases`."""
    count = design.n_scores
    if design.of_cases and count is not None:
        inside = f" in {design.clusters} clusters" if design.clusters else ""
        return f"{plural(count, design.unit)}{inside}"
    if design.seeds and design.has_split:
        where = "one split" if design.splits == 1 else f"{design.splits} splits"
        return f"{design.seeds} seeds on {where}"
    if not design.folds:
        return design.words
    runs = design.runs or 1
    return f"{design.folds} folds" if runs == 1 else f"{runs} runs of {design.folds} folds"


def listed(*parts: str) -> str:
    """Join what there is with commas."""
    return ", ".join(filter(None, parts))


def name_few(names: Sequence[str], most: int = 3) -> str:
    """Name a few in a sentence, and count the others."""
    if len(names) <= most:
        return join_words(names)
    return join_words([*names[:most], f"{len(names) - most} more"])


def short_name(name: str, longest: int = 34) -> str:
    """Return a name on one line, shortened in the middle.

    Examples
    --------
    >>> short_name("gradient-boosting-with-early-stopping", 20)
    'gradient-boo…topping'
    """
    shown = "".join(c if c.isprintable() else " " for c in name)
    if len(shown) <= longest:
        return shown
    head = (longest - 1) * 2 // 3
    return f"{shown[:head]}…{shown[head + 1 - longest :]}"
