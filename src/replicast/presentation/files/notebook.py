"""Results as parts of a notebook: the fragments that reports are made of, light and dark."""

from collections.abc import Callable
from typing import Any

import numpy as np

from replicast.comparison.records import Comparison, ManyComparison
from replicast.design import describe_design
from replicast.formatting import format_number, format_percent
from replicast.judging.records import Calibration, Gate, Judgement, Look
from replicast.presentation.files.page import chance_card, comparison_content
from replicast.presentation.files.rendering import render_part
from replicast.presentation.files.standings_page import many_content
from replicast.presentation.pictures.figure import Figure
from replicast.presentation.pictures.judging import judgement_figure
from replicast.presentation.pictures.replication import plan_figure
from replicast.presentation.words.gating import narrate_gate, narrate_look
from replicast.presentation.words.judging import narrate_calibration, narrate_judgement
from replicast.presentation.words.narrative import Narrative, Row
from replicast.presentation.words.replication import narrate_plan, narrate_replication
from replicast.replication.records import Plan, Replication
from replicast.results import Record
from replicast.scores.tables import ScoreTable

_MOST_ROWS = 30  # datasets and classifiers of a table that are shown
_MOST_COLUMNS = 8
_CHANCES = ("probability", "power", "calibrated", "found")


def notebook_part(shown: Record | ScoreTable) -> str:
    """Return a result as HTML for a notebook: what its report says, without the page around it."""
    match shown:
        case Comparison():
            return render_part("_comparison.html.j2", **comparison_content(shown))
        case ManyComparison():
            return render_part("_many.html.j2", **many_content(shown))
        case Judgement():
            story = narrate_judgement(shown)
            return render_part(
                "_judgement.html.j2",
                story=story,
                figure=judgement_figure(shown),
                basis=shown.forecast.basis,
            )
        case Replication():
            story = narrate_replication(shown)
            return _story(story, chance=chance_card(shown, shown.better))
        case Plan():
            return _story(narrate_plan(shown), plan_figure(shown))
        case ScoreTable():
            return render_part("_table.html.j2", **_table(shown))
        case _:
            return _story(_in_words(shown))


def _story(
    story: Narrative, figure: Figure | None = None, chance: dict[str, Any] | None = None
) -> str:
    return render_part("_story.html.j2", story=story, figure=figure, chance=chance)


_NARRATORS: tuple[tuple[type, Callable[[Any], Narrative]], ...] = (
    (Gate, narrate_gate), (Look, narrate_look), (Calibration, narrate_calibration),
)  # fmt: skip


def _in_words(record: Record) -> Narrative:
    """Return the narrative of a record, or its sentence and its fields."""
    for kind, narrate in _NARRATORS:
        if isinstance(record, kind):
            return narrate(record)
    fields = record.to_dict()
    cautions = fields.pop("cautions", [])
    return Narrative(
        title=type(record).__name__,
        verdict=str(record) if type(record).__str__ is not object.__str__ else "",
        replication="",
        reason="",
        rows=tuple(
            Row(name.replace("_", " "), _in_short(value, name))
            for name, value in fields.items()
            if value is not None and _in_short(value, name)
        ),
        outlook="",
        cautions=tuple(caution["text"] for caution in cautions),
    )


def _in_short(value: Any, name: str = "") -> str:
    """Write a field as people read it; long lists by their number, parts of parts by their names."""
    match value:
        case bool():
            return "yes" if value else "no"
        case float() if name in _CHANCES:
            return format_percent(value)
        case float():
            return f"{value:.4g}".replace("-", "−")
        case dict():
            return ", ".join(
                f"{key.replace('_', ' ')} {_in_short(part)}" for key, part in value.items()
            )
        case list() if len(value) > _MOST_COLUMNS:
            return f"{len(value)} values"
        case list():
            return ", ".join(_in_short(part) for part in value)
        case None:
            return "unknown"
        case _:
            return str(value)


def _table(table: ScoreTable) -> dict[str, Any]:
    """Return the mean score of each classifier on each dataset, as far as there is room."""
    counted = np.isfinite(table.scores)
    totals = np.where(counted, table.scores, 0.0).sum(axis=(2, 3))
    with np.errstate(invalid="ignore"):
        means = (totals / counted.sum(axis=(2, 3))).T
    names, rows = table.classifiers[:_MOST_COLUMNS], table.datasets[:_MOST_ROWS]
    more = [
        f"{count - room} more {what}"
        for count, room, what in (
            (len(table.datasets), _MOST_ROWS, "datasets"),
            (len(table.classifiers), _MOST_COLUMNS, "classifiers"),
        )
        if count > room
    ]
    return {
        "title": f"{len(table.classifiers)} classifiers on {len(table.datasets)} "
        f"{'dataset' if len(table.datasets) == 1 else 'datasets'}: {table.metric}, "
        f"{describe_design(table.design)}",
        "names": names,
        "rows": [
            (dataset, ["–" if np.isnan(v) else format_number(v, 4) for v in values[: len(names)]])
            for dataset, values in zip(rows, means.tolist(), strict=False)
        ],
        "more": ", ".join(more),
        "account": table.account,
    }
