"""The papers' tables as data, and studies beside them."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from replicast.studies.summary import Mean

FAR = 4  # errors apart from which a value is marked


def printed(paper: str) -> dict[str, Any]:
    """Return the numbers printed in a paper: berrar_2024, bouckaert_2004, and so on."""
    path = files("replicast.studies.published").joinpath(f"{paper}.json")
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


@dataclass(frozen=True)
class Beside:
    """A printed value, ours, and the standard error of their difference, NaN where none is known.

    Examples
    --------
    >>> print(Beside(2.26, 2.36, 0.04), "and", Beside(0.1, 0.2))
    2.26 / 2.36 (+2.5) and 0.1 / 0.2
    """

    printed: float
    ours: float
    error: float = math.nan
    what: str = ""

    @property
    def errors(self) -> float:
        """How many errors apart, NaN where no error is known."""
        return (self.ours - self.printed) / self.error if self.error > 0 else math.nan

    @property
    def apart(self) -> str:
        """The same in words: nothing where no error is known, two stars where they are far apart."""
        if math.isnan(self.errors):
            return "–"
        return f"{self.errors:+.1f}{' **' if abs(self.errors) > FAR else ''}"

    def __str__(self) -> str:
        known = "" if math.isnan(self.errors) else f" ({self.apart.replace(' ', '')})"
        return f"{self.printed:g} / {self.ours:.3g}{known}"


def table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """Return the lines of a table in Markdown, numbers to the right, with an empty line behind."""
    lines = [headings, ["---", *["---:"] * (len(headings) - 1)], *rows]
    return [*(f"| {' | '.join(str(cell) for cell in line)} |" for line in lines), ""]


def one_below_the_other(rows: Sequence[Beside]) -> list[str]:
    """Return a line for each value: printed, ours, the error, and how many errors apart."""
    lines = [
        (
            row.what, f"{row.printed:g}", f"{row.ours:.4g}",
            f"{row.error:.2g}" if row.error > 0 else "–", row.apart,
        )
        for row in rows
    ]  # fmt: skip
    return table(("printed value", "paper", "ours", "error", "errors apart"), lines)


def share_error(percent: float, count: float, other: float, other_count: float) -> float:
    """Return the standard error of the difference of two percentages, never 0."""
    hits = (percent * count + other * other_count) / 100
    p = (hits + 1) / (count + other_count + 2)
    return 100 * math.sqrt(p * (1 - p) * (1 / max(count, 1) + 1 / max(other_count, 1)))


def beside_share(percent: float, count: int, ours: Mean) -> Beside:
    """Return a printed percentage of `count` datasets beside our mean of shares.

    Repetitions on a dataset make a mean of shares vary less than the datasets it counts: the print is
    taken to vary less by the same factor.
    """
    pulled = (ours.count * ours.value + 1) / (ours.count + 2)
    factor = ours.error * math.sqrt(ours.count / (pulled * (1 - pulled)))
    error = factor * share_error(percent, count, 100 * ours.value, ours.count)
    return Beside(percent, 100 * ours.value, error)
