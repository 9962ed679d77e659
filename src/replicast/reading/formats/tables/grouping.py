"""Columns that group cases: patients hold theirs together, sites are asked about, others are named."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replicast.arrays import Bools, Floats
from replicast.errors import Choice, InvalidContentError
from replicast.formatting import format_pvalue, plural
from replicast.kernels.cases import case_mean, clustered_mean
from replicast.kernels.counts import binomial_pvalue, win_loss_tie
from replicast.kernels.resampled_t import case_pvalue
from replicast.kernels.student import constant_row_pvalue, t_pvalue
from replicast.reading.cases import together
from replicast.reading.columns import Column
from replicast.reading.designs import are_right_or_wrong
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
    codes = rows.codes()
    if rows.case is None or not codes.duplicated().any():
        return rows
    for column in filter(is_whole, table.columns):
        whole = _key(table, column, rows.origin)
        if not codes.assign(whole=whole.codes).duplicated().any():
            pairs = zip(whole.codes, rows.case.codes, strict=True)
            names = [f"{whole.names[i]} {rows.case.names[j]}" for i, j in pairs]
            return replace(rows, case=_key_of(np.array(names, dtype=object)))
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
    here = together(rows) if request.asks_for_cases else rows
    if request.dataset is not None and not rows.dataset.is_single:
        here = rows.of_dataset(request.dataset)
    if not here.dataset.is_single or here.run is not None or here.fold is not None:
        return rows, ()
    assert here.case is not None
    groups = find_groups(table, here.case, used, here.origin)
    chosen, notes = choose_group(rows.name, here.case, groups, lambda: _compared(here, request))
    if chosen is not None:
        rows = replace(rows, cluster=_key(table, chosen, rows.origin))
    return replace(rows, notes=(*rows.notes, *notes)), tuple(groups)


def find_groups(
    table: Table, case: Key, used: Collection[str | None], origin: Codes | None = None
) -> dict[str, Key]:
    """Return the columns that several cases share a value of, the same for every row of a case.

    They may group cases by their names, or are text that has no other use.
    """
    cases, groups = len(case.names), {}
    for column in table.columns.values():
        named = is_whole(column.name) or is_kind(column.name)
        text = column.role in _SPARE and not column.is_number
        if column.name in used or column.is_empty or not (named or text):
            continue
        key = _key(table, column.name, origin)
        most = cases - 1 if named else cases // 2
        if 1 < len(key.names) <= most and _pairs(case, key) == cases:
            groups[column.name] = key
    return groups


def choose_group(
    name: str, case: Key, groups: Mapping[str, Key], compared: Compared | None
) -> tuple[str | None, tuple[str, ...]]:
    """Return the column of related cases and what to say about it and others; or ask."""
    doubtful = {one: key for one, key in groups.items() if is_whole(one) or is_kind(one)}
    chosen, notes = _outermost(groups), []
    if chosen is not None:
        if "" in groups[chosen].names:
            remedy = "Complete it, or say `cluster_column=none` if cases are not related"
            domain = f"the {chosen} of every case"
            raise InvalidContentError(name, domain, "an empty cell", remedy, "cluster_column")
        notes.append(
            f"Cases of one {chosen} are taken as related; say `cluster_column=none` if they are not."
        )
    elif doubtful:
        raise _question(name, case, doubtful, None if compared is None else compared())
    others = [one for one in groups if one != chosen]
    if others:
        share = "which is not used" if len(others) == 1 else "which are not used"
        notes.append(
            f"Cases share {listing(others, 3)}, {share}: if those of one hang together, say "
            f"`cluster_column={others[0]}`."
        )
    return chosen, tuple(notes)


def _outermost(groups: Mapping[str, Key]) -> str | None:
    """Return the column of patients and the like, of sessions within patients that of the patients."""
    wholes = [one for one in groups if is_whole(one) and len(groups[one].names) >= _ENOUGH]
    outer = min(wholes, key=lambda one: len(groups[one].names), default=None)
    if outer is None:
        return None
    nested = all(_pairs(groups[one], groups[outer]) == len(groups[one].names) for one in wholes)
    return outer if nested else None


def _key(table: Table, name: str, origin: Codes | None) -> Key:
    """Return the values of a column for every entry; an empty cell is a value too."""
    told = table.sheet.coded(name)
    codes = told.codes if origin is None else told.codes[origin]
    return _key_of(np.array([*told.labels, ""], dtype=object)[codes])


def _key_of(names: NDArray[np.object_]) -> Key:
    codes, found = pd.factorize(names)
    return Key(np.asarray(codes, dtype=np.intp), tuple(map(str, found)))


def _pairs(first: Key, second: Key) -> int:
    """Return how many different pairs of two keys there are."""
    return len(np.unique(first.codes.astype(np.int64) * len(second.names) + second.codes))


def _question(
    name: str, case: Key, groups: Mapping[str, Key], compared: "_Compared | None"
) -> InvalidContentError:
    """Ask what groups of cases are, with the p-value that each answer gives."""

    def told(by_case: Codes | None = None, only: Bools | None = None) -> str:
        return "" if compared is None else f" ({compared.pvalue(by_case, only)})"

    answers, choices = [], []
    for column, key in groups.items():
        by_case = np.zeros(len(case.names), dtype=np.intp)
        by_case[case.codes] = key.codes
        related = f"cases of one {column} are related{told(by_case)}"
        choices.append(Choice("cluster_column", column, related))
        answers.append(f"`cluster_column={column}` if {related}")
        sizes = np.bincount(by_case, minlength=len(key.names))
        each = [
            f"`where={column}={key.names[at]}`{told(only=by_case == at)}"
            for at in np.argsort(-sizes, kind="stable")[:_SHOWN].tolist()
            if key.names[at]
        ]
        more = f" and {len(sizes) - _SHOWN} more" if len(sizes) > _SHOWN else ""
        answers.append(f"{', '.join(each)}{more} for a table of each {column}")
    alone = Choice("cluster_column", "none", f"every case stands by itself{told()}")
    few = all(len(key.names) < _ENOUGH for key in groups.values())  # too few to tell their spread
    choices = [alone, *choices] if few else [*choices, alone]
    answers.append(f"`cluster_column=none` for neither{told()}")
    named = " and ".join(f"{one} ({len(key.names)} groups)" for one, key in groups.items())
    got = f"{plural(len(case.names), 'case')} that share {named}"
    whose = (
        ""
        if compared is None or not compared.whose
        else f". P-values are those of {compared.whose}"
    )
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
    first, second = both.to_numpy(dtype=np.float64)
    return _Compared(
        whose="" if len(known) == 2 else f"{known[pair[0]]} against {known[pair[1]]}",
        cases=both.columns.to_numpy(dtype=np.intp),
        differences=first - second,
        binary=not answers and are_right_or_wrong(rows.scores),
    )
