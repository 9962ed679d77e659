"""How large a difference is, in words: by its effect over datasets, in points on one dataset."""

from replicast.comparison.pair import decide
from replicast.comparison.records import Comparison, Region
from replicast.formatting import format_effect, format_percent
from replicast.inference.methods import METHODS
from replicast.presentation.document import Row
from replicast.presentation.words.scales import Scale
from replicast.results import PosteriorResult

_SCALES = {
    "standardized-difference": "standard deviations of differences",
    "rank-effect": "Z of the signed ranks over √n",
}


def _width(comparison: Comparison) -> str:
    """Write the region that the user named; nobody chose the default, so nothing is said of it."""
    region, evidence = comparison.verdict.region, comparison.evidence
    if isinstance(evidence, PosteriorResult) and evidence.rope:
        region = Region(width=evidence.rope, source="named")
    if region is None or region.source == "default":
        return ""
    return Scale(comparison.unit).typed(region.width)


def equivalence(comparison: Comparison) -> str:
    """Say within what two classifiers are equivalent."""
    width = _width(comparison)
    return f"equivalent within {width}" if width else "equivalent"


def within_region(comparison: Comparison) -> str:
    """Say how much of a posterior lies within its region."""
    evidence = comparison.evidence
    if not isinstance(evidence, PosteriorResult) or not evidence.rope:
        return ""
    return f"{format_percent(evidence.equivalent)} within {_width(comparison)}; "


def small_size(comparison: Comparison) -> str:
    """Say how small a significant difference is, where it is."""
    width = _width(comparison)
    judged = comparison.scores.design.over_datasets or width
    if not judged or comparison.verdict.case != "significant but small":
        return ""
    return f"less than {width}" if width else "a small effect"


def size_rows(comparison: Comparison, *, turned: bool = False) -> tuple[Row, ...]:
    """Return how large the difference is, and its effect, each with what it is measured against.

    The effect is `turned` where the answer speaks of the second classifier's lead.
    """
    effect, width = comparison.effect, _width(comparison)
    estimate = -effect.estimate if turned else effect.estimate
    shown = f"{effect.symbol} = {format_effect(estimate)}".replace("-", "−")
    if comparison.scores.design.over_datasets:
        if effect.label is None:
            return (Row("effect", shown, "too few datasets to call it small or large"),)
        return (Row("effect", f"{shown}  {effect.label}", "Cohen's cut-offs"),)
    effect_row = Row("effect", shown, _SCALES[effect.kind])
    if not width or isinstance(comparison.evidence, PosteriorResult):
        return (effect_row,)
    sizeable = (comparison.verdict.case or "").endswith("sizeable")
    size = f"{'at least' if sizeable else 'less than'} {width}"
    return Row("size", size, f"{width} is your region", spare=True), effect_row


def size_line(comparison: Comparison) -> str:
    """Say by what size is judged: labels of the effect over datasets, a region on one dataset."""
    effect, region = comparison.effect, comparison.verdict.region
    if comparison.scores.design.over_datasets:
        labelled = f"labelled by {effect.rule}" if effect.rule else "too few datasets to label it"
        return f"Effect: {effect.kind}, {labelled}."
    if region is None or region.source == "default":
        return f"Effect: {effect.kind}."
    return (
        f"Effect: {effect.kind}. Size: the difference against a region of {region}, since "
        "standardised differences of scores on one dataset grow with its test sets."
    )


def neumann_group(comparison: Comparison) -> tuple[str, ...]:
    """Name the group of Neumann et al. (2021), over datasets or for a plain test on folds, as there."""
    verdict, effect = comparison.verdict, comparison.effect
    plain = METHODS[comparison.evidence.method].tolerates(comparison.scores.design)
    if plain and verdict.outcome != "equivalent":
        verdict = decide(comparison.evidence, significance=verdict.significance, effect=effect)
    if verdict.group is None:
        return ()
    said = f"Neumann et al. (2021): Group {verdict.group}, {verdict.case}; effect {effect.label}."
    return (f"{said} Folds share training data, which their groups ignore." if plain else said,)
