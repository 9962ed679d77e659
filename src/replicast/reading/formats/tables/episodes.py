"""Episodes within a seed: a seed counts by their mean, since they are no runs of the training."""

from dataclasses import replace

import numpy as np

from replicast.reading.formats.tables.preparing import Table
from replicast.reading.vocabulary.naming import squeezed, word_lists
from replicast.reading.vocabulary.roles import PLACES, REPEATS

_EPISODES = word_lists()["episodes"]


def mean_of_episodes(table: Table, classifier: str | None, scores: list[str]) -> Table:
    """Return a table with a row for each seed, where episodes alone tell its rows apart."""
    named = [c.name for c in table.find("answer", "run") if squeezed(c.name) in _EPISODES]
    keys = [c.name for c in table.find("dataset", *PLACES, *REPEATS, "step")]
    keys = [name for name in keys if name not in named[:1]]
    seeded = any(c.name in keys for c in table.find(*REPEATS))
    keys += [] if classifier is None else [classifier]
    if not named or not seeded or not table.repeats(*keys) or table.repeats(*keys, named[0]):
        return table
    frame = table.sheet.frame
    numbers = frame[keys].assign(**{name: table.sheet.numbers(name) for name in scores})
    groups = numbers.groupby(keys, sort=False, dropna=False)[scores]
    counts = groups.count().to_numpy()
    least, most = int(counts.min()), int(counts.max())
    told = f"{most}" if least == most else f"{least} to {most}"
    note = f"The score of a seed is the mean of its {told} episodes, in column {named[0]}."
    sheet = table.sheet.take(np.flatnonzero(~frame.duplicated(keys)), note).without(named[:1])
    means = groups.mean().reset_index(drop=True)
    sheet = replace(sheet, frame=sheet.frame.assign(**{name: means[name] for name in scores}))
    kept = [column for column in table.columns.values() if column.name != named[0]]
    return Table(sheet, {column.name: replace(column, sheet=sheet) for column in kept})
