"""Many classifiers: who is first, who is clearly behind, and whether that would stay so."""

from collections.abc import Iterator, Sequence
from math import isclose

from replicast.comparison.records import ManyComparison, PairCell
from replicast.formatting import (
    format_effect,
    format_percent,
    format_pvalue,
    format_rank,
    join_words,
)
from replicast.inference.methods import METHODS
from replicast.presentation.document import Document, Listing, Row
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.chances import of_hundred
from replicast.presentation.words.scales import (
    ASSUMED_WAY,
    Scale,
    bare_pvalue,
    brief_design,
    hundred,
    listed,
    name_few,
    short_name,
)
from replicast.results import is_significant

_NOBODY = "No classifier is clearly ahead"
_NAMED = 3  # so many classifiers are named as leaders, the others counted
_SHOWN = 5  # so many rows stand in the answer of a terminal
_LISTED = 300  # pairs up to which all of them are listed
_LARGE_SCORES = 1000.0  # which have no decimals
_LETTERS = 24  # of a name in the table
_SAID = (  # by the lines
    "cannot-be-significant",
    "omnibus-not-significant",
    "one-dataset",
    "shared-first-place",
    "too-few-for-places",
)


def tell_many(many: ManyComparison, top: int | None = None) -> Document:
    """Tell what was found about many classifiers; `top` rows, or as many as an answer has room for."""
    cells = against_reference(many)
    shown = _shown(many, cells, top)
    return Document(
        headline=headline(many, cells),
        listing=_standing(many, cells, shown),
        notes=tuple(_notes(many, cells, shown)),
        cautions=ranked(many.cautions, _SAID),
        read=_read(many),
        rows=tuple(_rows(many)),
        tables=(_pair_table(many),),
        how=_how(many),
        quote=_quote(many, cells),
    )


def _shown(many: ManyComparison, cells: dict[str, PairCell], top: int | None) -> tuple[str, ...]:
    """Return who stands in the answer: the first ones, and one that is clearly different."""
    shown = many.classifiers[: top or _SHOWN]
    starred = [name for name in many.classifiers if name in _starred(cells)]
    if top is None and starred and _starred(cells).isdisjoint(shown):
        return *shown[:-2], starred[0]  # what its star means takes the room of another row
    return shown


def reference(many: ManyComparison) -> str:
    """Return the classifier that the others are held against: the control, or the first."""
    return many.control or many.classifiers[0]


def against_reference(many: ManyComparison) -> dict[str, PairCell]:
    """Return the pairs of the control, or of the classifier that ranks first, by the other one."""
    first = reference(many)
    return {
        cell.second if cell.first == first else cell.first: cell
        for cell in many.pairs
        if first in (cell.first, cell.second)
    }


def shared_first(many: ManyComparison) -> list[str]:
    """Return who has the first mean rank or, on one dataset, the best mean score."""
    best = many.average_ranks or many.mean_scores
    return [
        name
        for name, value in zip(many.classifiers, best, strict=True)
        if isclose(value, best[0], rel_tol=1e-12)
    ]


def all_equal(many: ManyComparison) -> bool:
    """Say whether all classifiers have the same score everywhere."""
    if many.friedman is not None:
        return any(caution.code == "degenerate" for caution in many.friedman.cautions)
    return all(cell.wins + cell.losses == 0 for cell in many.pairs)


def supported(many: ManyComparison) -> bool:
    """Say whether there are scores enough, and whether the test over all lets anyone be called first."""
    if _too_few(many):
        return False
    if many.friedman is None or len(many.classifiers) < 3:
        return True
    return is_significant(many.friedman.f_pvalue, many.significance)


def _too_few(many: ManyComparison) -> str:
    """Say what the datasets are too few for, where no scores could have been significant."""
    codes = {caution.code for caution in many.cautions}
    if "too-few-for-pairs" in codes:
        return f"{len(many.datasets)} datasets are too few for all {len(many.pairs)} pairs"
    if "cannot-be-significant" in codes:
        return f"{len(many.datasets)} datasets are too few to show any difference"
    return ""


def headline(many: ManyComparison, cells: dict[str, PairCell]) -> str:
    """Say in one line who is ahead, as far as the tests let it be said."""
    if all_equal(many):
        return "All classifiers have the same score everywhere"
    if not supported(many):
        return _too_few(many) or _NOBODY
    first, starred = reference(many), _starred(cells)
    better = [name for name in cells if name in starred and cells[name].better != first]
    level = [name for name in cells if name not in starred]
    if many.control:
        beaten = len(cells) - len(better) - len(level)
        behind = f", clearly behind {name_few(better)}" if better else ""
        return f"{first} is clearly better than {beaten} of {len(cells)} others{behind}"
    if better:
        verb = "beats" if len(better) == 1 else "beat"
        return f"{first} ranks first, yet {name_few(better)} {verb} it pair by pair"
    return _leaders(first, level, len(cells))


def _leaders(first: str, level: Sequence[str], others: int) -> str:
    """Say who is ahead, of those that cannot be told apart from the first."""
    if not level:
        beaten = f"all {others} others" if others > 1 else "the other"
        return f"{first} is clearly better than {beaten}"
    if len(level) == others:
        return _NOBODY
    if len(level) < _NAMED:
        return f"{join_words([first, *level])} lead and cannot be told apart"
    return f"{first} leads; {len(level)} others are not clearly behind"


def _standing(many: ManyComparison, cells: dict[str, PairCell], shown: Sequence[str]) -> Listing:
    """Return one row for each classifier, best first, each held against the first or the control."""
    first, scale = reference(many), _scale(many, cells)
    adjusted = f"p ({many.correction.capitalize()})"
    headings = ["", "score", f"to {short_name(first, 12)}", "won:lost", adjusted, "again"]
    rows: list[tuple[str, ...]] = [
        (short_name(name, _LETTERS), scale.score(score), *_against(cells.get(name), first, scale))
        for name, score in zip(many.classifiers, many.mean_scores, strict=True)
    ]
    if many.average_ranks is not None:
        headings.insert(0, "rank")
        rows = [
            (format_rank(rank), *row) for rank, row in zip(many.average_ranks, rows, strict=True)
        ]
    return Listing(
        tuple(headings),
        tuple(rows),
        rule=_rule(many, cells),
        title=f"Standing of {len(many.classifiers)} classifiers",
        brief=tuple(map(many.classifiers.index, shown)),
        rest=f", {len(_starred(cells) - set(shown))} clearly different: --all",
    )


def _against(cell: PairCell | None, first: str, scale: Scale) -> tuple[str, str, str, str]:
    """Write what is known of a classifier against the first, which has nothing beside it."""
    if cell is None:
        return "", "", "", ""
    won, lost = (cell.wins, cell.losses) if cell.first != first else (cell.losses, cell.wins)
    pvalue = f"{bare_pvalue(cell.adjusted)}{_star(cell)}"
    again = "" if cell.replication is None else hundred(cell.replication)
    return scale.number(_gap(cell, first)), f"{won}:{lost}", pvalue, again


def _star(cell: PairCell) -> str:
    return "*" if cell.significant else " "


def _starred(cells: dict[str, PairCell]) -> set[str]:
    return {name for name, cell in cells.items() if cell.significant}


def _gap(cell: PairCell, first: str) -> float:
    """Return the difference to the first: below 0 where a classifier is behind it."""
    return cell.difference if cell.first != first else -cell.difference


def _scale(many: ManyComparison, cells: dict[str, PairCell]) -> Scale:
    """Return the scale of the gaps to the first, on which the closest rival is not at 0."""
    gaps = sorted(abs(cell.difference) for cell in cells.values() if cell.difference)
    digits = Scale.of(many.unit, (0.0, gaps[-1] if gaps else 0.0)).digits
    if max(map(abs, many.mean_scores)) < _LARGE_SCORES:
        digits = max(digits, 1)
    scales = [Scale(many.unit, digits + more) for more in range(3)]
    told_apart = (scale for scale in scales if not gaps or scale.number(gaps[0]).strip("0.−"))
    return next(told_apart, scales[0])


def _rule(many: ManyComparison, cells: dict[str, PairCell]) -> tuple[int, str] | None:
    """Return where those begin that are clearly behind the first, if they are the last ones."""
    first = reference(many)
    behind = [
        name in cells and cells[name].significant and cells[name].better == first
        for name in many.classifiers
    ]
    start = behind.index(True) if True in behind else 0
    if many.control or not start or not all(behind[start:]):
        return None
    return start, f"clearly behind {short_name(first, _LETTERS)}"


def _notes(many: ManyComparison, cells: dict[str, PairCell], shown: Sequence[str]) -> Iterator[str]:
    """Say what the star means, and whether first place would stay."""
    if not _starred(cells).isdisjoint(shown):
        yield "* clearly different"
    if not all_equal(many):
        yield from _together(many, whole=len(shown) == len(many.classifiers))


def _together(many: ManyComparison, *, whole: bool) -> Iterator[str]:
    """Say whether all differ at all, and how often first place would stay first."""
    if many.friedman is not None and len(many.classifiers) > 2 and whole:
        yield f"all: {format_pvalue(many.friedman.f_pvalue)}"
    if len(shared_first(many)) > 1:
        return
    if many.stability is not None:
        yield f"first again in {of_hundred(many.stability.first_stays)}"
    elif many.average_ranks is not None:
        yield f"{len(many.datasets)} datasets are too few to say who stays first"


def _read(many: ManyComparison) -> str:
    one = many.average_ranks is None and many.datasets[0] != "all"
    assumed = ASSUMED_WAY if many.direction == "assumed" else ""
    way = assumed if many.greater_is_better else " (lower is better)"
    return listed(
        f"{len(many.classifiers)} classifiers",
        many.datasets[0] if one else "",
        f"{many.metric}{way}" if many.metric != "score" or way else "",
        brief_design(many.design),
    )


def _pair_table(many: ManyComparison) -> Listing:
    """Return one row for each pair, the first ones where there are too many."""
    scale = _scale(many, against_reference(many))
    rows = tuple(
        (
            f"{pair.first} over {pair.second}",
            scale.number(pair.difference),
            f"{pair.wins}:{pair.ties}:{pair.losses}",
            bare_pvalue(pair.pvalue),
            f"{bare_pvalue(pair.adjusted)}{_star(pair)}",
            f"{pair.effect_symbol} = {format_effect(pair.effect)}",
            "–" if pair.replication is None else hundred(pair.replication),
        )
        for pair in many.pairs[:_LISTED]
    )
    adjusted = f"p ({many.correction.capitalize()})"
    lead_in = f"lead in{scale.noun}" if scale.noun else "lead"
    headings = ("pair", lead_in, "won:tied:lost", "p alone", adjusted, "effect", "again")
    return Listing(headings, rows, title="Pairs")


def _rows(many: ManyComparison) -> Iterator[Row]:
    if many.friedman is not None and len(many.classifiers) > 2:
        proof = format_pvalue(many.friedman.f_pvalue)
        yield Row("all together", proof, "Friedman test with Iman and Davenport's F")
    method = METHODS[many.method].titled(many.design)
    yield Row("test of a pair", method, f"{many.correction.capitalize()} correction")
    if many.stability is not None:
        stays = many.stability
        yield Row("first again", format_percent(stays.first_stays), f"on fresh {stays.fresh}")
        chance, place = min((chance, place) for place, chance in enumerate(stays.order_stays))
        above, below = many.classifiers[place : place + 2]
        yield Row("least settled", format_percent(chance), f"that {above} stays ahead of {below}")
    for cell in many.pairs:
        if cell.at_odds:
            both = f"{cell.first} and {cell.second}"
            remark = f"by the test; the mean favours the other of {both}"
            yield Row("at odds", cell.better or "", remark)


def _how(many: ManyComparison) -> tuple[str, ...]:
    method = METHODS[many.method]
    lines = [
        f"Pairs: {method.titled(many.design)} ({method.reference}), "
        f"{many.correction.capitalize()} correction for {len(many.pairs)} tests.",
        f"Again: chance that a repeat {many.design.anew}, testing this pair alone, is "
        "significant in the same direction.",
    ]
    if any(cell.relation == "close" for cell in many.pairs):
        lines.append(
            "Neighbours in the ranking are taken for close rivals, unless the relation was given; a "
            "comparison of the two alone, which does not know that, gives another chance."
        )
    if many.friedman is not None:
        lines.append(
            "Any difference at all: Friedman's test with Iman and Davenport's F. Bars follow the "
            "adjusted p-values, not Nemenyi's critical difference, so that picture and table agree."
        )
    if many.stability is not None:
        over_datasets = many.stability.fresh == "datasets"
        parts, means = ("datasets", "ranks") if over_datasets else ("cases or clusters", "scores")
        lines.append(
            f"First again: mean of a Dirichlet-multinomial resample of the {parts} and of a normal "
            f"model of the mean {means}; a plain bootstrap share would be too high. Staying first is "
            "not being significantly better."
        )
    return tuple(lines)


def _quote(many: ManyComparison, cells: dict[str, PairCell]) -> str:
    first = reference(many)
    beaten = {
        name: cell for name, cell in cells.items() if cell.significant and cell.better == first
    }
    method = METHODS[many.method].titled(many.design)
    inside = f"{many.design.words}, {method}, {many.correction.capitalize()} correction"
    stays = _stays(many)
    if not supported(many) or not beaten:
        nobody = "No classifier was significantly better than all others"
        if few := _too_few(many):
            nobody = f"{few}: none could have been significant"
        return f"{nobody} ({inside}).{stays}"
    proof = format_pvalue(max(cell.adjusted for cell in beaten.values()))
    proof = proof.replace("=", "≤") if len(beaten) > 1 else proof
    names = name_few(list(beaten))
    return f"{first} was significantly better than {names} (adjusted {proof}; {inside}).{stays}"


def _stays(many: ManyComparison) -> str:
    """Say how likely the first one is first again, where one alone is first."""
    if many.stability is None or len(shared_first(many)) > 1:
        return ""
    return f" {many.classifiers[0]} is first again in {of_hundred(many.stability.first_stays)}."
