"""Many classifiers in plain words: who is first, would that hold, and who is not clearly behind."""

from collections.abc import Sequence
from math import isclose

from replicast.comparison.records import ManyComparison, PairCell
from replicast.design import describe_design
from replicast.errors import require_instance
from replicast.formatting import (
    format_difference,
    format_number,
    format_percent,
    format_pvalue,
    join_words,
)
from replicast.inference.methods import METHODS
from replicast.presentation.words.narrative import Narrative, Row
from replicast.reading.vocabulary.units import unit_of
from replicast.results import is_significant

_NAMED = 3  # so many classifiers are named in a sentence, the others counted
_SHOWN = 12  # so many rivals have a line of their own
_FEW_PAIRS = 3  # so many pairs without the first classifier have a line too
LONGEST_NAME = 34


def short_name(name: str, longest: int = LONGEST_NAME) -> str:
    """Return a name on one line, shortened in the middle.

    Examples
    --------
    >>> short_name("gradient-boosting-with-early-stopping", 20)
    'gradient-boo…topping'
    """
    shown = "".join(c if c.isprintable() else " " for c in name)
    if len(shown) <= longest:
        return shown
    head = (longest - 1) * 2 // 3
    return f"{shown[:head]}…{shown[head + 1 - longest :]}"


def _about(chance: float) -> str:
    """Write a chance as an estimate; `over 99%` needs no `about`."""
    shown = format_percent(chance)
    return f"about {shown}" if shown[0].isdigit() else shown


def many_unit(result: ManyComparison) -> str:
    """Tell whether the mean scores are fractions, percent, or something without points."""
    return unit_of(result.mean_scores, result.metric, greater_is_better=result.greater_is_better)


def narrate_many(result: ManyComparison) -> Narrative:
    """Put a comparison of many classifiers into words.

    Examples
    --------
    >>> import numpy as np
    >>> from replicast import Datasets, ScoreTable, compare_many, narrate_many
    >>> svm = np.array([0.91, 0.85, 0.77, 0.93, 0.66, 0.82, 0.88, 0.79])
    >>> lead = np.array([0.01, 0.02, -0.03, 0.01, 0.04, 0.02, 0.05, 0.06])
    >>> scores = np.array([svm, svm - lead, svm - 0.1])[:, :, None, None]
    >>> table = ScoreTable(classifiers=("svm", "nb", "knn"), datasets=tuple("abcdefgh"),
    ...                    scores=scores, design=Datasets())
    >>> print(narrate_many(compare_many(table)).verdict)
    svm ranks first, and would rank first again in about 98% of repeats on other datasets. It is
    not clearly better than nb (adjusted p = 0.086; 13% of repeats of this pair alone would find
    a significant difference). In this experiment it is significantly better than knn (adjusted
    p = 0.023; about 75% of repeats of this pair alone would find it again).
    """
    require_instance(result, ManyComparison, "result", "Make one with compare_many")
    return Narrative(
        title=_title(result),
        verdict=_verdict(result),
        replication=_least_stable(result),
        reason=_omnibus(result),
        rows=(*_standing_rows(result), *_pair_rows(result)),
        outlook=_what_the_forecast_is(result),
        cautions=tuple(caution.text for caution in result.cautions),
    )


def _title(result: ManyComparison) -> str:
    against = f", each against {result.control}" if result.control else ""
    place = f"{result.datasets[0]}, " if result.average_ranks is None and _named(result) else ""
    count = len(result.classifiers)
    return f"{count} classifiers{against} ({place}{describe_design(result.design)})"


def _named(result: ManyComparison) -> bool:
    """Say whether one dataset has a name; readers call one without a name `all`."""
    return result.datasets[0] != "all"


def _all_equal(result: ManyComparison) -> bool:
    if result.friedman is not None:
        return any(caution.code == "degenerate" for caution in result.friedman.cautions)
    return all(cell.wins + cell.losses == 0 for cell in result.pairs)


def _verdict(result: ManyComparison) -> str:
    if _all_equal(result):
        return "All classifiers have the same score everywhere: nothing here tells them apart."
    first = result.control or result.classifiers[0]
    against = sorted(
        (cell for cell in result.pairs if first in (cell.first, cell.second)),
        key=lambda cell: -cell.adjusted,
    )
    open_pairs = [cell for cell in against if not cell.significant]
    beaten = [cell for cell in against if cell.significant and cell.better == first]
    lost = [cell for cell in against if cell.significant and cell.better not in (first, None)]
    named = first != result.classifiers[0] or len(_shared_first(result)) > 1
    subject = first if named else "It"
    words = [_leader(result)]
    if open_pairs:
        relation = "different from" if result.control else "better than"
        words.append(f"{subject} is not clearly {relation} {_listed(open_pairs, first)}.")
    if beaten:
        who = first if named else "it"
        rivals = _closest(beaten, first)
        words.append(f"In this experiment {who} is significantly better than {rivals}.")
    if lost:
        yet = "" if result.control else "Yet, pair by pair, "
        verb = "are" if len(lost) > 1 else "is"
        better = f"{verb} significantly better than {first} in this experiment"
        words.append(f"{yet}{_closest(lost, first)} {better}.")
    return " ".join(words)


def _leader(result: ManyComparison) -> str:
    first, shared = result.classifiers[0], _shared_first(result)
    if result.average_ranks is None:
        extreme = "highest" if result.greater_is_better else "lowest"
        score = format_number(result.mean_scores[0])
        place = f" on {result.datasets[0]}" if _named(result) else ""
        if len(shared) > 1:
            return f"{_names(shared)} share the {extreme} score{place} (mean {score})."
        again = ""
        if result.stability is not None:
            stays = _about(result.stability.first_stays)
            again = f", and would again in {stays} of repeats on as many fresh cases"
        return f"{first} scores {extreme}{place} (mean {score}){again}."
    if len(shared) > 1:
        ahead = "" if supported(result) else "No classifier is clearly ahead. "
        return f"{ahead}{_names(shared)} share the first rank ({result.average_ranks[0]:.2f})."
    if result.stability is None:
        here = (
            f"has the best mean rank here, but {len(result.datasets)} datasets are too few to say"
        )
        ahead = "" if supported(result) else "No classifier is clearly ahead. "
        return f"{ahead}{first} {here} how often it would have it again."
    stays = _about(result.stability.first_stays)
    if not supported(result):
        by_chance = format_percent(1 / len(result.classifiers))
        return (
            f"No classifier is clearly ahead. {first} has the best mean rank here, and would have it "
            f"again in {stays} of repeats on other datasets; {by_chance} is chance alone."
        )
    return (
        f"{first} ranks first, and would rank first again in {stays} of repeats on other datasets."
    )


def supported(result: ManyComparison) -> bool:
    """Say whether the test over all classifiers, where there is one, lets anyone be called first."""
    found = result.friedman
    if found is None or len(result.classifiers) < 3:
        return True
    return is_significant(found.f_pvalue, result.significance)


def many_headline(result: ManyComparison) -> str:
    """Say in one line who is ahead, as far as the test over all classifiers lets it be said."""
    first = result.classifiers[0]
    if _all_equal(result):
        return "All classifiers have the same score everywhere."
    shared = _shared_first(result)
    if result.average_ranks is None:
        extreme, again = "highest" if result.greater_is_better else "lowest", ""
        if len(shared) > 1:
            return f"{_names(shared)} share the {extreme} score."
        if result.stability is not None:
            stays = _about(result.stability.first_stays)
            again = f", and would again in {stays} of repeats on fresh cases"
        return f"{first} scores {extreme}{again}."
    if not supported(result):
        return "No classifier is clearly ahead."
    if len(shared) > 1:
        return f"{_names(shared)} share the first rank."
    if result.stability is None:
        count = len(result.datasets)
        return (
            f"{first} has the best mean rank over {count} datasets, too few to say whether again."
        )
    stays = _about(result.stability.first_stays)
    return (
        f"{first} has the best mean rank over {len(result.datasets)} datasets, and would have it again "
        f"in {stays} of repeats on other datasets{_clearly_ahead(result)}."
    )


def _clearly_ahead(result: ManyComparison) -> str:
    """Say how often the lead over the runner-up would be significant, which is seldomer."""
    first, second = result.classifiers[:2]
    chance = next(
        (cell.replication for cell in result.pairs if {cell.first, cell.second} == {first, second}),
        None,
    )
    return "" if chance is None else f", significantly ahead of {second} in {_about(chance)}"


def _shared_first(result: ManyComparison) -> list[str]:
    """Return who has the first mean rank or, on one dataset, the best mean score."""
    best = result.average_ranks or result.mean_scores
    return [
        name
        for name, value in zip(result.classifiers, best, strict=True)
        if isclose(value, best[0], rel_tol=1e-12)
    ]


def _names(names: Sequence[str]) -> str:
    if len(names) <= _NAMED:
        return join_words(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def _other(cell: PairCell, name: str) -> str:
    return cell.second if cell.first == name else cell.first


def _listed(cells: Sequence[PairCell], name: str) -> str:
    """Name rivals, each with its adjusted p and the chance that a repeat would tell."""
    shown = []
    meaning = " of repeats of this pair alone would find a significant difference"
    for cell in cells[:_NAMED]:
        again = ""
        if cell.replication is not None:
            again, meaning = f"; {format_percent(cell.replication)}{meaning}", ""
        shown.append(f"{_other(cell, name)} (adjusted {format_pvalue(cell.adjusted)}{again})")
    if cells[_NAMED:]:
        shown.append(f"{len(cells) - _NAMED} more")
    return join_words(shown, "or")


def _closest(cells: Sequence[PairCell], name: str) -> str:
    """Name classifiers with the largest of their adjusted p-values and the least of their chances."""
    others = _names([_other(cell, name) for cell in cells])
    several = len(cells) > 1
    worst = f"adjusted {format_pvalue(max(cell.adjusted for cell in cells))}"
    if several:
        worst = f"each {worst.replace('=', '≤')}"
    chances = [cell.replication for cell in cells if cell.replication is not None]
    again = ""
    if len(chances) == len(cells):
        least = _about(min(chances))
        again = f"; {least} of repeats of this pair alone would find it again"
        if several:
            doubtful = _other(cells[chances.index(min(chances))], name)
            again = (
                f"; least certain is that over {doubtful}, found again in {least} of its repeats"
            )
    return f"{others} ({worst}{again})"


def _least_stable(result: ManyComparison) -> str:
    """Say which neighbours in the order would most easily change places."""
    if result.stability is None or len(result.classifiers) < 3 or _all_equal(result):
        return ""
    chances = result.stability.order_stays
    place = min(range(len(chances)), key=chances.__getitem__)
    if place == 0 and _about(chances[0]) == _about(result.stability.first_stays):
        return ""  # as was said of the first
    above, below = result.classifiers[place], result.classifiers[place + 1]
    return (
        f"Least settled is the order of {above} and {below}: it would stay in "
        f"{_about(chances[place])} of repeats."
    )


def _what_the_forecast_is(result: ManyComparison) -> str:
    """Say why the chance of staying first has no range beside it."""
    if result.stability is None or _all_equal(result) or len(_shared_first(result)) > 1:
        return ""
    return (
        "How often first place would stay first is a forecast for as many fresh "
        f"{result.stability.fresh}, averaged over all that the scores leave open: it "
        "has no range of its own. Staying first is not being significantly better."
    )


def _omnibus(result: ManyComparison) -> str:
    found = result.friedman
    if found is None or _all_equal(result) or len(result.classifiers) < 3:
        return ""
    proof = f"({format_pvalue(found.f_pvalue)}, Friedman test with Iman and Davenport's F)"
    if supported(result):
        return f"Taken together, the classifiers differ in this experiment {proof}."
    return (
        f"Taken together, the classifiers do not differ significantly in this experiment {proof}. "
        "This is not evidence that they are equal."
    )


def _standing_rows(result: ManyComparison) -> list[Row]:
    rows = []
    for place, name in enumerate(result.classifiers):
        score = f"mean {result.metric} {format_number(result.mean_scores[place])}"
        control = ", the control" if name == result.control else ""
        if result.average_ranks is None:
            rows.append(Row(short_name(name), score, control.removeprefix(", ")))
        else:
            rows.append(
                Row(
                    short_name(name),
                    f"mean rank {result.average_ranks[place]:.2f}",
                    score + control,
                )
            )
    return rows


def _pair_rows(result: ManyComparison) -> list[Row]:
    """Return a line for each of the closest rivals of the first classifier, or of the control."""
    first = result.control or result.classifiers[0]
    closest = sorted(
        (cell for cell in result.pairs if first in (cell.first, cell.second)),
        key=lambda cell: -cell.adjusted,
    )
    unit = many_unit(result)
    rows = []
    for cell in closest[:_SHOWN]:
        rows.append(_pair_row(cell, f"against {short_name(cell.second)}", unit))
    if rest := closest[_SHOWN:]:
        found = sum(cell.significant for cell in rest)
        told = f"{found or 'none'} of them significant"
        if found == len(rest):
            told = f"each adjusted {format_pvalue(rest[0].adjusted).replace('=', '≤')}"
        rows.append(Row(f"against {len(rest)} more", told))
    others = [cell for cell in result.pairs if first not in (cell.first, cell.second)]
    labels = [f"{cell.first} against {cell.second}" for cell in others]
    if len(others) <= _FEW_PAIRS and max(map(len, labels), default=0) <= LONGEST_NAME:
        rows += [_pair_row(cell, name, unit) for cell, name in zip(others, labels, strict=True)]
    else:
        rows.append(Row(f"{len(others):,} more pairs", "in the report"))
    method, correction = (
        METHODS[result.method].titled(result.design),
        result.correction.capitalize(),
    )
    return [*rows, Row("test of a pair", method, f"{correction} correction"), *_relations(result)]


def _pair_row(cell: PairCell, label: str, unit: str) -> Row:
    odds = f"; the test favours {cell.better}, the mean does not" if cell.at_odds else ""
    return Row(
        label,
        f"{format_difference(cell.difference, unit)}, adjusted {format_pvalue(cell.adjusted)}",
        f"{cell.wins} won, {cell.ties} tied, {cell.losses} lost{odds}",
    )


def _relations(result: ManyComparison) -> list[Row]:
    """Say whom the chances take for close rivals, which lowers them."""
    close = sum(cell.relation == "close" for cell in result.pairs)
    who = "all" if close == len(result.pairs) else "neighbours"
    return [Row("relation", f"close for {who}")] if close else []
