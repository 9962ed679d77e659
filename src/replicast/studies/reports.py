"""From a store to a page: tables, figures, and how the numbers were made."""

import json
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from replicast.errors import InvalidArgumentError
from replicast.studies.published.berrar import read_groups, summarise_berrar
from replicast.studies.published.berrar_report import deviations, table_1, write_figures
from replicast.studies.store import Store
from replicast.studies.summary import Summary, read_study, summarise_rejections

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BERRAR = ("datasets-of-growing-size", "oracle", "oracle-shared", "svm-against-forest")


def summarise(store: Store) -> Summary:
    """Summarise what a store holds so far."""
    study, table, failed = read_study(store)
    if len(table) == 0:
        raise InvalidArgumentError("The store holds no records yet. Run the study first.")
    if study.scenario in _BERRAR:
        return summarise_berrar(study, table, failed)
    return summarise_rejections(study, table, failed)


def write_report(store: Store, folder: str | Path) -> Path:
    """Write summary, figures and comparison with the paper into a folder; return the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    study, table, failed = read_study(store)
    found = summarise(store)
    page = [f"# {found.title}\n", _how(study.name, study.replicates, failed), "", markdown(found)]
    if study.scenario in _BERRAR:
        measured = read_groups(study, table)
        rows = table_1(study, measured)
        if rows:
            page += ["", rows]
        compared = deviations(study, measured)
        if compared:
            page += [
                "",
                "| printed value | paper | ours | error | errors apart |",
                "|---|---:|---:|---:|---:|",
                *map(str, compared),
                "",
                "Errors are Monte Carlo standard errors of the difference, the paper's own included; "
                "two stars mark more than four of them.",
            ]
        page += ["", *write_figures(study, table, folder, _save)]
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


def _save(figure: "Figure", path: Path) -> None:
    figure.savefig(path, dpi=120)
