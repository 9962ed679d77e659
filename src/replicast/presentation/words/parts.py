"""Several comparisons side by side: slices, measures or pairs, the whole first."""

from collections import Counter
from typing import Any

from replicast.comparison.parts import Part, Parts, part_of
from replicast.formatting import format_count, format_pvalue
from replicast.presentation.document import Document, Listing
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import Scale, bare_pvalue, name_few

_SHOWN = 4  # rows of the answer in a terminal


def tell_parts(found: Parts) -> Document:
    """Tell what is true of every part, and of the whole before them."""
    from replicast.presentation.telling import tell

    whole = None if found.whole is None else tell(found.whole)
    corrected = (
        f"p-values of the {len(found.parts)} parts are corrected by Holm's method. A true difference "
        "as large as the last column is significant in about 80 of 100 such parts, tested alone."
    )
    return Document(
        headline=_headline(found) if found.outcome is None else _verdict(found),
        signal=found.outcome or "",
        listing=_table(found),
        cautions=ranked(found.cautions),
        read=(whole or tell(next(iter(found.results.values())))).read,
        rows=() if whole is None else whole.rows,
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
    words = [*(f"{name} in {count}" for name, count in leads.items()), f"equal in {equal}"]
    return (
        f"Winners differ by {found.by}: {', '.join(words if equal else words[:-1])}; {clear} clear"
    )


def _scale(found: Parts, part: Part) -> Scale:
    """Return the unit of a part: that of its comparison, or of that of all cases."""
    result: Any = found.results.get(part.label, found.whole)
    return Scale.of(result.unit, part.interval)


def _table(found: Parts) -> Listing:
    parts = found.parts
    shown = _SHOWN if len(parts) > _SHOWN + 1 else len(parts)
    if found.whole is not None:
        parts = (part_of("all", found.whole, found.significance), *parts)
        shown += 1
    rows = []
    for part in parts:
        scale = _scale(found, part)
        rows.append(
            (
                part.label,
                format_count(part.n),
                scale.bounded(part.difference, part.interval),
                part.outcome or bare_pvalue(part.adjusted),
                scale.number(part.visible),
            )
        )
    last = "p (Holm)" if found.outcome is None else "outcome"
    return Listing(
        (found.by, "n", "difference", last, "visible"),
        tuple(rows),
        title=f"By {found.by}",
        brief=tuple(range(shown)),
    )


def _quote(found: Parts) -> str:
    words = (
        f"{part.label} {_scale(found, part).bounded(part.difference, part.interval)}, adjusted "
        f"{format_pvalue(part.adjusted)}"
        for part in found.parts[:_SHOWN]
    )
    return f"By {found.by} (Holm's correction): {'; '.join(words)}."
