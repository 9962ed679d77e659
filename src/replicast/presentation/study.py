"""A study as a folder: a page with tables and figures, its summary, and its plan."""

import json
import platform
from importlib.metadata import version
from pathlib import Path

from replicast.presentation.pictures.canvas import draw_sheet
from replicast.presentation.pictures.studies import study_figures
from replicast.studies.plan import Study
from replicast.studies.published import table
from replicast.studies.reports import Findings, read_findings
from replicast.studies.store import DirectoryStore


def write_report(store: DirectoryStore, folder: str | Path) -> Path:
    """Write summary, figures and comparison with the paper into a folder; return the page."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    findings = read_findings(store)
    summary = findings.summary
    heads, _, *rows = table(summary.headings, summary.rows)
    rule = "|" + "---:|" * len(summary.headings)  # numbers all of them
    page = [f"# {summary.title}\n", _how(findings), "", heads, rule, *rows, *summary.notes, ""]
    page += [*findings.tables, ""]
    for name, figure in study_figures(findings).items():
        draw_sheet(figure).savefig(folder / name, dpi=160)
        page.append(f"![{figure.alt}]({name})\n")
    (folder / "summary.json").write_text(json.dumps(summary.to_dict(), indent=1) + "\n", "utf-8")
    (folder / "study.toml").write_text(findings.study.to_toml(), encoding="utf-8")
    target = folder / "README.md"
    target.write_text("\n".join(page).rstrip() + "\n", encoding="utf-8")
    return target


def _how(findings: Findings) -> str:
    packages = ", ".join(f"{package} {version(package)}" for package in ("numpy", "scipy", "numba"))
    lost = f" {findings.failed} experiments failed." if findings.failed else ""
    ours = f"replicast {version('replicast')}, Python {platform.python_version()}"
    return f"{how_made(findings.study)}; {ours}, {packages}.{lost}"


def how_made(study: Study) -> str:
    """Say by which commands a report was made, of how many experiments, and how long they take."""
    run = f"`replicast study run {study.name} --replicates {study.replicates}`"
    minutes = "1 minute" if study.minutes == 1 else f"{study.minutes} minutes"
    time = f", about {minutes} on one core" if study.minutes else ""
    return f"Made with {run} and `replicast study report`: {study.experiments}{time}"
