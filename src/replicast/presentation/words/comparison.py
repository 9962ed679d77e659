"""One comparison in plain words: verdict first, then the number, the reason, and what to do."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replicast.comparison.records import Comparison
from replicast.design import describe_design
from replicast.errors import invalid, require_instance, require_sequence
from replicast.formatting import (
    format_count,
    format_df,
    format_difference,
    format_effect,
    format_number,
    format_percent,
    format_pvalue,
)
from replicast.inference.methods import METHODS
from replicast.replication.records import Plan, Replication
from replicast.results import Interval, PosteriorResult, SignificanceResult
from replicast.scores import PairedScores


@dataclass(frozen=True)
class Row:
    """One line of the evidence table: what, how much, and what it means."""

    label: str
    value: str
    remark: str = ""


@dataclass(frozen=True)
class Narrative:
    """A comparison in words; the command line, reports and pages only arrange it."""

    title: str
    verdict: str
    replication: str
    reason: str
    rows: tuple[Row, ...]
    outlook: str
    cautions: tuple[str, ...]

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """What comes before the table: verdict, replication and reason, where there are any."""
        lead = f"{self.verdict}\n{self.replication}".strip()
        return tuple(text for text in (lead, self.reason) if text)

    def __str__(self) -> str:
        from textwrap import fill

        parts = [self.title]
        for paragraph in self.paragraphs:
            parts += ["", *(fill(line, 80) for line in paragraph.splitlines())]
        parts.append("")
        wide = max(13, *(len(row.label) + 1 for row in self.rows)) if self.rows else 13
        parts += [f"  {row.label:<{wide}}{row.value:<32}{row.remark}".rstrip() for row in self.rows]
        if self.outlook:
            parts += ["", fill(self.outlook, 80)]
        parts += ["", *(fill(f"Caution: {text}", 80) for text in self.cautions)]
        return "\n".join(parts).rstrip()


def score_unit(scores: PairedScores) -> str:
    """Tell whether scores are fractions, percent, or something without points."""
    values = np.concatenate([scores.first, scores.second])
    if not scores.greater_is_better or values.min() < 0:
        return "score"
    if values.max() <= 1:
        return "fraction"
    return "percent" if values.max() <= 100 else "score"


def narrate(comparison: Comparison) -> Narrative:
    """Put a comparison into words.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, compare, narrate
    >>> first = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    >>> second = [0.90, 0.91, 0.90, 0.93, 0.90, 0.91, 0.90, 0.91, 0.92, 0.92]
    >>> pair = PairedScores(first=first, second=second, design=KFold(10), names=("svm", "nb"))
    >>> print(narrate(compare(pair)).verdict)
    svm scores 2.9 points higher than nb, and the difference is significant in this
    experiment (p = 0.001, corrected resampled t-test).
    """
    require_instance(comparison, Comparison, "comparison", "Make one with compare")
    scores = comparison.scores
    verdict, reason = _verdict(comparison)
    differ = bool((scores.differences != 0).any())
    open_question = differ and comparison.verdict.outcome != "equivalent"
    found = comparison.replication if open_question else None
    return Narrative(
        title=_title(scores),
        verdict=verdict,
        replication=fresh_data(found) if found else "",
        reason=" ".join(filter(None, (reason, optimism(found) if found else ""))),
        rows=_rows(comparison),
        outlook=outlook(comparison.outlook) if found else "",
        cautions=tuple(caution.text for caution in comparison.cautions),
    )


def fresh_data(found: Replication) -> str:
    """Answer the question users ask: would it hold on fresh data?"""
    if found.interval.high == 0:
        return "Would it happen again? It cannot: no such repeat can be significant."
    low, high = (_hundredths(limit) for limit in found.interval)
    too = " too" if found.first_significant else ""
    return (
        f"Would it happen again? {about(found.probability)} repeats on fresh data would be significant "
        f"this way{too}{ends(found)}; this one result cannot tell {low} from {high}."
    )


def about(probability: float) -> str:
    """Begin a sentence with a chance: `About 44 in 100`, but `Over 99 in 100`."""
    chance = _hundredths(probability)
    return f"About {chance} in 100" if chance[0].isdigit() else f"{chance.capitalize()} in 100"


def _hundredths(probability: float) -> str:
    return format_percent(probability).removesuffix("%")


def ends(found: Replication) -> str:
    """Say beside a chance what it is for the other relations the two may have.

    Whoever said nothing sees both ends; an estimator of its own has none.
    """
    if found.estimator not in ("calibrated", "empirical-bayes"):
        return ""
    close, wide = (_hundredths(p) for p in (found.by_relation.close, found.by_relation.any))
    match found.relation:
        case _ if close == wide:
            return ", whether they are close rivals or any two"
        case "close":
            return f" if they are close rivals ({wide} if any two)"
        case "any":
            return f" if they are any two ({close} if close rivals)"
        case _:
            return f" ({close} if they are close rivals, {wide} if any two)"


_JUST_SIGNIFICANT = 0.02


def optimism(found: Replication) -> str:
    """Say why the estimate lies below the published formula, where it does."""
    if not found.first_significant or found.interval.high == 0:
        return ""
    words = ""
    if found.first_pvalue > _JUST_SIGNIFICANT and found.probability < 0.5:
        words = (
            f"A p-value just below {found.significance:g} says little: results like this one are "
            "significant again less than half the time. "
        )
    if found.as_published - found.probability > 0.05:
        words += (
            "Taking the observed effect for the truth would say "
            f"{format_percent(found.as_published)}; that is optimistic for a result picked because "
            "it was significant."
        )
    return words.strip()


def outlook(larger: Sequence[Replication]) -> str:
    """Say what would raise the chance, and to what."""
    if not larger or larger[-1].interval.high == 0:
        return ""
    steps = [
        f"{describe_larger(item)} → about {format_percent(item.probability)} "
        f"[{' to '.join(format_percent(limit) for limit in item.interval)}]"
        for item in larger
    ]
    return f"A larger repeat, by forecast: {'; '.join(steps)}."


def describe_larger(item: Replication) -> str:
    """Say how a larger replication differs from the first experiment."""
    data = f"{item.data_factor:g} times the data"
    if item.target_design == item.design:
        return data
    words = describe_design(item.target_design)
    return f"{words} on {data}" if item.data_factor != 1 else words


def replication_rows(found: Replication) -> tuple[Row, ...]:
    """Return the table lines of a replication probability, and of the values beside it."""
    low, high = (format_percent(limit) for limit in found.interval)
    level = format_percent(found.confidence)
    ours = "" if found.estimator == "calibrated" else f", {found.estimator}"
    return (
        Row(
            "replication",
            f"{format_percent(found.probability)}  [{low}, {high}]",
            f"{level} range; relation {found.relation}{ours}",
        ),
        Row(
            "by relation",
            f"{format_percent(found.by_relation.close)} / {format_percent(found.by_relation.any)}",
            "close rivals / any two",
        ),
        Row(
            "Berrar 2024",
            format_percent(found.as_published),
            "takes the observed effect for the truth",
        ),
    )


def narrate_replication(
    found: Replication, required: Sequence[tuple[float, float | None]] = ()
) -> Narrative:
    """Put a replication probability into words.

    `required` pairs a wanted probability with the p-value that gives it, None if none does.
    """
    require_instance(found, Replication, "found")
    for pair in require_sequence(required, "required", 0):
        if len(require_sequence(pair, "required", 2)) != 2:
            raise invalid("required", "pairs of a probability and a p-value", pair)
    status = "significant" if found.first_significant else "not significant"
    first = f"{format_pvalue(found.first_pvalue)}, {status} at {found.significance:g}"
    rows = [
        Row("first result", first, describe_design(found.design)),
        *replication_rows(found),
        Row(
            "direction",
            format_percent(found.direction_probability),
            f"that {found.better} really is better",
        ),
    ]
    for wanted, pvalue in required:
        shown = "no p-value is enough" if pvalue is None else format_pvalue(pvalue, digits=4)
        rows.append(Row(f"for {wanted:.0%}", shown, "needed in this design"))
    if found.spread is not None:
        rows.append(Row("s*", format_number(found.spread.value), found.spread.source))
    target = (
        ""
        if found.target_design == found.design and found.data_factor == 1
        else describe_larger(found)
    )
    return Narrative(
        title=f"Chance of replication{f', repeated with {target}' if target else ''}",
        verdict="",
        replication=fresh_data(found),
        reason=optimism(found),
        rows=tuple(rows),
        outlook="",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def narrate_plan(found: Plan) -> Narrative:
    """Put a plan into words."""
    require_instance(found, Plan, "found", "Make one with plan")
    times, shown = found.unit != found.vary, _milestones(found)
    return Narrative(
        title=f"What does a chance of replication of {format_percent(found.probability)} take?",
        verdict=str(found),
        replication="",
        reason="",
        rows=tuple(
            Row(
                f"{amount:.3g}" if times else format_count(round(amount)),
                format_percent(chance),
                found.unit,
            )
            for amount, chance in shown
        ),
        outlook=f"{found.model} model, {found.estimator}; limit with endless "
        f"{'data' if times else found.vary}: {format_percent(found.limit)}.",
        cautions=tuple(caution.text for caution in found.cautions),
    )


def _milestones(found: Plan) -> list[tuple[float, float]]:
    """Pick five settings of the curve, the first and the last among them."""
    every = np.unique(np.linspace(0, len(found.amounts) - 1, 5).round().astype(int))
    return [(found.amounts[i], found.probabilities[i]) for i in every]


def _title(scores: PairedScores) -> str:
    place = f" on {scores.dataset}" if scores.dataset not in (None, "all") else ""
    first, second = scores.names
    return f"{first} against {second}{place} ({describe_design(scores.design)})"


def leader(comparison: Comparison) -> tuple[str, str]:
    """Return the classifier the evidence favours and the other one."""
    first, second = comparison.scores.names
    return (first, second) if comparison.evidence.lead >= 0 else (second, first)


def _lead(comparison: Comparison) -> str:
    """Say who leads and by how much, in the direction of the evidence."""
    better, worse = leader(comparison)
    mean = comparison.difference.estimate
    unit = score_unit(comparison.scores)
    towards = "higher" if comparison.scores.greater_is_better else "lower"
    if np.sign(mean) == np.sign(comparison.evidence.lead):
        amount = format_difference(abs(mean), unit)
        return f"{better} scores {amount} {towards} than {worse}"
    return f"{better} scores {towards} than {worse} more often than not"


def _verdict(comparison: Comparison) -> tuple[str, str]:
    evidence = comparison.evidence
    if (comparison.scores.differences == 0).all():
        first, second = comparison.scores.names
        return f"{first} and {second} have the same score everywhere: there is no difference.", ""
    if isinstance(evidence, PosteriorResult):
        return _posterior_verdict(evidence)
    title = METHODS[evidence.method].title
    proof = f"({format_pvalue(evidence.pvalue)}, {title})"
    effect = f"{comparison.effect.symbol} = {format_effect(abs(comparison.effect.estimate))}"
    size = comparison.effect.label or ""
    chance = _chance(comparison)
    match comparison.verdict.group:
        case 1:
            return (
                f"{_lead(comparison)}, and the difference is significant in this experiment {proof}.",
                "",
            )
        case 4:
            return (
                f"{_lead(comparison)}, and the difference is significant in this experiment {proof}, "
                f"but the effect is {size} ({effect}).",
                "The difference is probably real, and may be too small to matter. Judge it by its "
                "size, not by its p-value.",
            )
        case 3:
            return (
                f"No significant difference {proof}, but the effect is {size} ({effect}){chance}.",
                "This is not evidence that they are equal; it is too little data to tell.",
            )
        case _:
            return (
                f"No significant difference {proof}, and the effect is {size} ({effect}).",
                "This is not evidence that they are equal: a real difference of this size would "
                f"be found {_found(comparison)} of the time.",
            )


def _posterior_verdict(evidence: PosteriorResult) -> tuple[str, str]:
    first, second = evidence.names
    within = (
        f", {format_percent(evidence.equivalent)} that they differ by at most {evidence.rope:g}"
    )
    return (
        f"The probability that {first} is better is {format_percent(evidence.first_better)}; that "
        f"{second} is, {format_percent(evidence.second_better)}{within if evidence.rope else ''}.",
        "",
    )


def _chance(comparison: Comparison) -> str:
    chance = format_percent(comparison.power.power)
    return f", and the chance of the test to see it was {chance}"


def _found(comparison: Comparison) -> str:
    return format_percent(comparison.power.found)


def _interval_text(interval: Interval, unit: str) -> str:
    if not np.isfinite(interval.low) or not np.isfinite(interval.high):
        return "too few scores for a 95% interval"
    low = format_difference(interval.low, unit).removesuffix(" points")
    return f"95% interval {low} to {format_difference(interval.high, unit)}"


def _rows(comparison: Comparison) -> tuple[Row, ...]:
    evidence = comparison.evidence
    unit = score_unit(comparison.scores)
    rows = [
        Row(
            "difference",
            format_difference(comparison.difference.estimate, unit),
            _interval_text(comparison.difference.confidence_interval(), unit),
        ),
        _evidence_row(evidence),
        Row(
            "effect",
            f"{comparison.effect.symbol} = {format_effect(comparison.effect.estimate)}  "
            f"{comparison.effect.label}",
            "Cohen's cut-offs",
        ),
        Row("power", format_percent(comparison.power.power), "if this were the true difference"),
    ]
    if comparison.replication is not None:
        rows.extend(replication_rows(comparison.replication))
    return tuple(rows)


def _evidence_row(evidence: SignificanceResult | PosteriorResult) -> Row:
    method = METHODS[evidence.method]
    if isinstance(evidence, PosteriorResult):
        return Row(
            "evidence",
            f"{format_percent(evidence.first_better)} / "
            f"{format_percent(evidence.equivalent)} / "
            f"{format_percent(evidence.second_better)}",
            method.title,
        )
    shown = method.counts.format(
        n=evidence.n, **{key: int(count) for key, count in evidence.details.items()}
    )
    if method.symbol:
        shown = f"{method.symbol} = {format_number(evidence.statistic)}"
        if evidence.df is not None:
            shown += f", {format_df(evidence.df)}"
    exact = " (exact)" if evidence.exactness in ("exact", "mid-p") else ""
    return Row("evidence", f"{shown}, {format_pvalue(evidence.pvalue)}", f"{method.title}{exact}")
