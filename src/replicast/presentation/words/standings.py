"""Many classifiers: who is first, who is clearly behind, and whether that would stay so."""

from collections.abc import Iterable, Sequence
from math import isclose

from replicast.comparison.records import ManyComparison, PairCell
from replicast.design import describe_design, describe_repeat
from replicast.formatting import (
    format_difference,
    format_effect,
    format_percent,
    format_pvalue,
    join_words,
)
from replicast.inference.methods import METHODS
from replicast.presentation.document import Document, Listing, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import (
    ASSUMED_WAY,
    Scale,
    brief_design,
    hundred,
    short_name,
)
from replicast.reading.vocabulary.units import unit_of
from replicast.results import is_significant

_NAMED = 3  # so many classifiers are named in a sentence, the others counted
_SHOWN = 5  # so many rows stand in the answer of a terminal
_LISTED = 300  # pairs up to which all of them are listed
_LARGE_SCORES = 1000.0  # which have no decimals
_LETTERS = 24  # of a name in the table
_SAID = ("omnibus-not-significant", "shared-first-place", "one-dataset", "too-few-for-places")


def tell_many(
    found: ManyComparison, account: Sequence[str] = (), top: int | None = None
) -> Document:
    """Tell what was found about many classifiers; `top` rows, or as many as an answer has room for."""
    rows = len(found.classifiers) if top is None and len(found.classifiers) <= _SHOWN else top
    return Document(
        result=found,
        headline=headline(found),
        listing=standing(found, rows or _SHOWN),
        notes=tuple(_notes(found, rows or _SHOWN)),
        cautions=ranked(found.cautions, _SAID),
        read=_read(found),
        rows=tuple(_rows(found)),
        tables=(
            standing(found, len(found.classifiers)),
            pair_table(found, found.pairs[:_LISTED]),
        ),
        how=_how(found),
        account=tuple(account),
        quote=_quote(found),
    )


def many_unit(found: ManyComparison) -> str:
    """Tell whether the mean scores are fractions, percent, or something without points."""
    return unit_of(found.mean_scores, found.metric, greater_is_better=found.greater_is_better)


def reference(found: ManyComparison) -> str:
    """Return the classifier that the others are held against: the control, or the first."""
    return found.control or found.classifiers[0]


def pairs_with_first(found: ManyComparison) -> list[PairCell]:
    """Return the pairs of the control, or of the classifier that ranks first."""
    first = reference(found)
    return [cell for cell in found.pairs if first in (cell.first, cell.second)]


def shared_first(found: ManyComparison) -> list[str]:
    """Return who has the first mean rank or, on one dataset, the best mean score."""
    best = found.average_ranks or found.mean_scores
    return [
        name
        for name, value in zip(found.classifiers, best, strict=True)
        if isclose(value, best[0], rel_tol=1e-12)
    ]


def all_equal(found: ManyComparison) -> bool:
    """Say whether all classifiers have the same score everywhere."""
    if found.friedman is not None:
        return any(caution.code == "degenerate" for caution in found.friedman.cautions)
    return all(cell.wins + cell.losses == 0 for cell in found.pairs)


def supported(found: ManyComparison) -> bool:
    """Say whether the test over all classifiers, where there is one, lets anyone be called first."""
    if found.friedman is None or len(found.classifiers) < 3:
        return True
    return is_significant(found.friedman.f_pvalue, found.significance)


def headline(found: ManyComparison) -> str:
    """Say in one line who is ahead, as far as the tests let it be said."""
    if all_equal(found):
        return "All classifiers have the same score everywhere"
    if not supported(found):
        return "No classifier is clearly ahead"
    first = reference(found)
    against = pairs_with_first(found)
    beaten = [cell for cell in against if cell.significant and cell.better == first]
    better = [_other(cell, first) for cell in against if cell.significant and cell.better != first]
    if found.control:
        behind = f", clearly behind {_names(better)}" if better else ""
        return f"{first} is clearly better than {len(beaten)} of {len(against)} others{behind}"
    if better:
        verb = "beats" if len(better) == 1 else "beat"
        return f"{first} ranks first, yet {_names(better)} {verb} it pair by pair"
    level = [first, *(_other(cell, first) for cell in against if not cell.significant)]
    return _leaders(level, found.classifiers)


def _leaders(level: Sequence[str], classifiers: Sequence[str]) -> str:
    """Say who is ahead, of those that cannot be told apart from the first."""
    others = len(classifiers) - 1
    if len(level) == 1:
        beaten = f"all {others} others" if others > 1 else "the other"
        return f"{level[0]} is clearly better than {beaten}"
    if len(level) == len(classifiers):
        return "No classifier is clearly ahead"
    if len(level) <= _NAMED:
        return f"{join_words(level)} lead and cannot be told apart"
    return f"{level[0]} leads; {len(level) - 1} others are not clearly behind"


def _names(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return join_words(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def _other(cell: PairCell, name: str) -> str:
    return cell.second if cell.first == name else cell.first


def standing(found: ManyComparison, rows: int) -> Listing:
    """Return one row for each classifier, best first, each held against the first or the control."""
    unit, first = many_unit(found), reference(found)
    scale = _scale(found, unit)
    cells = {_other(cell, first): cell for cell in pairs_with_first(found)}
    lines: list[tuple[str, ...]] = []
    values: list[tuple[float | None, ...]] = []
    for name, score in zip(found.classifiers[:rows], found.mean_scores, strict=False):
        cell = cells.get(name)
        lines.append(
            (short_name(name, _LETTERS), scale.score(score), *_against(cell, first, scale))
        )
        stays = _first_stays(found) if name == found.classifiers[0] else None
        values.append((None, score, *_against_values(cell, first, stays)))
    correction = f"p ({found.correction.capitalize()})"
    headings: tuple[str, ...] = (
        "",
        "score",
        f"to {short_name(first, 12)}",
        "won:lost",
        correction,
        "again",
    )
    if found.average_ranks is not None:
        headings = ("rank", *headings)
        lines = [
            (f"{rank:.2f}", *line) for rank, line in zip(found.average_ranks, lines, strict=False)
        ]
        values = [(rank, *row) for rank, row in zip(found.average_ranks, values, strict=False)]
    title = f"Standing of {len(found.classifiers)} classifiers"
    return Listing(headings, tuple(lines), tuple(values), _rule(found, cells, rows), title)


def _scale(found: ManyComparison, unit: str) -> Scale:
    """Return the scale of the gaps to the first, on which the closest rival is not at 0."""
    gaps = sorted(abs(cell.difference) for cell in pairs_with_first(found) if cell.difference)
    scale = Scale.of(unit, (0.0, gaps[-1] if gaps else 0.0))
    small = max(map(abs, found.mean_scores)) < _LARGE_SCORES
    least = max(scale.digits, 1) if small else scale.digits
    more = (least + one for one in range(3))
    shown = (d for d in more if not gaps or Scale(unit, d).number(gaps[0]).strip("0.−"))
    return Scale(unit, next(shown, least))


def _rule(found: ManyComparison, cells: dict[str, PairCell], rows: int) -> tuple[int, str] | None:
    """Return where those begin that are clearly behind the first, if they are the last ones."""
    first = reference(found)
    if found.control:
        return None
    behind = [
        name in cells and cells[name].significant and cells[name].better == first
        for name in found.classifiers
    ]
    start = len(behind) - next((k for k, one in enumerate(reversed(behind)) if not one), 0)
    if not 0 < start < min(rows, len(behind)) or any(behind[:start]):
        return None
    return start, f"clearly behind {short_name(first, _LETTERS)}"


def _against(cell: PairCell | None, first: str, scale: Scale) -> tuple[str, str, str, str]:
    """Write what is known of a classifier against the first, which has nothing beside it."""
    if cell is None:
        return "", "", "", ""
    turned = cell.first != first
    won, lost = (cell.wins, cell.losses) if turned else (cell.losses, cell.wins)
    gap = scale.number(_towards(cell, first))
    star = "*" if cell.significant else " "
    pvalue = format_pvalue(cell.adjusted).removeprefix("p ").removeprefix("= ").replace("< ", "<")
    again = "" if cell.replication is None else hundred(cell.replication)
    return gap, f"{won}:{lost}", f"{pvalue}{star}", again


def _against_values(
    cell: PairCell | None, first: str, stays: float | None
) -> tuple[float | None, ...]:
    """Return the numbers that the columns against the first are sorted by."""
    if cell is None:
        return None, None, None, stays
    return _towards(cell, first), None, cell.adjusted, cell.replication


def _towards(cell: PairCell, first: str) -> float:
    """Return the difference to the first: below 0 where a classifier is behind it."""
    return cell.difference if cell.first != first else -cell.difference


def _first_stays(found: ManyComparison) -> float | None:
    return None if found.stability is None else found.stability.first_stays


def _notes(found: ManyComparison, rows: int) -> Iterable[str]:
    """Say what the star means, whether first place would stay, and what is not shown."""
    parts = []
    shown = found.classifiers[:rows]
    starred = (
        cell.significant and _other(cell, reference(found)) in shown
        for cell in pairs_with_first(found)
    )
    if any(starred):
        parts.append("* clearly different")
    hidden = found.classifiers[rows:]
    tested = len(found.classifiers) > 2 and not all_equal(found) and not hidden
    if found.friedman is not None and tested:
        parts.append(f"all: {format_pvalue(found.friedman.f_pvalue)}")
    parts += _stays(found)
    if hidden:
        cells = {_other(cell, reference(found)): cell for cell in pairs_with_first(found)}
        behind = sum(name in cells and cells[name].significant for name in hidden)
        parts.append(f"{len(hidden)} more, {behind} clearly different: --all")
    if parts:
        yield "; ".join(parts)


def _stays(found: ManyComparison) -> Iterable[str]:
    """Say how often first place would stay first, where anyone has it alone."""
    if all_equal(found) or len(shared_first(found)) > 1:
        return
    if found.stability is not None:
        yield f"first again in {hundred(found.stability.first_stays)} of 100 repeats"
    elif found.average_ranks is not None:
        yield f"{len(found.datasets)} datasets are too few to say who stays first"


def _read(found: ManyComparison) -> str:
    count = f"{len(found.classifiers)} classifiers"
    dataset = (
        found.datasets[0] if found.average_ranks is None and found.datasets[0] != "all" else ""
    )
    assumed = ASSUMED_WAY if found.direction == "assumed" else ""
    way = assumed if found.greater_is_better else " (lower is better)"
    metric = f"{found.metric}{way}" if found.metric != "score" or way else ""
    return ", ".join(filter(None, (count, dataset, metric, brief_design(found.design))))


def pair_table(found: ManyComparison, pairs: Iterable[PairCell]) -> Listing:
    """Return one row for each of some pairs."""
    unit = many_unit(found)
    rows, values = [], []
    for pair in pairs:
        chance = "–" if pair.replication is None else format_percent(pair.replication)
        mark = " *" if pair.significant else ""
        rows.append(
            (
                f"{pair.first} over {pair.second}",
                format_difference(pair.difference, unit),
                f"{pair.wins} : {pair.ties} : {pair.losses}",
                format_pvalue(pair.pvalue),
                f"{format_pvalue(pair.adjusted)}{mark}",
                f"{pair.effect_symbol} = {format_effect(pair.effect)}",
                chance,
            )
        )
        values.append((
            None, pair.difference, float(pair.wins - pair.losses), pair.pvalue, pair.adjusted,
            pair.effect, pair.replication,
        ))  # fmt: skip
    headings = ("pair", "lead", "won : tied : lost", "alone", f"{found.correction}-adjusted",
                "effect", "again")  # fmt: skip
    return Listing(headings, tuple(rows), tuple(values), title="Pairs")


def _rows(found: ManyComparison) -> Iterable[Row]:
    if found.friedman is not None and len(found.classifiers) > 2:
        proof = format_pvalue(found.friedman.f_pvalue)
        yield Row("all together", proof, "Friedman test with Iman and Davenport's F")
    method = METHODS[found.method].titled(found.design)
    yield Row("test of a pair", method, f"{found.correction.capitalize()} correction")
    if found.stability is not None:
        stays = found.stability
        yield Row("first again", format_percent(stays.first_stays), f"on fresh {stays.fresh}")
        places = enumerate(stays.order_stays)
        place, chance = min(places, key=lambda pair: pair[1])
        above, below = found.classifiers[place], found.classifiers[place + 1]
        yield Row("least settled", format_percent(chance), f"that {above} stays ahead of {below}")
    for cell in found.pairs:
        if cell.at_odds:
            yield Row(
                "at odds",
                cell.better or "",
                f"by the test; the mean favours the other of {cell.first} and {cell.second}",
            )


def _how(found: ManyComparison) -> tuple[str, ...]:
    method = METHODS[found.method]
    lines = [
        f"Pairs: {method.titled(found.design)} ({method.reference}), {found.correction} correction "
        f"for {len(found.pairs)} tests.",
        f"Again: chance that a repeat {describe_repeat(found.design)}, testing this pair alone, is "
        "significant in the same direction.",
    ]
    if any(cell.relation == "close" for cell in found.pairs):
        lines.append(
            "Neighbours in the ranking are taken for close rivals, unless the relation was given; a "
            "comparison of the two alone, which does not know that, gives another chance."
        )
    if found.friedman is not None:
        lines.append(
            "Any difference at all: Friedman's test with Iman and Davenport's F. Bars follow the "
            "adjusted p-values, not Nemenyi's critical difference, so that picture and table agree."
        )
    if found.stability is not None:
        over_datasets = found.stability.fresh == "datasets"
        parts, means = ("datasets", "ranks") if over_datasets else ("cases or clusters", "scores")
        lines.append(
            f"First again: mean of a Dirichlet-multinomial resample of the {parts} and of a normal "
            f"model of the mean {means}; a plain bootstrap share would be too high. Staying first is "
            "not being significantly better."
        )
    return tuple(lines)


def _quote(found: ManyComparison) -> str:
    first = reference(found)
    beaten = [cell for cell in pairs_with_first(found) if cell.significant and cell.better == first]
    method = METHODS[found.method].titled(found.design)
    inside = (
        f"{describe_design(found.design)}, {method}, {found.correction.capitalize()} correction"
    )
    if not supported(found) or not beaten:
        return f"No classifier was significantly better than all others ({inside})."
    names = _names([_other(cell, first) for cell in beaten])
    worst = max(cell.adjusted for cell in beaten)
    proof = format_pvalue(worst).replace("=", "≤") if len(beaten) > 1 else format_pvalue(worst)
    return f"{first} was significantly better than {names} (adjusted {proof}; {inside})."
