"""Episodes within a seed: a seed counts by their mean, since they are no runs of the training."""

from dataclasses import replace

import numpy as np

from replicast.reading.columns import Column
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.vocabulary.naming import squeezed, word_lists
from replicast.reading.vocabulary.roles import PLACES, REPEATS

_EPISODES = word_lists()["episodes"]


def mean_of_episodes(table: Table, classifier: str | None, scores: list[str]) -> Table:
    """Return a table with a row for each seed, where episodes alone tell its rows apart."""
    episode = next((c for c in table.columns.values() if _is_episode(c)), None)
    frame = table.sheet.frame
    keys = [c.name for c in table.find("dataset", *PLACES, *REPEATS, "step") if c is not episode]
    seeded = any(c.name in keys for c in table.find(*REPEATS))
    keys += [] if classifier is None else [classifier]
    if episode is None or not seeded or not frame.duplicated(keys).any():
        return table
    if frame.duplicated([*keys, episode.name]).any():
        return table
    numbers = frame[keys].assign(**{name: table.sheet.numbers(name) for name in scores})
    groups = numbers.groupby(keys, sort=False, dropna=False)
    counts = groups[scores].count().to_numpy()
    least, most = int(counts.min()), int(counts.max())
    told = f"{most}" if least == most else f"{least} to {most}"
    note = f"The score of a seed is the mean of its {told} episodes, in column {episode.name}."
    first = np.flatnonzero(~frame.duplicated(keys))
    sheet = table.sheet.take(first, note).without([episode.name])
    means = groups[scores].mean().reset_index(drop=True)
    sheet = replace(sheet, frame=sheet.frame.assign(**{name: means[name] for name in scores}))
    columns = {
        name: replace(column, sheet=sheet)
        for name, column in table.columns.items()
        if name != episode.name
    }
    return Table(sheet, columns)


def _is_episode(column: Column) -> bool:
    return column.role in ("answer", "run") and squeezed(column.name) in _EPISODES
