"""One self-contained HTML page: no network, no script, readable, printable."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from replicast.comparison.records import Comparison
from replicast.design import Datasets, Holdout
from replicast.errors import ReplicastError
from replicast.formatting import format_count, format_difference, format_percent
from replicast.presentation.pictures.comparison import stack_dots
from replicast.presentation.words.comparison import describe_larger, leader, narrate, score_unit
from replicast.presentation.words.statements import headline, methods_text, result_line
from replicast.replication.planner import plan
from replicast.replication.records import Replication

if TYPE_CHECKING:
    from jinja2 import Environment

_LEFT, _WIDTH = 30.0, 640.0
_MOST_DOTS = 400
_TARGET = 0.95


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("replicast.presentation", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(template: str, **content: Any) -> str:
    """Fill a template of the package; everything in it is escaped."""
    from markupsafe import Markup

    from replicast import __version__

    folder = files("replicast.presentation").joinpath("templates")
    css = Markup(folder.joinpath("page.css").read_text(encoding="utf-8"))  # ours, not a user's
    return _environment().get_template(template).render(css=css, version=__version__, **content)


def comparison_page(comparison: Comparison, *, account: Sequence[str] = ()) -> str:
    """Return the page of one comparison as HTML text.

    Verdict first, then the chance of replication with its band, evidence, the differences, what would
    make the result hold, cautions, a line to paste, and how it was computed.
    """
    return render("comparison.html.j2", **comparison_content(comparison), account=account)


def comparison_content(comparison: Comparison) -> dict[str, Any]:
    """Return what a page about one comparison is filled with."""
    return {
        "title": headline(comparison),
        "headline": headline(comparison),
        "story": narrate(comparison),
        "chance": _chance(comparison),
        "dots": _dots(comparison),
        "plan": _plan(comparison),
        "paste": result_line(comparison),
        "methods": methods_text(comparison),
    }


def _chance(comparison: Comparison) -> dict[str, Any] | None:
    found = comparison.replication
    if found is None or not comparison.scores.differences.any():
        return None
    return chance_card(found, leader(comparison)[0])


def chance_card(found: Replication, better: str) -> dict[str, Any]:
    """Return what the card with the big number shows: words, and places on its scale."""
    again = "again" if found.first_significant else "next time"
    low, high = (format_percent(limit) for limit in found.interval)

    def place(probability: float) -> float:
        return round(10 + 400 * probability, 1)

    def label(probability: float, half: float) -> float:
        return round(min(max(place(probability), 10 + half), 410 - half), 1)

    return {
        "percent": format_percent(found.probability),
        "what": f"chance that a repeat on fresh data finds {better} significantly better {again}",
        "alt": f"{format_percent(found.probability)}, plausible range {low} to {high}; as published "
        f"{format_percent(found.as_published)}; flat prior {format_percent(found.flat)}",
        "low": place(found.interval.low),
        "high": place(found.interval.high),
        "at": place(found.probability),
        "at_label": label(found.probability, 30),
        "published": place(found.as_published),
        "published_label": label(found.as_published, 62),
        "published_percent": format_percent(found.as_published),
    }


def _dots(comparison: Comparison) -> dict[str, Any]:
    """Return where the differences, their mean and its interval go."""
    scores = comparison.scores
    unit = score_unit(scores)
    values = scores.differences
    first, second = scores.names
    low, high = comparison.difference.confidence_interval()
    bounded = bool(np.isfinite([low, high]).all())
    ends = np.abs([*values, *((low, high) if bounded else ())])
    reach = float(ends.max()) * 1.06 or 1.0

    def place(value: float) -> float:
        return round(_LEFT + _WIDTH * (value + reach) / (2 * reach), 1)

    shown = values if len(values) <= _MOST_DOTS else values[:: -(-len(values) // _MOST_DOTS)]
    middle = 66.0
    heights = stack_dots(shown) * 40
    wins = int((values > 0).sum())
    mean = format_difference(comparison.difference.estimate, unit)
    noun = {Datasets: "datasets", Holdout: "cases"}.get(type(scores.design), "folds")
    thinned = "" if len(shown) == len(values) else f" {len(shown)} of them are drawn."
    return {
        "title": f"The {format_count(len(values))} {noun}",
        "alt": f"Differences on {len(values)} {noun}, {wins} of them in favour of {first}",
        "height": 120,
        "y": middle,
        "bottom": 112,
        "zero": place(0.0),
        "mean": place(comparison.difference.estimate),
        "band": [place(low), round(place(high) - place(low), 1)] if bounded else None,
        "points": [
            (place(float(v)), round(middle + float(h), 1))
            for v, h in zip(shown, heights, strict=True)
        ],
        "radius": 6 if len(shown) <= 60 else 3,
        "left": f"{second} better",
        "right": f"{first} better",
        "caption": f"Each dot is one of the {noun}; the thick line is the mean, {mean}, the bar its "
        f"95% interval.{thinned}",
    }


def _plan(comparison: Comparison) -> dict[str, Any] | None:
    """Return what larger replications would bring, and what it takes for 95%."""
    found = comparison.replication
    if found is None or not comparison.outlook or comparison.outlook[-1].interval.high == 0:
        return None
    labels = ["the same again", *(describe_larger(item) for item in comparison.outlook)]
    items = [found, *comparison.outlook]
    try:
        note = str(plan(found, probability=_TARGET, significance=found.significance))
    except ReplicastError:  # a design that cannot be planned for has no note
        note = ""
    return {
        "title": "What would make it hold?"
        if found.first_significant
        else "What would a larger repeat see?",
        "steps": [
            {
                "label": label,
                "width": round(100 * item.probability, 1),
                "percent": format_percent(item.probability),
            }
            for label, item in zip(labels, items, strict=True)
        ],
        "note": note,
    }
