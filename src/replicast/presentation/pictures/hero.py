"""The picture of an answer: what was seen, a hundred repeats, and the share of them below."""

from dataclasses import replace
from itertools import pairwise

from replicast.comparison.finding import Finding
from replicast.comparison.records import Comparison
from replicast.design import describe_repeat
from replicast.presentation.pictures.comparison import comparison_figure
from replicast.presentation.pictures.figure import (
    Anchor,
    Axis,
    Cell,
    Dots,
    Figure,
    Label,
    Line,
    Mark,
    Panel,
    Tick,
)
from replicast.presentation.pictures.intervals import WIDTH, interval_panel
from replicast.presentation.pictures.repeats import repeats_figure
from replicast.presentation.words.chances import can_be_significant
from replicast.presentation.words.comparison import open_question
from replicast.presentation.words.scales import hundred, short_name
from replicast.replication.records import Replication

_NARROW = 520.0  # pixels below which the parts stand below each other
_TALL = 236.0  # pixels of a part
_ROWS = 190.0  # pixels of a part that has rows or bars
_SHARE = 62.0  # pixels of the line with the share
_LINE = 16.0  # pixels from one line of words to the next
_APART = 120.0  # pixels that two readings need to stand side by side
_EDGE = 80.0  # pixels from an end where words stay inside
_ABOVE = 92.0  # pixels of words and axes around the dots
_HEAD = 26.0  # pixels between the dots and the title
_NAME = 16  # letters of a name in a heading

Seen = Comparison | Finding


def hero_figure(found: Seen | Replication, width: float = WIDTH) -> Figure:
    """Describe what was seen and what a hundred repeats would find."""
    again = found if isinstance(found, Replication) else _open(found)
    seen = () if isinstance(found, Replication) else (_seen(found, width),)
    if again is None or not can_be_significant(again):
        return _alone(seen, width) if seen else repeats_figure(found, width)  # type: ignore[arg-type]  # a Replication then
    beside = len(seen) == 1 and width >= _NARROW
    part = width / 2 if beside else width
    repeats = repeats_figure(again, part)
    panels = [_named(one, f"seen: {title}") for one, title in seen]
    reading = f" {describe_repeat(again.design)}" if again.by_test is None else ", if corrected"
    title = f"again: 100 repeats{reading}"
    panels.append(_named(repeats.panels[0], title))
    cells = _cells([_height(panel) for panel in panels], width, beside=beside)
    panels = [_placed(panel, cell) for panel, cell in zip(panels, cells, strict=True)]
    below = cells[-1].bottom
    share, tall = _share(again, width)
    panels.append(replace(share, cell=Cell(0, width, below, below + tall)))
    return Figure(
        title="",
        alt=repeats.alt,
        panels=tuple(panels),
        note="",
        width=width,
        height=below + tall,
        data=repeats.data,
    )


def _open(found: Seen) -> Replication | None:
    return open_question(found) if isinstance(found, Comparison) else found.replication


def _in_pixels(panel: Panel) -> bool:
    """Say whether the dots of a panel are stacked in pixels; bars and rows have other units."""
    return panel.y.stop > 10


def _height(panel: Panel) -> float:
    """Return the pixels that a panel needs with its words."""
    return panel.y.stop + _ABOVE + _HEAD if _in_pixels(panel) else _ROWS


def _cells(heights: list[float], width: float, *, beside: bool) -> list[Cell]:
    """Return the places of parts, side by side or below each other."""
    if beside:
        tall, part = max(_TALL, *heights), width / len(heights)
        return [Cell(k * part, (k + 1) * part, 0.0, tall) for k in range(len(heights))]
    ends = [sum(heights[:k]) for k in range(len(heights) + 1)]
    return [Cell(0.0, width, top, bottom) for top, bottom in pairwise(ends)]


def _placed(panel: Panel, cell: Cell) -> Panel:
    """Put a panel into its cell; stacks of dots keep their height and stand at the bottom."""
    if not _in_pixels(panel):
        return replace(panel, cell=cell)
    stop = cell.bottom - cell.top - _ABOVE
    return replace(panel, cell=cell, y=replace(panel.y, stop=stop))


def _named(panel: Panel, title: str) -> Panel:
    """Give a panel its title; names at its upper corners say the same again."""
    kept = tuple(
        mark
        for mark in panel.marks
        if not (isinstance(mark, Label) and (mark.of == "panel" or mark.text.startswith("0 ")))
    )
    return replace(panel, title=title, marks=kept)


def _seen(found: Seen, width: float) -> tuple[Panel, str]:
    """Return the picture of what was seen: every difference, or the one there is."""
    names = found.scores.names if isinstance(found, Comparison) else found.names
    first, second = (short_name(name, _NAME) for name in names)
    part = width / 2 if width >= _NARROW else width
    if isinstance(found, Comparison):
        return comparison_figure(found, width=part).panels[0], f"{first} − {second}"
    low, high = found.confidence_interval()
    unit = found.unit
    return interval_panel(found.estimate, (low, high), unit), f"{first} − {second}"


def _alone(seen: tuple[tuple[Panel, str], ...], width: float) -> Figure:
    panel, title = seen[0]
    placed = _placed(_named(panel, f"seen: {title}"), Cell(0.0, width, 0.0, _TALL))
    return Figure(
        title="", alt=f"Differences of {title}.", panels=(placed,), width=width, height=_TALL
    )


def _share(found: Replication, width: float) -> tuple[Panel, float]:
    """Return the line from 0 to 100 with the chance, or with one mark for each reading; its height."""
    axis = Axis(0.0, 100.0, tuple(Tick(at, f"{at}") for at in (0, 50, 100)), line=True)
    readings = [(found.probability, f"{hundred(found.probability)} of 100 again")]
    if found.by_test is not None:
        corrected, ordinary = found.by_test.corrected, found.by_test.ordinary
        readings = [
            (corrected, f"{hundred(corrected)} if corrected"),
            (ordinary, f"{hundred(ordinary)} if ordinary"),
        ]
    marks: list[Mark] = []
    if found.by_test is None and found.relation == "unknown":
        both = (100 * found.by_relation.close, 100 * found.by_relation.any)
        marks.append(Line(both, (0.0, 0.0), "band", 9.0, rounded=True))
    apart = width * (max(readings)[0] - min(readings)[0])
    raised = _LINE if len(readings) > 1 and apart < _APART else 0.0
    for k, (chance, words) in enumerate(readings):
        at = 100 * chance
        near = at * width / 100
        anchor: Anchor = "start" if near < _EDGE else "end" if width - near < _EDGE else "middle"
        marks += [
            Dots((at,), (0.0,), "accent", 6.0, said=(words,), key=True),
            Label(at, 0.0, words, "accent", anchor, dy=17 + k * raised, strong=True),
        ]
    tall = _SHARE + raised
    return Panel(axis, Axis(-1.0, 2.6 * tall / _SHARE - 1.0, line=False), tuple(marks)), tall
