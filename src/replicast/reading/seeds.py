"""Seeds that are not paired: how many a classifier has matters, not what they are called."""

from dataclasses import replace

import numpy as np
import pandas as pd

from replicast.design import Design, Seeds
from replicast.errors import DesignMismatchError
from replicast.reading.rows import Rows
from replicast.reading.sheets import Codes, Key, listing


def count_seeds(rows: Rows, design: Design | None) -> Rows:
    """Count the seeds of every classifier anew, where they have other labels or are not as many.

    A test of seeds needs equally many. If the design asks for no more than every classifier has, the
    first are kept and the others left out. Without a design, a lone column of seeds of one dataset asks
    for as many as every classifier has.
    """
    asked = design if isinstance(design, Seeds) else None
    if asked is None and (design is not None or not _lone_seeds(rows)):
        return rows
    if asked is not None and asked.paired:
        return rows
    seed, split = (
        (rows.run, rows.fold)
        if rows.fold is None or (rows.run_kind, rows.fold_kind) == ("seed", "split")
        else (rows.fold, rows.run)
    )
    crossed = {rows.run_kind, rows.fold_kind} == {"seed", "split"}
    on_one = split is None and (asked is None or asked.splits == 1)
    if seed is None or not (crossed or on_one):
        return rows
    scored = np.flatnonzero(~np.isnan(rows.scores))
    if not len(scored):
        return rows
    groups = [rows.classifier.codes, rows.dataset.codes]
    groups += [] if split is None else [split.codes]
    frame = pd.DataFrame(dict(enumerate(groups))).iloc[scored]
    keys = list(frame.columns)
    frame["seed"] = seed.codes[scored]
    counts = frame.groupby(keys).size()
    least, most = int(counts.min()), int(counts.max())
    if least == most == len(seed.names) or frame.duplicated().any():
        return rows
    if asked is None:
        asked = Seeds(max(least, 2))
    if least < 2 or (least < most and asked.count > least):
        raise _unequal(rows, scored, least, asked)
    number = (frame.sort_values("seed", kind="stable").groupby(keys).cumcount()).sort_index()
    codes = np.asarray(number, dtype=np.intp)
    wanted = (codes < asked.count) | (least == most)
    kept, codes = rows.take(scored[wanted]), codes[wanted]
    numbered = Key(codes, tuple(str(at + 1) for at in range(int(codes.max()) + 1)))
    note = "Seeds were counted for each classifier: they are not paired, so labels may differ."
    if least < most:
        note = (
            f"Kept the first {asked.count} seeds of each classifier: some have up to {most}, and the "
            "test needs equally many."
        )
    notes = (*kept.notes, note)
    if seed is rows.fold:
        return replace(kept, fold=numbered, notes=notes)
    return replace(kept, run=numbered, notes=notes)


def _lone_seeds(rows: Rows) -> bool:
    """Return whether seeds are all that tells the scores of a classifier apart."""
    kinds = [
        kind
        for key, kind in ((rows.run, rows.run_kind), (rows.fold, rows.fold_kind))
        if key is not None
    ]
    return kinds == ["seed"] and rows.dataset.is_single and rows.averaged_folds is None


def _unequal(rows: Rows, scored: Codes, least: int, design: Seeds) -> DesignMismatchError:
    names = rows.classifier.names
    counts = np.bincount(rows.classifier.codes[scored], minlength=len(names))
    told = listing([f"{n} of {name}" for name, n in zip(names, counts, strict=True)], 4)
    remedy = "The test needs equally many seeds, so the surplus is left out"
    domain = f"seeds:count={least}, the most that every classifier of {rows.name} has"
    got = f"{design.count} for {told}"
    if least < 2:
        domain, got, remedy = "seeds, at least two of every classifier", told, "Run it again"
    return DesignMismatchError("design", domain, got, remedy)
