"""From a store to what was found: read once, summarised, and set beside the papers' tables."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from replicast.errors import invalid
from replicast.studies.case_tests import case_tables, read_case_tests, summarise_case_tests
from replicast.studies.plan import Study
from replicast.studies.published import berrar, bouckaert, bouckaert_frank, neumann
from replicast.studies.published.berrar_tables import berrar_tables
from replicast.studies.store import DirectoryStore
from replicast.studies.summary import Summary, read_study, summarise_rejections


@dataclass(frozen=True)
class _Reading:
    """How the records of a scenario are read, summarised, and set beside a paper."""

    read: Callable[[Study, pa.Table], Any]
    summarise: Callable[[Study, Any], Summary]
    tables: Callable[[Study, Any, Summary], list[str]]


_BERRAR = _Reading(berrar.read_groups, berrar.summarise_berrar, berrar_tables)
_READINGS = {
    "datasets-of-growing-size": _BERRAR,
    "oracle": _BERRAR,
    "svm-against-forest": _BERRAR,
    "bayesian-network": _Reading(
        bouckaert.read_simulation, bouckaert.summarise_simulation, bouckaert.network_tables
    ),
    "uci-replicability": _Reading(
        bouckaert_frank.read_uci, bouckaert_frank.summarise_uci, bouckaert_frank.uci_tables
    ),
    "case-tests": _Reading(read_case_tests, summarise_case_tests, case_tables),
    "special-cases": _Reading(
        neumann.read_cases, neumann.summarise_special, neumann.special_tables
    ),
}
_PLAIN = _Reading(lambda _, table: table, summarise_rejections, lambda *_: [])


@dataclass(frozen=True)
class Findings:
    """What a store holds, read once: tables and figures are made of `read`."""

    study: Study
    failed: int
    read: Any
    summary: Summary

    @property
    def tables(self) -> list[str]:
        """The papers' tables beside ours, in Markdown."""
        return _reading(self.study).tables(self.study, self.read, self.summary)


def _reading(study: Study) -> _Reading:
    return _READINGS.get(study.scenario, _PLAIN)


def read_findings(store: DirectoryStore) -> Findings:
    """Read what a store holds so far, and summarise it."""
    study, table, failed = read_study(store)
    if len(table) == 0:
        got = f"{failed:,} that failed" if failed else "none yet"
        remedy = (
            "Mend what they say and run it into a new store" if failed else "Run the study first"
        )
        raise invalid("store", "a store with records", got, remedy)
    reading = _reading(study)
    read = reading.read(study, table)
    summary = reading.summarise(study, read)
    notes = [f"{failed} experiments failed and are not counted."] if failed else []
    finished = store.finished()
    missing = [block for block in study.blocks() if block.key not in finished]
    if missing:
        count = len(missing) * study.block
        again = "Run the study again into the same store to compute them."
        notes.append(f"Unfinished: {count:,} experiments are missing. {again}")
    return Findings(study, failed, read, replace(summary, notes=(*summary.notes, *notes)))


def summarise(store: DirectoryStore) -> Summary:
    """Summarise what a store holds so far."""
    return read_findings(store).summary
