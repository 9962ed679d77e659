"""Sentences to quote: a headline, a result line for a paper, and how it was computed."""

from collections.abc import Mapping
from typing import Any

from replicast.comparison.pair import decide
from replicast.comparison.records import Comparison
from replicast.design import describe_design, describe_repeat
from replicast.formatting import (
    AtMost,
    format_difference,
    format_effect,
    format_number,
    format_percent,
    format_pvalue,
)
from replicast.inference.methods import METHODS
from replicast.presentation.words.comparison import (
    is_undirected,
    leader,
    open_question,
    twin_of,
    undecidable,
)
from replicast.presentation.words.replication import (
    about,
    called,
    cannot_be_significant,
    describe_larger,
    doubt,
    ends,
)
from replicast.presentation.words.sizes import equivalence, size_line, tests_of_equivalence
from replicast.reading.vocabulary.units import score_unit
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication
from replicast.replication.reported import REPORTED, kind_of
from replicast.results import PosteriorResult

_UNITS = {
    "difference": "true differences in accuracy have standard deviations {mixture}",
    "angle": "true shares of the rank sum, as angles, have standard deviations {mixture}",
    "deviation": "true differences, in standard deviations of one, have standard deviations {mixture}",
    "signal": "signal-to-noise ratios have standard deviations {mixture}",
    "strength": "shares of wins are beta distributed with strengths {mixture}",
}


def headline(comparison: Comparison) -> str:
    """Say the verdict and its prospects in one line.

    Examples
    --------
    >>> from replicast import KFold, PairedScores, compare
    >>> first = [0.93, 0.95, 0.91, 0.96, 0.94, 0.92, 0.95, 0.93, 0.96, 0.94]
    >>> second = [0.90, 0.91, 0.90, 0.93, 0.90, 0.91, 0.90, 0.91, 0.92, 0.92]
    >>> pair = PairedScores(first=first, second=second, design=KFold(10), names=("svm", "nb"))
    >>> headline(compare(pair))
    'svm is ahead of nb. About 75 in 100 repeats on fresh data would be significant again; this one
    result cannot tell 9 from over 99.'
    """
    better, worse = leader(comparison)
    verdict = comparison.verdict
    if not comparison.scores.differences.any():
        first, second = comparison.scores.names
        return f"{first} and {second} score the same everywhere."
    if verdict.outcome == "equivalent":
        return f"{better} and {worse} are {equivalence(comparison)}."
    if verdict.outcome in ("first better", "second better"):
        found, prospects = comparison.replication, ""
        if found is not None and found.interval.high > 0:
            chance = about(found.probability)
            again = twin_of(comparison) or " again"
            prospects = (
                f" {chance} repeats {describe_repeat(found.design)} would be significant{again}"
                f"{doubt(found)}."
            )
        return f"{better} is ahead of {worse}.{prospects}"
    if "cannot-be-significant" in {caution.code for caution in comparison.cautions}:
        said = undecidable(comparison)
        return f"{said[:1].upper()}{said[1:]}."
    if verdict.significant is not None and is_undirected(comparison):
        return f"The runs disagree too much to say whether {better} or {worse} is better."
    if verdict.significant is None or verdict.case == "not significant but sizeable":
        return f"{better} may be ahead of {worse}: there is too little data to tell."
    return (
        f"No significant difference between {better} and {worse}, which does not make them equal."
    )


def result_line(comparison: Comparison) -> str:
    """Write the result as a paper reports it, with the chance of replication."""
    evidence = comparison.evidence
    better, worse = leader(comparison)
    scores = comparison.scores
    place = f" on {scores.dataset}" if scores.dataset not in (None, "all") else ""
    amount = format_difference(abs(comparison.difference.estimate), score_unit(scores))
    title = METHODS[evidence.method].titled(evidence.design)
    if isinstance(evidence, PosteriorResult):
        chance = max(evidence.first_better, evidence.second_better)
        what = f"{better} is better than {worse}"
        if comparison.verdict.outcome == "equivalent":
            what, chance = (
                f"{better} and {worse} are {equivalence(comparison)}",
                evidence.equivalent,
            )
        line = (
            f"The posterior probability that {what}{place} is "
            f"{format_percent(chance)} ({describe_design(scores.design)}, {title})."
        )
    elif comparison.verdict.outcome == "equivalent":
        first, second = scores.names
        inside = f"{describe_design(scores.design)}, {tests_of_equivalence(comparison)}"
        line = f"{first} and {second} were {equivalence(comparison)}{place} ({inside})."
    else:
        found = "outperformed" if comparison.verdict.significant else "did not differ from"
        first, second = (better, worse) if comparison.verdict.significant else tuple(scores.names)
        statistic = _statistic(comparison)
        inside = ", ".join(
            filter(None, (describe_design(scores.design), title, statistic,
                          format_pvalue(evidence.pvalue), _effect(comparison)))
        )  # fmt: skip
        by = f" by {amount}" if comparison.verdict.significant else " significantly"
        line = f"{first} {found} {second}{by}{place} ({inside})."
        if is_undirected(comparison):
            line = f"The test rejected every mean difference of {first} and {second}{place} ({inside})."
    again = open_question(comparison)
    return line if again is None else f"{line} {replication_line(again, twin_of(comparison))}"


def _statistic(comparison: Comparison) -> str:
    evidence = comparison.evidence
    symbol = METHODS[evidence.method].symbol
    if isinstance(evidence, PosteriorResult) or not symbol:
        return ""
    value = format_number(evidence.statistic)
    if evidence.df is None:
        return f"{symbol} = {value}"
    df = evidence.df if isinstance(evidence.df, tuple) else (evidence.df,)
    told = f"{symbol}({', '.join(f'{round(part, 2):g}' for part in df)}) = {value}"
    if evidence.design.seeds and evidence.design.has_split:  # p is not that of t alone
        return f"{told} over seeds alone; with the split"
    return told


def _effect(comparison: Comparison) -> str:
    effect = comparison.effect
    return f"{effect.symbol} = {format_effect(effect.estimate)}"


def replication_line(found: Replication, twin: str = "") -> str:
    """Say the chance of replication as a paper reports it; after a posterior by its `twin`."""
    if found.interval.high == 0:
        return cannot_be_significant(found)
    low, high = (format_percent(limit) for limit in found.interval)
    who = "" if found.estimator == "calibrated" else f"{found.estimator} "
    larger = found.target_design != found.design or found.data_factor != 1
    size = f" with {describe_larger(found)}" if larger else ""
    others = found.by_test or (found.by_relation if ends(found) else "")
    return (
        f"The {who}probability that a replication {describe_repeat(found.design)}{size} is significant "
        "in the same "
        f"direction{twin} is "
        f"{format_percent(found.probability)} ({100 * found.confidence:g}% range {low} to {high}"
        f"{f'; {others}' if others else ''}){_by_fresh_test(found)}."
    )


def _by_fresh_test(found: Replication) -> str:
    if found.by_fresh_test is None:
        return ""
    return f", {format_percent(found.by_fresh_test)} by a test that allows for the split"


def reported_line(given: Mapping[str, Any], found: Replication) -> str:
    """Repeat a result as a paper reports it, with its p-value, and say its chance of replication.

    `given` are the fields of `REPORTED` that said it.
    """
    row = REPORTED[kind_of(given)]
    shown = format_number(given[row.fields[0]])
    df = getattr(found.first_result.model, "df", (found.design.n_scores or 2) - 1)
    tied = f" and {given['ties']} ties" if given.get("ties") else ""
    typed = row.words.format(**{**given, "shown": shown, "df": f"{df:g}", "tied": tied})
    own = found.first_result.reported_pvalue
    pvalue = format_pvalue(found.first_pvalue if own is None else own)
    if isinstance(given.get("pvalue"), AtMost):
        pvalue = f"p < {given['pvalue']:g}, read as {given['pvalue']:g}"
    told = ", ".join(filter(None, (typed, pvalue)))
    first, second = (called(name) for name in found.names)
    line = f"{first} against {second}: {told} ({_design_and_test(found)})."
    if first not in found.names or first.startswith("the "):
        line = line[:1].upper() + line[1:]
    return f"{line} {replication_line(found)}"


_READ_AS = {
    "ordinary": "ordinary paired t-test; corrected for the overlap of training sets {pvalue}",
    "unknown": "t-test not named, read as the {corrected}",
}


def _design_and_test(found: Replication) -> str:
    """Name design and test of a reported result."""
    test = "t-test over seeds alone"
    if found.model in MODELS:
        test = MODELS[found.model].titled(found.design)
    if found.model == "sign" and found.design.over_datasets:
        return test
    if found.test in _READ_AS:
        test = _READ_AS[found.test].format(pvalue=format_pvalue(found.first_pvalue), corrected=test)
    return f"{describe_design(found.design)}, {test}"


def how_computed(found: Replication) -> tuple[str, ...]:
    """Say how a chance of replication was computed, and what other assumptions would say."""
    prior = found.prior
    parts = zip(prior.weights, prior.components, strict=True)
    mixture = ", ".join(f"{size:g} ({100 * weight:.2g}%)" for weight, size in parts)
    return (
        f"Replication: {found.definition}; {found.model} model; assumed: "
        f"{'; '.join(found.assumptions)}.",
        f"Relation {found.relation}: {_UNITS[prior.unit].format(mixture=mixture)}, as learned from "
        "published results (docs/track-record.md).",
        f"Other assumptions: a sceptic, who expects next to no difference, says "
        f"{format_percent(found.sceptic)}; a flat prior, to which every difference is equally "
        f"likely, {format_percent(found.flat)}; Berrar (2024), who takes the observed effect for "
        f"the truth, {format_percent(found.as_published)}.",
    )


def _level_holds(comparison: Comparison) -> str:
    """Say for what the level of a test on several runs of one dataset was measured to hold."""
    design = comparison.scores.design
    if design.runs == 1:
        return ""
    return (
        " Its level holds between learners; two sets of features compared by nearest neighbours or an "
        "SVM it calls different twice as often as it should, or more (docs/which-test.md)."
    )


def methods_text(comparison: Comparison) -> tuple[str, ...]:
    """Say how everything was computed, one sentence for each part, with references."""
    evidence = comparison.evidence
    method = METHODS[evidence.method]
    sides = "two" if getattr(evidence, "alternative", "two-sided") == "two-sided" else "one"
    level = comparison.verdict.significance
    lines = [
        f"Test: {method.titled(evidence.design)} ({method.reference}), level {level:g}, {sides}-sided."
        f"{_level_holds(comparison)}",
        size_line(comparison),
        f"Power: had the true effect been the observed one ({comparison.power.approach}); it is a "
        "function of the p-value, not new evidence.",
    ]
    if comparison.verdict.outcome == "equivalent" and comparison.verdict.region is not None:
        lines.append(f"Equivalence: two one-sided tests against {comparison.verdict.region}.")
    found = open_question(comparison)
    if found is not None:
        lines.extend(how_computed(found))
    lines.extend(neumann_group(comparison))
    return tuple(lines)


def neumann_group(comparison: Comparison) -> tuple[str, ...]:
    """Name the group of Neumann et al. (2021), over datasets or for a plain test on folds, as there."""
    verdict, effect = comparison.verdict, comparison.effect
    plain = METHODS[comparison.evidence.method].tolerates(comparison.scores.design)
    if plain and verdict.outcome != "equivalent":
        verdict = decide(comparison.evidence, significance=verdict.significance, effect=effect)
    if verdict.group is None:
        return ()
    said = f"Neumann et al. (2021): Group {verdict.group}, {verdict.case}; effect {effect.label}"
    return (
        f"{said}. Folds share training data, which their groups ignore." if plain else f"{said}.",
    )
