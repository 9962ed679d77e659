"""Two classifiers: who is better, by how much, how sure, and whether a repeat would show it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from replicast.comparison.finding import Finding
from replicast.comparison.records import Comparison
from replicast.design import Design
from replicast.formatting import (
    format_count,
    format_number,
    format_percent,
    format_pvalue,
    plural,
)
from replicast.inference.methods import METHODS, Evidence
from replicast.presentation.document import Document, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import (
    cannot_be_significant,
    chance_sentence,
    how_computed,
    larger_rows,
    number_rows,
    of_hundred,
    repeat_lines,
)
from replicast.presentation.words.scales import (
    ASSUMED_WAY,
    Scale,
    brief_design,
    has_width,
    hundred,
    listed,
    short_name,
)
from replicast.presentation.words.sizes import (
    equivalence,
    neumann_group,
    size_line,
    size_rows,
    small_size,
    within_region,
)
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication
from replicast.results import Effect, PosteriorResult, is_significant

# what there is to say of two classifiers, and how the answer begins
_HEADLINES = {
    "alike": "{first} and {second} have the same score everywhere",
    "alike within": "{first} and {second} have the same score everywhere: {equivalence}",
    "equivalent": "{first} and {second} are {equivalence}",
    "too few": "Too few {unit}s to show any difference in this test",
    "at odds": "{better} is better than {worse} more often than not",
    "better": "{better} {is_better} than {worse} by {amount}",
    "undirected": "The runs disagree too much to say whether {first} or {second} is better",
    "open": "No clear difference between {first} and {second}",
}
_DECIDED = ("at odds", "better")
_LED = (*_DECIDED, "too few")  # of whom the better one comes first
_NAME = 16  # letters of a name beside its score
_EQUIVALENT = ("alike within", "equivalent")
# the same as a paper reports it: means, difference, interval, test, p
_WERE_EQUIVALENT = "{first} and {second} were {equivalence}{place} ({design}, {tests})."
_QUOTES = {
    "posterior": "The posterior probability that {claim}{place} is {sure} ({design}, {title}).",
    "alike within": _WERE_EQUIVALENT,
    "equivalent": _WERE_EQUIVALENT,
    "undirected": "The test rejected every mean difference of {better} and {worse}{place} ({title}, "
    "{statistic}, {p}, {design}).",
    "at odds": "{better_mean} outperformed {worse_mean}{place} more often than not ({proof}).",
    "better": "{better_mean} outperformed {worse_mean}{place} by {lead} ({proof}).",
}
_NOT_SIGNIFICANT = (
    "{first_mean} did not differ significantly from {second_mean}{place}: {difference} ({proof})."
)


@dataclass(frozen=True, kw_only=True)
class _Pair:
    """Two models as an answer speaks of them, whether by paired scores or by a measure of all cases."""

    state: str  # a key of the headlines
    names: tuple[str, str]
    means: tuple[float, float]
    difference: Effect | Finding
    evidence: Evidence
    scale: Scale
    design: Design
    drawn_from: str  # the design as a paper has it
    title: str  # of the test
    symbol: str  # of its statistic, if that says more than counts
    measure: str = ""
    place: str = ""
    greater_is_better: bool = True
    assumed_better: bool = False
    equivalence: str = ""
    level: float = 0.05

    @cached_property
    def limits(self) -> tuple[float, float]:
        low, high = self.difference.confidence_interval()
        return low, high

    @cached_property
    def shown_limits(self) -> tuple[float, float]:
        """The interval of the lead where somebody leads, else of the difference."""
        low, high = self.limits
        return (-high, -low) if self.turned else (low, high)

    @property
    def turned(self) -> bool:
        """Whether the answer speaks of the second one's lead."""
        return self.state in _LED and self.leader != self.names

    @property
    def leader(self) -> tuple[str, str]:
        """Whoever the evidence favours, and the other one."""
        first, second = self.names
        lead = self.evidence.lead or self.difference.estimate
        return (first, second) if lead >= 0 else (second, first)

    @cached_property
    def whose(self) -> str:
        """Whose interval stands beside a test that has another or none; empty if it is its own."""
        kind, evidence = getattr(self.difference, "kind", ""), self.evidence
        if isinstance(evidence, PosteriorResult):
            return ""
        if kind == "accuracy-difference":
            return "by Bonett and Price"
        own = evidence.interval_rule is not None and np.allclose(
            self.limits, evidence.confidence_interval()
        )
        if kind == "mean-difference" and not own:
            overlap = self.design.shares_training
            return "corrected for overlap" if overlap else "for the mean, by t"
        return "two-sided" if self.sides else ""

    @property
    def parted(self) -> bool:
        """Whether test and interval disagree about 0: they are two methods then."""
        low, high = self.limits
        return bool(self.whose) and (self.state in _DECIDED) == (low <= 0 <= high)

    @property
    def sides(self) -> str:
        """What stands before a p-value of one side."""
        two = getattr(self.evidence, "alternative", "two-sided") == "two-sided"
        return "" if two else "one-sided "

    @property
    def pvalue(self) -> str:
        """The p-value in words, if the evidence has one."""
        evidence = self.evidence
        return "" if isinstance(evidence, PosteriorResult) else format_pvalue(evidence.pvalue)

    def mean(self, name: str) -> str:
        """Write the score of one of the two."""
        return self.scale.score(self.means[self.names.index(name)])


def tell_comparison(comparison: Comparison) -> Document:
    """Tell what was found about two classifiers."""
    scores, evidence, again = comparison.scores, comparison.evidence, open_question(comparison)
    method = METHODS[evidence.method]
    pair = _Pair(
        state=_state(comparison),
        names=scores.names,
        means=comparison.means,
        difference=comparison.difference,
        evidence=evidence,
        scale=Scale.of(comparison.unit, comparison.difference.confidence_interval()),
        design=scores.design,
        drawn_from=scores.design.words,
        title=method.titled(evidence.design),
        symbol=method.symbol,
        place=f" on {scores.dataset}" if scores.dataset not in (None, "all") else "",
        greater_is_better=scores.greater_is_better,
        assumed_better=scores.direction == "assumed",
        equivalence=equivalence(comparison),
        level=comparison.verdict.significance,
    )
    twin = ""  # the test by which repeats are judged where the evidence is a posterior
    if again is not None and isinstance(evidence, PosteriorResult):
        twin = f" by the {MODELS[again.model].titled(again.design)}"
    never = cannot_be_significant(comparison)
    so = _so(pair, small_size(comparison), never)
    power = format_percent(comparison.power.power)
    return Document(
        headline=_HEADLINES[pair.state].format_map(_terms(pair)),
        lines=(
            _scores_row(pair, within_region(comparison)),
            *([Row("so", so)] if so else ()),
            *_seeds_rows(evidence),
            *repeat_lines(
                again,
                pair.scale,
                turned=pair.turned,
                twin=twin,
                larger=larger_rows(comparison.outlook),
            ),
        ),
        cautions=ranked(comparison.cautions, ("cannot-be-significant",) if never else ()),
        read=_read(comparison),
        rows=(
            _evidence_row(pair),
            *_holm_rows(comparison),
            *size_rows(comparison, turned=pair.turned),
            Row("power", power, "if the difference seen were the true one", spare=True),
            *number_rows(again),
        ),
        how=(*_how(pair, comparison), *how_computed(again), *neumann_group(comparison)),
        quote=_quote(pair, again, twin),
    )


def tell_finding(finding: Finding) -> Document:
    """Tell what was found about two models by a measure of all cases."""
    cases, test = _cases(finding), finding.test
    if finding.seed_share is not None:
        test += f", {format_percent(finding.seed_share)} of the variance is due to seeds"
    elif finding.resamples:
        test += f", {format_count(finding.resamples)} resamples"
    pair = _Pair(
        state="better" if finding.significant else "open",
        names=finding.names,
        means=finding.means,
        difference=finding,
        evidence=finding.evidence,
        scale=Scale.of(finding.unit, finding.confidence_interval()),
        design=finding.design,
        drawn_from=cases,
        title=test,
        symbol="z" if finding.df is None else "t",
        measure=finding.measure,
        greater_is_better=finding.greater_is_better,
    )
    so, again = _so(pair), finding.replication
    return Document(
        headline=_HEADLINES[pair.state].format_map(_terms(pair)),
        lines=(
            _scores_row(pair),
            *([Row("so", so)] if so else ()),
            *repeat_lines(
                again, pair.scale, turned=pair.turned, others=_other_repeats(finding, pair)
            ),
        ),
        cautions=ranked(finding.cautions),
        read=f"{finding.measure}, {cases}",
        rows=(_evidence_row(pair), *number_rows(again)),
        how=(f"Test: {test}, {cases}.", *how_computed(again)),
        quote=_quote(pair, again),
    )


def open_question(comparison: Comparison) -> Replication | None:
    """Return the chance of replication, unless the two are the same or equivalent."""
    differ = bool((comparison.scores.differences != 0).any())
    return comparison.replication if differ and comparison.verdict.outcome != "equivalent" else None


def _state(comparison: Comparison) -> str:
    """Return what there is to say of two classifiers."""
    verdict, lead = comparison.verdict, comparison.evidence.lead
    if not comparison.scores.differences.any():
        return "alike within" if verdict.outcome == "equivalent" else "alike"
    if verdict.outcome == "equivalent":
        return "equivalent"
    if cannot_be_significant(comparison):
        return "too few"
    if verdict.outcome in ("first better", "second better"):
        return "at odds" if comparison.difference.estimate * lead < 0 else "better"
    evidence = comparison.evidence  # F may reject every difference, and speak for neither
    undirected = not isinstance(evidence, PosteriorResult) and is_significant(
        evidence.pvalue, verdict.significance
    )
    return "undirected" if undirected else "open"


def _scores_row(pair: _Pair, within: str = "") -> Row:
    """Return both scores, and how sure it is that they differ."""
    names = pair.leader if pair.state in _LED else pair.names
    lower = "" if pair.greater_is_better else "lower is better; "
    means = " and ".join(pair.mean(name) for name in names)
    if pair.state == "too few":  # the headline names nobody
        means = " and ".join(f"{short_name(name, _NAME)} {pair.mean(name)}" for name in names)
    return Row(pair.measure or "scores", means, f"{lower}{_proof(pair, within)}")


def _proof(pair: _Pair, within: str) -> str:
    """Write the p-value with its test; where nothing is decided, after the difference."""
    evidence = pair.evidence
    if isinstance(evidence, PosteriorResult):
        sure = format_percent(max(evidence.first_better, evidence.second_better))
        return f"{sure} sure who is better; {within}{pair.title}"
    if pair.state in _EQUIVALENT:
        return _tests_of_equivalence(pair)
    if pair.state in (*_DECIDED, "alike"):
        return listed(f"{pair.sides}{pair.pvalue}", "" if pair.measure else pair.title)
    estimate = pair.difference.estimate
    lead = -estimate if pair.turned else estimate
    difference = pair.scale.bounded(lead, pair.shown_limits)
    return f"{difference}, {pair.sides}{pair.pvalue}"


def _tests_of_equivalence(pair: _Pair) -> str:
    return f"two one-sided tests at {pair.level:g}, {pair.title}"


def _so(pair: _Pair, small: str = "", never: str = "") -> str:
    """Say what follows, where the headline alone would be misread."""
    between = pair.scale.between(pair.shown_limits)
    match pair.state:
        case "at odds":
            odds = "The mean says otherwise: the test counts how often, the mean how much"
            return f"{odds}: {pair.scale.difference(pair.difference.estimate)}"
        case "better" if pair.parted:
            return f"the test decides; the mean alone leaves {between} ({pair.whose})"
        case "better":
            return f"judge it by its size, {small}, not by its p" if small else ""
        case "too few":
            return never[:1].lower() + never[1:].rstrip(".")
        case "alike" | "alike within" | "equivalent":
            return ""
        case _ if not has_width(pair.limits):
            return "not proof that they are equal"
        case _ if pair.parted:
            return f"the test decides, not the interval ({pair.whose})"
        case _:
            return f"not proof that they are equal: {between} all fit"


def _seeds_rows(evidence: Evidence) -> tuple[Row, ...]:
    alone = _seeds_alone(evidence)
    if alone is None:
        return ()
    return (Row("seeds", f"{format_pvalue(alone)} over seeds alone, which ignores the split"),)


def _other_repeats(finding: Finding, pair: _Pair) -> tuple[Row, ...]:
    """Return the lines about repeats on other tasks, and of one run against another."""
    rows = []
    if finding.other_tasks is not None:
        rows.append(Row("others", of_hundred(finding.other_tasks), "on as many other tasks"))
    if finding.improvement is not None:
        ends = [finding.improvement.estimate, *finding.improvement.confidence_interval()]
        if finding.estimate < 0:
            ends = [1 - ends[0], 1 - ends[2], 1 - ends[1]]
        chance, *limits = (hundred(end) for end in ends)
        better, worse = pair.leader
        share = f"{chance} of 100 [{', '.join(limits)}]"
        rows.append(Row("a run", share, f"runs of {better} beat one of {worse}", spare=True))
    return tuple(rows)


def _read(comparison: Comparison) -> str:
    scores = comparison.scores
    dataset = scores.dataset if scores.dataset not in (None, "all") else ""
    way = ASSUMED_WAY if scores.direction == "assumed" else ""
    named = scores.metric not in (None, "score")
    metric = f"{scores.metric or 'score'}{way}" if named or way else ""
    pairs = f"one of {format_count(scores.one_of)} pairs" if scores.one_of > 1 else ""
    return listed(dataset, metric, brief_design(scores.design), pairs)


def _cases(finding: Finding) -> str:
    """Say on what a measure was computed."""
    if finding.method == "seeds" and finding.seeds is not None:
        tasks = f"{len(finding.weights)} fixed tasks{_weighted(finding)}"
        return f"{finding.seeds[0]} seeds on {tasks}"
    if finding.design.overlap:
        return finding.design.words
    unit = "fold" if finding.method == "fixed" and not finding.design.of_cases else "case"
    cases = plural(finding.n, unit)
    if finding.clusters is not None:
        cases += f" in {finding.clusters} clusters"
    if finding.weights:
        cases += f" of {len(finding.weights)} fixed tasks{_weighted(finding)}"
    if finding.seeds is None:
        return cases
    return f"{' and '.join(dict.fromkeys(map(str, finding.seeds)))} seeds on {cases}"


def _weighted(finding: Finding) -> str:
    """Say how fixed tasks count."""
    weights = [*finding.weights.values()]
    same = np.allclose(weights, weights[0])
    return ", each counts the same" if same else " with different weights"


# --------------------------------------------------------------------------- more
def _evidence_row(pair: _Pair) -> Row:
    """Return the statistic, or the counts, that the p-value comes from."""
    evidence = pair.evidence
    if isinstance(evidence, PosteriorResult):
        shares = (evidence.first_better, evidence.equivalent, evidence.second_better)
        return Row("evidence", " / ".join(map(format_percent, shares)), "first, neither, second")
    if _seeds_alone(evidence) is not None:
        return Row("evidence", _statistic(pair), "over seeds alone, which ignores the split")
    counts = {key: int(count) for key, count in evidence.details.items()}
    shown = _statistic(pair) or METHODS[evidence.method].counts.format(n=evidence.n, **counts)
    exact = " (exact)" if evidence.exactness in ("exact", "mid-p") else ""
    return Row("evidence", shown, f"{pair.title}{exact}{', one-sided' if pair.sides else ''}")


def _holm_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Say what Holm's correction leaves of p where the pair was taken from several."""
    pairs, evidence = comparison.scores.one_of, comparison.evidence
    if pairs < 2 or isinstance(evidence, PosteriorResult):
        return ()
    most = min(1.0, pairs * evidence.pvalue)
    remark = f"at most, one of {format_count(pairs)} pairs; `rank` corrects them all"
    return (Row("Holm", format_pvalue(most), remark, spare=True),)


def _how(pair: _Pair, comparison: Comparison) -> tuple[str, ...]:
    """Say how everything was computed, one sentence for each part, with references."""
    evidence, method = pair.evidence, METHODS[pair.evidence.method]
    sides = "one-sided" if pair.sides else "two-sided"
    lines = [
        f"Test: {pair.title} ({method.reference}), level {pair.level:g}, {sides}."
        f"{_level_holds(pair.design)}",
        size_line(comparison),
        f"Power: had the true effect been the observed one ({comparison.power.approach}); it is a "
        "function of the p-value, not new evidence.",
    ]
    if method.symbol == "t" and evidence.exactness == "monte-carlo":
        lines.append("p is that of t among draws from these cases, or Student's if it is larger.")
    if isinstance(evidence, PosteriorResult):
        lines.append(f"One of them is called better above {100 * (1 - pair.level / 2):g}%.")
    if comparison.verdict.outcome == "equivalent" and comparison.verdict.region is not None:
        lines.append(f"Equivalence: two one-sided tests against {comparison.verdict.region}.")
    return tuple(lines)


def _level_holds(design: Design) -> str:
    """Say for what the level of a test on several runs of one dataset was measured to hold."""
    if not (design.shares_training and (design.runs or 1) > 1):
        return ""
    return (
        " Its level holds between learners; two sets of features compared by nearest neighbours or an "
        "SVM it calls different twice as often as it should, or more."
    )


# --------------------------------------------------------------------------- to quote
def _quote(pair: _Pair, again: Replication | None, twin: str = "") -> str:
    """Write the result as a paper reports it, then the chance of a repeat."""
    posterior = isinstance(pair.evidence, PosteriorResult)
    template = _QUOTES.get("posterior" if posterior else pair.state, _NOT_SIGNIFICANT)
    sentence = template.format_map(_terms(pair))
    return sentence if again is None else f"{sentence} {chance_sentence(again, twin)}"


def _terms(pair: _Pair) -> dict[str, str]:
    """Return all that the sentences about two models are made of."""
    (first, second), (better, worse) = pair.names, pair.leader
    scale, lead = pair.scale, abs(pair.difference.estimate)
    measure = f"{pair.measure} " if pair.measure else ""
    statistic = _statistic(pair)
    if _seeds_alone(pair.evidence) is not None:  # p is not that of t alone
        statistic += " over seeds alone; with the split"
    claim, sure = f"{better} is better than {worse}", 0.0
    if isinstance(pair.evidence, PosteriorResult):
        sure = max(pair.evidence.first_better, pair.evidence.second_better)
        if pair.state in _EQUIVALENT:
            claim, sure = f"{better} and {worse} are {pair.equivalence}", pair.evidence.equivalent
    return {
        "first": first,
        "second": second,
        "better": better,
        "worse": worse,
        "first_mean": f"{first} ({measure}{pair.mean(first)})",
        "second_mean": f"{second} ({pair.mean(second)})",
        "better_mean": f"{better} ({measure}{pair.mean(better)})",
        "worse_mean": f"{worse} ({pair.mean(worse)})",
        "is_better": "scores higher" if pair.assumed_better else "is better",
        "amount": scale.difference(lead) if pair.parted else scale.bounded(lead, pair.shown_limits),
        "lead": scale.difference(lead),
        "difference": scale.difference(pair.difference.estimate),
        "equivalence": pair.equivalence,
        "claim": claim,
        "sure": format_percent(sure),
        "unit": pair.design.unit,
        "place": pair.place,
        "design": pair.drawn_from,
        "title": pair.title,
        "tests": _tests_of_equivalence(pair),
        "statistic": statistic,
        "p": pair.pvalue,
        "proof": listed(_interval_words(pair), pair.title, statistic, pair.pvalue, pair.drawn_from),
    }


def _interval_words(pair: _Pair) -> str:
    """Write the interval of the difference, or of the leader's lead."""
    if not np.isfinite(pair.limits).all():
        few = (pair.design.n_scores or 3) < 3
        return "too few scores for a 95% interval" if few else "these scores give no 95% interval"
    if not has_width(pair.limits):
        return "no spread, so no 95% interval"
    whose = f" ({pair.whose})" if pair.whose else ""
    return f"95% interval {pair.scale.between(pair.shown_limits)}{whose}"


def _statistic(pair: _Pair) -> str:
    """Write the statistic in favour of the first, or of the leader."""
    evidence = pair.evidence
    if isinstance(evidence, PosteriorResult) or not pair.symbol:
        return ""
    decided = pair.state in _DECIDED
    value = format_number(abs(evidence.statistic) if decided else evidence.statistic)
    if evidence.df is None or evidence.exactness == "monte-carlo":  # p is not that of t and df
        return f"{pair.symbol} = {value}"
    df = evidence.df if isinstance(evidence.df, tuple) else (evidence.df,)
    return f"{pair.symbol}({', '.join(f'{round(part, 2):g}' for part in df)}) = {value}"


def _seeds_alone(evidence: Evidence) -> float | None:
    """Return the p of t over seeds, which papers report, beside one that allows for the split."""
    details: Mapping[str, float] = getattr(evidence, "details", {})
    return details.get("pvalue_of_seeds_alone")
