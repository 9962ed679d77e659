"""Several comparisons side by side: slices, measures or pairs, the whole first."""

from collections.abc import Sequence

from replicast.comparison.parts import Part, Parts, part_of
from replicast.formatting import format_count, format_pvalue, join_words
from replicast.presentation.document import Document, Listing
from replicast.presentation.words.cautions import ranked
from replicast.presentation.words.scales import Scale
from replicast.reading.vocabulary.units import unit_of

_SHOWN = 4  # rows of the answer in a terminal
_NAMED = 3


def tell_parts(found: Parts, account: Sequence[str] = ()) -> Document:
    """Tell what is true of every part, and of the whole before them."""
    from replicast.presentation.telling import tell

    whole = None if found.whole is None else tell(found.whole, account)
    one = whole or tell(next(iter(found.results.values())), account)
    shown = found.parts[:_SHOWN] if len(found.parts) > _SHOWN + 1 else found.parts
    hidden = len(found.parts) - len(shown)
    return Document(
        result=found,
        headline=_headline(found),
        signal=found.outcome or "",
        listing=_table(found, shown),
        notes=(f"{hidden} more: --more",) if hidden else (),
        cautions=ranked(found.cautions),
        read=one.read,
        hints=("more: --more",),
        rows=() if whole is None else whole.rows,
        tables=(_table(found, found.parts, title=f"By {found.by}"),),
        how=(
            f"p-values of the {len(found.parts)} parts are corrected by Holm's method. A true "
            "difference as large as the last column is significant in about 80 of 100 such parts, "
            "tested alone.",
            *(() if whole is None else whole.how),
        ),
        account=tuple(account),
        quote=_quote(found) if whole is None else f"{whole.quote} {_quote(found)}",
    )


def _headline(found: Parts) -> str:
    parts = found.parts
    if found.outcome is not None:
        told = [part.label for part in parts if part.outcome == found.outcome]
        said = {"pass": "in all slices", "fail": f"in {_named(told)}" if told else "over all cases"}
        return f"{found.outcome.upper()}  {said.get(found.outcome, f'in {_named(told)}')}"
    clear = [part for part in parts if part.significant]
    if found.by == "pair":
        return f"{len(clear)} of {len(parts)} pairs differ clearly"
    counted = f"clear in {len(clear)} of {len(parts)}"
    if found.same_winner:
        return f"{parts[0].better} is ahead in every {found.by}, {counted}"
    leads = {part.better: 0 for part in parts if part.better}
    for part in parts:
        if part.better:
            leads[part.better] += 1
    told = [f"{name} in {count}" for name, count in leads.items()]
    equal = len(parts) - sum(leads.values())
    told += [f"equal in {equal}"] if equal else []
    return f"Winners differ by {found.by}: {', '.join(told)}; {len(clear)} clear"


def _named(labels: Sequence[str]) -> str:
    more = [f"{len(labels) - _NAMED} more"] if len(labels) > _NAMED else []
    return join_words([*labels[:_NAMED], *more]) if labels else "some slices"


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
    gated = found.outcome is not None
    last = "outcome" if gated else "p (Holm)"
    rows = []
    whole = () if found.whole is None else (part_of("all", found.whole, found.significance),)
    parts = (*whole, *parts)
    for part in parts:
        scale = _scale(found, part)
        proof: str | None = (
            part.outcome if gated else format_pvalue(part.adjusted).removeprefix("p ")
        )
        rows.append(
            (
                part.label,
                format_count(part.n),
                scale.bounded(part.difference, part.interval),
                str(proof).removeprefix("= "),
                scale.number(part.visible).lstrip("+"),
            )
        )
    return Listing(
        (found.by, "n", "difference", last, "sees"),
        tuple(rows),
        values=tuple(
            (None, float(part.n), part.difference, part.adjusted, part.visible) for part in parts
        ),
        title=title,
    )


def _quote(found: Parts) -> str:
    told = [
        f"{part.label} {_scale(found, part).bounded(part.difference, part.interval)}, adjusted "
        f"{format_pvalue(part.adjusted)}"
        for part in found.parts[:_SHOWN]
    ]
    return f"By {found.by} (Holm's correction): {'; '.join(told)}."
