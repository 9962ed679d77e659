"""An audit: which tests agree with themselves on new partitions of the same data."""

from collections.abc import Sequence

import numpy as np

from replicast.formatting import format_number, format_percent
from replicast.presentation.document import Document, Listing, Warned
from replicast.presentation.words.scales import short_name
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Audit, Replicability

_RECOMMENDED = "corrected-cv-10"  # docs/which-test.md
_SHOWN = 3  # tests in the answer; the others are behind --more


def tell_audit(audit: Audit) -> Document:
    """Tell which tests changed their mind when everything was rerun on the same data."""
    order = sorted(audit, key=lambda name: (audit[name].r2, -_restlessness(audit[name])))
    best, notes = recommended(audit), []
    if best is not None:
        agreed = agreement_words(audit[best])
        notes.append(f"choose before you look: {PROCEDURES[best].title}, agreed {agreed}")
    ignoring = [PROCEDURES[name].title for name in audit if not PROCEDURES[name].keeps_level]
    return Document(
        headline=_headline(audit, order[0]),
        listing=_listing(audit, [*order[: _SHOWN - 1], *order[_SHOWN - 1 :][-1:]]),
        notes=tuple(notes),
        cautions=tuple(
            Warned(
                f"{title} ignores that the scores share data: it finds differences that are not there "
                "more often than its level says.",
                f"{title} ignores that the scores share data",
                first=False,
            )
            for title in ignoring
        ),
        read=f"{audit.dataset}, {' and '.join(audit.names)}, {audit.reruns} reruns on new partitions",
        how=(
            "Agree: how often two reruns on new partitions of the same data agree (replicability, not "
            "replication, which is about fresh data).",
            "A test chosen by this table is chosen by its results: fix it beforehand.",
        ),
    )


def recommended(audit: Audit) -> str | None:
    """Return the test to fix beforehand on one dataset, if it was rerun: what was found has no say."""
    return _RECOMMENDED if _RECOMMENDED in audit else None


def agreement_words(item: Replicability) -> str:
    """Say how often two reruns agree."""
    return "100%" if item.r2 == 1 else format_percent(item.r2)  # a count, not a forecast


def _restlessness(item: Replicability) -> float:
    """Return the range of the p-values on the log scale; below 0.001 nobody minds."""
    p = np.maximum(np.array(item.pvalues), 0.001)
    return float(np.ptp(np.log(p)))


def _headline(audit: Audit, worst: str) -> str:
    item = audit[worst]
    if item.r2 == 1:
        return "Every test agreed with itself in every rerun"
    minority = min(item.outcomes[0][1], item.reruns - item.outcomes[0][1])
    return f"The {PROCEDURES[worst].title} changed its mind in {minority} of {item.reruns} reruns"


def _listing(audit: Audit, shown: Sequence[str]) -> Listing:
    """Return one row for each test; those `shown` stand in the answer."""
    first, second = (short_name(name, 12) for name in audit.names)
    rows = []
    for name, item in audit.items():
        p = np.array(item.pvalues)
        ends = f"{_short(float(p.min()))} to {_short(float(p.max()))}"
        counts = (str(count) for count in item.outcomes[0])
        rows.append((PROCEDURES[name].title, agreement_words(item), *counts, ends))
    headings = ("test", "agree", first, "nobody", second, "p")
    brief = tuple(map(list(audit).index, shown))
    return Listing(headings, tuple(rows), title="All tests", brief=brief, rest=" tests: --more")


def _short(pvalue: float) -> str:
    return "<0.001" if pvalue < 0.001 else format_number(pvalue, 2)
