"""What the field's own results say of true differences, by kind of design and by relation.

The weights in `priors.json` were learned from published results of others (docs/track-record.md);
`python -m calibration.field` makes the file.
"""

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from replicast.errors import require_choice
from replicast.kernels.mixtures import Prior, Unit

Relation = Literal["unknown", "close", "any"]
RELATIONS = ("unknown", "close", "any")
ENDS: tuple[Relation, Relation] = ("close", "any")
Kind = Literal["one-test-set", "datasets", "datasets-t", "one-dataset"]
KINDS = ("one-test-set", "datasets", "datasets-t", "one-dataset")
_UNITS: dict[Kind, Unit] = {
    "one-test-set": "difference",
    "datasets": "angle",
    "datasets-t": "deviation",
    "one-dataset": "deviation",
}


class BetaPrior(NamedTuple):
    """Mixture of symmetric beta distributions on the share of datasets won."""

    weights: tuple[float, ...]
    strengths: tuple[float, ...]


def prior_for(kind: Kind, relation: Relation) -> Prior:
    """Return the prior on the true difference of two classifiers.

    Its unit depends on the kind: accuracy for `one-test-set`; the share of the rank sum as an angle,
    2 asin(sqrt(share)) - pi/2, for `datasets`; standard deviations of a difference for
    `datasets-t`; standard errors of the cases of one dataset for `one-dataset`, where neither cases
    nor their number are known. `unknown` is half `close` and half `any`.

    Examples
    --------
    >>> from replicast.replication.priors import prior_for
    >>> prior_for("one-test-set", "close").spreads
    (0.002, 0.006, 0.015, 0.04, 0.1, 0.25)
    """
    require_choice(kind, "kind", KINDS)
    require_choice(relation, "relation", RELATIONS)
    return Prior(_weights(kind, relation), tuple(_learned()[kind]["components"]), _UNITS[kind])


def win_prior_for(relation: Relation) -> BetaPrior:
    """Return the prior on the share of datasets that one of two classifiers wins."""
    require_choice(relation, "relation", RELATIONS)
    return BetaPrior(_weights("wins", relation), tuple(_learned()["wins"]["components"]))


def _weights(kind: str, relation: str) -> tuple[float, ...]:
    found = _learned()[kind]
    if relation == "unknown":
        ends = zip(found["close"], found["any"], strict=True)
        return tuple((close + wide) / 2 for close, wide in ends)
    return tuple(found[relation])


@lru_cache(maxsize=1)
def _learned() -> dict[str, Any]:
    text = files("replicast.replication").joinpath("priors.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)["kinds"]
    return content
