"""Many classifiers as a page and as tables to paste."""

import io
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from replicast.comparison.records import ManyComparison
from replicast.formatting import (
    format_difference,
    format_effect,
    format_number,
    format_percent,
    format_pvalue,
)
from replicast.inference.methods import METHODS
from replicast.presentation.files.page import render
from replicast.presentation.pictures.standings import plot_critical_difference
from replicast.presentation.words.standings import many_unit, narrate_many

_STYLE_SHEET = re.compile(r"<style[^>]*>.*?</style>", re.DOTALL)
_STYLE = re.compile(r'style="([^"]*)"')


class Table(NamedTuple):
    """Headings and rows of text."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def standing_table(result: ManyComparison) -> Table:
    """Return one line for each classifier, best first."""
    unit = many_unit(result)
    rows = []
    for place, name in enumerate(result.classifiers):
        rank = "" if result.average_ranks is None else f"{result.average_ranks[place]:.2f}"
        stays = ""
        if result.stability is not None:
            if place == 0:
                stays = format_percent(result.stability.first_stays)
            ahead = result.stability.order_stays
            next_one = format_percent(ahead[place]) if place < len(ahead) else ""
        else:
            next_one = ""
        score = _score(result.mean_scores[place], unit)
        rows.append((name, rank, score, stays, next_one))
    return Table(
        ("classifier", "mean rank", "mean score", "first again", "ahead of the next again"),
        tuple(rows),
    )


def _score(value: float, unit: str) -> str:
    return f"{100 * value:.1f}%" if unit == "fraction" else format_number(value, 4)


def pair_table(result: ManyComparison) -> Table:
    """Return one line for each pair that was tested."""
    unit = many_unit(result)
    rows = []
    for pair in result.pairs:
        chance = "–" if pair.replication is None else format_percent(pair.replication)
        mark = " *" if pair.significant else ""
        rows.append(
            (
                f"{pair.first} − {pair.second}",
                format_difference(pair.difference, unit),
                f"{pair.wins} : {pair.ties} : {pair.losses}",
                f"{format_pvalue(pair.pvalue)}",
                f"{format_pvalue(pair.adjusted)}{mark}",
                f"{pair.effect_symbol} = {format_effect(pair.effect)}",
                chance,
            )
        )
    return Table(
        ("pair", "difference", "won : tied : lost", "alone", f"{result.correction}-adjusted",
         "effect", "pair alone again"),
        tuple(rows),
    )  # fmt: skip


def many_page(result: ManyComparison, *, account: Sequence[str] = ()) -> str:
    """Return the page of a comparison of many classifiers as HTML text."""
    return render("many.html.j2", **many_content(result), account=account)


def many_content(result: ManyComparison) -> dict[str, Any]:
    """Return what a page about many classifiers is filled with."""
    story = narrate_many(result)
    leader = result.classifiers[0]
    stays = "" if result.stability is None else (
        f", and would again in {format_percent(result.stability.first_stays)} of repeats"
    )  # fmt: skip
    word = "ranks first" if result.average_ranks is not None else "scores highest"
    return {
        "title": f"{leader} {word}",
        "headline": f"{leader} {word}{stays}.",
        "story": story,
        "texts": [text for text in (story.replication, story.reason) if text],
        "standing": standing_table(result)._asdict(),
        "pairs": pair_table(result)._asdict(),
        "diagram": _diagram(result),
        "diagram_alt": f"Standing of {len(result.classifiers)} classifiers; bars join those that do not "
        "clearly differ",
        "diagram_caption": "Classifiers that share a bar do not clearly differ after correction for the "
        "number of pairs. Stars in the table below mark pairs that do.",
        "methods": _methods(result),
    }


def _diagram(result: ManyComparison) -> object:
    """Return the diagram as inline SVG; matplotlib escapes names, and its header is left out.

    Styles become attributes, so that a page may forbid inline styles.
    """
    from markupsafe import Markup

    sink = io.StringIO()
    figure = plot_critical_difference(result).get_figure(root=True)
    figure.savefig(sink, format="svg", metadata={"Date": None, "Creator": None})  # type: ignore[union-attr]  # drawn on one
    text = sink.getvalue()
    drawn = _STYLE_SHEET.sub("", text[text.index("<svg") :])
    drawn = drawn.replace("<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', 1)
    return Markup(_STYLE.sub(_as_attributes, drawn))


def _as_attributes(style: re.Match[str]) -> str:
    pairs = (item.partition(":") for item in style.group(1).split(";") if item.strip())
    return " ".join(f'{key.strip()}="{value.strip()}"' for key, _, value in pairs)


def _methods(result: ManyComparison) -> list[str]:
    method = METHODS[result.method]
    lines = [
        f"Pairs: {method.title} ({method.reference}), {result.correction} correction for "
        f"{len(result.pairs)} tests.",
        "Pair alone again: calibrated chance that a repeat on fresh data, testing this pair alone, is "
        "significant in the same direction.",
    ]
    if result.friedman is not None:
        lines.append(
            "Any difference at all: Friedman's test with Iman and Davenport's F. Bars follow the "
            "adjusted p-values, not Nemenyi's critical difference, so that picture and table agree."
        )
    if result.stability is not None:
        lines.append(
            "First again, ahead again: mean of a Dirichlet-multinomial resample of the datasets and of "
            "a normal model of the mean ranks; a plain bootstrap share would be too high."
        )
    return lines
