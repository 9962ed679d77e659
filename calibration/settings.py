"""What is asked in a world: a design, a test, and how much of the first result is known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.store import experiments_of
from calibration.worlds import World
from calibration.worlds.boards import BoardWorld
from calibration.worlds.collections import PROBLEMS, ProblemWorld, TiedWorld
from calibration.worlds.folds import FOLDS, SPLITS, Arrays, FoldWorld, SplitWorld
from replicast import METHODS, Datasets, Holdout, KFold, PairedScores, RandomSplits, RepeatedKFold
from replicast.design import CrossValidation, Design
from replicast.replication.counts import DiscordanceModel
from replicast.replication.first_result import FirstResult, read_first_result

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
LEVEL = 0.05


@dataclass(frozen=True)
class Pair:
    """Two contestants in every experiment: who is ahead, whether significantly, and what is known."""

    significant: Bools
    ahead: Bools
    first: Callable[[int], FirstResult]

    def agreeing(self, ahead: bool) -> int:
        """Count the experiments that are significant in a direction."""
        return int((self.significant & (self.ahead == ahead)).sum())


@dataclass(frozen=True)
class Setting:
    """One way to ask in one world; `kind` groups the same way in different worlds."""

    world: str
    kind: str
    design: Design
    pairs: tuple[Pair, ...]

    @property
    def significant_shares(self) -> Floats:
        """How often each pair is significant, in either direction."""
        return np.array([pair.significant.mean() for pair in self.pairs])


def settings_of(world: World) -> Iterator[Setting]:
    """Yield every way to ask in a world."""
    found = experiments_of(world)
    match world:
        case FoldWorld():
            for kind, design, known in FOLD_KINDS:
                yield fold_setting(world, found, kind, design, known)
        case SplitWorld():
            for (splits, share), known in product(SPLITS, ("sizes", "scores")):
                yield _split_setting(world, found, splits, share, known)
        case BoardWorld():
            yield board_setting(world, found)
        case ProblemWorld():
            for count, test in product(PROBLEMS, ("signed-rank", "sign-test", "paired-ttest")):
                yield problem_setting(world, found, count, test)
        case _:
            tests: tuple[str, ...] = ("signed-rank", "sign-test", "paired-ttest")
            if isinstance(world, TiedWorld):
                tests = ("sign-test", "sign-test, ties dropped")
            for test in tests:
                yield _collected(world.name, found["differences"], test)


FOLD_KINDS = (
    ("10-fold, cases", KFold(10), "cases"),
    ("10-fold, scores and sizes", KFold(10), "sizes"),
    ("10-fold, scores alone", KFold(10), "scores"),
    ("5-fold, cases", KFold(5), "cases"),
    ("5-fold, scores and sizes", KFold(5), "sizes"),
    ("5-fold, scores alone", KFold(5), "scores"),
    ("10x10, cases", RepeatedKFold(runs=10, folds=10), "cases"),
    ("10x10, scores and sizes", RepeatedKFold(runs=10, folds=10), "sizes"),
    ("10x10, scores alone", RepeatedKFold(runs=10, folds=10), "scores"),
)


# --------------------------------------------------------------------------- cross-validation
def fold_setting(
    world: FoldWorld, found: Arrays, kind: str, design: CrossValidation, known: str
) -> Setting:
    """Return the pairs of a world of cross-validation."""
    prefix = "" if design.folds == FOLDS else "few_"
    runs = design.runs
    correct = found[f"{prefix}correct"][:, :, :runs]
    folds = found[f"{prefix}folds"][:, :runs]
    accuracy, size = accuracies(correct, folds, design.folds)
    pairs = []
    for i, j in world.pairs:
        a, b = (accuracy[c].reshape(len(folds), -1) for c in (i, j))
        cases = correct[i].astype(np.float64) - correct[j] if known == "cases" else None
        pairs.append(_corrected(a, b, design, cases, size if known == "sizes" else None))
    return Setting(world.name, kind, design, tuple(pairs))


def accuracies(correct: NDArray[np.int8], folds: NDArray[np.int8], k: int) -> tuple[Floats, float]:
    """Return accuracies (contestants, experiments, runs, folds) and the cases of a fold."""
    found = np.empty((*correct.shape[:3], k))
    for fold in range(k):
        tested = folds == fold
        found[..., fold] = (correct * tested).sum(axis=-1) / tested.sum(axis=-1)
    return found.round(12), folds.shape[-1] / k


def _corrected(
    a: Floats, b: Floats, design: Design, cases: Floats | None, size: float | None
) -> Pair:
    gaps = (a - b).round(12)
    pvalues = METHODS["corrected-ttest"].batch_pvalues(gaps, design)

    def first(i: int) -> FirstResult:
        scores = PairedScores(
            first=a[i], second=b[i], design=design, n_test=size,
            case_differences=None if cases is None else cases[i],
        )  # fmt: skip
        return read_first_result(scores)

    return Pair(pvalues < LEVEL, gaps.mean(axis=1) > 0, first)


def _split_setting(
    world: SplitWorld, found: Arrays, splits: int, share: float, known: str
) -> Setting:
    trained, tested = world.sizes(share)
    design = RandomSplits(splits=splits, n_train=trained, n_test=tested)
    accuracy = (found[f"right-{splits}-{share}"] / tested).round(12)
    size = float(tested) if known == "sizes" else None
    pairs = tuple(_corrected(accuracy[i], accuracy[j], design, None, size) for i, j in world.pairs)
    told = "scores and sizes" if known == "sizes" else "scores alone"
    return Setting(
        world.name, f"{splits} splits {100 - round(100 * share)}/{round(100 * share)}, {told}",
        design, pairs,
    )  # fmt: skip


# --------------------------------------------------------------------------- one test set
def board_setting(world: BoardWorld, found: Arrays) -> Setting:
    """Return the pairs of a leaderboard."""
    kind = f"test set of {world.cases}"
    pairs = tuple(_discordant(counts, world.cases) for counts in found["discordant"])
    return Setting(world.name, kind, Holdout(world.cases), pairs)


def _discordant(counts: NDArray[np.int64], cases: int) -> Pair:
    from replicast.kernels.counts import binomial_pvalue

    first_only, second_only = counts.T
    pvalues = binomial_pvalue(
        first_only,
        second_only,
        np.zeros_like(first_only),
        ties_rule="drop",
        alternative="two-sided",
    )

    def first(i: int) -> FirstResult:
        won, lost = int(counts[i].max()), int(counts[i].min())
        model = DiscordanceModel(won=won, lost=lost, cases=cases)
        return FirstResult(model=model, pvalue=float(pvalues[i]), design=Holdout(cases))

    return Pair(pvalues < LEVEL, first_only > second_only, first)


# --------------------------------------------------------------------------- datasets
def problem_setting(world: ProblemWorld, found: Arrays, count: int, test: str) -> Setting:
    """Return the pairs of a collection of problems, of which the first `count` are used."""
    accuracy = (found["right"] / found["rows"])[:, :, :count]
    gaps = np.array([(accuracy[i] - accuracy[j]).round(12) for i, j in world.pairs])
    return _collected(f"{world.name}-{count}", gaps, test)


def _collected(name: str, gaps: Floats, test: str) -> Setting:
    design = Datasets(gaps.shape[2])
    return Setting(name, test, design, tuple(_over_datasets(rows, test) for rows in gaps))


def _over_datasets(rows: Floats, test: str) -> Pair:
    name, _, dropped = test.partition(", ")
    options: dict[str, Any] = {"ties": "drop"} if dropped else {}
    method = METHODS[name]
    design = Datasets(rows.shape[1])
    pvalues = method.batch_pvalues(rows, design, **options)

    def paired(i: int) -> PairedScores:
        return PairedScores(first=rows[i], second=np.zeros_like(rows[i]), design=design)

    def first(i: int) -> FirstResult:
        scores = paired(i)
        return read_first_result(method.test(scores, **options), scores=scores)

    if name == "signed-rank":
        from replicast.kernels.ranks import signed_rank_statistics

        w_plus, used, _ = signed_rank_statistics(rows)
        ahead = w_plus > used * (used + 1) / 4
    elif name == "sign-test":
        ahead = (rows > 0).sum(axis=1) > (rows < 0).sum(axis=1)
    else:
        ahead = rows.mean(axis=1) > 0
    return Pair(pvalues < LEVEL, ahead, first)
