"""Two models by a measure of all cases, in plain words."""

from replicast.comparison.finding import Finding
from replicast.errors import require_instance
from replicast.formatting import (
    decimals,
    format_number,
    format_pvalue,
    format_score,
    format_signed,
)
from replicast.presentation.words.narrative import Narrative, Row
from replicast.presentation.words.replication import fresh_data, optimism, replication_rows
from replicast.reading.vocabulary.units import unit_of


def narrate_measure(found: Finding) -> Narrative:
    """Put a comparison by AUC, F1 or another measure into words.

    Examples
    --------
    >>> from replicast import compare_measure, narrate_measure
    >>> truth, one = [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.3, 0.7, 0.2]
    >>> found = compare_measure("auc", truth, one, [0.6, 0.4, 0.7, 0.5, 0.3, 0.8])
    >>> print(narrate_measure(found).verdict)
    first has auc 88.9%, second 55.6%: no significant difference in this experiment (p = 0.439).
    """
    require_instance(found, Finding, "found", "Make one with compare_measure")
    first, second = found.names
    cases = f"{found.n} cases"
    if found.clusters is not None:
        cases += f" in {found.clusters} clusters"
    if found.weights:
        cases += f" of {len(found.weights)} tasks with fixed weights"
    if found.seeds is not None:
        cases += f", {found.seeds[0]} and {found.seeds[1]} seeds"
    way = found.test
    way += f", {found.resamples:,} resamples" if found.resamples else ""
    again = found.replication
    symbol = "z" if found.df is None else "t"
    return Narrative(
        title=f"{first} against {second} ({found.measure}, {cases})",
        verdict=_verdict(found),
        replication="" if again is None else fresh_data(again),
        reason="" if again is None else optimism(again),
        rows=(
            Row("difference", f"{_points(found, found.estimate)}{_noun(found)}",
                f"95% interval {_between(found, ' to ')}{_noun(found)}"),
            Row("evidence", f"{symbol} = {format_number(found.statistic)}, "
                f"{format_pvalue(found.pvalue)}", way),
            *(() if again is None else replication_rows(again)),
        ),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )  # fmt: skip


def _verdict(found: Finding) -> str:
    """Say who is ahead and by how much, the leader first, as any comparison does."""
    both = dict(zip(found.names, (found.first, found.second), strict=True))
    ahead, behind = found.names if found.estimate >= 0 else found.names[::-1]
    scores = [format_score(both[name], _unit(found), _digits(found)) for name in (ahead, behind)]
    lower = (found.first - found.second) * found.estimate < 0
    said = f"{ahead} has {found.measure} {scores[0]}, {behind} {scores[1]}"
    said += " (lower is better)" if lower else ""
    outcome = "no significant difference"
    if found.significant:
        lead = f"{_points(found, abs(found.estimate))}{_noun(found)} ahead"
        outcome = f"{lead} [{_between(found, ', ', turned=found.estimate < 0)}], significant"
    return f"{said}: {outcome} in this experiment ({format_pvalue(found.pvalue)})."


def _unit(found: Finding) -> str:
    better = (found.first - found.second) * found.estimate >= 0
    return unit_of((found.first, found.second), found.measure, greater_is_better=better)


def _digits(found: Finding) -> int:
    """Return the decimals that the interval deserves; percentages have one."""
    unit = _unit(found)
    factor = 100 if unit == "fraction" else 1
    digits = decimals(*(factor * end for end in found.confidence_interval()))
    return digits if unit == "score" else max(digits, 1)


def _noun(found: Finding) -> str:
    return "" if _unit(found) == "score" else " points"


def _points(found: Finding, value: float) -> str:
    """Write a difference in points, or in the unit of the measure, with the interval's decimals."""
    return format_signed((100 if _unit(found) == "fraction" else 1) * value, _digits(found))


def _between(found: Finding, mark: str, *, turned: bool = False) -> str:
    low, high = found.confidence_interval()
    return mark.join(_points(found, end) for end in ((-high, -low) if turned else (low, high)))
