"""Two classifiers: who is better, by how much, how sure, and whether a repeat would show it."""

from collections.abc import Sequence

import numpy as np

from replicast.comparison.records import Comparison, Region
from replicast.design import describe_design
from replicast.formatting import (
    format_count,
    format_df,
    format_number,
    format_percent,
    format_pvalue,
)
from replicast.inference.methods import METHODS
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import (
    again_rows,
    chance_sentence,
    expect_rows,
    how_computed,
    larger_rows,
    number_rows,
    record_rows,
)
from replicast.presentation.words.scales import ASSUMED_WAY, Scale, brief_design, has_width
from replicast.presentation.words.sizes import (
    equivalence,
    named_region,
    neumann_group,
    region_width,
    size_line,
    size_rows,
    tests_of_equivalence,
)
from replicast.reading.vocabulary.units import score_unit
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication
from replicast.results import Effect, PosteriorResult, SignificanceResult, is_significant

_ODDS = "The mean says otherwise: the test counts how often, the mean how much"
_SAID = ("cannot-be-significant",)


def tell_comparison(found: Comparison, account: Sequence[str] = ()) -> Document:
    """Tell what was found about two classifiers."""
    scale = scale_of(found)
    return Document(
        result=found,
        headline=_headline(found, scale),
        lines=_lines(found, scale),
        cautions=ranked(found.cautions, _SAID if _cannot(found) else ()),
        read=_read(found),
        rows=_rows(found, scale),
        how=_how(found),
        account=tuple(account),
        quote=_quote(found, scale),
    )


def scale_of(found: Comparison) -> Scale:
    """Return the unit of the scores and the decimals of the difference."""
    return Scale.of(score_unit(found.scores), found.difference.confidence_interval())


def leader(found: Comparison) -> tuple[str, str]:
    """Return the classifier the evidence favours and the other one."""
    first, second = found.scores.names
    lead = found.evidence.lead or found.difference.estimate
    return (first, second) if lead >= 0 else (second, first)


def open_question(found: Comparison) -> Replication | None:
    """Return the chance of replication, unless the two are the same or equivalent."""
    differ = bool((found.scores.differences != 0).any())
    return found.replication if differ and found.verdict.outcome != "equivalent" else None


def _cannot(found: Comparison) -> bool:
    """Say whether so few scores could never be significant."""
    return any(caution.code == "cannot-be-significant" for caution in found.cautions)


def _alike(found: Comparison) -> bool:
    return not found.scores.differences.any()


def _at_odds(found: Comparison) -> bool:
    """Say whether the test favours one classifier and the mean the other."""
    return found.difference.estimate * found.evidence.lead < 0


def is_undirected(found: Comparison) -> bool:
    """Say whether a small p-value speaks for neither: F may reject every difference."""
    level = found.verdict.significance
    return not found.verdict.significant and is_significant(found.evidence.pvalue, level)


def twin_of(found: Comparison) -> str:
    """Name the test by which repeats are judged where the evidence is a posterior."""
    again = found.replication
    if again is None or isinstance(found.evidence, SignificanceResult):
        return ""
    return f" by the {MODELS[again.model].titled(again.design)}"


def _headline(found: Comparison, scale: Scale) -> str:
    better, worse = leader(found)
    first, second = found.scores.names
    same = f"{first} and {second} have the same score everywhere" if _alike(found) else ""
    if found.verdict.outcome == "equivalent":
        words = equivalence(found)
        return f"{same}: {words}" if same else f"{first} and {second} are {words}"
    if same:
        return same
    if _cannot(found):
        return f"Too few {found.scores.design.unit}s to show any difference in this test"
    if found.verdict.outcome in ("first better", "second better"):
        if _at_odds(found):
            return f"{better} is better than {worse} more often than not"
        lead = abs(found.difference.estimate)
        sides = _turned(found.difference.confidence_interval(), found.difference.estimate)
        amount = scale.difference(lead) if _parted(found) else scale.bounded(lead, sides)
        is_better = "scores higher" if found.scores.direction == "assumed" else "is better"
        return f"{better} {is_better} than {worse} by {amount}"
    if found.verdict.significant is not None and is_undirected(found):
        return f"The runs disagree too much to say whether {first} or {second} is better"
    return f"No clear difference between {first} and {second}"


def _turned(limits: Sequence[float], estimate: float) -> tuple[float, float]:
    """Return the limits of a lead: those of the difference, seen from whoever is ahead."""
    low, high = limits
    return (low, high) if estimate >= 0 else (-high, -low)


def _means(found: Comparison, scale: Scale, names: Sequence[str]) -> str:
    scores = found.scores
    means = dict(zip(scores.names, (scores.first.mean(), scores.second.mean()), strict=True))
    return " and ".join(scale.score(float(means[name])) for name in names)


def _lines(found: Comparison, scale: Scale) -> tuple[Row, ...]:
    """Return the lines below the headline."""
    decided = found.verdict.outcome in ("first better", "second better")
    names = leader(found) if decided else found.scores.names
    lower = "" if found.scores.greater_is_better else "lower is better; "
    again = open_question(found)
    return (
        Row("scores", _means(found, scale, names), f"{lower}{_proof(found, scale, decided)}"),
        *_so(found, scale, decided),
        *_split_rows(found.evidence),
        *again_rows(again, twin_of(found)),
        *expect_rows(again, scale, turned=tuple(names) != tuple(found.scores.names)),
        *(larger_rows(found.outlook) if again is not None else ()),
        *record_rows(again),
    )


def _proof(found: Comparison, scale: Scale, decided: bool) -> str:
    """Write the p-value with its test; where nothing is decided, after the difference."""
    evidence = found.evidence
    title = METHODS[evidence.method].titled(evidence.design)
    if isinstance(evidence, PosteriorResult):
        chance = max(evidence.first_better, evidence.second_better)
        region = Region(width=evidence.rope, source="named")
        within = f"{format_percent(evidence.equivalent)} within {region_width(found, region)}; "
        return (
            f"{format_percent(chance)} sure who is better; {within if evidence.rope else ''}{title}"
        )
    if found.verdict.outcome == "equivalent":
        return tests_of_equivalence(found)
    proof = f"{_sides(evidence)}{format_pvalue(evidence.pvalue)}"
    if decided or _alike(found):
        return f"{proof}, {title}"
    return f"{scale.bounded(found.difference.estimate, _limits(found))}, {proof}"


def _limits(found: Comparison) -> tuple[float, float]:
    low, high = found.difference.confidence_interval()
    return low, high


def _sides(evidence: SignificanceResult | PosteriorResult) -> str:
    """Say before a p-value that it is of one side."""
    return "" if getattr(evidence, "alternative", "two-sided") == "two-sided" else "one-sided "


def _so(found: Comparison, scale: Scale, decided: bool) -> tuple[Row, ...]:
    """Say what follows, where the headline alone would be misread."""
    words = _so_decided(found, scale) if decided else _so_open(found, scale)
    return (Row("so", words),) if words else ()


def _so_decided(found: Comparison, scale: Scale) -> str:
    if _at_odds(found):
        return f"{_ODDS}: {scale.difference(found.difference.estimate)}"
    if _parted(found):
        fits = f"{scale.between(_limits(found))} ({whose_interval(found)})"
        return f"the test decides; the mean alone leaves {fits}"
    region = named_region(found)
    judged = found.scores.design.over_datasets or region is not None
    if judged and found.verdict.case == "significant but small":
        size = f"less than {region_width(found, region)}" if region else "a small effect"
        return f"judge it by its size, {size}, not by its p"
    return ""


def _so_open(found: Comparison, scale: Scale) -> str:
    if _alike(found) or found.verdict.outcome == "equivalent":
        return ""
    if _cannot(found):
        text = next(one.text for one in found.cautions if one.code == "cannot-be-significant")
        return text[:1].lower() + text[1:].rstrip(".")
    if not has_width(_limits(found)):
        return "not proof that they are equal"
    if _parted(found):
        return f"the test decides, not the interval ({whose_interval(found)})"
    return f"not proof that they are equal: {scale.between(_limits(found))} all fit"


def _split_rows(evidence: SignificanceResult | PosteriorResult) -> tuple[Row, ...]:
    """Set the p of t over seeds, which papers report, beside the one that allows for the split."""
    alone = getattr(evidence, "details", {}).get("pvalue_of_seeds_alone")
    if alone is None:
        return ()
    return (Row("seeds", f"{format_pvalue(alone)} over seeds alone, which ignores the split"),)


def _read(found: Comparison) -> str:
    scores = found.scores
    dataset = scores.dataset if scores.dataset not in (None, "all") else ""
    way = ASSUMED_WAY if scores.direction == "assumed" else ""
    named = "" if scores.metric in (None, "score") else str(scores.metric)
    metric = f"{named or 'score'}{way}" if named or way else ""
    pairs = f"one of {format_count(scores.one_of)} pairs" if scores.one_of > 1 else ""
    return ", ".join(filter(None, (dataset, metric, brief_design(scores.design), pairs)))


# --------------------------------------------------------------------------- more
def whose_interval(found: Comparison) -> str:
    """Say whose interval stands beside a test that has another or none; nothing if it is its own."""
    kind, evidence = found.difference.kind, found.evidence
    if isinstance(evidence, PosteriorResult):
        return ""
    if kind == "accuracy-difference":
        return "by Bonett and Price"
    if kind == "mean-difference" and not _is_own(found.difference, evidence):
        overlap = found.scores.design.shares_training
        return "corrected for overlap" if overlap else "for the mean, by t"
    return "two-sided" if _sides(evidence) else ""


def _is_own(difference: Effect, evidence: SignificanceResult) -> bool:
    """Say whether the interval of a difference is that of the test."""
    if evidence.interval_rule is None:
        return False
    return np.allclose(difference.confidence_interval(), evidence.confidence_interval())


def _parted(found: Comparison) -> bool:
    """Say whether test and interval disagree about 0: they are two methods then."""
    low, high = found.difference.confidence_interval()
    significant = bool(found.verdict.significant)
    return bool(whose_interval(found)) and significant == (low <= 0 <= high)


def _interval_words(found: Comparison, scale: Scale, *, of_leader: bool = False) -> str:
    """Write the interval of the first's lead, or of the leader's."""
    low, high = _limits(found)
    turned = of_leader and leader(found)[0] != found.scores.names[0]
    limits = (-high, -low) if turned else (low, high)
    if not np.isfinite(limits).all():
        few = len(found.scores.differences) < 3
        return "too few scores for a 95% interval" if few else "these scores give no 95% interval"
    if not has_width(limits):
        return "no spread, so no 95% interval"
    whose = whose_interval(found)
    return f"95% interval {scale.between(limits)}{f' ({whose})' if whose else ''}"


def _rows(found: Comparison, scale: Scale) -> tuple[Row, ...]:
    return (
        Row("difference", scale.difference(found.difference.estimate), _interval_words(found, scale)),
        *_evidence_rows(found.evidence),
        *_pair_rows(found),
        *size_rows(found),
        Row("power", format_percent(found.power.power), "had the truth been what was seen", spare=True),
        *number_rows(open_question(found)),
    )  # fmt: skip


def _pair_rows(found: Comparison) -> tuple[Row, ...]:
    """Say what Holm's correction leaves of p where the pair was taken from several."""
    pairs = found.scores.one_of
    if pairs < 2 or isinstance(found.evidence, PosteriorResult):
        return ()
    most = min(1.0, pairs * found.evidence.pvalue)
    remark = f"at most, one of {format_count(pairs)} pairs; `rank` corrects them all"
    return (Row("Holm", format_pvalue(most), remark, spare=True),)


def _evidence_rows(evidence: SignificanceResult | PosteriorResult) -> tuple[Row, ...]:
    method = METHODS[evidence.method]
    if isinstance(evidence, PosteriorResult):
        shares = (evidence.first_better, evidence.equivalent, evidence.second_better)
        return (Row("evidence", " / ".join(map(format_percent, shares)), method.title),)
    shown = method.counts.format(
        n=evidence.n, **{key: int(count) for key, count in evidence.details.items()}
    )
    if method.symbol:
        shown = f"{method.symbol} = {format_number(evidence.statistic)}"
        alone = evidence.details.get("pvalue_of_seeds_alone")
        if alone is not None:
            return (
                Row("evidence", format_pvalue(evidence.pvalue), method.title),
                Row(
                    "seeds alone",
                    f"{shown}, {format_pvalue(alone)}",
                    "what papers report; ignores the split",
                ),
            )
        if evidence.df is not None and evidence.exactness != "monte-carlo":
            shown += f", {format_df(evidence.df)}"
    exact = " (exact)" if evidence.exactness in ("exact", "mid-p") else ""
    sides = ", one-sided" if _sides(evidence) else ""
    value = f"{shown}, {format_pvalue(evidence.pvalue)}"
    return (Row("evidence", value, f"{method.titled(evidence.design)}{exact}{sides}"),)


def _how(found: Comparison) -> tuple[str, ...]:
    """Say how everything was computed, one sentence for each part, with references."""
    evidence, level = found.evidence, found.verdict.significance
    method = METHODS[evidence.method]
    sides = "one-sided" if _sides(evidence) else "two-sided"
    lines = [
        f"Test: {method.titled(evidence.design)} ({method.reference}), level {level:g}, {sides}."
        f"{_level_holds(found)}",
        size_line(found),
        f"Power: had the true effect been the observed one ({found.power.approach}); it is a "
        "function of the p-value, not new evidence.",
    ]
    if method.symbol == "t" and evidence.exactness == "monte-carlo":
        lines.append("p is that of t among draws from these cases, or Student's if it is larger.")
    if isinstance(evidence, PosteriorResult):
        lines.append(f"One of them is called better above {100 * (1 - level / 2):g}%.")
    if found.verdict.outcome == "equivalent" and found.verdict.region is not None:
        lines.append(f"Equivalence: two one-sided tests against {found.verdict.region}.")
    lines += how_computed(open_question(found))
    return (*lines, *neumann_group(found))


def _level_holds(found: Comparison) -> str:
    """Say for what the level of a test on several runs of one dataset was measured to hold."""
    design = found.scores.design
    if not (design.shares_training and (design.runs or 1) > 1):
        return ""
    return (
        " Its level holds between learners; two sets of features compared by nearest neighbours or an "
        "SVM it calls different twice as often as it should, or more."
    )


def _statistic(found: Comparison, *, of_leader: bool = False) -> str:
    """Write the statistic in favour of the first, or of the leader."""
    evidence = found.evidence
    symbol = METHODS[evidence.method].symbol
    if isinstance(evidence, PosteriorResult) or not symbol:
        return ""
    value = format_number(abs(evidence.statistic) if of_leader else evidence.statistic)
    if evidence.df is None or evidence.exactness == "monte-carlo":  # p is not that of t and df
        return f"{symbol} = {value}"
    df = evidence.df if isinstance(evidence.df, tuple) else (evidence.df,)
    told = f"{symbol}({', '.join(f'{round(part, 2):g}' for part in df)}) = {value}"
    if "pvalue_of_seeds_alone" in evidence.details:  # p is not that of t alone
        return f"{told} over seeds alone; with the split"
    return told


def _quote(found: Comparison, scale: Scale) -> str:
    """Write the result as a paper reports it: means, difference, interval, test, p, chance."""
    again = open_question(found)
    chance = "" if again is None else f" {chance_sentence(again, twin_of(found))}"
    return f"{_result_sentence(found, scale)}{chance}"


def _result_sentence(found: Comparison, scale: Scale) -> str:
    scores, evidence = found.scores, found.evidence
    place = f" on {scores.dataset}" if scores.dataset not in (None, "all") else ""
    design, title = describe_design(scores.design), METHODS[evidence.method].titled(evidence.design)
    better, worse = leader(found)
    if isinstance(evidence, PosteriorResult):
        what, chance = (
            f"{better} is better than {worse}",
            max(evidence.first_better, evidence.second_better),
        )
        if found.verdict.outcome == "equivalent":
            what, chance = f"{better} and {worse} are {equivalence(found)}", evidence.equivalent
        return (
            f"The posterior probability that {what}{place} is {format_percent(chance)} ({design}, "
            f"{title})."
        )
    if found.verdict.outcome == "equivalent":
        first, second = scores.names
        tests = tests_of_equivalence(found)
        return f"{first} and {second} were {equivalence(found)}{place} ({design}, {tests})."
    led = bool(found.verdict.significant)
    proof = ", ".join(
        filter(None, (_interval_words(found, scale, of_leader=led), title,
                      _statistic(found, of_leader=led), format_pvalue(evidence.pvalue), design))
    )  # fmt: skip
    means = scores.first.mean(), scores.second.mean()
    shown = dict(zip(scores.names, (scale.score(float(mean)) for mean in means), strict=True))
    if is_undirected(found):
        return (
            f"The test rejected every mean difference of {better} and {worse}{place} ({title}, "
            f"{_statistic(found)}, {format_pvalue(evidence.pvalue)}, {design})."
        )
    if not found.verdict.significant:
        first, second = scores.names
        return (
            f"{first} ({shown[first]}) did not differ significantly from {second} "
            f"({shown[second]}){place}: {scale.difference(found.difference.estimate)} ({proof})."
        )
    amount = scale.difference(abs(found.difference.estimate))
    by = "more often than not" if _at_odds(found) else f"by {amount}"
    return (
        f"{better} ({shown[better]}) outperformed {worse} ({shown[worse]}){place} {by} ({proof})."
    )
