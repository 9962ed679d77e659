"""The papers' findings in reduced runs: levels, power, replicability, special cases."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from calibration.levels import measure
from calibration.which_test import simulation_table, uci_table

from replicast import METHODS, datasets
from replicast.studies.execution import run_study
from replicast.studies.library import STUDIES
from replicast.studies.reports import summarise, write_report
from replicast.studies.scenarios.network_search import GAPS, TOLERANCE, gap
from replicast.studies.scenarios.networks import shipped_networks
from replicast.studies.scenarios.real_data import load, numeric_table
from replicast.studies.store import MemoryStore


@pytest.fixture(scope="module")
def simulation() -> dict[str, dict[str, list[float]]]:
    store = MemoryStore()
    run_study(replace(STUDIES["bouckaert-simulation"], replicates=40), store)
    return {row["test"]: row for row in summarise(store).numbers}


def test_networks_have_the_wanted_gaps() -> None:
    rng = np.random.default_rng(0)
    first, *others = shipped_networks()
    assert gap(first, 20, 5000, rng) == pytest.approx(0, abs=0.01)
    for network, wanted in zip(others, GAPS, strict=True):
        assert gap(network, 120, 10_000, rng) == pytest.approx(wanted, abs=TOLERANCE + 0.003)


def test_networks_sample_what_they_say() -> None:
    network = shipped_networks()[3]
    X, y = network.sample(200_000, np.random.default_rng(1), 0.3)
    assert y.mean() == pytest.approx(0.3, abs=0.01)
    for i, parent in enumerate(network.parents):
        for label in (0, 1):
            for value in (0, 1):
                chosen = (y == label) & (X[:, parent] == value if parent >= 0 else True)
                expected = network.chances[i, label, value if parent >= 0 else 0]
                if chosen.sum() > 2000:
                    assert X[chosen, i].mean() == pytest.approx(expected, abs=0.04)


def test_type_one_errors(simulation: dict[str, dict[str, list[float]]]) -> None:
    level = {name: row["rejects"][0] for name, row in simulation.items()}
    for scheme in ("all", "folds", "runs"):
        assert level[f"t-{scheme}"] > 0.4
        assert level[f"rank-{scheme}"] > 0.4
        assert level[f"sign-{scheme}"] > 0.3  # exact, so it needs 9 of 10: 34 % over runs in full
    for test in ("t", "rank"):
        assert level[f"{test}-sorted"] == pytest.approx(0.05, abs=0.04)
    assert level["sign-sorted"] < 0.05
    assert 0.04 < level["rank-splits"] < 0.25
    assert 0.04 < level["rank-kfold"] < 0.22
    assert level["corrected-cv-10"] < 0.1


def test_power_and_consistency(simulation: dict[str, dict[str, list[float]]]) -> None:
    for name in ("t-sorted", "corrected-cv-10", "rank-sorted"):
        rates = simulation[name]["rejects"]
        assert rates[1] < rates[2] < rates[3]
        assert rates[3] > 0.9
    worst = {name: min(row["consistent"]) for name, row in simulation.items()}
    assert worst["5x2cv-t"] < worst["corrected-splits-100"] < worst["corrected-cv-10"] + 0.06
    assert worst["corrected-splits-10"] < worst["corrected-splits-100"]
    assert worst["t-kfold"] < worst["corrected-splits-100"]


def test_uci_in_small(tmp_path: Path) -> None:
    study = replace(
        STUDIES["uci-replicability"], factors={"dataset": ("iris", "vote", "glass")}, replicates=5
    )
    store = MemoryStore()
    run_study(study, store)
    found = summarise(store)
    rows = {row["test"]: row for row in found.numbers}
    assert np.mean(rows["corrected-cv-10"]["replicability"]) > 0.85
    page = write_report(store, tmp_path)
    assert "| vote |" in page.read_text(encoding="utf-8")
    assert uci_table(list(found.numbers)).count("\n") == len(rows) + 1


def test_a_users_own_arff_file(tmp_path: Path) -> None:
    path = tmp_path / "heart-h.arff"
    rows = "".join(f"{i % 7},{'ab'[i % 2]},{'yes' if i % 3 else 'no'}\n" for i in range(60))
    path.write_text(
        "@relation h\n@attribute a numeric\n@attribute b {a,b}\n@attribute c {no,yes}\n@data\n"
        + rows,
        encoding="utf-8",
    )
    assert load(str(path)).n == 60
    study = replace(
        STUDIES["uci-replicability"], factors={"dataset": (str(path), "iris")}, replicates=5
    )
    store = MemoryStore()
    run_study(study, store)
    assert summarise(store).notes[0].startswith("2 datasets")


def test_special_cases_in_small(tmp_path: Path) -> None:
    study = replace(
        STUDIES["special-cases"], factors={"dataset": ("vote", "ecoli"), "folds": (10, 20, 30)}
    )
    store = MemoryStore()
    run_study(study, store)
    found = summarise(store)
    assert [row["test"] for row in found.numbers] == ["t, normality screened", "t", "wilcoxon"]
    page = write_report(store, tmp_path)
    assert "tables 4 to 6" in page.read_text(encoding="utf-8")
    assert (tmp_path / "figure-5.png").stat().st_size > 5000


def test_larger_sets_are_those_with_three_hundred_rows() -> None:
    chosen = STUDIES["special-cases"].factors["dataset"]
    assert list(chosen) == [name for name in datasets.names() if len(datasets.load(name).X) >= 300]


def test_numeric_tables_are_complete() -> None:
    for name in ("vote", "anneal", "horse-colic", "iris"):
        X = numeric_table(name)
        assert np.isfinite(X).all()
        assert len(X) == len(datasets.load(name).X)


def test_every_method_has_a_measured_level(
    simulation: dict[str, dict[str, list[float]]],
) -> None:
    found = measure(600, np.random.default_rng(2))
    assert {level.method for level in found} == set(METHODS)
    for level in found:
        assert level.null.value <= 0.05 + 4 * level.null.error, level.method
        assert level.alternative.value > level.null.value
    assert "corrected t, 10x10" in simulation_table(list(simulation.values()))


def test_committed_reports_are_whole() -> None:
    root = Path(__file__).parents[1] / "docs" / "studies"
    for folder in root.iterdir():
        if folder.is_dir():
            assert json.loads((folder / "summary.json").read_text("utf-8"))["rows"]
            text = (folder / "README.md").read_text("utf-8")
            for line in text.splitlines():
                if line.startswith("!["):
                    assert (folder / line.partition("(")[2].rstrip(")")).exists()
