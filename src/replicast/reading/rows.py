"""Scores in long form: one entry per score, with everything that tells it from the others."""

from dataclasses import dataclass, field, replace

import numpy as np

from replicast.arrays import Floats
from replicast.errors import InvalidContentError, invalid, nearest
from replicast.reading.sheets import Codes, Key, Sheet, called, in_order, listing
from replicast.reading.vocabulary.cells import Numbers
from replicast.reading.vocabulary.roles import Place, Role, read_place

UNTITLED = "all"


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Where a sheet keeps what a table of scores needs."""

    classifier: str
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
    """Scores with their keys, before they are arranged.

    Attributes
    ----------
    name : str
        Where they came from, for sentences.
    scores : array of float
        NaN where one is missing.
    classifier, dataset : Key
        Whose score, on what.
    run, fold : Key or None
        Where in the design.
    run_kind, fold_kind : role or None
        By which word runs and folds are called.
    case, cluster, answer : Key or None
        Which case of a test set, what it belongs to, and which of several answers to it.
    n_train, n_test, spreads : array of float or None
        Set sizes; standard deviations that stand beside means.
    sheet : Sheet or None
        For the place of an entry; entry i is row `origin[i]` of it.
    notes : tuple of str
        What was assumed.
    """

    name: str
    scores: Floats
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

        def part(values: Floats | None) -> Floats | None:
            return None if values is None else values[chosen]

        def key(one: Key | None) -> Key | None:
            return None if one is None else one.take(chosen)

        return replace(
            self,
            scores=self.scores[chosen],
            classifier=self.classifier.take(chosen),
            dataset=self.dataset.take(chosen),
            run=key(self.run),
            fold=key(self.fold),
            case=key(self.case),
            cluster=key(self.cluster),
            answer=key(self.answer),
            n_train=part(self.n_train),
            n_test=part(self.n_test),
            spreads=part(self.spreads),
            origin=chosen if self.origin is None else self.origin[chosen],
        )

    def of_dataset(self, name: str) -> "Rows":
        """Return the entries of one dataset."""
        if name not in self.dataset.names:
            known = self.dataset.names
            raise invalid("dataset", f"one of {listing(known)}", repr(name), nearest(name, known))
        return self.take(np.flatnonzero(self.dataset.codes == self.dataset.names.index(name)))

    def of_classifiers(self, names: tuple[str, ...]) -> "Rows":
        """Return the entries of some classifiers; all of them, if one of the names is not there."""
        known = self.classifier.names
        if not set(names) <= set(known):
            return self
        wanted = [known.index(name) for name in names]
        return self.take(np.flatnonzero(np.isin(self.classifier.codes, wanted)))


def rows_of(
    sheet: Sheet,
    columns: Columns,
    kinds: "dict[str, Role | None] | None" = None,
) -> Rows:
    """Read the columns of a long sheet; `kinds` says by which words run and fold are called."""
    kinds = kinds or {"run": "run", "fold": "fold"}
    numbers = sheet.read(columns.score)
    values, notes = settle_percent([numbers], sheet, [columns.score])
    n = len(sheet.frame)
    rows = Rows(
        name=sheet.name,
        scores=values[0],
        classifier=sheet.labels(columns.classifier),
        dataset=sheet.labels(columns.dataset) if columns.dataset else Key.constant(UNTITLED, n),
        run=sheet.ranks(columns.run) if columns.run else None,
        fold=sheet.ranks(columns.fold) if columns.fold else None,
        run_kind=kinds.get("run") if columns.run else None,
        fold_kind=kinds.get("fold") if columns.fold else None,
        case=sheet.labels(columns.case) if columns.case else None,
        cluster=sheet.labels(columns.cluster) if columns.cluster else None,
        answer=sheet.ranks(columns.answer) if columns.answer else None,
        n_train=sheet.numbers(columns.n_train) if columns.n_train else None,
        n_test=sheet.numbers(columns.n_test) if columns.n_test else None,
        spreads=numbers.spreads,
        sheet=sheet,
        notes=(*sheet.notes, *notes),
    )
    return split_places(rows)


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


def settle_percent(
    columns: "list[Numbers]", sheet: Sheet, names: list[str]
) -> tuple[list[Floats], tuple[str, ...]]:
    """Bring cells with and without a percent sign to one scale, and say which words mean missing."""
    notes = []
    words = list(dict.fromkeys(word for column in columns for word in column.absent))
    if words:
        notes.append(
            f"Cells that say {listing([repr(word) for word in words], 5)} are missing scores."
        )
    if any(column.spreads is not None for column in columns):
        notes.append(
            "Means were read; what stands behind ± or in brackets was kept as their spread."
        )
    if any(column.beside for column in columns):
        notes.append("What stands in brackets behind scores is no spread, and was not kept.")
    if not any(column.percent is not None for column in columns):
        return [column.values for column in columns], tuple(notes)
    signed = [
        np.zeros(len(column.values), bool) if column.percent is None else column.percent
        for column in columns
    ]
    bare = np.concatenate(
        [column.values[~sign] for column, sign in zip(columns, signed, strict=True)]
    )
    bare = bare[np.isfinite(bare)]
    if not len(bare):
        return [column.values for column in columns], (*notes, "Scores have percent signs.")
    if (np.abs(bare) > 1).any():
        at, where = next((i, name) for i, name in enumerate(names) if signed[i].any())
        place = f"{sheet.place(int(np.flatnonzero(signed[at])[0]))}, column {called(where)}"
        remedy = "Write all scores with percent signs, or none"
        raise InvalidContentError(place, "all scores on one scale", "a percent sign", remedy)
    notes.append("Cells with a percent sign were divided by 100, as the others are fractions.")
    values = [
        np.where(sign, column.values / 100, column.values)
        for column, sign in zip(columns, signed, strict=True)
    ]
    return values, tuple(notes)
