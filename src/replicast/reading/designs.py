"""How scores arose, told from the shape of the table; what cannot be told is asked for."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from replicast.arrays import Floats
from replicast.design import (
    Datasets,
    Design,
    FiveByTwo,
    RandomSplits,
    Seeds,
    cross_validation,
    format_design,
    run_shape,
)
from replicast.errors import (
    Choice,
    DesignMismatchError,
    DesignNeededError,
    InvalidContentError,
    invalid,
    shorten,
)
from replicast.reading.directions import measured_by
from replicast.reading.requests import Manner
from replicast.reading.rows import Rows
from replicast.reading.sheets import Codes
from replicast.reading.vocabulary.measures import find_measure
from replicast.reading.vocabulary.naming import word_lists, words
from replicast.reading.vocabulary.roles import Role, find_role

Sizes = dict[str, Floats | None]
_MOST_SEEDS = 50  # more rows without a name are not proposed as seeds
FEWEST_DATASETS = 6  # of which a test can tell anything
_UNSPLIT = word_lists()["unsplit"]
_FAR_ABOVE = 200.0  # of shares in percent
_FOLDS_OF_ONE_RUN = 10  # more under one numbering may be several runs, counted through


@dataclass(frozen=True)
class Facts:
    """What tells how scores arose: classifier x dataset x run x fold, how they are called, sizes."""

    rows: Rows
    manner: Manner
    cube: Floats
    sizes: Sizes

    @property
    def shape(self) -> tuple[int, int, int]:
        """Numbers of datasets, runs and folds."""
        return self.cube.shape[1], self.cube.shape[2], self.cube.shape[3]

    @property
    def kind(self) -> Role | None:
        """By which word the scores of a dataset are called."""
        return self.rows.fold_kind if self.cube.shape[3] > 1 else self.rows.run_kind

    @property
    def fewest(self) -> int:
        """How many scores the classifier has that has the fewest on a dataset."""
        return int((~np.isnan(self.cube)).sum(axis=(2, 3)).min())

    @property
    def unsplit(self) -> str:
        """What tells of reinforcement learning or simulation, unless splits are numbered."""
        rows, told = self.rows, self.cube[np.isfinite(self.cube)]
        if "split" not in (rows.run_kind, rows.fold_kind):
            names = (self.manner.metric, *(() if rows.sheet is None else rows.sheet.columns))
            for name in names:
                if not _UNSPLIT.isdisjoint(words(name)):
                    return name
        if not len(told) or find_measure(measured_by(self.manner)[0]) is not None:
            return ""
        low, high = float(told.min()), float(told.max())  # they may be returns
        return f"scores from {low:g} to {high:g}" if low < 0 or high > _FAR_ABOVE else ""


def settle_design(facts: Facts, design: Design | None) -> tuple[Design, str]:
    """Return the design, and why the runs of a dataset must be averaged, empty if they need not."""
    datasets, runs, folds = facts.shape
    name, lone = facts.rows.name, (runs, folds) == (1, 1)
    if design is not None:
        if lone and datasets > 1 and not design.independent:  # none of them would be used
            domain = f"datasets, where {datasets} datasets have one score each"
            remedy = "Give every fold, or leave it out"
            raise DesignMismatchError("design", domain, design.words, remedy)
        _refuse_other_shape(facts, design)
        return _with_its_split(facts, design), ""
    if lone and datasets == 1:
        got = f"{name} with one"
        remedy = "One difference has no spread to judge it by: give every fold, or every case"
        raise invalid("source", "a table with several scores per classifier", got, remedy)
    found = None if lone else _known_design(facts)
    if found is not None:
        return found, ""
    if datasets == 1:
        raise _ask(facts)
    called = _CALLED.get(str(facts.kind), "runs")
    why = (
        f"Each score is the mean of {runs * folds} {called}: how they arose is not known, "
        f"so {called} of one dataset are not compared. Give a design for that, or compare on these very "
        "datasets by `tasks=fixed`."
    )
    return Datasets(datasets), "" if lone else why


def _refuse_other_shape(facts: Facts, design: Design) -> None:
    """Refuse a cross-validation of other runs and folds than the columns of the table number."""
    _, runs, folds = facts.shape
    told = design.folds is None or (runs, folds) == (design.runs or 1, design.folds)
    if told or 1 in (runs, folds) or facts.fewest != runs * folds:
        return
    known = format_design(cross_validation(folds, runs=runs))
    domain = f"{known}, as the columns of {facts.rows.name} number runs and folds"
    raise DesignMismatchError("design", domain, design.words)


def _with_its_split(facts: Facts, design: Design) -> Design:
    """Ask whether there is a split that seeds share, where it may be one of none."""
    if not isinstance(design, Seeds) or not design.has_split:
        return design
    if design.split == "assumed" and design.splits == 1 and facts.unsplit:
        got = f"{design.words} of {facts.rows.name} with {facts.unsplit}"
        raise _split_or_none("said with its split, or without", got, design)
    return replace(design, split="assumed")


def _split_or_none(domain: str, got: str, design: Seeds) -> DesignNeededError:
    none, shared = (format_design(replace(design, split=one)) for one in ("none", "shared"))
    unsplit = "if nothing is split into training and test data, as in reinforcement learning"
    choices = (
        Choice("design", none, unsplit),
        Choice("design", shared, "if all seeds share one training set and the same test data"),
    )
    return DesignNeededError(domain, got, "", design.count).offering(choices)


def _known_design(facts: Facts) -> Design | None:
    """Return the design if columns tell it beyond doubt."""
    (_, runs, folds), kind = facts.shape, facts.kind
    if facts.rows.averaged_folds is not None:
        return None
    whole = runs > 1 and facts.fewest == runs * folds  # every repeat has the same splits
    if folds > 1 and (
        kind == "fold" or (whole and (facts.rows.run_kind, kind) == ("run", "split"))
    ):
        if runs == 1 and folds > _FOLDS_OF_ONE_RUN:
            return None
        return FiveByTwo() if (runs, folds) == (5, 2) else cross_validation(folds, runs=runs)
    return _seeds(facts) if kind == "seed" else _random_splits(facts)


def _random_splits(facts: Facts) -> Design | None:
    """Take numbered repeats for random splits where sizes of training and test sets are known."""
    train, test = facts.sizes["n_train"], facts.sizes["n_test"]
    _, runs, folds = facts.shape
    splits = runs == 1 and facts.kind in ("split", "resample")
    if train is None or test is None or not (folds == 1 or splits):
        return None
    return RandomSplits(splits=runs * folds, n_train=middle(train), n_test=middle(test))


def _seeds(facts: Facts) -> Design | None:
    """Take seeds for seeds: on the splits that are numbered too, or, with care, all on one."""
    datasets, runs, folds = facts.shape
    lone = 1 in (folds, runs) and datasets == 1 and facts.fewest > 1
    if lone and not facts.unsplit:
        return Seeds(facts.fewest)
    crossed = (facts.rows.run_kind, facts.rows.fold_kind) == ("split", "seed") and folds > 1
    return Seeds(folds, splits=runs) if crossed else None


_CALLED = {"fold": "folds", "seed": "seeds", "split": "splits", "resample": "resamples"}
_OPEN: dict[
    str, tuple[str, tuple[str, ...]]
] = {  # by what rows are called: what is asked, and offered
    "fold": ("given for {n} folds, which may be several runs counted through", ("folds", "splits")),
    "iteration": (
        "given for {n} iterations: folds of one run, or of several runs",
        ("folds", "splits"),
    ),
    "split": ("given for {n} splits: bootstrap, random splits or folds", ("splits", "folds")),
    "resample": ("given for {n} resamples: bootstrap, random splits or folds", ("splits", "folds")),
    "run": ("given when {kind} has runs but no folds", ("folds", "splits", "seeds")),
    "": ("given when {kind} has runs but no folds", ("folds", "splits")),
}


def _ask(facts: Facts) -> DesignNeededError:
    """Return the question that fits what the rows are called by."""
    kind, name = str(facts.kind or ""), facts.rows.name
    count = facts.shape[1] * facts.shape[2]
    if facts.rows.averaged_folds is not None:
        domain = "that of the folds themselves, where every score is the mean of several folds"
        got = f"{name}, runs averaged over {facts.rows.averaged_folds} folds"
        remedy = "Write the results of every fold; runs averaged over folds are no random splits"
        return DesignNeededError(domain, got, remedy, count)
    if kind == "seed":
        got = f"{name} with {facts.fewest} seeds and {facts.unsplit}"
        return _split_or_none("given for seeds", got, Seeds(facts.fewest))
    count = facts.fewest or count if kind == "run" else count
    domain, wanted = _OPEN.get(kind, _OPEN[""])
    asked = DesignNeededError(domain.format(n=count, kind=facts.manner.kind), name, "", count)
    return asked.offering(design_choices(count, *wanted))


def are_right_or_wrong(scores: Floats) -> bool:
    """Say whether all scores are 0 or 1."""
    return bool(np.isin(scores[~np.isnan(scores)], (0.0, 1.0)).all())


def can_only_be_cases(count: int, scores: Floats) -> bool:
    """Say whether so many rows without a name are cases: right or wrong, and too many for seeds."""
    return count > _MOST_SEEDS and are_right_or_wrong(scores)


def design_choices(count: int, *wanted: str) -> list[Choice]:
    """Return what so many scores of one classifier may be, in the order wanted.

    Those come last that leave numbers to be filled in: no command can be run with them.
    """
    found = [
        Choice(
            "design",
            text.format(n=count, runs=count // 10, fives=count // 5),
            meaning.format(n=count),
        )
        for kind in wanted
        for text, meaning, fits in _KINDS[kind]
        if fits(count)
    ]
    return sorted(found, key=lambda choice: choice.is_open)


_KINDS: dict[str, tuple[tuple[str, str, Callable[[int], bool]], ...]] = {
    "folds": (
        ("repeated-kfold:runs={runs},folds=10", "for runs of 10 folds",
         lambda n: n > 10 and n % 10 == 0),
        ("kfold:folds={n}", "for {n} folds of one run", lambda n: 2 <= n <= 20),
        ("5x2", "for 5 runs of 2 folds", lambda n: n == 10),
        ("repeated-kfold:runs={fives},folds=5", "for runs of 5 folds",
         lambda n: n > 5 and n % 5 == 0),
        ("repeated-kfold:runs=...,folds=...", "for runs of cross-validation",
         lambda n: n > 3),
    ),
    "splits": (
        ("random-splits:splits={n},n_train=...,n_test=...", "for {n} random splits",
         lambda n: n > 1),
    ),
    "seeds": (
        ("seeds:count={n}", "for {n} seeds of each model on one split", lambda n: 2 <= n <= 50),
    ),
    "cases": (("cases", "for the {n} cases of one test set", lambda n: n > 1),),
    "datasets": (("datasets", "if each row is another dataset", lambda n: n > 1),),
}  # fmt: skip


def middle(sizes: Floats) -> int:
    """Return the median size, at least 1."""
    return max(1, int(np.nanmedian(sizes)))


def describe_sizes(design: Design, sizes: Sizes, given: bool) -> tuple[str, ...]:
    """Say what is assumed about the sizes of training and test sets."""
    train, test = sizes["n_train"], sizes["n_test"]
    if design.n_train is not None and not given and train is not None and test is not None:
        if np.nanmin(test) < np.nanmax(test) or np.nanmin(train) < np.nanmax(train):
            said = f"their medians, {design.n_train} and {design.n_test}, are used"
            return (f"Training and test sets differ in size; {said}.",)
    elif design.folds is not None and test is None:
        return ("Set sizes are unknown; folds are taken as equally large.",)
    return ()


def number_rows(rows: Rows, design: Design | None) -> tuple[Codes, Codes, tuple[int, int]]:
    """Give numbers to the scores of each classifier on each dataset in file order: runs, then folds.

    Rows that a column calls cases are most likely such, and answers that are right or wrong no folds.
    """
    name, keys = rows.name, rows.codes("classifier", "dataset")
    count = keys.groupby(["classifier", "dataset"]).cumcount().to_numpy()
    most = int(count.max(initial=0)) + 1
    if most == 1:
        return np.zeros(len(count), int), np.zeros(len(count), int), (1, 1)
    if design is None and (count == 1).sum() < (count == 0).sum() / 2:
        at = int(np.flatnonzero(count)[0])  # most have one score
        who, where = (key.names[key.codes[at]] for key in (rows.classifier, rows.dataset))
        got = f"more than one for {shorten(who)} on {shorten(where)}"
        remedy = "Keep one row for each, or say what tells them apart"
        raise InvalidContentError(rows.place(at), "one score on each dataset", got, remedy)
    if design is None and len(rows.dataset.names) >= FEWEST_DATASETS:  # their means are compared
        return np.asarray(count, dtype=np.intp), np.zeros(len(count), dtype=np.intp), (most, 1)
    if design is None:
        domain = f"given when nothing says what the {most} scores of each classifier are"
        usual: tuple[str, ...] = ("folds", "seeds", "datasets", "cases", "splits")
        named = () if rows.sheet is None else rows.sheet.columns
        cased = any(find_role(column) == "case" for column in named)
        if cased or (most > _MOST_SEEDS and most % 10):
            usual = ("cases", "datasets", "folds", "splits")
        if are_right_or_wrong(rows.scores):
            usual = ("cases", "seeds")
        raise DesignNeededError(domain, "none", "", most).offering(design_choices(most, *usual))
    if design.over_datasets:
        raise DesignMismatchError(
            "design",
            "a cross-validation design for several scores per dataset",
            "datasets",
            f"{name} has {most} rows for one dataset; name the datasets in a column called dataset",
        )
    runs, folds = require_shape(most, design, name)
    positions = np.asarray(count, dtype=np.intp)
    return positions // folds, positions % folds, (runs, folds)


def require_shape(count: int, design: Design, name: str) -> tuple[int, int]:
    """Return the runs and folds of so many scores, or refuse a design of another number."""
    if design.n_scores not in (None, count):
        raise DesignMismatchError(
            "design",
            f"a design with {count} scores, as {name} has rows",
            f"{design.words} with {design.n_scores}",
            "Check runs and folds, or whether rows are missing",
        )
    return (count, 1) if design.n_train is not None else run_shape(design, count)


def arrange(count: int, design: Design | None, name: str, remedy: str) -> tuple[int, int, str]:
    """Return runs, folds and a note for a list of scores without names of runs and folds.

    Ten scores may be ten folds of one run as well as five runs of two folds, which a test must not
    mix up, so a design is asked for.
    """
    if design is not None and not design.over_datasets:
        runs, folds = require_shape(count, design, name)
        return runs, folds, "Lists of scores were taken as fold after fold, run after run."
    choices = design_choices(count, "folds", "splits", "seeds")
    asked = DesignNeededError(f"given for lists of {count} scores", name, "", count)
    asked.offering(choices)
    asked.remedy += remedy
    raise asked
