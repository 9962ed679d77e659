"""The chance of a repeat in few words: one number, its two ends, what a repeat would show."""

from collections.abc import Iterator, Sequence

from replicast.comparison.records import Comparison
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.presentation.document import Row
from replicast.presentation.words.scales import Scale, brief_design, from_to, hundred, listed
from replicast.replication.first_result import MODELS
from replicast.replication.records import ByRelation, Replication

_FEW_DATASETS = 6  # below, no test of datasets can say anything of the direction
_STEPS = 2  # larger repeats in the answer
_TIMES = {2.0: "twice the data", 4.0: "four times"}
_LEARNED = ("calibrated", "empirical-bayes")
_UNITS = {
    "difference": "true differences in accuracy have standard deviations {mixture}",
    "angle": "true shares of the rank sum, as angles, have standard deviations {mixture}",
    "deviation": "true differences, in standard deviations of one, have standard deviations {mixture}",
    "signal": "signal-to-noise ratios have standard deviations {mixture}",
    "strength": "shares of wins are beta distributed with strengths {mixture}",
}


def can_be_significant(forecast: Replication) -> bool:
    """Say whether any repeat of this size could be significant."""
    return forecast.interval.high > 0


def cannot_be_significant(forecast: Replication | Comparison) -> str:
    """Say that nothing of this size can be significant, where it is so."""
    texts = (each.text for each in forecast.cautions if each.code == "cannot-be-significant")
    return next(texts, "")


def of_hundred(probability: float) -> str:
    """Write a chance as people say it: `86 of 100 repeats`."""
    return f"{hundred(probability)} of 100 repeats"


def repeat_lines(
    forecast: Replication | None,
    scale: Scale,
    *,
    turned: bool = False,
    said: bool = False,
    twin: str = "",
    others: Sequence[Row] = (),
    larger: Sequence[Row] = (),
) -> tuple[Row, ...]:
    """Return the lines about a repeat: its chance, what it would show, and how such answers fared.

    The difference is `turned` where the answer speaks of the second classifier's lead. Where the
    headline has `said` the chance, its ends are left. After a posterior, repeats are judged by its
    `twin`, a test. Lines about `others` and `larger` repeats stand between.
    """
    if forecast is None:
        return ()
    if not can_be_significant(forecast):
        return tuple(larger)
    return (
        *_again_rows(forecast, twin, said=said),
        *others,
        *_expect_rows(forecast, scale, turned=turned),
        *larger,
        *_record_rows(forecast),
    )


def _again_rows(forecast: Replication, twin: str, *, said: bool) -> Iterator[Row]:
    significant = "" if forecast.first_significant or said else "significant; "
    remark = f"{significant}{ends(forecast)}{_formula(forecast)}{twin}"
    if said and _has_ends(forecast):
        yield Row("again", remark)
    else:
        yield Row("again", of_hundred(forecast.probability), remark)
    if forecast.by_fresh_test is not None:
        yield Row(
            "split", of_hundred(forecast.by_fresh_test), "by the test that allows for the split"
        )
    if forecast.replicability is not None:
        yield Row(
            "rerun", f"{hundred(forecast.replicability)} of 100 reruns", _anew(forecast), spare=True
        )


def _expect_rows(forecast: Replication, scale: Scale, *, turned: bool) -> Iterator[Row]:
    expected, limits = forecast.expected_difference, forecast.predicted_interval
    if expected is not None and limits is not None:
        low, high = (-limits.high, -limits.low) if turned else limits
        would = f"a repeat would show {scale.number(low)} to {scale.number(high)}"
        yield Row("expect", scale.difference(-expected if turned else expected), would)


def _record_rows(forecast: Replication) -> Iterator[Row]:
    record = forecast.track_record
    if record is not None:
        band = f"{100 * record.low:.0f} to {100 * record.high:.0f}"
        fared = f"answers of {band} came true in {hundred(record.came_true)} of 100"
        yield Row("record", fared, spare=True)


def ends(forecast: Replication) -> str:
    """Say what the chance is for close rivals and for any two."""
    if forecast.estimator not in _LEARNED:
        return f"by the {forecast.estimator} estimate"
    if _has_ends(forecast):
        return of_rivals(forecast.by_relation)
    close, wide = hundred(forecast.by_relation.close), hundred(forecast.by_relation.any)
    if close == wide:
        return "for close rivals and any two"
    if forecast.relation == "close":
        return f"for close rivals; {wide} for any two"
    return f"for any two; {close} for close rivals"


def _has_ends(forecast: Replication) -> bool:
    """Say whether the chance lies between two ends: that of close rivals, and that of any two."""
    ends = forecast.by_relation
    learned = forecast.estimator in _LEARNED and forecast.relation == "unknown"
    return learned and hundred(ends.close) != hundred(ends.any)


def of_rivals(chances: ByRelation) -> str:
    """Write both chances of something: `84 if close rivals, 88 if any two`."""
    close, wide = hundred(chances.close), hundred(chances.any)
    return f"{close} if close rivals, {wide} if any two"


def _formula(forecast: Replication) -> str:
    """Say what Berrar's formula gives: beside another estimate its chance, else its interval."""
    if forecast.estimator != "as-published":
        return f"; Berrar 2024: {hundred(forecast.as_published)}"
    return f" of Berrar 2024, whose 95% interval is {from_to(*forecast.as_published_interval)}"


def _anew(forecast: Replication) -> str:
    """Say what is new where the data are the same."""
    if forecast.design.of_cases:
        return "new answers to the same cases"
    return f"new seeds on {'this split' if forecast.design.splits == 1 else 'these splits'}"


def larger_rows(outlook: Sequence[Replication]) -> tuple[Row, ...]:
    """Return the line about larger repeats, each with both ends."""
    if not outlook or not can_be_significant(outlook[-1]):
        return ()
    shown = outlook if len(outlook) <= _STEPS else (outlook[0], outlook[-1])
    words = [describe_larger(item, _TIMES) for item in shown]
    if len(words) == _STEPS and words[1].startswith(f"{words[0]} "):  # the same, on more data
        words[1] = words[1].removeprefix(f"{words[0]} ")
    steps = (f"{word} {_both_ends(item)}" for word, item in zip(words, shown, strict=True))
    return (Row("larger", ", ".join(steps), spare=True),)


def _both_ends(forecast: Replication) -> str:
    """Write the chance for close rivals and for any two as `95 to 97`, or one number."""
    if not _has_ends(forecast):
        return hundred(forecast.probability)
    return from_to(forecast.by_relation.close, forecast.by_relation.any)


def is_larger(forecast: Replication) -> bool:
    """Say whether a repeat is larger than the first experiment."""
    return forecast.target_design != forecast.design or forecast.data_factor != 1


def describe_larger(item: Replication, short: dict[float, str] | None = None) -> str:
    """Say how a larger replication differs from the first experiment."""
    data = "as much data" if item.data_factor == 1 else f"{item.data_factor:g} times the data"
    if item.target_design == item.design:
        return (short or {}).get(item.data_factor, data)
    words = brief_design(item.target_design)
    return f"{words} on {data}" if item.data_factor != 1 else words


def number_rows(forecast: Replication | None) -> tuple[Row, ...]:
    """Return the numbers about a repeat that its lines do not have."""
    if forecast is None or not can_be_significant(forecast):
        return ()
    published = f"{from_to(*forecast.as_published_interval)} of 100"
    others = f"{hundred(forecast.sceptic)} and {hundred(forecast.flat)} of 100"
    expecting = "one expects next to no difference, the other any difference alike"
    rows = [
        Row(
            "Berrar 2024",
            published,
            "95% interval; takes the difference seen for the truth",
            spare=True,
        ),
        Row("sceptic, flat", others, expecting, spare=True),
    ]
    if not (forecast.design.over_datasets and (forecast.design.n_scores or 0) < _FEW_DATASETS):
        chance = format_percent(forecast.direction_probability)
        better = f"that {called(forecast.better)} is really better, by the same prior"
        rows.append(Row("direction", chance, better, spare=True))
    if forecast.spread is not None:
        rows.append(Row("s*", format_number(forecast.spread.value), forecast.spread.source))
    return tuple(rows)


def called(name: str) -> str:
    """Write the name of a classifier, or its place where it has no name."""
    return f"the {name}" if name in ("first", "second") else name


def chance_sentence(forecast: Replication, twin: str = "") -> str:
    """Say the chance of replication as a paper reports it; after a posterior by its `twin`."""
    if not can_be_significant(forecast):
        return cannot_be_significant(forecast)
    who = "" if forecast.estimator == "calibrated" else f"{forecast.estimator} "
    size = f" with {describe_larger(forecast)}" if is_larger(forecast) else ""
    others = (
        f" ({forecast.by_test or forecast.by_relation})" if forecast.estimator in _LEARNED else ""
    )
    chance = format_percent(forecast.probability)
    if forecast.by_test is not None:
        chance += f" or {format_percent(forecast.by_test.ordinary)}"
    corrected = forecast.first_result.reported_pvalue is not None
    by = " by the corrected t-test" if corrected else ""
    allowed = ""
    if forecast.by_fresh_test is not None:
        allowed = f", {format_percent(forecast.by_fresh_test)} by a test that allows for the split"
    return (
        f"The {who}probability that a replication {forecast.design.anew}{size} is "
        f"significant{by} in the same direction"
        f"{twin} is {chance}{others}{allowed}."
    )


def how_computed(forecast: Replication | None) -> tuple[str, ...]:
    """Say how a chance of replication was computed."""
    if forecast is None:
        return ()
    prior = forecast.prior
    parts = zip(prior.weights, prior.components, strict=True)
    mixture = ", ".join(f"{size:.3g} ({100 * weight:.2g}%)" for weight, size in parts)
    learned = "as learned from published results and from learners that we fitted ourselves"
    if forecast.model == "bayesian":
        learned = "as if every share of wins were equally likely"
    elif forecast.prior.unit == "deviation":
        learned = "as learned from published results of one laboratory"
    return (
        f"Replication: {forecast.definition}; {forecast.model} model; assumed: "
        f"{'; '.join(forecast.assumptions)}.",
        f"Relation {forecast.relation}: {_UNITS[prior.unit].format(mixture=mixture)}, {learned}.",
    )


def test_of(forecast: Replication) -> str:
    """Name the test of a first result, with its ties."""
    if forecast.by_fresh_test is not None:
        return "t-test over seeds"
    if forecast.model not in MODELS:
        return ""
    ties = getattr(forecast.first_result.model, "ties", 0)
    return listed(f"{ties} tied" if ties else "", MODELS[forecast.model].titled(forecast.design))


def first_words(forecast: Replication) -> str:
    """Write the first result's p-value and its test."""
    return listed(format_pvalue(forecast.first_pvalue), test_of(forecast))
