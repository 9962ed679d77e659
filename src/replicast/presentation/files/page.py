"""One self-contained HTML page: no network, no script, readable, printable."""

from collections.abc import Sequence
from typing import Any

from replicast.comparison.records import Comparison
from replicast.design import describe_repeat
from replicast.errors import ReplicastError
from replicast.formatting import brief_percent, format_count, format_percent
from replicast.presentation.files.rendering import render
from replicast.presentation.pictures.comparison import comparison_figure, noun_of
from replicast.presentation.pictures.repeats import described
from replicast.presentation.pictures.replication import chance_figure
from replicast.presentation.words.comparison import leader, narrate, open_question, twin_of
from replicast.presentation.words.replication import describe_larger
from replicast.presentation.words.statements import headline, methods_text, result_line
from replicast.replication.planner import plan
from replicast.replication.records import Replication

_TARGET = 0.95


def comparison_page(comparison: Comparison, *, account: Sequence[str] = ()) -> str:
    """Return the page of one comparison as HTML text.

    Verdict first, then the chance of replication with its range, evidence, the differences, what a
    larger repeat would find, cautions, a line to paste, and how it was computed.
    """
    return render("comparison.html.j2", **comparison_content(comparison), account=account)


def comparison_content(comparison: Comparison) -> dict[str, Any]:
    """Return what a page about one comparison is filled with."""
    scores = comparison.scores
    return {
        "title": headline(comparison),
        "headline": headline(comparison),
        "story": narrate(comparison),
        "chance": _chance(comparison),
        "scores": {
            "title": f"The {format_count(len(scores.differences))} {noun_of(scores)}s",
            "figure": comparison_figure(comparison),
        },
        "plan": _plan(comparison),
        "paste": result_line(comparison),
        "methods": methods_text(comparison),
    }


def _chance(comparison: Comparison) -> dict[str, Any] | None:
    found = open_question(comparison)
    if found is None or found.interval.high == 0:
        return None
    return chance_card(found, leader(comparison)[0], twin_of(comparison))


def chance_card(found: Replication, better: str, twin: str = "") -> dict[str, Any]:
    """Return what the card with the big number shows; after a posterior its `twin` judges."""
    again = " again" if found.first_significant else ""
    repeats, drawable = described(found)
    return {
        "percent": brief_percent(found.probability),
        "what": f"chance that a repeat {describe_repeat(found.design)} finds {better} significantly "
        f"better{twin}{again}",
        "figure": chance_figure(found),
        "repeats": repeats,
        "drawable": drawable,
    }


def _plan(comparison: Comparison) -> dict[str, Any] | None:
    """Return what larger replications would bring, and what it takes for 95%."""
    found = open_question(comparison)
    if found is None or not comparison.outlook or comparison.outlook[-1].interval.high == 0:
        return None
    labels = ["the same again", *(describe_larger(item) for item in comparison.outlook)]
    items = [found, *comparison.outlook]
    try:
        note = str(plan(found, probability=_TARGET, significance=found.significance))
    except ReplicastError:  # a design that cannot be planned for has no note
        note = ""
    return {
        "title": "What would a larger repeat find?",
        "steps": [
            {
                "label": label,
                "width": round(100 * item.probability, 1),
                "percent": format_percent(item.probability),
                "range": " to ".join(format_percent(limit) for limit in item.interval)
                if item.interval.high > 0
                else "never significant",
            }
            for label, item in zip(labels, items, strict=True)
        ],
        "note": note,
    }
