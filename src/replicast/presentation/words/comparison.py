"""One comparison in plain words: verdict first, then the number, the reason, and what to do."""

from collections.abc import Sequence

import numpy as np

from replicast.comparison.records import Comparison, Region
from replicast.design import describe_design
from replicast.errors import require_instance
from replicast.formatting import (
    decimals,
    format_df,
    format_difference,
    format_number,
    format_percent,
    format_pvalue,
    format_score,
    format_signed,
)
from replicast.inference.methods import METHODS
from replicast.presentation.words.narrative import Narrative, Row
from replicast.presentation.words.replication import fresh_data, optimism, outlook, replication_rows
from replicast.presentation.words.sizes import (
    equivalence,
    region_width,
    size_rows,
    size_words,
    tests_of_equivalence,
)
from replicast.reading.vocabulary.units import score_unit
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication
from replicast.results import (
    Caution,
    Effect,
    PosteriorResult,
    SignificanceResult,
    is_significant,
)
from replicast.scores.pairs import PairedScores


def narrate(comparison: Comparison) -> Narrative:
    """Put a comparison into words.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, compare, narrate
    >>> first = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    >>> second = [0.90, 0.91, 0.90, 0.93, 0.90, 0.91, 0.90, 0.91, 0.92, 0.92]
    >>> pair = PairedScores(first=first, second=second, design=KFold(10), names=("svm", "nb"))
    >>> print(narrate(compare(pair)).verdict)
    svm 93.9%, nb 91.0%: 2.9 points ahead [1.5, 4.3], significant in this experiment
    (p = 0.001, corrected resampled t-test).
    """
    require_instance(comparison, Comparison, "comparison", "Make one with compare")
    scores = comparison.scores
    verdict, reason = _verdict(comparison)
    found = open_question(comparison)
    return Narrative(
        title=_title(scores),
        verdict=verdict,
        replication=fresh_data(found, twin_of(comparison))
        if found and found.interval.high > 0
        else "",
        reason=" ".join(filter(None, (reason, _picked(comparison, found)))),
        rows=_rows(comparison),
        outlook=outlook(comparison.outlook) if found else "",
        cautions=_texts(comparison.cautions, but_once="cannot-be-significant"),
    )


def open_question(comparison: Comparison) -> Replication | None:
    """Return the chance of replication, unless the two are the same or equivalent."""
    differ = bool((comparison.scores.differences != 0).any())
    return comparison.replication if differ and comparison.verdict.outcome != "equivalent" else None


def twin_of(comparison: Comparison) -> str:
    """Name the test by which repeats are judged where the evidence is a posterior."""
    if comparison.replication is None or isinstance(comparison.evidence, SignificanceResult):
        return ""
    found = comparison.replication
    return f" by the {MODELS[found.model].titled(found.design)}"


def _picked(comparison: Comparison, found: Replication | None) -> str:
    """Say why the chance is below the published one; a posterior is not picked by a p-value."""
    if found is None or isinstance(comparison.evidence, PosteriorResult):
        return ""
    return optimism(found)


def _texts(cautions: Sequence[Caution], but_once: str) -> tuple[str, ...]:
    """Return the sentences of cautions; of those about one thing, the first alone."""
    alike = [caution for caution in cautions if caution.code == but_once]
    return tuple(caution.text for caution in cautions if caution not in alike[1:])


def _title(scores: PairedScores) -> str:
    place = f" on {scores.dataset}" if scores.dataset not in (None, "all") else ""
    first, second = scores.names
    return f"{first} against {second}{place} ({describe_design(scores.design)})"


def leader(comparison: Comparison) -> tuple[str, str]:
    """Return the classifier the evidence favours and the other one."""
    first, second = comparison.scores.names
    lead = comparison.evidence.lead or comparison.difference.estimate
    return (first, second) if lead >= 0 else (second, first)


def _lead(comparison: Comparison) -> str:
    """Say who leads and by how much, in the direction of the evidence."""
    better, worse = leader(comparison)
    towards = "higher" if comparison.scores.greater_is_better else "lower"
    if comparison.difference.estimate * comparison.evidence.lead >= 0:
        return f"{both_scores(comparison)}: {_ahead(comparison)}"
    return f"{better} scores {towards} than {worse} more often than not"


def both_scores(comparison: Comparison) -> str:
    """Say what each of the two scores on average, the leader first."""
    scores = comparison.scores
    means = {
        name: float(values.mean())
        for name, values in zip(scores.names, (scores.first, scores.second), strict=True)
    }
    digits = _decimals(comparison)
    shown = [
        f"{name} {format_score(means[name], score_unit(scores), digits)}"
        for name in leader(comparison)
    ]
    return f"{', '.join(shown)}{'' if scores.greater_is_better else ' (lower is better)'}"


def _decimals(comparison: Comparison) -> int:
    """Return how many decimals the interval of the difference deserves; percentages have one."""
    unit = score_unit(comparison.scores)
    factor = 100 if unit == "fraction" else 1
    low, high = (factor * limit for limit in comparison.difference.confidence_interval())
    return decimals(low, high) if unit == "score" else max(decimals(low, high), 1)


def _ahead(comparison: Comparison) -> str:
    """Say by how much the leader leads, with the interval."""
    unit = score_unit(comparison.scores)
    mean, (low, high) = comparison.difference.estimate, comparison.difference.confidence_interval()
    lead = _in_points(abs(mean), comparison)
    limits = (low, high) if mean >= 0 else (-high, -low)
    shown = ", ".join(_in_points(limit, comparison) for limit in limits)
    of = f" {whose_interval(comparison)}" if _parted(comparison) else ""
    bounded = f" [{shown}{of}]" if _has_interval(comparison) else ""
    return f"{lead}{'' if unit == 'score' else ' points'} ahead{bounded}"


def _has_interval(comparison: Comparison) -> bool:
    """Say whether anything bounds the difference: neither too few scores do nor equal differences."""
    low, high = comparison.difference.confidence_interval()
    return bool(np.isfinite(high - low) and high > low)


def whose_interval(comparison: Comparison) -> str:
    """Say whose interval stands beside a test that has another or none; nothing if it is its own."""
    kind, evidence = comparison.difference.kind, comparison.evidence
    if isinstance(evidence, PosteriorResult):
        return ""
    if kind == "accuracy-difference":
        return "by Bonett and Price"
    if kind == "mean-difference" and not _is_own(comparison.difference, evidence):
        overlap = comparison.scores.design.shares_training
        return "corrected for overlap" if overlap else "for the mean, by t"
    return "two-sided" if _sides(evidence) else ""


def _is_own(difference: Effect, evidence: SignificanceResult) -> bool:
    """Say whether the interval of a difference is that of the test."""
    if evidence.interval_rule is None:
        return False
    return np.allclose(difference.confidence_interval(), evidence.confidence_interval())


def _parted(comparison: Comparison) -> bool:
    """Say whether test and interval disagree about 0: they are two methods then."""
    low, high = comparison.difference.confidence_interval()
    significant = bool(comparison.verdict.significant)
    return bool(whose_interval(comparison)) and significant == (low <= 0 <= high)


def _sides(evidence: SignificanceResult | PosteriorResult) -> str:
    """Say before a p-value that it is of one side."""
    return "" if getattr(evidence, "alternative", "two-sided") == "two-sided" else "one-sided "


def _in_points(value: float, comparison: Comparison) -> str:
    factor = 100 if score_unit(comparison.scores) == "fraction" else 1
    return format_signed(factor * value, _decimals(comparison))


def _between(comparison: Comparison) -> str:
    """Write the limits of the difference."""
    low, high = (
        _in_points(limit, comparison) for limit in comparison.difference.confidence_interval()
    )
    return f"{low} to {high}{'' if score_unit(comparison.scores) == 'score' else ' points'}"


def _verdict(comparison: Comparison) -> tuple[str, str]:
    evidence = comparison.evidence
    alike = bool((comparison.scores.differences == 0).all())
    same = f"{' and '.join(comparison.scores.names)} have the same score everywhere"
    if isinstance(evidence, PosteriorResult) and not alike:
        return _posterior_verdict(comparison, evidence)
    if isinstance(evidence, SignificanceResult) and comparison.verdict.outcome == "equivalent":
        told = f"{equivalence(comparison)} in this experiment ({tests_of_equivalence(comparison)})"
        return f"{same if alike else both_scores(comparison)}: {told}.", ""
    if alike:
        return f"{same}: nothing here tells them apart.", ""
    title = METHODS[evidence.method].titled(evidence.design)
    proof = f"({_sides(evidence)}{format_pvalue(evidence.pvalue)}, {title})"
    size = size_words(comparison)
    if "cannot-be-significant" in {caution.code for caution in comparison.cautions}:
        return (
            f"{_lead(comparison)}, but {undecidable(comparison)} {proof}.",
            "",
        )
    if is_undirected(comparison):
        return (
            f"{both_scores(comparison)}: the test cannot say who is better. It rejects every mean "
            f"difference {proof}, since the runs disagree more than the folds of each.",
            "",
        )
    match comparison.verdict.case:
        case "relevant" | "significant and sizeable":
            return (
                f"{_lead(comparison)}, significant in this experiment {proof}.",
                "",
            )
        case "significant but small":
            return (
                f"{_lead(comparison)}, significant in this experiment {proof}, but {size}.",
                "The difference may be too small to matter. Judge it by its size, not by its p-value.",
            )
        case "not significant but sizeable":
            return (
                f"{both_scores(comparison)}: no significant difference in this experiment {proof}, but "
                f"{size}.",
                f"{_what_fits(comparison)}this is not evidence that they are equal; it is too little "
                "data to tell.",
            )
        case _ if comparison.verdict.significant:  # nobody said which size matters
            return f"{_lead(comparison)}, significant in this experiment {proof}.", ""
        case _:
            return (
                f"{both_scores(comparison)}: no significant difference in this experiment {proof}"
                f"{size and f', and {size}'}.",
                f"{_what_fits(comparison)}this is not evidence that they are equal.",
            )


def is_undirected(comparison: Comparison) -> bool:
    """Say whether a small p-value speaks for neither: F may reject every difference."""
    level = comparison.verdict.significance
    return not comparison.verdict.significant and is_significant(comparison.evidence.pvalue, level)


def undecidable(comparison: Comparison) -> str:
    """Say that so few scores can never be significant in this test."""
    count, kind = len(comparison.scores.differences), comparison.scores.design
    noun = "datasets" if kind.over_datasets else "scores"
    return f"{count} {noun} cannot decide in this test, whatever they show"


def _what_fits(comparison: Comparison) -> str:
    """Say which differences fit the scores, which tells more than the power of the test."""
    if not np.isfinite(comparison.difference.confidence_interval()).all():
        return "Too few scores to say which differences fit, so "
    if not _has_interval(comparison):
        return "Equal differences do not say which others fit, so "
    if _parted(comparison):
        other = f"an interval that is not the test's ({whose_interval(comparison)})"
        return f"Differences from {_between(comparison)} fit by {other}; the test decides, and "
    return f"Differences from {_between(comparison)} fit, so "


def _posterior_verdict(comparison: Comparison, evidence: PosteriorResult) -> tuple[str, str]:
    first, second = evidence.names
    better, worse = (format_percent(one) for one in (evidence.first_better, evidence.second_better))
    last = f" that {second} is better, {worse}"
    if evidence.rope:
        width = region_width(comparison, Region(width=evidence.rope, source="named"))
        within = f" and that they differ by at most {width}, {format_percent(evidence.equivalent)}"
        last = f" that {second} is better, {worse};{within}"
    level = comparison.verdict.significance
    told = f"The probability that {first} is better is {better};{last}."
    if comparison.verdict.outcome == "equivalent":
        return (
            told,
            f"They are {equivalence(comparison)}: that takes more than {100 * (1 - level):g}%.",
        )
    return (
        told,
        f"One of them is called better above {100 * (1 - level / 2):g}%, the rule of a two-sided test "
        f"at {level:g}.",
    )


def _interval_text(comparison: Comparison) -> str:
    if not np.isfinite(comparison.difference.confidence_interval()).all():
        few = len(comparison.scores.differences) < 3
        return "too few scores for a 95% interval" if few else "these scores give no 95% interval"
    if not _has_interval(comparison):
        return "no spread, so no 95% interval"
    kind = {"corrected for overlap": "corrected ", "for the mean, by t": "t "}
    parted = _parted(comparison) or comparison.scores.design.shares_training
    whose = kind.get(whose_interval(comparison), "") if parted else ""
    return f"95% {whose}interval {_between(comparison)}"


def _rows(comparison: Comparison) -> tuple[Row, ...]:
    evidence = comparison.evidence
    rows = [
        Row(
            "difference",
            _difference(comparison),
            _interval_text(comparison),
        ),
        *_evidence_rows(evidence),
        *size_rows(comparison),
        Row(
            "power",
            format_percent(comparison.power.power),
            power_of(comparison),
        ),
    ]
    if found := open_question(comparison):
        rows.extend(replication_rows(found))
    return tuple(rows)


def power_of(comparison: Comparison) -> str:
    """Say for which truth the power is: the difference seen, of normal scores where there are such."""
    over_datasets = comparison.scores.design.over_datasets
    normal = over_datasets and comparison.power.approach != "exact"
    return "for normal differences of this size" if normal else "either way, if this were the truth"


def _difference(comparison: Comparison) -> str:
    """Write the difference, first minus second, with the decimals of its interval."""
    value, unit = comparison.difference.estimate, score_unit(comparison.scores)
    if not np.isfinite(value):
        return format_difference(value, unit)
    return f"{_in_points(value, comparison)}{'' if unit == 'score' else ' points'}"


def _evidence_rows(evidence: SignificanceResult | PosteriorResult) -> tuple[Row, ...]:
    method = METHODS[evidence.method]
    if isinstance(evidence, PosteriorResult):
        return (
            Row(
                "evidence",
                f"{format_percent(evidence.first_better)} / "
                f"{format_percent(evidence.equivalent)} / "
                f"{format_percent(evidence.second_better)}",
                method.title,
            ),
        )
    shown = method.counts.format(
        n=evidence.n, **{key: int(count) for key, count in evidence.details.items()}
    )
    if method.symbol:
        shown = f"{method.symbol} = {format_number(evidence.statistic)}"
        if evidence.design.seeds and evidence.design.has_split:
            return _seed_rows(evidence, shown, method.title)
        if evidence.df is not None:
            shown += f", {format_df(evidence.df)}"
    exact = " (exact)" if evidence.exactness in ("exact", "mid-p") else ""
    told = f"{shown}, {format_pvalue(evidence.pvalue)}"
    sides = ", one-sided" if _sides(evidence) else ""
    return (Row("evidence", told, f"{method.titled(evidence.design)}{exact}{sides}"),)


def _seed_rows(evidence: SignificanceResult, shown: str, title: str) -> tuple[Row, ...]:
    """Tell the p that allows for the split from that of t over seeds, which papers report."""
    rows = (Row("evidence", format_pvalue(evidence.pvalue), title),)
    alone = evidence.details.get("pvalue_of_seeds_alone")
    if alone is None:
        return rows
    told = f"{shown}, {format_pvalue(alone)}"
    return (*rows, Row("seeds alone", told, "what papers report; ignores the split"))
