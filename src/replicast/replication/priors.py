"""What the field's own results say of true differences, by kind of design and by relation.

The true difference in standard errors of the first result is normal around zero; its standard
deviation grows with the amount of data by one exponent. `priors.json` has both; they were learned from
published results of others (docs/track-record.md), and `python -m calibration.field` makes the file.
"""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

from replicast.errors import require_choice
from replicast.kernels.mixtures import Prior

Relation = Literal["unknown", "close", "any"]
RELATIONS = ("unknown", "close", "any")
ENDS: tuple[Relation, Relation] = ("close", "any")
Kind = Literal["cases", "datasets"]
KINDS = ("cases", "datasets")


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
    parts = {
        "close": ((1.0, narrow),),
        "any": any_two,
        "unknown": ((0.5, narrow), *((weight / 2, spread) for weight, spread in any_two)),
    }[relation]
    return Prior(*(tuple(column) for column in zip(*parts, strict=True)))


def heavy_tails(kind: Kind) -> float:
    """Return by how much predictions of a difference are widened for heavy tails."""
    return float(_learned()[kind]["widened"])


@lru_cache(maxsize=1)
def _learned() -> dict[str, Any]:
    text = files("replicast.replication").joinpath("priors.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content
