"""The chance of a repeat in few words: one number, its two ends, what a repeat would show."""

from collections.abc import Iterator, Sequence

from replicast.comparison.records import Comparison
from replicast.design import describe_repeat
from replicast.formatting import format_number, format_percent, format_pvalue
from replicast.presentation.document import Row
from replicast.presentation.words.scales import Scale, brief_design, hundred, listed
from replicast.replication.first_result import MODELS
from replicast.replication.records import Replication

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


def can_be_significant(found: Replication) -> bool:
    """Say whether any repeat of this size could be significant."""
    return found.interval.high > 0


def cannot_be_significant(found: Replication | Comparison) -> str:
    """Say that nothing of this size can be significant, where it is so."""
    texts = (each.text for each in found.cautions if each.code == "cannot-be-significant")
    return next(texts, "")


def of_hundred(probability: float) -> str:
    """Write a chance as people say it: `86 of 100 repeats`."""
    return f"{hundred(probability)} of 100 repeats"


def repeat_lines(
    found: Replication | None,
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
    if found is None:
        return ()
    if not can_be_significant(found):
        return tuple(larger)
    return (
        *_again_rows(found, twin, said=said),
        *others,
        *_expect_rows(found, scale, turned=turned),
        *larger,
        *_record_rows(found),
    )


def _again_rows(found: Replication, twin: str, *, said: bool) -> Iterator[Row]:
    significant = "" if found.first_significant or said else "significant; "
    remark = f"{significant}{ends(found)}{_formula(found)}{twin}"
    yield Row("again", remark) if said else Row("again", of_hundred(found.probability), remark)
    if found.by_fresh_test is not None:
        yield Row("split", of_hundred(found.by_fresh_test), "by the test that allows for the split")
    if found.replicability is not None:
        yield Row(
            "rerun", f"{hundred(found.replicability)} of 100 reruns", _anew(found), spare=True
        )


def _expect_rows(found: Replication, scale: Scale, *, turned: bool) -> Iterator[Row]:
    expected, limits = found.expected_difference, found.predicted_interval
    if expected is not None and limits is not None:
        low, high = (-limits.high, -limits.low) if turned else limits
        would = f"a repeat would show {scale.number(low)} to {scale.number(high)}"
        yield Row("expect", scale.difference(-expected if turned else expected), would)


def _record_rows(found: Replication) -> Iterator[Row]:
    record = found.track_record
    if record is not None:
        band = f"{100 * record.low:.0f} to {100 * record.high:.0f}"
        fared = f"answers of {band} came true in {hundred(record.came_true)} of 100"
        yield Row("record", fared, spare=True)


def ends(found: Replication) -> str:
    """Say what the chance is for close rivals and for any two."""
    if found.estimator not in _LEARNED:
        return f"by the {found.estimator} estimate"
    close, wide = hundred(found.by_relation.close), hundred(found.by_relation.any)
    if close == wide:
        return "for close rivals and any two"
    if found.relation == "unknown":
        return f"{close} if close rivals, {wide} if any two"
    if found.relation == "close":
        return f"for close rivals; {wide} for any two"
    return f"for any two; {close} for close rivals"


def _formula(found: Replication) -> str:
    """Say what Berrar's formula gives: beside another estimate its chance, else its interval."""
    if found.estimator != "as-published":
        return f"; Berrar 2024: {hundred(found.as_published)}"
    return f" of Berrar 2024, whose 95% interval is {_published_interval(found)}"


def _published_interval(found: Replication) -> str:
    return " to ".join(hundred(limit) for limit in found.as_published_interval)


def _anew(found: Replication) -> str:
    """Say what is new where the data are the same."""
    if found.design.of_cases:
        return "new answers to the same cases"
    return f"new seeds on {'this split' if found.design.splits == 1 else 'these splits'}"


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


def _both_ends(found: Replication) -> str:
    """Write the chance for close rivals and for any two as `95 to 97`, or one number."""
    if found.estimator not in _LEARNED or found.relation != "unknown":
        return hundred(found.probability)
    return " to ".join(
        dict.fromkeys(map(hundred, (found.by_relation.close, found.by_relation.any)))
    )


def is_larger(found: Replication) -> bool:
    """Say whether a repeat is larger than the first experiment."""
    return found.target_design != found.design or found.data_factor != 1


def describe_larger(item: Replication, short: dict[float, str] | None = None) -> str:
    """Say how a larger replication differs from the first experiment."""
    data = "as much data" if item.data_factor == 1 else f"{item.data_factor:g} times the data"
    if item.target_design == item.design:
        return (short or {}).get(item.data_factor, data)
    words = brief_design(item.target_design)
    return f"{words} on {data}" if item.data_factor != 1 else words


def number_rows(found: Replication | None) -> tuple[Row, ...]:
    """Return the numbers about a repeat that its lines do not have."""
    if found is None or not can_be_significant(found):
        return ()
    published = f"{_published_interval(found)} of 100"
    others = f"{hundred(found.sceptic)} and {hundred(found.flat)} of 100"
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
    if not (found.design.over_datasets and (found.design.n_scores or 0) < _FEW_DATASETS):
        chance = format_percent(found.direction_probability)
        better = f"that {called(found.better)} is really better, by the same prior"
        rows.append(Row("direction", chance, better, spare=True))
    if found.spread is not None:
        rows.append(Row("s*", format_number(found.spread.value), found.spread.source))
    return tuple(rows)


def called(name: str) -> str:
    """Write the name of a classifier, or its place where it has no name."""
    return f"the {name}" if name in ("first", "second") else name


def chance_sentence(found: Replication, twin: str = "") -> str:
    """Say the chance of replication as a paper reports it; after a posterior by its `twin`."""
    if not can_be_significant(found):
        return cannot_be_significant(found)
    who = "" if found.estimator == "calibrated" else f"{found.estimator} "
    size = f" with {describe_larger(found)}" if is_larger(found) else ""
    others = f" ({found.by_test or found.by_relation})" if found.estimator in _LEARNED else ""
    allowed = ""
    if found.by_fresh_test is not None:
        allowed = f", {format_percent(found.by_fresh_test)} by a test that allows for the split"
    return (
        f"The {who}probability that a replication {describe_repeat(found.design)}{size} is significant "
        f"in the same direction{twin} is {format_percent(found.probability)}{others}{allowed}."
    )


def how_computed(found: Replication | None) -> tuple[str, ...]:
    """Say how a chance of replication was computed."""
    if found is None:
        return ()
    prior = found.prior
    parts = zip(prior.weights, prior.components, strict=True)
    mixture = ", ".join(f"{size:.3g} ({100 * weight:.2g}%)" for weight, size in parts)
    learned = "as learned from published results and from learners that we fitted ourselves"
    if found.model == "bayesian":
        learned = "as if every share of wins were equally likely"
    elif found.prior.unit == "deviation":
        learned = "as learned from published results of one laboratory"
    return (
        f"Replication: {found.definition}; {found.model} model; assumed: "
        f"{'; '.join(found.assumptions)}.",
        f"Relation {found.relation}: {_UNITS[prior.unit].format(mixture=mixture)}, {learned}.",
    )


def test_of(found: Replication) -> str:
    """Name the test of a first result, with its ties."""
    if found.by_fresh_test is not None:
        return "t-test over seeds"
    if found.model not in MODELS:
        return ""
    ties = getattr(found.first_result.model, "ties", 0)
    return listed(f"{ties} tied" if ties else "", MODELS[found.model].titled(found.design))


def first_words(found: Replication) -> str:
    """Write the first result's p-value and its test."""
    return listed(format_pvalue(found.first_pvalue), test_of(found))
