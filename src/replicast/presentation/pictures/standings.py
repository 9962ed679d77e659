"""Pictures of many classifiers: their order with what is not clearly different, and every pair."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from replicast.comparison.records import ManyComparison, PairCell
from replicast.formatting import format_percent, format_pvalue, format_rank, format_signed
from replicast.presentation.pictures.figure import (
    Axis,
    Bar,
    Data,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Panel,
    Shape,
    Tick,
)
from replicast.presentation.pictures.layout import text_width
from replicast.presentation.pictures.palette import Tone
from replicast.presentation.pictures.ticks import round_ticks
from replicast.presentation.words.scales import Scale, short_name

_NAME = 22  # letters of a name beside its row
_ROW = 23.0  # pixels
_LANES = 12  # bars side by side that an eye can follow
MATRIX = 15  # classifiers a matrix has room for
_CELL = 78.0, 66.0
_FINE = 10.5
_TOLD = 20  # classifiers named to whoever does not see the picture


def groups(result: ManyComparison) -> tuple[tuple[str, ...], ...]:
    """Return the groups of classifiers that are not significantly different from each other.

    Two classifiers share a group exactly if their adjusted p-value is not significant. Groups of
    neighbours in the order come first; a pair that stands apart in it gets a group of its own with
    whoever fits. With a control only its pairs were tested, and there are no groups.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable, rank
    >>> best = np.linspace(0.7, 0.9, 9)
    >>> scores = np.array([best, best - np.linspace(-0.01, 0.012, 9), best - 0.1])[:, :, None, None]
    >>> table = ScoreTable(classifiers=("a", "b", "c"), datasets=tuple("123456789"),
    ...                    scores=scores, design=Datasets())
    >>> groups(rank(table))
    (('a', 'b'),)
    """
    if result.control is not None:
        return ()
    k = len(result.classifiers)
    place = {name: i for i, name in enumerate(result.classifiers)}
    alike = np.eye(k, dtype=np.bool_)
    for cell in result.pairs:
        i, j = place[cell.first], place[cell.second]
        alike[i, j] = alike[j, i] = not cell.significant
    cliques = _neighbours(alike)
    open_pairs = alike.copy()
    for members in cliques:
        open_pairs[np.ix_(members, members)] = False
    for i, j in combinations(range(k), 2):
        if open_pairs[i, j]:
            members = _grow([i, j], alike, open_pairs)
            open_pairs[np.ix_(members, members)] = False
            cliques.append(members)
    return tuple(tuple(result.classifiers[i] for i in members) for members in cliques)


def _neighbours(alike: NDArray[np.bool_]) -> list[list[int]]:
    """Return the longest runs of neighbours in which all pairs are alike."""
    runs: list[list[int]] = []
    for start in range(len(alike)):
        stop = start + 1
        while stop < len(alike) and alike[stop, start:stop].all():
            stop += 1
        if stop - start > 1 and (not runs or stop - 1 > runs[-1][-1]):
            runs.append(list(range(start, stop)))
    return runs


def _grow(members: list[int], alike: NDArray[np.bool_], open_pairs: NDArray[np.bool_]) -> list[int]:
    """Add whoever is alike to all members and joins pairs that no group holds yet."""
    while True:
        fits = np.asarray(alike[members].all(axis=0))
        fits[members] = False
        gain = np.where(fits, open_pairs[members].sum(axis=0), 0)
        if gain.max() == 0:
            return sorted(members)
        members = [*members, int(gain.argmax())]


def standing_figure(result: ManyComparison) -> Figure:
    """Describe classifiers by mean rank or score, best on top, and who is not clearly different."""
    names, ranks = result.classifiers, result.average_ranks
    values = ranks or result.mean_scores
    write = format_rank if ranks else partial(format_signed, digits=3)
    shown = list(map(write, values))
    axis = _value_axis(result, values)
    joined = [[names.index(name) for name in members] for members in groups(result)]
    bars, lanes = _readable(joined)
    step = (axis.stop - axis.start) * 0.045  # between bars
    end = axis.stop + step * (max(lanes, default=-1) + 2.2)
    marks = _rows(result, values, shown, end)
    for rows, lane in zip(bars, lanes, strict=True):
        marks += _bar(rows, axis.stop + step * (lane + 1.2))
    told = [f"{name} {value}" for name, value in zip(names, shown, strict=True)]
    rest = "; and more." if len(told) > _TOLD else "."
    ticks = tuple(
        Tick(row, f"{short_name(name, _NAME)}\u2002{shown[row]}") for row, name in enumerate(names)
    )
    columns: Sequence[Sequence[str | float]] = (names, ranks or [""] * len(names))
    upright = Axis(len(names) - 0.4, -0.6, ticks, line=False)
    return Figure(
        title=_title(result),
        alt=f"{axis.label.capitalize()}: {'; '.join(told[:_TOLD])}{rest}",
        panels=(Panel(replace(axis, stop=end), upright, marks),),
        note=_rule(result, joined, bars),
        width=520,
        height=_ROW * len(names) + 58,
        data=Data.of(
            ("classifier", "mean_rank", "mean_score"),
            zip(*columns, result.mean_scores, strict=True),
        ),
    )


def _rows(
    result: ManyComparison, values: Sequence[float], shown: Sequence[str], end: float
) -> list[Mark]:
    """Return a dot for each classifier, and a line from it to the bars."""
    what = "mean rank" if result.average_ranks else "mean"
    marks: list[Mark] = []
    for row, (name, value) in enumerate(zip(result.classifiers, values, strict=True)):
        tone, shape = _dot(result, name)
        said = f"{name}: {what} {shown[row]}"
        marks.append(Line((value, end), (row, row), "line", 1.0))
        marks.append(Dots((value,), (row,), tone, 4.8, shape, said=(said,)))
    return marks


def _bar(rows: list[int], x: float) -> list[Mark]:
    """Return a bar that joins rows: solid where they are neighbours."""
    solid = rows[-1] - rows[0] + 1 == len(rows)
    width = 4.0 if solid else 1.2
    bar = Line((x, x), (rows[0], rows[-1]), width=width, dashed=not solid, rounded=solid)
    return [bar, Dots([x] * len(rows), rows, radius=3.2)]


def _value_axis(result: ManyComparison, values: Sequence[float]) -> Axis:
    """Return the axis from the best to the worst: ranks go from 1 to the last."""
    if result.average_ranks:
        last = len(values)
        step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if last / step <= 8)
        places = dict.fromkeys((1, last, *range(step, last, step)))
        ticks = tuple(Tick(place, f"{place}") for place in places)
        return Axis(1.0, float(last), ticks, "mean rank, 1 is best")
    span = max(values) - min(values) or abs(values[0]) or 1.0
    low, high = min(values) - 0.06 * span, max(values) + 0.06 * span
    best, worst = (high, low) if result.greater_is_better else (low, high)
    return Axis(best, worst, round_ticks(low, high), f"mean {short_name(result.metric)}")


def _readable(bars: list[list[int]]) -> tuple[list[list[int]], list[int]]:
    """Return the bars that can be told apart, each with its lane; runs of neighbours come first."""
    lanes = _lanes(bars)
    if max(lanes, default=0) >= _LANES:
        bars = [bar for bar in bars if bar[-1] - bar[0] + 1 == len(bar)]
        lanes = _lanes(bars)
    return bars, lanes


def _lanes(bars: list[list[int]]) -> list[int]:
    """Put each bar into the first lane in which it meets no other."""
    lanes: list[int] = []
    for i, bar in enumerate(bars):
        taken = {lanes[j] for j in range(i) if bars[j][0] <= bar[-1] and bar[0] <= bars[j][-1]}
        lanes.append(next(lane for lane in range(len(bars)) if lane not in taken))
    return lanes


def _dot(result: ManyComparison, name: str) -> tuple[Tone, Shape]:
    """Return tone and shape: with a control, whoever is not clearly different is open."""
    if name == result.control:
        return "accent", "disc"
    if result.control is None or result.pair(result.control, name).significant:
        return "ink", "disc"
    return "ink", "ring"


def _rule(result: ManyComparison, joined: list[list[int]], drawn: list[list[int]]) -> str:
    """Say how to read who is clearly different."""
    how = f"({result.correction}, level {result.significance:g})"
    if result.control is not None:
        if all(cell.significant for cell in result.pairs):
            return f"All differ from {short_name(result.control)} {how}."
        return f"Open dots: not clearly different from {short_name(result.control)} {how}."
    if not joined:
        return f"All pairs differ {how}."
    if len(drawn) == len(joined):
        return f"Dots on a common bar: not clearly different {how}."
    return (
        f"Neighbours on a common bar are not clearly different {how}; neither are some others, too many "
        "to draw."
    )


def _title(result: ManyComparison) -> str:
    count = len(result.datasets)
    place = f"on {count} datasets" if count > 1 else f"on {short_name(result.datasets[0])}"
    if result.datasets == ("all",):  # what readers call one without a name
        place = f"· {result.design.words}"
    return f"{len(result.classifiers)} classifiers {place}"


def matrix_figure(result: ManyComparison) -> Figure:
    """Describe every pair as a cell, row minus column."""
    rows, columns = _rows_and_columns(result)
    cells = [cell for cell in result.pairs if cell.first in rows and cell.second in columns]
    largest = max(abs(cell.difference) for cell in cells) or 1.0
    marks: list[Mark] = []
    for cell in cells:
        at = columns.index(cell.second), rows.index(cell.first)
        marks += _cell(cell, at, abs(cell.difference) / largest, result.unit)
    marks += _heads(columns)
    shown = len({*rows, *columns})
    left_out = len(result.classifiers) - shown
    rest = f" The first {MATRIX} are shown, {left_out} are not." if left_out else ""
    names = tuple(Tick(y, short_name(name, _NAME)) for y, name in enumerate(rows))
    widest = max(text_width(tick.label) for tick in names)
    across = Axis(-0.5, len(columns) - 0.5, line=False)
    return Figure(
        title=f"Lead of the row over the column · {_title(result)}",
        alt=f"Every pair of {shown} classifiers; the same numbers are in the table of pairs.",
        panels=(Panel(across, Axis(len(rows) - 0.5, -0.5, names, line=False), marks),),
        note="In a cell: mean difference; won / tied / lost; adjusted p; chance of replication. Bold: "
        f"significant ({result.correction}, level {result.significance:g}). Blue: the mean favours the "
        f"row, orange: the column.{rest}",
        width=max(widest + 30 + _CELL[0] * len(columns), 420),
        height=_CELL[1] * len(rows) + 46,
        data=pairs_data(result),
    )


def _rows_and_columns(result: ManyComparison) -> tuple[Sequence[str], Sequence[str]]:
    """Return who stands beside the cells and above them, as many as there is room for."""
    if result.control is None:
        shown = result.classifiers[:MATRIX]
        return shown[:-1], shown[1:]
    others = [name for name in result.classifiers if name != result.control]
    return [result.control], others[:MATRIX]


def _heads(names: Sequence[str]) -> Iterator[Label]:
    """Yield the names above the columns, long ones in two lines."""
    for place, name in enumerate(names):
        x = (place + 0.5) / len(names)
        for up, part in zip((7, 20), _halves(short_name(name, _NAME)), strict=False):
            yield Label(x, 1, part, "ink", "middle", dy=up, size=_FINE + 0.5, of="panel")


def pairs_data(result: ManyComparison) -> Data:
    """Return every pair that was tested as numbers."""
    shared = ("first", "second", "difference", "wins", "ties", "losses")
    fields = (*shared, "pvalue", "adjusted", "effect")
    return Data.of(
        (*shared, "p", "adjusted_p", "effect", "replication", "low", "high"),
        (
            (
                *(getattr(cell, field) for field in fields),
                "" if cell.replication is None else cell.replication,
                *(cell.replication_interval or ("", "")),
            )
            for cell in result.pairs
        ),
    )


def _cell(cell: PairCell, at: tuple[int, int], share: float, unit: str) -> list[Mark]:
    """Return a pair as a cell: the stronger its colour, the larger its share of the largest gap."""
    x, y = at
    strength = round(0.06 + 0.34 * share, 2) if share else 0.0
    lines = _cell_lines(cell, unit)
    said = f"{cell.first} − {cell.second}: {', '.join(lines)}"
    tone: Tone = "accent" if cell.difference > 0 else "warm"
    look: dict[str, Any] = {"strong": cell.significant, "size": _FINE, "halo": False}
    words = [
        Label(x, y, line, "ink", "middle", dy=13 * ((len(lines) - 1) / 2 - place), **look)
        for place, line in enumerate(lines)
    ]
    return [Bar((x - 0.48, x + 0.48), (y - 0.47, y + 0.47), tone, strength, said), *words]


def _cell_lines(cell: PairCell, unit: str) -> list[str]:
    scale = Scale(unit)
    if not scale.noun or abs(scale.factor * cell.difference) < 0.05:
        scale = Scale(unit, 3)
    lines = [
        f"{'+' if cell.difference > 0 else ''}{scale.number(cell.difference)}",
        f"{cell.wins} / {cell.ties} / {cell.losses}",
        format_pvalue(cell.adjusted),
    ]
    if cell.replication is not None:
        chance = format_percent(cell.replication).replace("over ", ">").replace("under ", "<")
        lines.append(f"again {chance}")
    if cell.at_odds:
        lines.append(f"test: {'row' if cell.better == cell.first else 'column'}")
    return lines


def _halves(name: str) -> tuple[str, ...]:
    """Break a long name into two lines, the lower first, where it has a joint or in the middle."""
    if len(name) <= 11:
        return (name,)
    joints = [k + 1 for k, letter in enumerate(name[:-1]) if letter in " -_/.:"]
    at = min(joints, key=lambda k: abs(k - len(name) / 2), default=len(name) // 2)
    at = at if max(at, len(name) - at) <= 13 else len(name) // 2
    return name[at:].strip(), name[:at].strip()
