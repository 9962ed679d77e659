"""Cautions by rank: those that change p, the verdict or who is ahead come first, in few words."""

from collections.abc import Collection, Iterable, Mapping

from replicast.presentation.document import Warned
from replicast.results import Caution

# what changes p, the verdict or who is ahead
_CHANGING: Mapping[str, str] = {
    "cannot-be-significant": "with so few scores no difference could be significant",
    "degenerate": "all differences are equal, so p is set by a rule",
    "dependent-scores": "this test ignores that the folds share data, so its p is too small",
    "different-sizes": "the datasets with large scores decide: they are not on one scale",
    "identical": "",
    "left-out": "",
    "mixed-scales": "some scores look like percent, others like fractions",
    "one-number": "",  # whose it is, its sentence says
    "omnibus-not-significant": "all together, the differences may be chance",
    "ordinary-t": "",
    "seeds-never-vary": "all seeds give one score, so they say nothing about fresh data",
    "too-few-for-pairs": "",
    "too-little-power": "",
    "which-t": "",
    "random-order": "valid if the cases came in random order",
    "sorted-cases": "",  # which column it is, its sentence says
}
_OTHERS: Mapping[str, str] = {
    "answer-share": "how much the answers vary is a guess from one answer each",
    "averaged-scores": "the correction was made for single folds, not for averages",
    "beyond-measured-splits": "no such split was measured, so the chance is rough",
    "few-cases": "few cases: the interval may be too narrow",
    "few-clusters": "few groups of cases: the test may be off",
    "few-datasets": "few datasets: only very regular differences can be seen",
    "few-tasks": "too few tasks to say anything of other tasks",
    "few-splits": "a few splits say little about how much splits vary",
    "full-agreement": "all datasets rank the classifiers alike",
    "interval-ends-at-bound": "the interval ends at the margin, as the test does",
    "interval-ends-at-zero": "the interval ends at zero, as the test does",
    "learning-curves": "with more data both would learn more; their difference is taken as fixed",
    "no-interval": "this test has no interval here",
    "no-replication-model": "no forecast exists for this use of the test",
    "no-split": "a repeat has new seeds and nothing else",
    "not-normal": "the differences do not look normal, so the t-test may be off",
    "not-symmetric": "a few datasets speak far louder than the others",
    "one-dataset": "one dataset: nobody knows who would be first on another",
    "one-sided": "a one-sided test has no chance of a repeat",
    "one-split": "one split cannot show how much the split matters",
    "one-training-set": "other training data would change more",
    "rough": "only a statistic is known, so the chance is rough",
    "scheme": "the test saw averages; effect and power are those of all scores",
    "shared-first-place": "several share the first place",
    "shared-training": "each group was tested by models trained on the others",
    "small-test-set": "a small test set",
    "ties-untold": "ties may have been left out",
    "too-few-for-places": "too few datasets to say who stays first",
    "unpaired": "different cases for each: the same cases would tell as much as twice as many",
    "unknown-correlation": "if ± is a standard error, the chances are lower",
    "upper-limit": "the p-value is an upper limit",
    "zero-differences": "some differences are zero",
}


def ranked(cautions: Iterable[Caution], said: Collection[str] = ()) -> tuple[Warned, ...]:
    """Return cautions, those that change the answer first; codes that the answer says are left out."""
    warned = [
        Warned(caution.text, _brief(caution), caution.code in _CHANGING)
        for caution in dict.fromkeys(cautions)
        if caution.code not in said
    ]
    return tuple(sorted(warned, key=lambda caution: not caution.first))


def _brief(caution: Caution) -> str:
    short = _CHANGING.get(caution.code) or _OTHERS.get(caution.code)
    if short:
        return short
    sentence = caution.text.partition(". ")[0].rstrip(".")
    return sentence[:1].lower() + sentence[1:]
