"""Seeds that are not paired: how many a classifier has matters, not what they are called."""

from dataclasses import replace

import numpy as np
import pandas as pd

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
    by_fold, seed, split = _seeds_and_splits(rows)
    scored = np.flatnonzero(~np.isnan(rows.scores))
    if seed is None or not len(scored) or not _is_wanted(rows, split, design):
        return rows
    columns = {"classifier": rows.classifier, "dataset": rows.dataset, "split": split, "seed": seed}
    frame = pd.DataFrame({name: key.codes[scored] for name, key in columns.items() if key})
    counts = frame.groupby(list(frame.columns[:-1])).size()
    least, most = int(counts.min()), int(counts.max())
    if least == most == len(seed.names) or frame.duplicated().any():
        return rows
    count = most if design is None else design.seeds or max(least, 2)
    if least < 2 or (least < most and count > least):
        raise _unequal(rows, scored, least, design)
    found, key = _renumbered(rows, scored, frame, most if least == most else count)
    note = _COUNTED if least == most else _KEPT.format(count=count, most=most)
    found = replace(found, notes=(*found.notes, note))
    return replace(found, fold=key) if by_fold else replace(found, run=key)


def _seeds_and_splits(rows: Rows) -> tuple[bool, Key | None, Key | None]:
    """Return whether folds are seeds, and the keys of seeds and of splits."""
    by_fold = rows.run is None or (rows.run_kind, rows.fold_kind) == ("split", "seed")
    return (True, rows.fold, rows.run) if by_fold else (False, rows.run, rows.fold)


def _renumbered(rows: Rows, scored: Codes, frame: pd.DataFrame, count: int) -> tuple[Rows, Key]:
    """Return the rows of the first seeds of every classifier, and these numbered from 1."""
    groups = frame.sort_values("seed", kind="stable").groupby(list(frame.columns[:-1]))
    codes = np.asarray(groups.cumcount().sort_index(), dtype=np.intp)
    key = Key(codes[codes < count], tuple(str(at + 1) for at in range(count)))
    return rows.take(scored[codes < count]), key


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
    rows: Rows, scored: Codes, least: int, design: Design | None
) -> DesignMismatchError | DesignNeededError:
    names = rows.classifier.names
    counts = np.bincount(rows.classifier.codes[scored], minlength=len(names))
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
