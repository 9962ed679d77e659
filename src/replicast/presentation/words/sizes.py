"""How large a difference is, in words: by its effect over datasets, in points on one dataset."""

from replicast.comparison.records import Comparison, Region
from replicast.formatting import format_effect, format_number
from replicast.inference.methods import METHODS
from replicast.presentation.words.narrative import Row
from replicast.reading.vocabulary.units import point_of
from replicast.results import PosteriorResult


def size_words(comparison: Comparison) -> str:
    """Say how large the difference is against what it is judged by; nothing if by nothing."""
    region = comparison.verdict.region
    if comparison.verdict.case is None:
        return ""
    if region is None:
        effect = f"{comparison.effect.symbol} = {format_effect(abs(comparison.effect.estimate))}"
        return f"the effect is {comparison.effect.label} ({effect})"
    least = "at least" if _is_sizeable(comparison) else "less than"
    return f"the observed difference is {least} {region_width(comparison, region)}"


def _is_sizeable(comparison: Comparison) -> bool:
    return comparison.verdict.case in ("significant and sizeable", "not significant but sizeable")


def region_width(comparison: Comparison, region: Region) -> str:
    """Write the region as whoever named it would: `1 point`, `0.5 points`."""
    point = point_of(comparison.scores)
    if point is None:
        return format_number(region.width)
    points = float(f"{region.width / point:.6g}")
    return f"{points:g} point" if points == 1 else f"{points:g} points"


def equivalence(comparison: Comparison) -> str:
    """Say within what two classifiers are equivalent."""
    region, evidence = comparison.verdict.region, comparison.evidence
    if isinstance(evidence, PosteriorResult):
        region = Region(width=evidence.rope, source="named")
    return f"equivalent within {region_width(comparison, region)}" if region else "equivalent"


def tests_of_equivalence(comparison: Comparison) -> str:
    """Say how it was tested that a difference lies within a region."""
    title = METHODS[comparison.evidence.method].title
    return f"two one-sided tests at {comparison.verdict.significance:g}, {title}"


_SCALES = {
    "standardized-difference": "standard deviations of differences",
    "rank-effect": "Z of the signed ranks over √n",
}


def size_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Return how large the difference is, and its effect, each with what it is measured against."""
    effect = comparison.effect
    shown = f"{effect.symbol} = {format_effect(effect.estimate)}".replace("-", "−")
    if comparison.scores.design.over_datasets:
        if effect.label is None:
            return (Row("effect", shown, "too few datasets to call it small or large"),)
        return (Row("effect", f"{shown}  {effect.label}", "Cohen's cut-offs"),)
    effect_row = Row("effect", shown, _SCALES[effect.kind])
    region = comparison.verdict.region
    if region is not None:
        width = region_width(comparison, region)
        value = f"{'at least' if _is_sizeable(comparison) else 'less than'} {width}"
        remark = f"{width} is {'the default' if region.source == 'default' else 'your region'}"
        return Row("size", value, remark), effect_row
    if isinstance(comparison.evidence, PosteriorResult):
        return (effect_row,)
    return Row("size", "not judged", "no default for such scores (rope)"), effect_row


def size_line(comparison: Comparison) -> str:
    """Say by what size is judged: labels of the effect over datasets, a region on one dataset."""
    effect, region = comparison.effect, comparison.verdict.region
    if comparison.scores.design.over_datasets:
        labelled = (
            "too few datasets to label it" if effect.rule is None else f"labelled by {effect.rule}"
        )
        return f"Effect: {effect.kind}, {labelled}."
    if region is None:
        return f"Effect: {effect.kind}; no region was named, so size is not judged."
    return (
        f"Effect: {effect.kind}. Size: the difference against a region of {region}, since "
        "standardised differences of scores on one dataset grow with its test sets."
    )
