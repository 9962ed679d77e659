"""What to be careful about: each caution in one place, for two classifiers and for many."""

from collections.abc import Callable

import numpy as np

from replicast.arrays import Floats
from replicast.design import Design
from replicast.formatting import format_pvalue, join_words, plural
from replicast.inference.friedman import FriedmanResult
from replicast.inference.methods import METHODS, Evidence, default_method
from replicast.inference.normality import NormalityCheck, skewness
from replicast.kernels.multiplicity import adjust
from replicast.results import Caution, is_significant
from replicast.scores.pairs import PairedScores

_FEW_DATASETS = 10
FEWEST_FOR_PLACES = 6  # below, chances that places stay are too high (calibration.few_datasets)
_ENOUGH_FOR_T = 30  # from here on the mean is normal enough whatever the differences look like
_VISIBLY_SKEWED = 2.576  # standard errors of the skewness: one normal sample in a hundred
_LOOKS_UNLIKE = 0.05  # level of the check of normality
_MOST_SCORES = 2000  # up to which is searched for enough of them
_MIXED = Caution(
    "mixed-scales", "Some scores look like percent, others like fractions: bring all to one scale."
)


def scale_cautions(matrix: Floats, *, over_datasets: bool) -> tuple[Caution, ...]:
    """Return a caution if some classifiers (columns), or datasets (rows), look like percent alone.

    Examples
    --------
    >>> [found] = scale_cautions(np.array([[0.9, 80.0], [0.8, 75.0]]), over_datasets=True)
    >>> found.code
    'mixed-scales'
    """
    for axis in (0, 1) if over_datasets else (0,):
        tops = np.abs(matrix).max(axis=axis)
        low, high = float(tops.min()), float(tops.max())
        if 0 < low <= 1 and 2 < high <= 100 and high > 20 * low:
            return (_MIXED,)
    return ()


def left_out(text: str) -> tuple[Caution, ...]:
    """Repeat what was left out for a missing score, if anything was."""
    return (Caution("left-out", text),) if text else ()


def shared_training(pair: PairedScores) -> tuple[Caution, ...]:
    """Say so where training sets overlap between groups."""
    if not pair.design.groups:
        return ()
    text = (
        "Each group was tested by models trained on the others, so the scores share training data: "
        "the p-value is about fresh groups for models much like these, and somewhat too small."
    )
    return (Caution("shared-training", text),)


def few_datasets(n: int) -> tuple[Caution, ...]:
    """Say so if there are few datasets."""
    if n >= _FEW_DATASETS:
        return ()
    text = f"Only {plural(n, 'dataset')}: only very regular differences can be seen."
    return (Caution("few-datasets", text),)


def one_dataset(name: str, *, over_cases: bool) -> Caution:
    """Say what one dataset cannot show."""
    fresh = (
        "whether first place stays first is said for fresh cases, not for another dataset"
        if over_cases
        else "nothing says whether first place would stay first on another dataset"
    )
    called = "" if name == "all" else f", {name}"  # readers call one without a name so
    text = (
        f"There is one dataset{called}: pairs are compared on its test sets. Without several "
        f"datasets there are no mean ranks, no test over all classifiers, and {fresh}."
    )
    return Caution("one-dataset", text)


def no_replication_model(method: str) -> Caution:
    """Say that nothing predicts a replication."""
    text = f"There is no model of replication for this use of {method}."
    return Caution("no-replication-model", text)


def mismatches(pair: PairedScores, evidence: Evidence, *, one_sided: bool) -> tuple[Caution, ...]:
    """Say where effect and power describe something else than the test that was run."""
    found = []
    scores = len(pair.differences)
    if evidence.n != scores:
        own = "" if getattr(evidence, "estimand", "") == "mean difference" else "interval, "
        text = (
            f"The test saw {evidence.n} averages; {own}effect and power are those of all {scores} "
            "scores."
        )
        found.append(Caution("scheme", text))
    if one_sided:
        text = (
            "The test is one-sided. The power is that of the two-sided one, and the chance of "
            "replication is told for that one alone: compare without an alternative."
        )
        found.append(Caution("one-sided", text))
    return tuple(found)


def not_normal(pair: PairedScores, check: NormalityCheck | None) -> tuple[Caution, ...]:
    """Say so if a test takes differences for normal that do not look it."""
    n = len(pair.differences)
    if check is None or n >= _ENOUGH_FOR_T or not is_significant(check.pvalue, _LOOKS_UNLIKE):
        return ()
    usual = METHODS[default_method(pair.design)]
    more = f"more {pair.design.repeated}"
    other = more if usual.assumes == "normal differences" else usual.name
    text = (
        f"The differences do not look normal ({check.name}, {format_pvalue(check.pvalue)}); with {n} "
        f"of them the t-test may be off. Compare with {other}."
    )
    return (Caution("not-normal", text),)


def not_symmetric(pair: PairedScores, method: str) -> tuple[Caution, ...]:
    """Say so if a test takes differences over datasets for symmetric that visibly are not."""
    if METHODS[method].assumes != "symmetric differences" or not pair.design.over_datasets:
        return ()
    found, error = skewness(pair.differences)
    if abs(found) <= _VISIBLY_SKEWED * error:
        return ()
    first, second = pair.names if found > 0 else pair.names[::-1]
    mean = float(np.mean(pair.differences))
    favoured = pair.names[0 if mean > 0 else 1]
    text = (
        f"The differences are skewed: a few datasets speak for {first} far more than the others. "
        f"The {METHODS[method].title} assumes that they are symmetric; where they are not, it may "
        f"lean to {second}, whatever the mean says. Here the mean favours "
        f"{favoured if mean else 'neither'}."
    )
    return (Caution("not-symmetric", text),)


def cannot_be_significant(
    method: str, n: int, significance: float, *, sides: int = 2
) -> tuple[Caution, ...]:
    """Say so if no n scores whatever could give a p-value below the level."""

    def least(scores: int) -> float:
        return METHODS[method].smallest_pvalue(scores) * sides / 2

    if is_significant(least(n), significance):
        return ()
    text = (
        f"{plural(n, 'score')} cannot give p < {significance:g} in this test: its smallest possible "
        f"p is {least(n):.4g}. {_needed(least, n, significance)}."
    )
    return (Caution("cannot-be-significant", text),)


def cannot_be_adjusted(
    method: str,
    design: Design,
    pairs: int,
    correction: str,
    names: tuple[str, ...],
    significance: float,
) -> tuple[Caution, ...]:
    """Say so if no scores whatever could give an adjusted p-value below the level."""

    def least(scores: int, tested: int = pairs) -> float:
        alone = METHODS[method].smallest_pvalue(scores)
        rule = correction if tested == pairs else "holm"  # Shaffer's is for all pairs
        return float(adjust(np.full(tested, alone), rule, len(names)).min())

    n, fewer = design.n_scores, len(names) - 1
    if not design.over_datasets or n is None or is_significant(least(n), significance):
        return ()
    noun = "pair" if pairs == 1 else "pairs"
    code, opening = "cannot-be-significant", ""
    if pairs > fewer and is_significant(least(n, 1), significance):  # a pair alone could
        code = "too-few-for-pairs"
        if is_significant(least(n, fewer), significance):
            opening = (
                f"Against a control there are {fewer} pairs, for which {n} datasets are enough. "
            )
    text = opening + (
        f"{n} datasets and {pairs} {noun} cannot give an adjusted p < {significance:g} by "
        f"{correction}: the smallest possible is {least(n):.4g}. "
        f"{_needed(least, n, significance, ' datasets')}"
        f"{', or fewer pairs, as with a control' if pairs > 1 and not opening else ''}."
    )
    return (Caution(code, text),)


def _needed(least: Callable[[int], float], n: int, significance: float, unit: str = "") -> str:
    """Say how many scores it takes, where any number is enough."""
    for count in range(n, _MOST_SCORES):
        if is_significant(least(count), significance):
            return f"Use at least {count}{unit}"
    return "Use another test"


def cautions_over_datasets(friedman: FriedmanResult, significance: float) -> tuple[Caution, ...]:
    """Say what the ranks over datasets cannot show."""
    found: list[Caution] = []
    n = friedman.n
    if len(friedman.classifiers) > 2 and not is_significant(friedman.f_pvalue, significance):
        text = (
            "The test over all classifiers does not show that any differ "
            f"({format_pvalue(friedman.f_pvalue)}, Iman-Davenport): the largest of many differences "
            "looks real even where none is, and its chance of replication is overstated."
        )
        found.append(Caution("omnibus-not-significant", text))
    found += few_datasets(n)
    places = friedman.average_ranks
    if n < FEWEST_FOR_PLACES:
        text = (
            f"{n} datasets are too few to say how often places would stay; it takes "
            f"{FEWEST_FOR_PLACES}. With fewer, such chances were up to 26 points too high."
        )
        found.append(Caution("too-few-for-places", text))
    named = zip(friedman.classifiers, places, strict=True)
    shared = [name for name, place in named if place == places[0]]
    if len(shared) > 1:
        text = f"{join_words(shared[:5])} share the first mean rank; their order is a convention."
        found.append(Caution("shared-first-place", text))
    return tuple(found)
