"""The picture of an answer: what was seen, a hundred repeats, and the share of them below."""

from dataclasses import replace
from itertools import accumulate, pairwise

from replicast.comparison.finding import Finding
from replicast.comparison.records import Comparison
from replicast.presentation.pictures.comparison import comparison_figure
from replicast.presentation.pictures.figure import (
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
_LINE = 20.0  # pixels more where two readings have words
_ABOVE = 92.0  # pixels of words and axes around the dots
_HEAD = 26.0  # pixels between the dots and the title
_NAME = 16  # letters of a name in a heading

Seen = Comparison | Finding


def hero_figure(result: Seen | Replication, width: float = WIDTH) -> Figure:
    """Describe what was seen and what a hundred repeats would find."""
    if isinstance(result, Replication):
        again, parts = result, []
        if not can_be_significant(again):
            return repeats_figure(again, width)
    else:
        open_one = open_question(result) if isinstance(result, Comparison) else result.replication
        seen = _seen(result, width)
        if open_one is None or not can_be_significant(open_one):
            cell = Cell(0.0, width, 0.0, _TALL)
            alt = f"Differences of {seen.title.removeprefix('seen: ')}."
            return Figure("", alt, (_placed(seen, cell),), width=width, height=_TALL)
        again, parts = open_one, [seen]
    beside = bool(parts) and width >= _NARROW
    repeats = repeats_figure(again, width / 2 if beside else width)
    reading = f" {again.design.anew}" if again.by_test is None else ", if corrected"
    parts.append(replace(repeats.panels[0], title=f"again: 100 repeats{reading}"))
    cells = _cells(parts, width, beside=beside)
    below = cells[-1].bottom
    end = below + _SHARE + _LINE * (again.by_test is not None)
    share = replace(_share(again, end - below), cell=Cell(0.0, width, below, end))
    placed = [_placed(part, cell) for part, cell in zip(parts, cells, strict=True)]
    panels = (*placed, share)
    return Figure("", repeats.alt, panels, width=width, height=end, data=repeats.data)


def _in_pixels(panel: Panel) -> bool:
    """Say whether the dots of a panel are stacked in pixels; bars and rows have other units."""
    return panel.y.stop > 10


def _cells(parts: list[Panel], width: float, *, beside: bool) -> list[Cell]:
    """Return the places of parts, side by side or below each other, where their words have room."""
    heights = [part.y.stop + _ABOVE + _HEAD if _in_pixels(part) else _ROWS for part in parts]
    if beside:
        tall, wide = max(_TALL, *heights), width / len(parts)
        return [Cell(k * wide, (k + 1) * wide, 0.0, tall) for k in range(len(parts))]
    ends = accumulate(heights, initial=0.0)
    return [Cell(0.0, width, top, bottom) for top, bottom in pairwise(ends)]


def _placed(panel: Panel, cell: Cell) -> Panel:
    """Put a panel into its cell; stacks of dots keep their height and stand at the bottom."""
    if not _in_pixels(panel):
        return replace(panel, cell=cell)
    stop = cell.bottom - cell.top - _ABOVE
    return replace(panel, cell=cell, y=replace(panel.y, stop=stop))


def _seen(result: Seen, width: float) -> Panel:
    """Return the picture of what was seen: every difference, or the one there is."""
    if isinstance(result, Comparison):
        names = result.scores.names
        part = width / 2 if width >= _NARROW else width
        panel = comparison_figure(result, width=part).panels[0]
        # names at the upper corners would say the title again
        marks = [m for m in panel.marks if not (isinstance(m, Label) and m.of == "panel")]
        panel = replace(panel, marks=marks)
    else:
        names = result.names
        panel = interval_panel(result.estimate, result.confidence_interval(), result.unit)
    first, second = (short_name(name, _NAME) for name in names)
    return replace(panel, title=f"seen: {first} − {second}")


def _share(forecast: Replication, height: float) -> Panel:
    """Return the line from 0 to 100 with the chance, or with one mark for each reading."""
    axis = Axis(0.0, 100.0, tuple(Tick(at, f"{at}") for at in (0, 50, 100)))
    readings = {f"{hundred(forecast.probability)} of 100 again": forecast.probability}
    marks: list[Mark] = []
    if forecast.by_test is not None:
        corrected, ordinary = forecast.by_test.corrected, forecast.by_test.ordinary
        readings = {
            f"{hundred(corrected)} if corrected": corrected,
            f"{hundred(ordinary)} if ordinary": ordinary,
        }
    elif forecast.relation == "unknown":
        both = (100 * forecast.by_relation.close, 100 * forecast.by_relation.any)
        marks.append(Line(both, (0.0, 0.0), "band", 9.0, rounded=True))
    for words, chance in readings.items():
        at = 100 * chance
        marks += [
            Dots((at,), (0.0,), "accent", 6.0, said=(words,), key=True),
            Label(at, 0.0, words, "accent", "middle", dy=17, strong=True),
        ]
    return Panel(axis, Axis(-1.0, 2.6 * height / _SHARE - 1.0, line=False), marks)
