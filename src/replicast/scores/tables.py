"""Scores of several classifiers on datasets, runs and folds; two of them make a pair."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from math import comb
from typing import TYPE_CHECKING, Any, Literal, cast

import numpy as np

from replicast.arrays import Bools, Floats, Ints
from replicast.design import (
    Cases,
    CrossValidatedCases,
    Datasets,
    Design,
    Holdout,
    RandomSplits,
    require_paired_design,
    run_shape,
)
from replicast.errors import (
    invalid,
    require_choice,
    require_flag,
)
from replicast.scores.gaps import complete, lacking_scores, shared
from replicast.scores.pairs import PERCENT, PairedScores
from replicast.scores.parsing import Arrays, is_correctness, require_numbers

if TYPE_CHECKING:
    from pandas import DataFrame


_ACCURACY = re.compile(
    r"(?<!balanced.)accuracy|(^|_)acc(_|\b)|percent.?correct|error.?rate", re.IGNORECASE
)
_CHOSEN = (
    "The best candidate of a search was chosen on these folds, so its lead is overstated: judge it on "
    "data that the search has not seen."
)
_PARTS = re.compile(r"[^0-9a-z]+")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ScoreTable(Arrays):
    """Scores of several classifiers: classifier x dataset x run x fold.

    Attributes
    ----------
    classifiers, datasets : tuple of str
        Labels of the first two axes.
    scores : array (classifiers, datasets, runs, folds)
        NaN where there is no score.
    design : Design
        How the scores of one dataset arose; `Datasets` if there is one score each.
    n_train, n_test : array (datasets, runs, folds) or None
        Set sizes, where known.
    account : tuple of str
        What was read, dropped and assumed.
    case_scores : tuple of arrays (classifiers, runs, cases), or empty
        For each dataset: the score of every case, such as 1 for right and 0 for wrong; NaN if it was not
        tested.
    failures : tuple of str
        Fits that did not succeed; their scores are missing.
    spreads : array (classifiers, datasets, runs, folds) or None
        Standard deviations that stood beside the scores, where they are means.
    case_names : tuple of str, or empty
        For the cases of one test set, which are the folds of the scores: what they are called.
    clusters : array (cases,) or None
        For cases of one test set: the cluster of each.
    answer_variances : array (classifiers,) or None
        For cases with several answers: the variance of a mean answer of each classifier.
    left_out : str
        What was left out for a missing score; every comparison repeats it as a caution.
    direction : {"known", "assumed"}
        Whether a name, a program or a person says which way is better, or it was assumed.
    chosen : str
        The best candidate of a search, chosen on these very scores; comparisons with it say so.
    unused : tuple of str
        Columns of numbers that nobody asked for: other measures, costs, sizes.
    models : int
        How many models there were, where only some of them were read.
    gaps : {"refuse", "share"}
        Whether classifiers with a missing score are compared on what they share.
    """

    classifiers: tuple[str, ...]
    datasets: tuple[str, ...]
    scores: Floats
    design: Design
    metric: str = "score"
    greater_is_better: bool = True
    n_train: Floats | None = None
    n_test: Floats | None = None
    account: tuple[str, ...] = ()
    case_scores: tuple[Floats, ...] = field(default=(), repr=False)
    failures: tuple[str, ...] = ()
    spreads: Floats | None = field(default=None, repr=False)
    case_names: tuple[str, ...] = field(default=(), repr=False)
    clusters: Ints | None = field(default=None, repr=False)
    answer_variances: Floats | None = field(default=None, repr=False)
    left_out: str = field(default="", repr=False, compare=False)
    direction: Literal["known", "assumed"] = field(default="known", repr=False, compare=False)
    chosen: str = field(default="", repr=False, compare=False)
    unused: tuple[str, ...] = field(default=(), repr=False, compare=False)
    models: int = field(default=0, repr=False, compare=False)
    gaps: Literal["refuse", "share"] = field(default="refuse", repr=False, compare=False)

    def __post_init__(self) -> None:
        scores = require_numbers(self.scores, "scores")
        for argument in ("classifiers", "datasets"):
            object.__setattr__(self, argument, _parse_labels(getattr(self, argument), argument))
        expected = (len(self.classifiers), len(self.datasets))
        if scores.ndim != 4 or scores.shape[:2] != expected:
            raise invalid("scores", f"of shape {expected} x runs x folds", f"shape {scores.shape}")
        scores.setflags(write=False)
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "design", require_paired_design(self.design))
        require_flag(self.greater_is_better, "greater_is_better")

    def _repr_html_(self) -> str:
        part: str = import_module("replicast.presentation.telling").notebook_view(self)
        return part

    def __repr__(self) -> str:
        sets = f"{len(self.datasets)} dataset{'s' * (len(self.datasets) != 1)}"
        sizes = f"{len(self.classifiers)} classifiers, {sets}"
        better = "higher" if self.greater_is_better else "lower"
        told = f"{sizes}, {self.metric}, {better} is better, {self.design.words}"
        return f"<ScoreTable: {told}>"

    def to_frame(self) -> "DataFrame":
        """Return one row per score: classifier, dataset, run, fold and score; gaps are left out."""
        from pandas import DataFrame

        i, k, run, fold = np.nonzero(~np.isnan(self.scores))
        return DataFrame(
            {
                "classifier": np.array(self.classifiers, dtype=object)[i],
                "dataset": np.array(self.datasets, dtype=object)[k],
                "run": run,
                "fold": fold,
                self.metric: self.scores[i, k, run, fold],
            }
        )

    def pair(self, first: str, second: str, *, dataset: str | None = None) -> PairedScores:
        """Return the paired scores of two classifiers.

        With `dataset`, or with one dataset in the table, its scores; otherwise the mean score of
        each dataset, which is what a comparison over datasets needs.
        """
        i, j = self._index(first, "first"), self._index(second, "second")
        first, second = self.classifiers[i], self.classifiers[j]
        without_gaps = shared(self, [i, j])
        if without_gaps is not None:
            return without_gaps.pair(first, second, dataset=dataset)
        if dataset is None and len(self.datasets) > 1:
            return self._pair_over_datasets(i, j)
        k = 0 if dataset is None else _position(dataset, self.datasets, "dataset")
        both = self.scores[[i, j], k].reshape(2, -1)
        gaps = np.isnan(both)
        present: Bools = np.ones(both.shape[1], dtype=np.bool_)
        if gaps.any():  # some may be padding, or scores of others alone
            present = np.asarray(~gaps.all(axis=0))
            both = both[:, present]
            self._refuse_missing(np.isnan(both), (first, second), self.datasets[k])
        first_scores, second_scores = both
        design = self._design_on(k)
        if (
            present.sum() == 1 and self.case_scores
        ):  # one test set, which has a score for every case
            cases = self.case_scores[k][[i, j]].reshape(2, -1)
            cases = cases[:, ~np.isnan(cases).all(axis=0)]  # others may have been tested on more
            self._refuse_missing(np.isnan(cases), (first, second), self.datasets[k])
            first_scores, second_scores = cases
            design = Cases(cases.shape[1])
        elif design.of_cases and not design.binary:
            design = replace(cast(Cases, design), count=int(present.sum()), clusters=None)
        elif dataset is not None and len(first_scores) == 1:
            domain, got = "one with several scores per classifier", f"{dataset!r} with one"
            raise invalid("dataset", domain, got, "Compare over all datasets, or give every fold")
        return PairedScores(
            first=first_scores,
            second=second_scores,
            design=design,
            dataset=self.datasets[k],
            case_scores=self._case_scores(i, j, k),
            n_test=self._cases_a_score(k, both, present),
            clusters=self._clusters_of(present),
            case_names=self._names_of(present),
            answer_variance=None
            if self.answer_variances is None
            else float(self.answer_variances[[i, j]].sum()),
            **self._in_every_pair(first, second),
        )

    def _in_every_pair(self, first: str, second: str) -> dict[str, Any]:
        """Return what any two classifiers have of the table, whatever their scores."""
        return {
            "names": (first, second),
            "greater_is_better": self.greater_is_better,
            "metric": self.metric,
            "left_out": self._reservations_of(first, second),
            "direction": self.direction,
            "one_of": comb(max(self.models, len(self.classifiers)), 2),
        }

    def apart(self, first: str, second: str) -> tuple[Floats, Floats] | None:
        """Return the scores of two classifiers that share no case of one test set, else None."""
        both = self.scores[[self._index(first, "first"), self._index(second, "second")], 0]
        both = both.reshape(2, -1)
        known = ~np.isnan(both)
        if len(self.datasets) > 1 or not self.design.of_cases or known.all(axis=0).any():
            return None
        return both[0, known[0]], both[1, known[1]]

    def scores_of(self, name: str) -> tuple[Floats, Design, Ints | None]:
        """Return the scores of one classifier with their design and clusters: of cases where known.

        Of several datasets, those are the means; of one run of cross-validation the cases, if every
        one was tested.
        """
        at = self._index(name, "name")
        name, every = self.classifiers[at], self.scores[at]
        if len(self.datasets) > 1:
            self._refuse_missing(np.isnan(every).all(axis=(1, 2))[None], (name,), *self.datasets)
            means = np.nanmean(every.reshape(len(every), -1), axis=1)
            return means, Datasets(len(means)), None
        used = ~np.isnan(self.scores[:, 0]).all(axis=0).ravel()  # others pad a shorter design
        values = every[0].ravel()[used]
        present: Bools = np.asarray(~np.isnan(values))
        design = self._design_on(0)
        if present.sum() == 1 and self.case_scores:
            tested = self.case_scores[0][at].ravel()
            tested = tested[~np.isnan(tested)]
            binary = is_correctness(tested, tested)
            return tested, Cases(len(tested)).settled(correctness=binary), None
        cases = self._case_scores(at, at, 0)
        folds = run_shape(design, every[0].size)[1]
        if cases is not None and cases.shape[1] == 1 and design.folds is not None:
            return cases[0, 0], CrossValidatedCases(cases.shape[2], folds=folds), None
        if design.of_cases:
            clusters = self._clusters_of(present)
            count = None if clusters is None else len(np.unique(clusters))
            kept = replace(cast(Cases, design), count=int(present.sum()), clusters=count, answers=1)
            return values[present], kept, clusters
        self._refuse_missing(~present[None], (name,), self.datasets[0])
        return values, design, None

    @property
    def reservations(self) -> str:
        """What comparisons have to repeat: what was left out, and what was chosen."""
        return self._reservations_of(*self.classifiers)

    def _reservations_of(self, *names: str) -> str:
        """Return what comparisons of some classifiers have to repeat."""
        return " ".join(filter(None, (self.left_out, _CHOSEN if self.chosen in names else "")))

    def complete(self) -> "ScoreTable":
        """Return a table without gaps, where they are shared out: what costs least is left out."""
        return complete(self)

    def _names_of(self, present: Bools) -> tuple[str, ...]:
        """Return what some cases are called, if they have names."""
        if len(self.case_names) != len(present):
            return ()
        return tuple(self.case_names[at] for at in np.flatnonzero(present))

    def _clusters_of(self, present: Bools) -> Ints | None:
        """Return the clusters of some cases."""
        clusters = self.clusters
        return clusters if clusters is None or present.all() else clusters[present]

    def _cases_a_score(self, k: int, scores: Floats, present: Bools) -> float | None:
        """Return the cases behind each score of a dataset, if the scores are accuracies.

        Those of a metric so called are; so are scores that are whole numbers of their cases.
        """
        if (
            self.design.independent
            or self.design.of_cases
            or not 0 <= scores.min() <= scores.max() <= 100
        ):
            return None
        if self.n_test is not None:
            sizes = self.n_test[k].reshape(-1)[present]
        elif self.design.n_test is not None:
            sizes = np.full(scores.shape[1], float(self.design.n_test))
        else:
            return None
        right = scores * sizes / (1 if scores.max() <= 1 else PERCENT)
        counted = np.abs(right - np.rint(right)).max() < 1e-6
        if not np.isfinite(sizes).all() or not (counted or _ACCURACY.search(self.metric)):
            return None
        return float(sizes.mean())

    def _design_on(self, k: int) -> Design:
        """Return the design on one dataset: random splits have the set sizes of that dataset."""
        splits = self.design
        if not isinstance(splits, RandomSplits) or self.n_train is None or self.n_test is None:
            return self.design
        sizes = [np.nanmedian(size[k]) for size in (self.n_train, self.n_test)]
        if not np.isfinite(sizes).all():
            return self.design
        n_train, n_test = (max(1, int(size)) for size in sizes)
        return replace(splits, n_train=n_train, n_test=n_test)

    def _case_scores(self, i: int, j: int, k: int) -> Floats | None:
        """Return the scores of every case, if every case was tested in every run."""
        if self.design.of_cases or not self.case_scores:
            return None
        both = self.case_scores[k][[i, j]]
        return None if np.isnan(both).any() else both

    def _index(self, name: str, argument: str) -> int:
        return _position(name, self.classifiers, argument)

    def _pair_over_datasets(self, i: int, j: int) -> PairedScores:
        names = (self.classifiers[i], self.classifiers[j])
        if self._complete_means is not None:
            return self._paired(names, self._complete_means[[i, j]])
        both = self.scores[[i, j]]
        used = np.asarray(~np.isnan(both).all(axis=0))
        used |= ~used.any(axis=(1, 2), keepdims=True)
        missing = np.isnan(both) & used
        lacking = np.flatnonzero(missing.any(axis=(0, 2, 3)))
        self._refuse_missing(missing, names, *(self.datasets[k] for k in lacking))
        return self._paired(names, np.nanmean(both.reshape(2, len(self.datasets), -1), axis=-1))

    @cached_property
    def _complete_means(self) -> Floats | None:
        """The mean score of every classifier on every dataset; None if any score is missing."""
        if np.isnan(self.scores).any():
            return None
        return np.asarray(self.scores.reshape(*self.scores.shape[:2], -1).mean(axis=-1))

    def _paired(self, names: tuple[str, str], means: Floats) -> PairedScores:
        """Return the mean scores of two classifiers on every dataset, paired."""
        rows_are_cases = self.design.binary and self.scores[0, 0].size == 1
        return PairedScores(
            first=means[0],
            second=means[1],
            design=Holdout() if rows_are_cases else Datasets(len(self.datasets)),
            case_names=self.datasets,
            **self._in_every_pair(*names),
        )

    def _refuse_missing(self, missing: Bools, names: tuple[str, ...], *datasets: str) -> None:
        if missing.any():
            lacking = [n for n, gaps in zip(names, missing, strict=True) if gaps.any()]
            raise lacking_scores(
                lacking,
                int(missing.sum()),
                self.design,
                datasets,
                alone=len(self.datasets) == 1,
                others=len(self.classifiers) - len(lacking),
            )


def _position(name: object, labels: tuple[str, ...], argument: str) -> int:
    return labels.index(require_choice(resolve_name(name, labels), argument, labels))


def resolve_name(name: object, labels: Sequence[str]) -> object:
    """Return the label that a name means: whatever its case, cut short, a part, or with more around it.

    Examples
    --------
    >>> resolve_name("SVM", ["svm", "forest"]), resolve_name("for", ["svm", "forest"])
    ('svm', 'forest')
    >>> resolve_name("ours", ["knn", "net (ours)"])
    'net (ours)'
    >>> resolve_name("prompt_v2.jsonl", ["v1", "v2"]), resolve_name("v", ["v1", "v2"])
    ('v2', 'v')
    """
    if not isinstance(name, str) or name in labels:
        return name
    plain = name.casefold()
    parts = set(_PARTS.split(plain.rpartition("/")[2]))
    for fits in (
        lambda label: label == plain,
        lambda label: bool(plain) and label.startswith(plain),
        lambda label: bool(plain) and plain in _PARTS.split(label),
        lambda label: set(_PARTS.split(label)) <= parts,
    ):
        found = [label for label in labels if fits(label.casefold())]
        if len(found) == 1:
            return found[0]
    return name


def _parse_labels(labels: Sequence[str], argument: str) -> tuple[str, ...]:
    if isinstance(labels, str) or not isinstance(labels, Sequence):
        raise invalid(argument, "a sequence of names", labels)
    named = tuple(str(label) for label in labels)
    if len(set(named)) != len(named):
        twice = next(label for label in named if named.count(label) > 1)
        raise invalid(argument, "different names", f"{twice!r} twice")
    return named
