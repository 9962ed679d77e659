"""An audit in words: which tests agree with themselves."""

from collections.abc import Mapping

import numpy as np

from replicast.errors import invalid, require_choice, require_instance
from replicast.formatting import format_number, format_percent
from replicast.presentation.words.narrative import Narrative, Row
from replicast.replicability.procedures import PROCEDURES
from replicast.replicability.records import Replicability
from replicast.scores.parsing import parse_names

_RECOMMENDED = "corrected-cv-10"  # docs/which-test.md


def require_audit(found: Mapping[str, Replicability]) -> None:
    """Raise if something is not what `measure_replicability` returns."""
    if not isinstance(found, Mapping) or not found:
        remedy = "Make one with measure_replicability"
        raise invalid("found", "a mapping of tests to their replicability", found, remedy)
    for name, item in found.items():
        require_choice(name, "found", tuple(PROCEDURES))
        require_instance(item, Replicability, "found")


def narrate_audit(
    found: Mapping[str, Replicability], names: tuple[str, str], dataset: str
) -> Narrative:
    """Put an audit of one dataset into words: who changed their mind."""
    require_audit(found)
    names = parse_names(names)
    rows = [
        Row(PROCEDURES[name].title, agreement_words(item), f"{_outcomes(item)}  {_spread(item)}")
        for name, item in found.items()
    ]
    best = recommended(found)
    reruns = next(iter(found.values())).reruns
    cautions = [
        f"{PROCEDURES[name].title} ignores that the scores share data: it finds differences that are "
        "not there more often than its level says."
        for name in found
        if not PROCEDURES[name].keeps_level
    ]
    return Narrative(
        title=f"{names[0]} against {names[1]} on {dataset}, rerun {reruns} times on new partitions",
        verdict=_verdict(found, best, dataset),
        replication="",
        reason="Each line: how often two reruns agree; reruns won by the first, by nobody, by the "
        "second; smallest and largest p-value.",
        rows=tuple(rows),
        outlook="Which test to use, and the measurements behind it: docs/which-test.md.",
        cautions=tuple(cautions),
    )


def recommended(found: Mapping[str, Replicability]) -> str | None:
    """Return the test to fix beforehand on one dataset, if it was rerun: what was found has no say."""
    return _RECOMMENDED if _RECOMMENDED in found else None


def _restlessness(item: Replicability) -> float:
    """Return the range of the p-values on the log scale; below 0.001 nobody minds."""
    p = np.maximum(np.array(item.pvalues), 0.001)
    return float(np.ptp(np.log(p)))


def _verdict(found: Mapping[str, Replicability], best: str | None, dataset: str) -> str:
    worst = min(found, key=lambda name: (found[name].r2, -_restlessness(found[name])))
    words = []
    if found[worst].r2 < 1:
        minority = min(
            found[worst].outcomes[0][1], found[worst].reruns - found[worst].outcomes[0][1]
        )
        words.append(
            f"On {dataset}, the {PROCEDURES[worst].title} changed its mind in {minority} of "
            f"{found[worst].reruns} reruns (p from {_range(found[worst], ' to ')})."
        )
    else:
        words.append(f"On {dataset}, every test agreed with itself in every rerun.")
    if best is not None:
        item = found[best]
        agreed = "in every rerun" if item.r2 == 1 else f"{format_percent(item.r2)} of the time"
        words.append(
            f"The {PROCEDURES[best].title}, the one to fix beforehand, agreed with itself {agreed}."
        )
    words.append("A test chosen by this table is chosen by its results.")
    return " ".join(words)


def agreement_words(item: Replicability) -> str:
    """Say how often two reruns agree."""
    return "100%" if item.r2 == 1 else format_percent(item.r2)  # a count, not a forecast


def _outcomes(item: Replicability) -> str:
    first, none, second = item.outcomes[0]
    return f"{first} : {none} : {second}"


def _range(item: Replicability, between: str) -> str:
    p = np.array(item.pvalues)
    return f"{_short(float(p.min()))}{between}{_short(float(p.max()))}"


def _spread(item: Replicability) -> str:
    return f"p {_range(item, ' to ')}"


def _short(pvalue: float) -> str:
    return "<0.001" if pvalue < 0.001 else format_number(pvalue, 2)
