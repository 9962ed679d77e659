"""A second table made of the first one's data is no replication."""

from collections import Counter

import numpy as np

from replicast.arrays import Floats
from replicast.errors import InvalidArgumentError, invalid
from replicast.formatting import join_words
from replicast.scores.pairs import PairedScores
from replicast.scores.tables import ScoreTable

_REMEDY = "New partitions, runs or answers on the same data show replicability; use audit for that"
_FINE = 0.8  # of the scores are different: then equal rows are no coincidence
_FAR = 6.0  # standard errors of a correlation that fresh cases do not show
_SHOWN = 3


def refuse_shared_scores(original: PairedScores, replication: PairedScores, data: str) -> None:
    """Refuse two experiments with the same scores; ask where the cases seem to be the same."""
    one, other = (np.stack([pair.first, pair.second]) for pair in (original, replication))
    same = one.shape == other.shape and bool((one == other).all())
    rows, others = (Counter(map(tuple, part.T.tolist())) for part in (one, other))
    common = sum((rows & others).values())
    fine = min(len(rows) / rows.total(), len(others) / others.total()) >= _FINE
    if same or (fine and common >= max(2, min(rows.total(), others.total()) / 2)):
        count = f"{common} rows of scores that stand in the first table too"
        raise invalid("replication", "scores on fresh data", count, _REMEDY)
    cases = original.design.binary and one.shape == other.shape
    if cases and data != "fresh" and max(map(_correlation, one, other)) > _FAR:
        got = "the same number of cases, with the same ones right far more often than chance"
        raise _question(got)


def _correlation(one: Floats, other: Floats) -> float:
    """Return the correlation of two rows of 0 and 1, in standard errors."""
    spread = one.std() * other.std() * len(one)
    if spread == 0:
        return 0.0
    return float((one - one.mean()) @ (other - other.mean()) / spread * np.sqrt(len(one)))


def refuse_shared_names(original: ScoreTable, replication: ScoreTable, data: str) -> None:
    """Ask where both tables name the same datasets."""
    shared = [name for name in original.datasets if name in replication.datasets and name != "all"]
    if shared and data != "fresh":
        more = [f"{len(shared) - _SHOWN} more"] if len(shared) > _SHOWN else []
        raise _question(f"{join_words([*shared[:_SHOWN], *more])} in both tables")


def _question(got: str) -> InvalidArgumentError:
    return invalid(
        "data",
        "fresh, said by you, where the tables look like one and the same data",
        got,
        "A replication needs other data: if they are, say `data=fresh`; if not, this is replicability",
    )
