"""What the field's own results say of true differences, by kind of design and by relation.

The true difference in standard errors of the first result is normal around zero; its standard
deviation grows with the amount of data by one exponent. `priors.json` has both; they were learned from
published results of others and from learners that we fitted ourselves, one vote for each corpus
(docs/track-record.md), and `python -m calibration.field` makes the file.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from replicast.errors import require_choice
from replicast.kernels.mixtures import Prior
from replicast.results import Record

Relation = Literal["unknown", "close", "any"]
RELATIONS = ("unknown", "close", "any")
ENDS: tuple[Relation, Relation] = ("close", "any")
Kind = Literal["cases", "datasets"]
KINDS = ("cases", "datasets")
_FEWEST = 50  # results that a band must have to be quoted


def prior_for(kind: Kind, relation: Relation, amount: float) -> Prior:
    """Return the prior on the true difference of two classifiers, in standard errors.

    `amount` counts the cases or the datasets of the first result. Some of `any` two methods are far
    apart: a small weight lies on a wider normal. `unknown` is half `close` and half `any`.

    Examples
    --------
    >>> from replicast.replication.priors import prior_for
    >>> small, large = (prior_for("cases", "close", amount).spreads[0] for amount in (100, 10_000))
    >>> round(large / small, 2)
    2.51
    """
    require_choice(kind, "kind", KINDS)
    require_choice(relation, "relation", RELATIONS)
    learned = _learned()
    growth = (max(amount, 1.0) / learned[kind]["at"]) ** learned["exponent"]
    wide, narrow = growth * learned[kind]["any"], growth * learned[kind]["close"]
    far = learned["far"]
    any_two = ((1 - far["weight"], wide), (far["weight"], far["times"] * wide))
    parts: tuple[tuple[float, float], ...] = {
        "close": ((1.0, narrow),),
        "any": any_two,
        "unknown": ((0.5, narrow), *((weight / 2, spread) for weight, spread in any_two)),
    }[relation]
    return Prior(tuple(weight for weight, _ in parts), tuple(spread for _, spread in parts))


def heavy_tails(kind: Kind) -> float:
    """Return by how much predictions of a difference are widened for heavy tails."""
    return float(_learned()[kind]["widened"])


@dataclass(frozen=True, kw_only=True)
class TrackRecord(Record):
    """What became of published results with a chance between two limits."""

    low: float
    high: float
    came_true: float
    results: int

    def __str__(self) -> str:
        return (
            f"answers of {100 * self.low:.0f} to {100 * self.high:.0f} came true in "
            f"{100 * self.came_true:.0f} of 100"
        )


def track_record(probability: float, relation: Relation) -> TrackRecord | None:
    """Return what became of published results with such a chance; None where there are too few."""
    record = _file("track-record.json")
    count = record["bands"]
    place = min(int(probability * count), count - 1)
    entry = record[relation][place]
    if entry is None or entry["results"] < _FEWEST:
        return None
    return TrackRecord(low=place / count, high=(place + 1) / count, **entry)


def _learned() -> dict[str, Any]:
    return _file("priors.json")


@lru_cache(maxsize=2)
def _file(name: str) -> dict[str, Any]:
    text = files("replicast.replication").joinpath(name).read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
