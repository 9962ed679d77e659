"""How large a difference is, in words: by its effect over datasets, in points on one dataset."""

from replicast.comparison.pair import decide
from replicast.comparison.records import Comparison, Region
from replicast.formatting import format_effect, format_number
from replicast.inference.methods import METHODS
from replicast.presentation.document import Row
from replicast.reading.vocabulary.units import point_of
from replicast.results import PosteriorResult


def _is_sizeable(comparison: Comparison) -> bool:
    return comparison.verdict.case in ("significant and sizeable", "not significant but sizeable")


def named_region(comparison: Comparison) -> Region | None:
    """Return the region that the user named; nobody chose the default, so nothing is said of it."""
    region = comparison.verdict.region
    return None if region is None or region.source == "default" else region


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
    region = named_region(comparison)
    if region is None:
        return (effect_row,)
    width = region_width(comparison, region)
    value = f"{'at least' if _is_sizeable(comparison) else 'less than'} {width}"
    return Row("size", value, f"{width} is your region", spare=True), effect_row


def size_line(comparison: Comparison) -> str:
    """Say by what size is judged: labels of the effect over datasets, a region on one dataset."""
    effect, region = comparison.effect, named_region(comparison)
    if comparison.scores.design.over_datasets:
        labelled = (
            "too few datasets to label it" if effect.rule is None else f"labelled by {effect.rule}"
        )
        return f"Effect: {effect.kind}, {labelled}."
    if region is None:
        return f"Effect: {effect.kind}."
    return (
        f"Effect: {effect.kind}. Size: the difference against a region of {region}, since "
        "standardised differences of scores on one dataset grow with its test sets."
    )


def neumann_group(found: Comparison) -> tuple[str, ...]:
    """Name the group of Neumann et al. (2021), over datasets or for a plain test on folds, as there."""
    verdict, effect = found.verdict, found.effect
    plain = METHODS[found.evidence.method].tolerates(found.scores.design)
    if plain and verdict.outcome != "equivalent":
        verdict = decide(found.evidence, significance=verdict.significance, effect=effect)
    if verdict.group is None:
        return ()
    said = f"Neumann et al. (2021): Group {verdict.group}, {verdict.case}; effect {effect.label}."
    return (f"{said} Folds share training data, which their groups ignore." if plain else said,)
