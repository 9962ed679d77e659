"""Several comparisons side by side: measures, slices of the cases or pairs, corrected together."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from replicast.comparison.finding import Finding
from replicast.comparison.records import Comparison
from replicast.errors import invalid, require_probability
from replicast.kernels.multiplicity import holm
from replicast.results import Answer, Caution, Interval, Record, is_significant

Outcome = Literal["pass", "fail", "cannot tell"]
_USUAL = 0.95  # confidence of intervals
_OFTEN = 0.8


@dataclass(frozen=True, kw_only=True)
class Part(Record):
    """One of several comparisons.

    Attributes
    ----------
    label, names, n : str, tuple of str and int
        What it is about, who is compared, and on how many scores or cases.
    first, second, difference, interval : float, float, float and Interval
        Both scores, and by how much the first is better.
    pvalue, adjusted, significant : float, float and bool
        Alone, and corrected by Holm for the number of parts; whether the latter is significant.
    visible : float
        About how large a true difference must be to be significant in 80 of 100 such parts alone; of
        a gate, from which it fails a candidate so often.
    again : float or None
        Chance that a repeat of this part alone is significant in the same direction.
    outcome : str or None
        Of a gate, after Holm's correction of both its p-values.
    """

    label: str
    names: tuple[str, str]
    n: int
    first: float
    second: float
    difference: float
    interval: Interval
    pvalue: float
    adjusted: float
    significant: bool
    visible: float
    again: float | None = None
    outcome: Outcome | None = None

    @property
    def better(self) -> str | None:
        """Who is ahead, None if neither is."""
        return None if self.difference == 0 else self.names[self.difference < 0]

    def __str__(self) -> str:
        return f"{self.label}: {self.difference:.3g}, adjusted p = {self.adjusted:.3g}"


@dataclass(frozen=True, kw_only=True)
class Parts(Answer):
    """Several comparisons side by side, corrected together; `whole` is the one of all cases.

    Attributes
    ----------
    by : str
        What the parts differ in: `measure`, `pair`, or the column of the slices.
    parts : tuple of Part
        In the order in which they were given.
    outcome : str or None
        Of gates: fail if the whole or any part fails, pass if all pass, else it cannot tell.
    """

    _private: ClassVar[frozenset[str]] = frozenset({"results"})

    by: str
    parts: tuple[Part, ...]
    significance: float
    whole: Answer | None = None
    cautions: tuple[Caution, ...] = ()
    results: Mapping[str, Answer] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, label: str) -> Answer:
        """Return the comparison behind a part."""
        return self.results[label]

    @property
    def same_winner(self) -> bool:
        """Whether one model is ahead in every part."""
        return len({part.better for part in self.parts}) == 1 and self.parts[0].better is not None

    @property
    def outcome(self) -> Outcome | None:
        """What the gates say together."""
        told = {part.outcome for part in self.parts} | {getattr(self.whole, "outcome", None)}
        told -= {None}
        if not told:
            return None
        return "fail" if "fail" in told else "pass" if told == {"pass"} else "cannot tell"

    @property
    def exit_code(self) -> int:
        """0 for pass, 1 for fail, 3 for cannot tell, as one gate has it."""
        return {"pass": 0, "fail": 1, "cannot tell": 3, None: 0}[self.outcome]

    def to_dict(self) -> dict[str, Any]:
        """Return parts and whole as nested, valid JSON."""
        told = {"same_winner": self.same_winner, "outcome": self.outcome}
        return {**super().to_dict(), **told}


def side_by_side(
    results: Mapping[str, Comparison | Finding | Any],
    *,
    by: str = "slice",
    whole: Comparison | Finding | Any | None = None,
    significance: float = 0.05,
    left_out: str = "",
) -> Parts:
    """Put several comparisons, or gates, side by side and correct them together by Holm's method.

    Parameters
    ----------
    results : dict
        By name: what `compare`, `compare_measure` and their kin found, or gates. Slices of paired
        scores come from `PairedScores.slices`.
    by : str
        What they differ in, such as `measure` or `language`.
    whole : Comparison, Finding or Gate, optional
        The same of all cases together; it is not corrected.
    left_out : str
        What could not be compared, in words; a caution repeats it.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import PairedScores, compare, side_by_side
    >>> rng = np.random.default_rng(1)
    >>> new, old = rng.random(200) < 0.85, rng.random(200) < 0.55
    >>> pair = PairedScores(first=new, second=old, design="holdout")
    >>> slices = pair.slices(["en", "fr"] * 100)
    >>> found = side_by_side({name: compare(part) for name, part in slices.items()}, by="language",
    ...                      whole=compare(pair))
    >>> [(part.label, part.n, part.significant) for part in found.parts], found.same_winner
    ([('en', 100, True), ('fr', 100, True)], True)
    """
    significance = require_probability(significance, "significance")
    if not isinstance(results, Mapping) or not results:
        raise invalid("results", "a dict of comparisons", type(results).__name__)
    cautions = [Caution("left-out", f"Not compared: {left_out}.")] if str(left_out) else []
    alone = [_alone(name, result) for name, result in results.items()]
    adjusted = holm(np.array([part.pvalue for part in alone])).tolist()
    failed = holm(np.array([_fail_pvalue(result) for result in results.values()])).tolist()
    parts = [_decided(*one, significance) for one in zip(alone, adjusted, failed, strict=True)]
    return Parts(
        by=by,
        parts=tuple(parts),
        significance=significance,
        whole=whole,
        cautions=(*cautions, *getattr(whole, "cautions", ())),
        results=dict(results),
    )


def part_of(label: str, result: Any, significance: float) -> Part:
    """Return one comparison as a part that is not corrected: the whole."""
    part = _alone(label, result)
    return _decided(part, part.pvalue, _fail_pvalue(result), significance)


def _decided(part: Part, good: float, bad: float, significance: float) -> Part:
    """Return a part with its corrected p-values; a gate passes or fails by them."""
    significant = is_significant(good, significance)
    outcome = part.outcome
    if outcome is not None:
        failed = is_significant(bad, significance)
        outcome = "pass" if significant else "fail" if failed else "cannot tell"
    return replace(part, adjusted=good, significant=significant, outcome=outcome)


def _fail_pvalue(result: Any) -> float:
    """Return the p-value by which a gate fails; comparisons have none."""
    return float(getattr(result, "fail_pvalue", 1.0))


def _alone(label: str, result: Any) -> Part:
    """Return a comparison, a finding or a gate as a part, before any correction."""
    part = partial(Part, label=str(label), adjusted=1.0, significant=False)
    if hasattr(result, "sight"):
        return part(
            names=result.names,
            n=result.n,
            first=result.means[0],
            second=result.means[1],
            difference=result.difference,
            interval=result.interval,
            pvalue=result.pass_pvalue,
            visible=abs(result.sight.visible),
            outcome="cannot tell",
        )
    if not isinstance(result, Finding | Comparison):
        raise invalid("results", "comparisons, findings or gates", type(result).__name__)
    gap = result if isinstance(result, Finding) else result.difference
    interval = gap.confidence_interval(_USUAL)
    reach = 1 + float(special.ndtri(_OFTEN) / special.ndtri(0.5 + _USUAL / 2))
    return part(
        names=result.names,
        n=result.evidence.n,
        first=result.means[0],
        second=result.means[1],
        difference=gap.estimate,
        interval=interval,
        pvalue=result.evidence.pvalue,
        visible=(interval.high - interval.low) / 2 * reach,
        again=None if result.replication is None else result.replication.probability,
    )
