"""Two models by AUC, F1 or another measure of all cases, or by every seed on every case."""

from collections.abc import Sequence

from replicast.comparison.finding import Finding
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import (
    again_rows,
    chance_sentence,
    expect_rows,
    how_computed,
    number_rows,
    of_hundred,
    record_rows,
)
from replicast.presentation.words.scales import Scale, hundred


def tell_finding(found: Finding, account: Sequence[str] = ()) -> Document:
    """Tell what was found about two models by a measure of all cases."""
    scale = Scale.of(found.unit, found.confidence_interval())
    ahead, behind = _by_lead(found)
    lower = "" if found.greater_is_better else "lower is better; "
    amount, proof = scale.bounded(abs(found.estimate), _lead(found)), format_pvalue(found.pvalue)
    headline, remark = f"{ahead} is better than {behind} by {amount}", f"{lower}{proof}"
    so: tuple[Row, ...] = ()
    if not found.significant:
        headline = f"No clear difference between {ahead} and {behind}"
        remark = f"{lower}{amount}, {proof}"
        so = (Row("so", f"not proof that they are equal: {scale.between(_lead(found))} all fit"),)
    again = found.replication
    interval = f"95% interval {scale.between(found.confidence_interval())}"
    statistic = f"{'z' if found.df is None else 't'} = {format_number(found.statistic)}, {proof}"
    return Document(
        result=found,
        headline=headline,
        lines=(
            Row(found.measure, " and ".join(_scores(found, scale)), remark),
            *so,
            *_again(found),
            *expect_rows(again, scale, turned=found.estimate < 0),
            *record_rows(again),
        ),
        cautions=ranked(found.cautions),
        read=f"{found.measure}, {_cases(found)}",
        rows=(
            Row("difference", scale.difference(found.estimate), interval),
            Row("evidence", statistic, _way(found)),
            *number_rows(again),
        ),
        how=(f"Test: {_way(found)}, {_cases(found)}.", *how_computed(again)),
        account=tuple(account),
        quote=_quote(found, scale),
    )


def _by_lead(found: Finding) -> tuple[str, str]:
    """Return both names, whoever is ahead first."""
    first, second = found.names
    return (first, second) if found.estimate >= 0 else (second, first)


def _scores(found: Finding, scale: Scale) -> tuple[str, str]:
    """Return both scores, that of whoever is ahead first."""
    first, second = scale.score(found.first), scale.score(found.second)
    return (first, second) if found.estimate >= 0 else (second, first)


def _lead(found: Finding) -> tuple[float, float]:
    """Return the limits of the lead: those of the difference, seen from whoever is ahead."""
    low, high = found.confidence_interval()
    return (low, high) if found.estimate >= 0 else (-high, -low)


def _again(found: Finding) -> tuple[Row, ...]:
    """Return the lines about repeats: of these tasks and on others, and of one run against another."""
    rows = list(again_rows(found.replication))
    if found.other_tasks is not None:
        rows.append(Row("others", of_hundred(found.other_tasks), "on as many other tasks"))
    if found.improvement is not None:
        ends = [found.improvement.estimate, *found.improvement.confidence_interval()]
        if found.estimate < 0:
            ends = [1 - ends[0], 1 - ends[2], 1 - ends[1]]
        ahead, behind = _by_lead(found)
        chance, *limits = (hundred(end) for end in ends)
        share = f"{chance} of 100 [{', '.join(limits)}]"
        rows.append(Row("a run", share, f"runs of {ahead} beat one of {behind}", spare=True))
    return tuple(rows)


def _cases(found: Finding) -> str:
    if found.way == "seeds" and found.seeds is not None:
        return f"{found.seeds[0]} seeds on each of {len(found.weights)} fixed tasks"
    if found.design.overlap:
        return found.design.words
    unit = "folds" if found.way == "fixed" and not found.design.of_cases else "cases"
    cases = f"{found.n} {unit}"
    if found.clusters is not None:
        cases += f" in {found.clusters} clusters"
    if found.weights:
        cases += f" of {len(found.weights)} tasks with fixed weights"
    if found.seeds is None:
        return cases
    one, other = found.seeds
    return f"{one if one == other else f'{one} and {other}'} seeds on {cases}"


def _way(found: Finding) -> str:
    if found.seed_share is not None:
        share = format_percent(found.seed_share)
        return f"{found.test}, {share} of the variance is due to seeds"
    return found.test + (f", {found.resamples:,} resamples" if found.resamples else "")


def _quote(found: Finding, scale: Scale) -> str:
    (ahead, behind), (best, other) = _by_lead(found), _scores(found, scale)
    verb = "outperformed" if found.significant else "did not differ significantly from"
    by = f"{'by' if found.significant else 'at'} {scale.difference(abs(found.estimate))}"
    chance = "" if found.replication is None else f" {chance_sentence(found.replication)}"
    return (
        f"{ahead} ({found.measure} {best}) {verb} {behind} ({other}) {by} (95% interval "
        f"{scale.between(_lead(found))}, {_way(found)}, {format_pvalue(found.pvalue)}, "
        f"{_cases(found)}).{chance}"
    )
