"""Several comparisons side by side: slices, measures or pairs, the whole first."""

from collections import Counter
from typing import Any

from replicast.comparison.parts import Part, Parts, part_of
from replicast.formatting import format_count, format_percent, format_pvalue
from replicast.presentation.document import Document, Listing
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import Scale, bare_pvalue, name_few

_SHOWN = 4  # rows of the answer in a terminal


def tell_parts(several: Parts) -> Document:
    """Tell what is true of every part, and of the whole before them."""
    from replicast.presentation.telling import tell

    whole = None if several.whole is None else tell(several.whole)
    corrected = (
        f"p-values of the {len(several.parts)} parts are corrected by Holm's method. A true difference "
        "as large as the last column is significant in about 80 of 100 such parts, tested alone."
    )
    return Document(
        headline=_headline(several) if several.outcome is None else _verdict(several),
        signal=several.outcome or "",
        listing=_table(several),
        cautions=ranked(several.cautions),
        read=(whole or tell(next(iter(several.results.values())))).read,
        rows=() if whole is None else whole.rows,
        how=(corrected, *(() if whole is None else whole.how)),
        quote=_quote(several) if whole is None else f"{whole.quote} {_quote(several)}",
    )


def _verdict(several: Parts) -> str:
    """Say where gates pass, fail or cannot tell."""
    labels = [part.label for part in several.parts if part.outcome == several.outcome]
    where = f"in {name_few(labels)}"
    if several.outcome == "pass":
        where = "in all slices"
    elif not labels:
        where = "over all cases" if several.outcome == "fail" else "in some slices"
    elif getattr(several.whole, "outcome", "") == several.outcome:
        where = f"over all cases, and {where}"
    return f"{str(several.outcome).upper()}  {where}"


def _headline(several: Parts) -> str:
    """Say who is ahead over all, if that was asked, and in how many parts."""
    parts = several.parts
    clear = sum(part.significant for part in parts)
    if several.by == "pair":
        return f"{clear} of {len(parts)} pairs differ clearly"
    leads = Counter(part.better for part in parts if part.better is not None)
    ahead = ", ".join(f"{name} leads in {count}" for name, count in leads.items())
    share = f"{ahead or 'nobody leads in any'} of {len(parts)}"
    if several.whole is None:
        return f"By {several.by}, {share}; {clear} clear"
    whole = part_of("all", several.whole, several.significance)
    overall = f"{whole.better} is clearly ahead" if whole.significant else "No clear difference"
    return f"{overall} overall; {share} by {several.by}"


def _scale(several: Parts, part: Part) -> Scale:
    """Return the unit of a part: that of its comparison, or of that of all cases."""
    result: Any = several.results.get(part.label, several.whole)
    return Scale.of(result.unit, part.interval)


def _table(several: Parts) -> Listing:
    parts = several.parts
    shown = _SHOWN if len(parts) > _SHOWN + 1 else len(parts)
    if several.whole is not None:
        parts = (part_of("all", several.whole, several.significance), *parts)
        shown += 1
    rows = []
    for part in parts:
        scale = _scale(several, part)
        rows.append(
            (
                part.label,
                format_count(part.n),
                scale.bounded(part.difference, part.interval),
                part.outcome or bare_pvalue(part.adjusted),
                scale.number(part.visible),
            )
        )
    difference, last = "difference", "p (Holm)"
    if several.outcome is not None:
        level = format_percent(1 - 2 * several.significance)
        difference, last = f"difference, {level} interval", "outcome"
    return Listing(
        (several.by, "n", difference, last, "visible"),
        tuple(rows),
        title=f"By {several.by}",
        brief=tuple(range(shown)),
    )


def _quote(several: Parts) -> str:
    words = (
        f"{part.label} {_scale(several, part).bounded(part.difference, part.interval)}, adjusted "
        f"{format_pvalue(part.adjusted)}"
        for part in several.parts[:_SHOWN]
    )
    return f"By {several.by} (Holm's correction): {'; '.join(words)}."
