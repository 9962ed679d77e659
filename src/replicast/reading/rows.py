"""Scores in long form: one entry per score, with everything that tells it from the others."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from replicast.arrays import Floats
from replicast.errors import InvalidContentError, invalid, nearest
from replicast.reading.sheets import Codes, Key, Sheet, in_order, listing
from replicast.reading.vocabulary.cells import Numbers
from replicast.reading.vocabulary.roles import Place, Role, read_place

UNTITLED = "all"
Kinds = dict[str, Role | None]  # by which words runs and folds are called
_KEYS = ("classifier", "dataset", "run", "fold", "case", "answer")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where a sheet keeps what a table of scores needs."""

    classifier: str | None
    score: str
    dataset: str | None = None
    run: str | None = None
    fold: str | None = None
    case: str | None = None
    cluster: str | None = None
    answer: str | None = None
    n_train: str | None = None
    n_test: str | None = None

    @property
    def used(self) -> tuple[str, ...]:
        """Names of all columns that are used."""
        return tuple(value for value in vars(self).values() if value is not None)


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Scores with their keys, before they are arranged; entry i is row `origin[i]` of the sheet."""

    name: str
    scores: Floats  # NaN where one is missing
    classifier: Key
    dataset: Key
    run: Key | None = None
    fold: Key | None = None
    run_kind: Role | None = None
    fold_kind: Role | None = None
    case: Key | None = None
    cluster: Key | None = None
    answer: Key | None = None
    n_train: Floats | None = None
    n_test: Floats | None = None
    spreads: Floats | None = None
    averaged_folds: int | None = None
    sheet: Sheet | None = field(default=None, repr=False)
    origin: Codes | None = field(default=None, repr=False)
    notes: tuple[str, ...] = ()

    def place(self, position: int) -> str:
        """Name the file and row of an entry."""
        if self.sheet is None:
            return self.name
        return self.sheet.place(position if self.origin is None else int(self.origin[position]))

    def take(self, chosen: Codes) -> "Rows":
        """Return the chosen entries."""
        parts: dict[str, Any] = {
            name: value.take(chosen) if isinstance(value, Key) else value[chosen]
            for name, value in vars(self).items()
            if isinstance(value, Key | np.ndarray)
        }
        return replace(self, **{"origin": chosen, **parts})

    def codes(self, *names: str) -> pd.DataFrame:
        """Return the codes of some keys, of those that there are; of all that tell rows apart."""
        keys = {name: getattr(self, name) for name in names or _KEYS}
        return pd.DataFrame({name: key.codes for name, key in keys.items() if key is not None})

    def of_dataset(self, name: str) -> "Rows":
        """Return the entries of one dataset."""
        if name not in self.dataset.names:
            known = self.dataset.names
            raise invalid("dataset", f"one of {listing(known)}", repr(name), nearest(name, known))
        return self.take(np.flatnonzero(self.dataset.codes == self.dataset.names.index(name)))

    def of_classifiers(self, names: Sequence[str]) -> "Rows":
        """Return the entries of some classifiers; all of them, if one of the names is not there."""
        known = self.classifier.names
        if not set(names) <= set(known):
            return self
        wanted = [known.index(name) for name in names]
        return self.take(np.flatnonzero(np.isin(self.classifier.codes, wanted)))


def rows_of(
    sheet: Sheet,
    columns: Columns,
    kinds: Kinds | None = None,
    numbers: Sequence[Numbers] = (),
    models: Sequence[str] | None = None,
) -> Rows:
    """Read the columns of a sheet; `kinds` says by which words run and fold are called.

    A sheet with a column for each classifier gives `numbers` of each, and their names as `models`.
    """
    kinds = kinds or {"run": "run", "fold": "fold"}
    told = list(numbers) or [sheet.read(columns.score)]
    _require_one_scale(told, sheet, columns.score)
    n = len(sheet.frame)

    def key(column: str | None, *, ranked: bool = False) -> Key | None:
        if column is None:
            return None
        sheet.require([column], "a row for each score")
        return sheet.ranks(column) if ranked else sheet.labels(column)

    rows = Rows(
        name=sheet.name,
        scores=told[0].values,
        classifier=key(columns.classifier) or Key.constant(UNTITLED, n),
        dataset=key(columns.dataset) or Key.constant(UNTITLED, n),
        run=key(columns.run, ranked=True),
        fold=key(columns.fold, ranked=True),
        run_kind=kinds.get("run") if columns.run else None,
        fold_kind=kinds.get("fold") if columns.fold else None,
        case=key(columns.case),
        cluster=key(columns.cluster),
        answer=key(columns.answer, ranked=True),
        n_train=sheet.numbers(columns.n_train) if columns.n_train else None,
        n_test=sheet.numbers(columns.n_test) if columns.n_test else None,
        spreads=told[0].spreads,
        sheet=sheet,
        notes=(*sheet.notes, *_notes(told)),
    )
    return split_places(rows if models is None else _tiled(rows, told, models))


def _tiled(rows: Rows, numbers: Sequence[Numbers], models: Sequence[str]) -> Rows:
    """Put the scores of models under each other, each with the keys of all rows."""
    n = len(rows.scores)
    none = np.full(n, np.nan)
    spreads = [none if one.spreads is None else one.spreads for one in numbers]
    return replace(
        rows.take(np.tile(np.arange(n), len(numbers))),
        scores=np.concatenate([one.values for one in numbers]),
        classifier=Key(np.repeat(np.arange(len(numbers)), n), tuple(models)),
        spreads=None if all(one is none for one in spreads) else np.concatenate(spreads),
    )


def mean_of_episodes(rows: Rows, column: str) -> Rows:
    """Return a score for each seed, the mean of its episodes, which a column numbers."""
    keys = rows.codes("classifier", "dataset", "run", "fold")
    seeds = pd.Series(rows.scores).groupby(keys.groupby(list(keys), sort=False).ngroup())
    least, most = int(seeds.count().min()), int(seeds.count().max())
    told = f"{most}" if least == most else f"{least} to {most}"
    note = f"The score of a seed is the mean of its {told} episodes, in column {column}."
    chosen = rows.take(np.flatnonzero(~keys.duplicated()))
    scores = np.asarray(seeds.mean(), dtype=np.float64)
    return replace(chosen, scores=scores, spreads=None, answer=None, notes=(*rows.notes, note))


def split_places(rows: Rows) -> Rows:
    """Take labels such as Fold01.Rep1 apart into fold and run, and call keys by what labels say."""
    for field_name in ("fold", "run"):
        key: Key | None = getattr(rows, field_name)
        if key is None:
            continue
        places = [read_place(name) for name in key.names]
        if not all(places):
            continue
        told: list[Place] = [place for place in places if place is not None]
        both = [place for place in told if place.fold is not None and place.run is not None]
        if len(both) == len(told) and rows.run is None:
            fold = Key(key.codes, tuple(str(place.fold) for place in told))
            run = Key(key.codes, tuple(str(place.run) for place in told))
            return replace(
                rows,
                fold=in_order(_merged(fold)),
                run=in_order(_merged(run)),
                fold_kind="fold",
                run_kind="run",
            )
        kinds = {place.kind for place in told}
        if len(kinds) == 1:
            [kind] = kinds
            rows = replace(rows, **{f"{field_name}_kind": kind})  # type: ignore[arg-type]  # one of two fields
    return rows


def _merged(key: Key) -> Key:
    """Return a key in which equal names have one code."""
    names = tuple(dict.fromkeys(key.names))
    codes = np.array([names.index(name) for name in key.names], dtype=np.intp)
    return Key(codes[key.codes], names)


def _require_one_scale(columns: Sequence[Numbers], sheet: Sheet, name: str) -> None:
    """Refuse cells with a percent sign beside others without."""
    bare = any(
        np.isfinite(one.values if one.percent is None else one.values[~one.percent]).any()
        for one in columns
    )
    signed = [one.percent for one in columns if one.percent is not None and one.percent.any()]
    if bare and signed:
        place = sheet.cell(int(np.flatnonzero(signed[0])[0]), name)
        remedy = "Write all scores with percent signs, or none"
        raise InvalidContentError(place, "all scores on one scale", "a percent sign", remedy)


def _notes(columns: Sequence[Numbers]) -> list[str]:
    """Say what stands in cells beside numbers."""
    notes = []
    words = list(dict.fromkeys(word for column in columns for word in column.absent))
    if words:
        told = listing([repr(word) for word in words], 5)
        notes.append(f"Cells that say {told} are missing scores.")
    if any(column.percent is not None for column in columns):
        notes.append("Scores have percent signs.")
    if any(column.spreads is not None for column in columns):
        notes.append(
            "Means were read; what stands behind ± or in brackets was kept as their spread."
        )
    if any(column.beside for column in columns):
        notes.append("What stands in brackets behind scores is no spread, and was not kept.")
    return notes
