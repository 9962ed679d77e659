"""Many classifiers as a page and as tables to paste."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from replicast.comparison.records import ManyComparison, PairCell
from replicast.design import describe_repeat
from replicast.formatting import (
    format_difference,
    format_effect,
    format_number,
    format_percent,
    format_pvalue,
    format_score,
)
from replicast.inference.methods import METHODS
from replicast.presentation.files.rendering import render
from replicast.presentation.pictures.standings import (
    MATRIX,
    matrix_figure,
    pairs_data,
    standing_figure,
)
from replicast.presentation.words.standings import many_headline, many_unit, narrate_many

_LISTED = 300  # pairs up to which a page lists them all


class Table(NamedTuple):
    """Headings and rows of text, and by what numbers the rows can be sorted."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    values: tuple[tuple[float | None, ...], ...] = ()


def standing_table(result: ManyComparison) -> Table:
    """Return one line for each classifier, best first."""
    unit = many_unit(result)
    rows, values = [], []
    for place, name in enumerate(result.classifiers):
        rank = None if result.average_ranks is None else result.average_ranks[place]
        first = ahead = None
        if result.stability is not None:
            first = result.stability.first_stays if place == 0 else None
            stays = result.stability.order_stays
            ahead = stays[place] if place < len(stays) else None
        few = place == 0 and rank is not None and result.stability is None
        score = result.mean_scores[place]
        rows.append(
            (name, "" if rank is None else f"{rank:.2f}", _score(score, unit),
             "too few datasets" if few else _known(first), _known(ahead))
        )  # fmt: skip
        values.append((None, rank, score, first, ahead))
    headings = ("classifier", "mean rank", "mean score", "first again", "still ahead of the next")
    return Table(headings, tuple(rows), tuple(values))


def _known(chance: float | None) -> str:
    return "" if chance is None else format_percent(chance)


def _score(value: float, unit: str) -> str:
    return format_number(value, 4) if unit == "score" else format_score(value, unit)


def pair_table(result: ManyComparison, pairs: Iterable[PairCell] | None = None) -> Table:
    """Return one line for each pair that was tested, or for those given."""
    unit = many_unit(result)
    rows, values = [], []
    for pair in result.pairs if pairs is None else pairs:
        chance = "–" if pair.replication is None else format_percent(pair.replication)
        mark = " *" if pair.significant else ""
        rows.append(
            (
                f"{pair.first} − {pair.second}",
                format_difference(pair.difference, unit),
                f"{pair.wins} : {pair.ties} : {pair.losses}",
                f"{format_pvalue(pair.pvalue)}",
                f"{format_pvalue(pair.adjusted)}{mark}",
                f"{pair.effect_symbol} = {format_effect(pair.effect).replace('-', '−')}",
                chance,
            )
        )
        values.append(
            (None, pair.difference, float(pair.wins - pair.losses), pair.pvalue, pair.adjusted,
             pair.effect, pair.replication)
        )  # fmt: skip
    return Table(
        ("pair", "difference", "won : tied : lost", "alone", f"{result.correction}-adjusted",
         "effect", "significant again"),
        tuple(rows),
        tuple(values),
    )  # fmt: skip


def pairs_with_first(result: ManyComparison) -> list[PairCell]:
    """Return the pairs of the control, or of the classifier that ranks first."""
    first = result.control or result.classifiers[0]
    return [cell for cell in result.pairs if first in (cell.first, cell.second)]


def many_page(result: ManyComparison, *, account: Sequence[str] = ()) -> str:
    """Return the page of a comparison of many classifiers as HTML text."""
    return render("many.html.j2", **many_content(result), account=account)


def many_content(result: ManyComparison) -> dict[str, Any]:
    """Return what a page about many classifiers is filled with."""
    story = narrate_many(result)
    leader = result.classifiers[0]
    headline = many_headline(result)
    return {
        "title": headline.rstrip("."),
        "headline": headline,
        "story": story,
        "lead": story.verdict.removeprefix(headline).strip(),
        "texts": [text for text in (story.replication, story.reason) if text],
        "standing": standing_table(result),
        "diagram": standing_figure(result),
        "first": result.control or leader,
        "pairs": pair_table(result, pairs_with_first(result)),
        "every": pair_table(result) if len(result.pairs) <= _LISTED else None,
        "pair_data": pairs_data(result),
        "matrix": matrix_figure(result) if 2 < len(result.classifiers) <= MATRIX else None,
        "methods": _methods(result),
        "close": any(cell.relation == "close" for cell in result.pairs),
    }


def _methods(result: ManyComparison) -> list[str]:
    method = METHODS[result.method]
    lines = [
        f"Pairs: {method.titled(result.design)} ({method.reference}), {result.correction} correction "
        f"for {len(result.pairs)} tests.",
        f"Significant again: chance that a repeat {describe_repeat(result.design)}, testing this pair "
        "alone, is "
        "significant in the same direction.",
    ]
    if any(cell.relation == "close" for cell in result.pairs):
        lines.append(
            "Neighbours in the ranking are taken for close rivals, unless the relation was said; a "
            "comparison of the two alone, which does not know that, gives another chance."
        )
    if result.friedman is not None:
        lines.append(
            "Any difference at all: Friedman's test with Iman and Davenport's F. Bars follow the "
            "adjusted p-values, not Nemenyi's critical difference, so that picture and table agree."
        )
    if result.stability is not None:
        over_datasets = result.stability.fresh == "datasets"
        parts, means = ("datasets", "ranks") if over_datasets else ("cases or clusters", "scores")
        lines.append(
            f"First again, still ahead: mean of a Dirichlet-multinomial resample of the {parts} and of "
            f"a normal model of the mean {means}; a plain bootstrap share would be too high."
        )
    return lines
