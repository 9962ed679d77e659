"""Two models by AUC, F1 or another measure of all cases, or by every seed on every case."""

from collections.abc import Sequence

from replicast.comparison.crossed import CrossedComparison
from replicast.comparison.measures import MeasureComparison
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import (
    again_rows,
    chance_sentence,
    expect_rows,
    how_computed,
    number_rows,
)
from replicast.presentation.words.scales import Scale
from replicast.reading.vocabulary.units import unit_of

_WAYS = {
    "delong": "DeLong's standard error",
    "bootstrap": "paired bootstrap",
    "fixed": "t-test of cases, tasks fixed",
}


def tell_measure(found: MeasureComparison, account: Sequence[str] = ()) -> Document:
    """Tell what was found about two models by a measure of all cases."""
    cases = f"{found.n} cases"
    if found.clusters is not None:
        cases += f" in {found.clusters} clusters"
    if found.weights:
        cases += f" of {len(found.weights)} tasks with fixed weights"
    way = _WAYS[found.way] + (f", {found.resamples:,} resamples" if found.resamples else "")
    return _tell(found, found.measure, cases, way, account)


def tell_crossed(found: CrossedComparison, account: Sequence[str] = ()) -> Document:
    """Tell what was found about two models by every seed on every case."""
    one, other = found.seeds
    seeds = f"{one} seeds" if one == other else f"{one} and {other} seeds"
    share = f"{format_percent(found.seed_share)} of the variance is due to seeds"
    return _tell(found, "score", f"{seeds} on {found.cases} cases", share, account)


def _tell(
    found: MeasureComparison | CrossedComparison,
    measure: str,
    cases: str,
    way: str,
    account: Sequence[str],
) -> Document:
    better = (found.first - found.second) * found.estimate >= 0
    unit = unit_of((found.first, found.second), measure, greater_is_better=better)
    limits = found.confidence_interval()
    scale = Scale.of(unit, limits)
    both = dict(zip(found.names, (found.first, found.second), strict=True))
    ahead, behind = found.names if found.estimate >= 0 else found.names[::-1]
    lead = limits if found.estimate >= 0 else (-limits.high, -limits.low)
    lower = "" if better else "lower is better; "
    means = " and ".join(scale.score(both[name]) for name in (ahead, behind))
    amount = scale.bounded(abs(found.estimate), lead)
    proof = format_pvalue(found.pvalue)
    again = found.replication
    symbol = "z" if found.df is None else "t"
    headline = f"No clear difference between {ahead} and {behind}"
    remark, so = f"{lower}{amount}, {proof}", [
        Row("so", f"not proof that they are equal: {scale.between(lead)} all fit")
    ]  # fmt: skip
    if found.significant:
        headline, remark, so = f"{ahead} is better than {behind} by {amount}", f"{lower}{proof}", []
    verb = "outperformed" if found.significant else "did not differ significantly from"
    chance = "" if again is None else f" {chance_sentence(again)}"
    return Document(
        result=found,
        headline=headline,
        lines=(
            Row(measure, means, remark),
            *so,
            *again_rows(again),
            *expect_rows(again, scale, turned=found.estimate < 0),
        ),
        cautions=ranked(found.cautions),
        read=f"{measure}, {cases}",
        rows=(
            Row("difference", scale.difference(found.estimate),
                f"95% interval {scale.between(limits)}"),
            Row("evidence", f"{symbol} = {format_number(found.statistic)}, {proof}", way),
            *number_rows(again),
        ),
        how=(f"Test: {way}, {cases}.", *how_computed(again)),
        account=tuple(account),
        quote=f"{ahead} ({measure} {scale.score(both[ahead])}) {verb} {behind} "
        f"({scale.score(both[behind])}) by {scale.difference(abs(found.estimate))} (95% interval "
        f"{scale.between(lead)}, {way}, {proof}, {cases}).{chance}",
    )  # fmt: skip
