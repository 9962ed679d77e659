"""Columns that group cases: patients hold theirs together, sites are asked about, others are named."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from replicast.arrays import Bools, Floats
from replicast.errors import Choice, InvalidContentError
from replicast.formatting import format_pvalue, plural
from replicast.kernels.cases import case_mean, clustered_mean
from replicast.kernels.counts import binomial_pvalue, win_loss_tie
from replicast.kernels.resampled_t import case_pvalue
from replicast.kernels.student import constant_row_pvalue, t_pvalue
from replicast.reading.columns import Column
from replicast.reading.formats.tables.preparing import Table
from replicast.reading.requests import Request
from replicast.reading.rows import Rows
from replicast.reading.sheets import Codes, Key, listing
from replicast.reading.vocabulary.roles import (
    PLACES,
    REPEATS,
    Role,
    is_kind,
    is_sure_cluster,
    is_whole,
)

_ENOUGH = 10  # clusters, of which the spread can be told
_SHOWN = 3  # groups whose p-value is told
_SPARE: tuple[Role | None, ...] = (None, "cluster", "case", "remark", "setting", "part")
Compared = Callable[[], "_Compared"]


def cluster_column(table: Table, request: Request) -> str | None:
    """Return the column of clusters: the one asked for, or one whose name leaves no doubt."""
    if request.cluster_column is not None or request.unrelated:
        return request.cluster_column
    sure = [c.name for c in table.find("cluster") if is_sure_cluster(c.name)]
    return sure[0] if sure else None


def without_wholes(named: list[Column], table: Table) -> list[Column]:
    """Leave out patients and the like that have several rows: they are no cases, but hold some."""
    others = table.find("classifier", "dataset", *PLACES, *REPEATS, "answer", "step", "metric")
    keys = [c.name for c in others]
    frame = table.sheet.frame
    return [c for c in named if not (is_whole(c.name) and frame.duplicated([*keys, c.name]).any())]


def within_wholes(rows: Rows, table: Table) -> Rows:
    """Name cases by their patient too, where every patient has a case 1, 2 and 3."""
    case = rows.case
    keys = [rows.classifier, rows.dataset, rows.run, rows.fold, rows.answer]
    if case is None or not _twice([*keys, case]):
        return rows
    for column in table.columns.values():
        whole = _key(table, column.name, rows.origin) if is_whole(column.name) else None
        if whole is not None and not _twice([*keys, whole, case]):
            pairs = [
                f"{whole.names[i]} {case.names[j]}"
                for i, j in zip(whole.codes, case.codes, strict=True)
            ]
            codes, names = pd.factorize(np.array(pairs, dtype=object))
            return replace(rows, case=Key(np.asarray(codes, dtype=np.intp), tuple(names)))
    return rows


def settle_groups(
    rows: Rows, table: Table, used: Collection[str | None], request: Request
) -> tuple[Rows, tuple[str, ...]]:
    """Say which cases of one test set hang together: as was said, those of one patient, or ask.

    The columns that were spoken of are returned too.
    """
    lone = len(rows.classifier.names) < 2
    if rows.case is None or rows.cluster is not None or request.unrelated or lone:
        return rows, ()
    here = rows
    if request.dataset is not None and not rows.dataset.is_single:
        here = rows.of_dataset(request.dataset)
    if not here.dataset.is_single or here.run is not None or here.fold is not None:
        return rows, ()
    assert here.case is not None
    groups = find_groups(here.case, keys_of_groups(table, used, here.origin))
    chosen, notes = choose_group(rows.name, here.case, groups, lambda: _compared(here, request))
    if chosen is not None:
        rows = replace(rows, cluster=_key(table, chosen, rows.origin))
    told = tuple(one.name for one in groups)
    return replace(rows, notes=(*rows.notes, *notes)), told


@dataclass(frozen=True)
class Group:
    """A column that several cases share a value of, with its values for every entry."""

    name: str
    key: Key

    @property
    def count(self) -> int:
        """How many groups there are."""
        return len(self.key.names)


def keys_of_groups(
    table: Table, used: Collection[str | None], origin: Codes | None = None
) -> dict[str, Key]:
    """Return the columns that may group cases, by their names or as text that has no other use."""
    return {
        c.name: _key(table, c.name, origin)
        for c in table.columns.values()
        if c.name not in used
        and not c.is_empty
        and (is_whole(c.name) or is_kind(c.name) or (c.role in _SPARE and not c.is_number))
    }


def find_groups(case: Key, keys: Mapping[str, Key]) -> list[Group]:
    """Return the columns that several cases share a value of, the same for every row of a case."""
    cases, found = len(case.names), []
    for name, every in keys.items():
        key = every.take(np.arange(len(every.codes)))
        most = cases - 1 if is_whole(name) or is_kind(name) else cases // 2
        if 1 < len(key.names) <= most and len(_pairs(case.codes, key.codes)) == cases:
            found.append(Group(name, key))
    return found


def choose_group(
    name: str, case: Key, groups: list[Group], compared: Compared | None
) -> tuple[str | None, tuple[str, ...]]:
    """Return the column of related cases and what to say about it and others; or ask."""
    wholes = [one for one in groups if is_whole(one.name) and one.count >= _ENOUGH]
    doubtful = [one for one in groups if is_whole(one.name) or is_kind(one.name)]
    chosen, notes = None, []
    outer = min(wholes, key=lambda one: one.count) if wholes else None
    if outer is not None and all(
        len(_pairs(one.key.codes, outer.key.codes)) == one.count for one in wholes
    ):  # sessions within patients
        chosen = outer.name
        if "" in outer.key.names:
            remedy = "Complete it, or say `cluster_column=none` if cases are not related"
            domain = f"the {chosen} of every case"
            raise InvalidContentError(name, domain, "an empty cell", remedy, "cluster_column")
        notes.append(
            f"Cases of one {chosen} are taken as related; say `cluster_column=none` if they are not."
        )
    elif doubtful:
        raise _question(name, case, doubtful, None if compared is None else compared())
    others = [one.name for one in groups if one.name != chosen]
    if others:
        share = "which is not used" if len(others) == 1 else "which are not used"
        notes.append(
            f"Cases share {listing(others, 3)}, {share}: if those of one hang together, say "
            f"`cluster_column={others[0]}`."
        )
    return chosen, tuple(notes)


def _key(table: Table, name: str, origin: Codes | None) -> Key:
    """Return the values of a column for every entry; an empty cell is a value too."""
    told = table.sheet.coded(name)
    codes, names = pd.factorize(np.array([*told.labels, ""], dtype=object))
    every = codes[told.codes] if origin is None else codes[told.codes[origin]]
    return Key(np.asarray(every, dtype=np.intp), tuple(map(str, names)))


def _twice(keys: Sequence[Key | None]) -> bool:
    """Say whether two entries have the same keys."""
    told = pd.DataFrame({at: key.codes for at, key in enumerate(keys) if key is not None})
    return bool(told.duplicated().any())


def _pairs(first: Codes, second: Codes) -> Codes:
    """Return the different pairs of two codes."""
    return np.unique(first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second)


def _question(
    name: str, case: Key, groups: Sequence[Group], found: "_Compared | None"
) -> InvalidContentError:
    """Ask what groups of cases are, with the p-value that each answer gives."""

    def told(by_case: Codes | None = None, only: Bools | None = None) -> str:
        return "" if found is None else f" ({found.pvalue(by_case, only)})"

    answers, choices = [], []
    for group in groups:
        by_case = np.zeros(len(case.names), dtype=np.intp)
        by_case[case.codes] = group.key.codes
        related = f"cases of one {group.name} are related{told(by_case)}"
        choices.append(Choice("cluster_column", group.name, related))
        answers.append(f"`cluster_column={group.name}` if {related}")
        sizes = np.bincount(by_case, minlength=group.count)
        each = [
            f"`where={group.name}={group.key.names[at]}`{told(only=by_case == at)}"
            for at in np.argsort(-sizes, kind="stable")[:_SHOWN].tolist()
            if group.key.names[at]
        ]
        more = f" and {group.count - _SHOWN} more" if group.count > _SHOWN else ""
        answers.append(f"{', '.join(each)}{more} for a table of each {group.name}")
    alone = Choice("cluster_column", "none", f"every case stands by itself{told()}")
    few = all(one.count < _ENOUGH for one in groups)  # too few to tell their spread
    choices = [alone, *choices] if few else [*choices, alone]
    answers.append(f"`cluster_column=none` for neither{told()}")
    named = " and ".join(f"{one.name} ({one.count} groups)" for one in groups)
    got = f"{plural(len(case.names), 'case')} that share {named}"
    whose = "" if found is None or not found.whose else f". P-values are those of {found.whose}"
    remedy = f"Say {'; '.join(answers)}{whose}"
    domain = "a word on which cases are related"
    asks = f"The table has {got}. Which are related?"
    error = InvalidContentError(name, domain, got, remedy, "cluster_column")
    return error.offering(choices, asks)


@dataclass(frozen=True)
class _Compared:
    """Two classifiers on the cases that both have scores for; `whose`, if there are others too."""

    whose: str
    cases: Codes
    differences: Floats
    binary: bool

    def pvalue(self, by_case: Codes | None = None, only: Bools | None = None) -> str:
        """Return the p-value that `compare` gives: of related cases, of some alone, or of all."""
        rows = self.differences if only is None else self.differences[only[self.cases]]
        if len(rows) < 2:
            return "too few cases"
        if by_case is None and self.binary:
            won, lost, _ = win_loss_tie(rows)
            none = np.zeros_like(won)
            exact = binomial_pvalue(won, lost, none, ties_rule="drop", alternative="two-sided")
            return format_pvalue(float(exact))
        if by_case is None:
            found = case_mean(rows)
            drawn = case_pvalue(rows, found.mean, found.standard_error, float(found.df))
            return format_pvalue(float(drawn))
        codes = np.unique(by_case[self.cases], return_inverse=True)[1]
        found, count = clustered_mean(rows, codes), int(codes.max()) + 1
        if found.standard_error == 0:
            return format_pvalue(float(constant_row_pvalue(found.mean, count, "two-sided")))
        statistic = np.asarray(found.mean / found.standard_error)
        return format_pvalue(float(t_pvalue(statistic, float(found.df), "two-sided")))


def _compared(rows: Rows, request: Request) -> _Compared:
    """Return the pair asked for, or else the two with the highest means."""
    assert rows.case is not None
    frame = pd.DataFrame(
        {"who": rows.classifier.codes, "case": rows.case.codes, "score": rows.scores}
    )
    answers = bool(frame.duplicated(["who", "case"]).any())
    scores = frame.groupby(["who", "case"])["score"].mean().unstack("case")
    known = rows.classifier.names
    pair = [known.index(name) for name in request.classifiers or () if name in known]
    if len(pair) != 2:
        highest = scores.mean(axis=1).sort_values(ascending=False, kind="stable").index
        pair = sorted(highest[:2].tolist())
    both = scores.loc[pair].dropna(axis="columns")
    told = rows.scores[~np.isnan(rows.scores)]
    first, second = both.to_numpy(dtype=np.float64)
    return _Compared(
        whose="" if len(known) == 2 else f"{known[pair[0]]} against {known[pair[1]]}",
        cases=both.columns.to_numpy(dtype=np.intp),
        differences=first - second,
        binary=not answers and bool(np.isin(told, (0.0, 1.0)).all()),
    )
