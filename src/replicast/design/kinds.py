"""The kinds of design: datasets, cross-validation, random splits, cases and seeds.

Each is a record with its traits, written once; `base.Design` says what traits there are.
"""

from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Self

from replicast.design.axes import (
    ANSWERS,
    CASES,
    DATA,
    DATASETS,
    FOLDS,
    RUNS,
    TRAINED_CASES,
    Axis,
    Growth,
)
from replicast.design.base import OTHER_ORDER, Design, by_name, require_count
from replicast.errors import invalid, require_flag
from replicast.formatting import plural
from replicast.kernels.layouts import Layout, case_layout, fold_layout, split_layout


@by_name
@dataclass(frozen=True, repr=False)
class Datasets(Design):
    """One score per dataset; the scores are independent.

    `count` may be left out; it is then taken from the scores. `groups` says that datasets are the
    groups of one, such as subjects, each tested by models trained on the others.
    """

    count: int | None = None
    _: KW_ONLY
    groups: bool = False

    unit = "dataset"
    repeated = "datasets"
    over_datasets = True
    independent = True
    names = ("datasets",)
    axes = (DATASETS,)
    outlook = (("datasets", 2), ("datasets", 4))

    def __post_init__(self) -> None:
        if self.count is not None:
            self._settle_count("count", 1)
        require_flag(self.groups, "groups")

    def __repr__(self) -> str:
        return f"Datasets(count={self.count}{', groups=True' if self.groups else ''})"

    @property
    def written(self) -> dict[str, object]:
        """The count, and whether they are groups of one dataset."""
        return {"count": self.count, "groups": "yes" if self.groups else None}

    @property
    def words(self) -> str:
        """How many datasets."""
        if self.groups:
            return f"{self.count or 'several'} groups, each left out once"
        return "several datasets" if self.count is None else plural(self.count, "dataset")

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of independent scores; there is nothing to correct."""
        if corrected or self.count is None:
            return super().t_layout(corrected=corrected)
        return Layout(self.count - 1, 1 / self.count, 1.0)


@dataclass(frozen=True, repr=False)
class CrossValidation(Design):
    """One or several runs of k-fold cross-validation on one dataset; scores in run-major order.

    `KFold`, `RepeatedKFold` and `FiveByTwo` build it. Five runs of two folds that were made for the
    5x2cv tests say so (`five_by_two`): their usual test is another one, all else is the same.
    """

    folds: int = 10
    _: KW_ONLY
    runs: int = 1
    five_by_two: bool = False

    unit = "fold"
    repeated = "runs"
    shares_training = True
    axes = (DATA, RUNS, FOLDS)
    outlook = (("cases", 2), ("cases", 4))

    def __post_init__(self) -> None:
        self._settle_count("folds", 2)
        self._settle_count("runs", 1)
        require_flag(self.five_by_two, "five_by_two")
        if self.five_by_two and (self.runs, self.folds) != (5, 2):
            got = f"{self.runs} runs of {self.folds} folds"
            raise invalid("five_by_two", "left out unless there are five runs of two folds", got)

    def __repr__(self) -> str:
        if self.five_by_two:
            return "FiveByTwo()"
        if self.runs == 1:
            return f"KFold(folds={self.folds})"
        return f"RepeatedKFold(runs={self.runs}, folds={self.folds})"

    @property
    def names(self) -> tuple[str, ...]:
        """Five runs of two folds are both, whoever asks for a test; one run is k-fold."""
        if self.five_by_two:
            return ("5x2", "repeated-kfold")
        if (self.runs, self.folds) == (5, 2):
            return ("repeated-kfold", "5x2")
        return ("kfold",) if self.runs == 1 else ("repeated-kfold",)

    @property
    def written(self) -> dict[str, object]:
        """Runs and folds, as far as its name does not say them."""
        if self.five_by_two:
            return {}
        runs = {} if self.runs == 1 else {"runs": self.runs}
        return {**runs, "folds": self.folds}

    @property
    def words(self) -> str:
        """Runs and folds."""
        if self.five_by_two:
            return "five runs of 2-fold cross-validation"
        once = f"{self.folds}-fold cross-validation"
        return once if self.runs == 1 else f"{self.runs} runs of {once}"

    @property
    def n_scores(self) -> int:
        """Number of scores: runs times folds."""
        return self.runs * self.folds

    @property
    def test_train_ratio(self) -> float:
        """Size of a test fold relative to its training set."""
        return 1 / (self.folds - 1)

    @property
    def shape(self) -> tuple[int, int]:
        """Runs and folds."""
        return self.runs, self.folds

    @property
    def larger(self) -> tuple[Growth, ...]:
        """One run becomes ten, on the same data and on four times as much; several get more data."""
        if self.runs > 1:
            return super().larger
        repeated = self.grow("runs", 10).design
        return Growth(repeated), Growth(self, 4.0), Growth(repeated, 4.0)

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of folds whose training sets overlap."""
        require_flag(corrected, "corrected")
        return fold_layout(self.folds, self.runs, self.test_train_ratio, corrected=corrected)

    def _grown(self, field: str, amount: int) -> Self:
        """Grow out of what the 5x2cv tests are made for."""
        runs, folds = (amount, self.folds) if field == "runs" else (self.runs, amount)
        return type(self)(folds, runs=max(1, runs))


def KFold(folds: int = 10) -> CrossValidation:  # noqa: N802  # a design, as scikit-learn calls it
    """One run of k-fold cross-validation on one dataset."""
    return CrossValidation(folds)


def _repeated_kfold(*, runs: int = 10, folds: int = 10) -> CrossValidation:
    """Several runs of k-fold cross-validation on one dataset; scores in run-major order.

    Both numbers are given by name: scikit-learn's class of this name has the other order. Its splitter
    itself stands for a design too: `design=cv`.
    """
    return CrossValidation(folds, runs=runs)


_repeated_kfold.__name__ = _repeated_kfold.__qualname__ = "RepeatedKFold"
RepeatedKFold = by_name(_repeated_kfold, OTHER_ORDER)


def FiveByTwo() -> CrossValidation:  # noqa: N802  # likewise
    """Five runs of two-fold cross-validation, made for the 5x2cv tests; scores in run-major order."""
    return CrossValidation(2, runs=5, five_by_two=True)


@by_name
@dataclass(frozen=True, kw_only=True)
class RandomSplits(Design):
    """Independent random train/test splits of one dataset."""

    splits: int = field()
    n_train: int = field()
    n_test: int = field()

    unit = "split"
    repeated = "splits"
    shares_training = True
    names = ("random-splits",)
    axes = (DATA,)
    outlook = (("cases", 2), ("cases", 4))

    def __post_init__(self) -> None:
        self._settle_count("splits", 2)
        self._settle_count("n_train", 1)
        self._settle_count("n_test", 1)

    @property
    def n_scores(self) -> int:
        """Number of scores: one a split."""
        return self.splits

    @property
    def written(self) -> dict[str, object]:
        """Splits and sizes."""
        return {"splits": self.splits, "n_train": self.n_train, "n_test": self.n_test}

    @property
    def words(self) -> str:
        """Splits and sizes."""
        return (
            f"{self.splits} random splits of {self.n_train} training and {self.n_test} test cases"
        )

    @property
    def test_train_ratio(self) -> float:
        """Size of the test set relative to the training set."""
        return self.n_test / self.n_train

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of splits that draw from the same cases."""
        share = self.n_test / (self.n_train + self.n_test)
        return split_layout(self.splits, share, corrected=corrected)


@by_name
@dataclass(frozen=True, repr=False)
class Cases(Design):
    """The cases of one test set, each with a score; the fitted models are fixed.

    Cases may hang together in `clusters` (questions about one passage, scans of one patient), and each
    may have several `answers` of a model, whose mean is its score. Scores are of any kind, or only say
    right and wrong (`binary`, which `Holdout` builds): paired scores of cases settle it themselves.
    """

    count: int | None = None
    _: KW_ONLY
    clusters: int | None = None
    answers: int = 1
    binary: bool = False

    unit = "case"
    repeated = "cases"
    of_cases = True
    independent = True
    outlook = (("cases", 4), ("cases", 16))

    def __post_init__(self) -> None:
        for name, least in (("count", 1), ("clusters", 2)):
            if getattr(self, name) is not None:
                self._settle_count(name, least)
        self._settle_count("answers", 1)
        require_flag(self.binary, "binary")
        if self.count is not None and self.clusters is not None and self.clusters > self.count:
            raise invalid("clusters", f"at most as many as the {self.count} cases", self.clusters)
        if self.binary and (self.clusters is not None or self.answers > 1):
            remedy = "Leave `binary` out"
            raise invalid("binary", "cases of their own with one answer", self.words, remedy)

    def __repr__(self) -> str:
        if self.binary:
            return f"Holdout(cases={self.count})"
        return f"Cases(count={self.count}, clusters={self.clusters}, answers={self.answers})"

    @property
    def names(self) -> tuple[str, ...]:
        """Cases that are right or wrong are cases too."""
        return ("holdout", "cases") if self.binary else ("cases",)

    @property
    def written(self) -> dict[str, object]:
        """The count, clusters and answers."""
        if self.binary:
            return {"cases": self.count}
        return {"count": self.count, "clusters": self.clusters, "answers": self.answers}

    @property
    def words(self) -> str:
        """How many cases, how they hang together, and how many answers each has."""
        words = "one test set" if self.binary else "cases of one test set"
        if self.count is not None:
            words = f"one test set of {plural(self.count, 'case')}"
        words += "" if self.clusters is None else f" in {self.clusters} clusters"
        return words if self.answers == 1 else f"{words}, {self.answers} answers each"

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Cases; and answers, where several tell how much they vary."""
        return (CASES, ANSWERS) if self.answers > 1 else (CASES,)

    def _lacks(self, name: str) -> str:
        single = "Several answers to each case tell how much they vary"
        return single if name == ANSWERS.name else ""

    def settled(self, *, correctness: bool) -> Design:
        """Return single answers to cases that are right or wrong as such: one experiment, one design."""
        plain = self.clusters is None and self.answers == 1
        return replace(self, binary=True) if plain and correctness else self

    def _grown(self, field: str, amount: int) -> Self:
        """Let clusters grow along, with as many cases to a cluster."""
        if field == "count" and self.clusters is not None and self.count is not None:
            clusters = min(max(2, round(self.clusters * amount / self.count)), amount)
            return replace(self, count=amount, clusters=clusters)
        return super()._grown(field, amount)


def Holdout(cases: int | None = None) -> Cases:  # noqa: N802  # likewise
    """One fixed test set; a score is the correctness (0 or 1) of one case."""
    if cases is not None:
        require_count(cases, "cases", 1)
    return Cases(cases, binary=True)


@by_name
@dataclass(frozen=True, repr=False)
class CrossValidatedCases(Cases):
    """The cases of one dataset, each scored by models that were trained without its fold.

    As `cross_val_predict` gives them. Fresh data would bring other cases and other training sets, and
    the training sets overlap; `folds` tells how much. Every run scores every case once: with several,
    `answers` is their number, and the score of a case is its mean over runs.
    """

    _: KW_ONLY
    folds: int = 10

    independent = False
    names = ("cross-validated-cases",)
    axes = (TRAINED_CASES,)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._settle_count("folds", 2)
        if self.binary:
            raise invalid("binary", "left out for cases of cross-validation", self.binary)
        if self.count is not None and self.folds > self.count:
            raise invalid("folds", f"at most as many as the {self.count} cases", self.folds)

    def __repr__(self) -> str:
        options = f"clusters={self.clusters}, answers={self.answers}, folds={self.folds}"
        return f"CrossValidatedCases(count={self.count}, {options})"

    @property
    def written(self) -> dict[str, object]:
        """The count, clusters, runs and folds."""
        return {**super().written, "folds": self.folds}

    @property
    def words(self) -> str:
        """How many cases, how they hang together, and how they were tested."""
        words = "cases" if self.count is None else plural(self.count, "case")
        words += "" if self.clusters is None else f" in {self.clusters} clusters"
        runs = "" if self.answers == 1 else f"{self.answers} runs of "
        return f"{words} of {runs}{self.folds}-fold cross-validation"

    @property
    def overlap(self) -> float:
        """By how much of itself the variance of the mean grows, for training sets that overlap.

        It is n_test / n_train for every fold [1]_, and there are as many folds: k / (k - 1).

        References
        ----------
        .. [1] Nadeau and Bengio (2003), Machine Learning 52, 239-281.
        """
        return self.folds / (self.folds - 1)

    def settled(self, *, correctness: bool) -> Design:  # noqa: ARG002  # the same for all scores
        """Return the design as it is: right and wrong have the test that other scores have."""
        return self

    def t_layout(self, *, corrected: bool) -> Layout:
        """Return that of cases whose models have training sets that overlap."""
        require_flag(corrected, "corrected")
        parts = self.clusters or self.count or 2
        return case_layout(parts - 1, self.folds, self.answers, corrected=corrected)

    def _grown(self, field: str, amount: int) -> Self:
        """Keep the folds, unless there are fewer cases."""
        if field == "count" and amount < self.folds:
            return replace(self, folds=max(2, amount))._grown(field, amount)
        return super()._grown(field, amount)
