"""Several comparisons side by side: slices, measures or pairs, the whole first."""

from collections import Counter
from collections.abc import Sequence

from replicast.comparison.parts import Part, Parts, part_of
from replicast.formatting import format_count, format_pvalue
from replicast.presentation.document import Document, Listing
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import Scale, bare_pvalue, name_few
from replicast.reading.vocabulary.units import unit_of

_SHOWN = 4  # rows of the answer in a terminal


def tell_parts(found: Parts) -> Document:
    """Tell what is true of every part, and of the whole before them."""
    from replicast.presentation.telling import tell

    whole = None if found.whole is None else tell(found.whole)
    shown = found.parts[:_SHOWN] if len(found.parts) > _SHOWN + 1 else found.parts
    hidden = len(found.parts) - len(shown)
    corrected = (
        f"p-values of the {len(found.parts)} parts are corrected by Holm's method. A true difference "
        "as large as the last column is significant in about 80 of 100 such parts, tested alone."
    )
    return Document(
        headline=_headline(found) if found.outcome is None else _verdict(found),
        signal=found.outcome or "",
        listing=_table(found, shown),
        notes=(f"{hidden} more: --more",) if hidden else (),
        cautions=ranked(found.cautions),
        read=(whole or tell(next(iter(found.results.values())))).read,
        hints=("more: --more",),
        rows=() if whole is None else whole.rows,
        tables=(_table(found, found.parts, title=f"By {found.by}"),),
        how=(corrected, *(() if whole is None else whole.how)),
        quote=_quote(found) if whole is None else f"{whole.quote} {_quote(found)}",
    )


def _verdict(found: Parts) -> str:
    """Say where gates pass, fail or cannot tell."""
    labels = [part.label for part in found.parts if part.outcome == found.outcome]
    where = f"in {name_few(labels)}"
    if found.outcome == "pass":
        where = "in all slices"
    elif not labels:
        where = "over all cases" if found.outcome == "fail" else "in some slices"
    return f"{str(found.outcome).upper()}  {where}"


def _headline(found: Parts) -> str:
    parts = found.parts
    clear = sum(part.significant for part in parts)
    if found.by == "pair":
        return f"{clear} of {len(parts)} pairs differ clearly"
    if found.same_winner:
        return f"{parts[0].better} is ahead in every {found.by}, clear in {clear} of {len(parts)}"
    leads = Counter(part.better for part in parts)
    equal = leads.pop(None, 0)
    told = [*(f"{name} in {count}" for name, count in leads.items()), f"equal in {equal}"]
    return f"Winners differ by {found.by}: {', '.join(told if equal else told[:-1])}; {clear} clear"


def _scale(found: Parts, part: Part) -> Scale:
    """Return the unit of a part: that of its measure, or of its comparison."""
    result = found.whole if part.label == "all" else found.results.get(part.label)
    measure = part.label if found.by == "measure" else getattr(result, "measure", None)
    scores = getattr(result, "scores", None)
    measure = measure or getattr(scores, "metric", None)
    better = part.difference * (part.first - part.second) >= 0
    unit = unit_of((part.first, part.second), measure, greater_is_better=better)
    return Scale.of(unit, part.interval)


def _table(found: Parts, parts: Sequence[Part], title: str = "") -> Listing:
    if found.whole is not None:
        parts = (part_of("all", found.whole, found.significance), *parts)
    rows = []
    for part in parts:
        scale = _scale(found, part)
        proof = part.outcome or bare_pvalue(part.adjusted)
        difference = scale.bounded(part.difference, part.interval)
        rows.append(
            (part.label, format_count(part.n), difference, proof, scale.number(part.visible))
        )
    values = tuple(
        (None, float(part.n), part.difference, part.adjusted, part.visible) for part in parts
    )
    last = "p (Holm)" if found.outcome is None else "outcome"
    return Listing((found.by, "n", "difference", last, "visible"), tuple(rows), values, title=title)


def _quote(found: Parts) -> str:
    told = (
        f"{part.label} {_scale(found, part).bounded(part.difference, part.interval)}, adjusted "
        f"{format_pvalue(part.adjusted)}"
        for part in found.parts[:_SHOWN]
    )
    return f"By {found.by} (Holm's correction): {'; '.join(told)}."
