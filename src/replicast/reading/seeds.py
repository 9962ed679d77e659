"""Seeds that are not paired: how many a classifier has matters, not what they are called."""

from dataclasses import replace

import numpy as np

from replicast.design import Design
from replicast.errors import Choice, DesignMismatchError, DesignNeededError
from replicast.reading.rows import Rows
from replicast.reading.sheets import Codes, Key, listing

_CROSSED = {"seed", "split"}
_COUNTED = "Seeds were counted for each classifier: they are not paired, so labels may differ."
_KEPT = (
    "Kept the first {count} seeds of each classifier: some have up to {most}, and the test needs "
    "equally many."
)


def count_seeds(rows: Rows, design: Design | None) -> Rows:
    """Count the seeds of every classifier anew, where they have other labels or are not as many.

    A test of seeds needs equally many. If the design asks for no more than every classifier has, the
    first are kept and the others left out; without a design it is asked whether to do so.
    """
    by_fold = rows.run is None or (rows.run_kind, rows.fold_kind) == ("split", "seed")
    seed, split = ("fold", "run") if by_fold else ("run", "fold")
    key: Key | None = getattr(rows, seed)
    given = rows.take(np.flatnonzero(~np.isnan(rows.scores)))
    if key is None or not len(given.scores) or not _is_wanted(rows, getattr(rows, split), design):
        return rows
    frame = given.codes("classifier", "dataset", split, seed)
    groups = frame.sort_values(seed, kind="stable").groupby(list(frame.columns[:-1]))
    least, most = int(groups.size().min()), int(groups.size().max())
    if least == most == len(key.names) or frame.duplicated().any():
        return rows
    count = most if design is None else design.seeds or max(least, 2)
    if least < 2 or (least < most and count > least):
        raise _unequal(given, least, design)
    codes = np.asarray(groups.cumcount().sort_index(), dtype=np.intp)
    if least == most:
        return _first(given, seed, codes, most, _COUNTED)
    return _first(given, seed, codes, count, _KEPT.format(count=count, most=most))


def _first(rows: Rows, seed: str, codes: Codes, count: int, note: str) -> Rows:
    """Return the rows of so many seeds of every classifier, numbered from 1."""
    left = rows.take(np.flatnonzero(codes < count))
    numbers = Key(codes[codes < count], tuple(str(at + 1) for at in range(count)))
    left = replace(left, notes=(*left.notes, note))
    return replace(left, fold=numbers) if seed == "fold" else replace(left, run=numbers)


def _is_wanted(rows: Rows, split: Key | None, design: Design | None) -> bool:
    """Say whether seeds are counted: a design says so, or they alone tell scores of one dataset."""
    kinds = {rows.run_kind, rows.fold_kind}
    if design is None:
        lone = (rows.run is None) != (rows.fold is None) and "seed" in kinds
        return lone and rows.dataset.is_single and rows.averaged_folds is None
    if design.seeds is None or design.paired:
        return False
    return kinds == _CROSSED or (split is None and design.splits == 1)


def _unequal(
    rows: Rows, least: int, design: Design | None
) -> DesignMismatchError | DesignNeededError:
    names = rows.classifier.names
    counts = np.bincount(rows.classifier.codes, minlength=len(names))
    told = listing([f"{n} of {name}" for name, n in zip(names, counts, strict=True)], 4)
    if least < 2:
        domain = "seeds, at least two of every classifier"
        return DesignMismatchError("design", domain, told, "Run it again")
    if design is None:
        fewer = Choice("design", f"seeds:count={least}", f"to leave out all but {least} of each")
        domain = f"given for seeds of {rows.name} that are not equally many"
        return DesignNeededError(domain, told, "", least).offering([fewer])
    remedy = "The test needs equally many seeds, so the surplus is left out"
    domain = f"seeds:count={least}, the most that every classifier of {rows.name} has"
    return DesignMismatchError("design", domain, f"{design.seeds} for {told}", remedy)
