"""From a store to a page: tables, figures, and how the numbers were made."""

import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from replicast.errors import invalid
from replicast.studies.plan import Study
from replicast.studies.published import berrar, bouckaert, bouckaert_frank, neumann
from replicast.studies.published.berrar_report import deviations, figures, table_1
from replicast.studies.store import Store
from replicast.studies.summary import Summary, read_study, summarise_rejections

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class _Reading:
    """How the records of a scenario are summarised, and what a report adds."""

    summarise: Callable[[Study, pa.Table, int], Summary]
    tables: Callable[[Study, pa.Table, Summary], list[str]]
    figures: Callable[[Study, pa.Table, Summary], "dict[str, Figure]"]


def _berrar_tables(study: Study, table: pa.Table, _: Summary) -> list[str]:
    measured = berrar.read_groups(study, table)
    lines = [table_1(study, measured)]
    compared = deviations(study, measured)
    if compared:
        lines += [
            "",
            "| printed value | paper | ours | error | errors apart |",
            "|---|---:|---:|---:|---:|",
            *map(str, compared),
            "",
            "Errors are Monte Carlo standard errors of the difference, the paper's own included; "
            "two stars mark more than four of them.",
        ]
    return lines


def _network_tables(study: Study, table: pa.Table, found: Summary) -> list[str]:
    if set(study.factors) != {"source"}:
        return []
    if int(study.constants["runs"]) > 10:
        return bouckaert.runs_table(study, table)
    return [
        *bouckaert.simulation_tables(found),
        *bouckaert.sign_table(table),
        *bouckaert.level_table(study, table),
    ]


_BERRAR = _Reading(
    berrar.summarise_berrar,
    _berrar_tables,
    lambda study, table, _: figures(study, table, berrar.read_groups(study, table)),
)
_READINGS = {
    "datasets-of-growing-size": _BERRAR,
    "oracle": _BERRAR,
    "oracle-shared": _BERRAR,
    "svm-against-forest": _BERRAR,
    "bayesian-network": _Reading(
        bouckaert.summarise_simulation,
        _network_tables,
        lambda *_: {"figure-2.png": bouckaert.variance_figure()},
    ),
    "uci-replicability": _Reading(
        bouckaert_frank.summarise_uci,
        lambda _, table, found: bouckaert_frank.uci_tables(table, found),
        lambda _study, _table, found: {"runs.png": bouckaert_frank.runs_figure(found)},
    ),
    "special-cases": _Reading(
        neumann.summarise_special,
        lambda _, table, found: neumann.special_tables(table, found),
        lambda _study, table, _found: neumann.special_figures(table),
    ),
}
_PLAIN = _Reading(summarise_rejections, lambda *_: [], lambda *_: {})


def summarise(store: Store) -> Summary:
    """Summarise what a store holds so far."""
    study, table, failed = read_study(store)
    if len(table) == 0:
        raise invalid("store", "a store with records", "none yet", "Run the study first")
    return _READINGS.get(study.scenario, _PLAIN).summarise(study, table, failed)


def write_report(store: Store, folder: str | Path) -> Path:
    """Write summary, figures and comparison with the paper into a folder; return the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    study, table, failed = read_study(store)
    found = summarise(store)
    reading = _READINGS.get(study.scenario, _PLAIN)
    page = [
        f"# {found.title}\n",
        _how(study.name, study.replicates, failed),
        "",
        markdown(found),
        "",
    ]
    page += [*reading.tables(study, table, found), ""]
    for name, figure in reading.figures(study, table, found).items():
        figure.savefig(folder / name, dpi=120)
        page.append(f"![{name}]({name})\n")
    (folder / "summary.json").write_text(json.dumps(found.to_dict(), indent=1) + "\n", "utf-8")
    (folder / "study.toml").write_text(study.to_toml(), encoding="utf-8")
    target = folder / "README.md"
    target.write_text("\n".join(page).rstrip() + "\n", encoding="utf-8")
    return target


def markdown(found: Summary) -> str:
    """Return a summary as a Markdown table with its notes."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    rule = "|" + "---:|" * len(found.headings)
    rows = [line(found.headings), rule, *map(line, found.rows)]
    return "\n".join([*rows, "", *found.notes])


def _how(name: str, replicates: int, failed: int) -> str:
    packages = ", ".join(f"{package} {version(package)}" for package in ("numpy", "scipy", "numba"))
    lost = f" {failed} experiments failed." if failed else ""
    made = f"`replicast study run {name} --replicates {replicates}` and `replicast study report`"
    ours = f"replicast {version('replicast')}, Python {platform.python_version()}"
    return f"Made with {made}; {ours}, {packages}.{lost}"
