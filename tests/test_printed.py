"""What the papers print stands in the reports beside ours, every value of it."""

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from docs import make_papers
from scipy import special, stats

import replicast as rc
from replicast.presentation.study import how_made
from replicast.replicability.procedures import PROCEDURES
from replicast.studies import published
from replicast.studies.library import STUDIES
from replicast.studies.plan import Study
from replicast.studies.published import bouckaert, bouckaert_frank, neumann, printed
from replicast.studies.reports import Findings, read_findings
from replicast.studies.store import encode
from stores import fresh_store


def found_in(name: str, columns: Any, **changes: Any) -> Findings:
    """Return what is found in a store whose records are made up: `columns(levels, count)`."""
    study = replace(STUDIES[name], **changes)
    store = fresh_store()
    store.claim(study)
    for block in study.blocks():
        made = columns(block.cell.levels, study.block)
        count = len(next(iter(made.values())))
        made.setdefault("replicate", list(block.replicates))
        levels = {key: [value] * count for key, value in block.cell.levels.items()}
        store.write(block.key, encode({**levels, **made}))
    return read_findings(store)


# --------------------------------------------------------------------------- Berrar (2024)
def won(wins: list[int], datasets: int) -> dict[str, Any]:
    """Make experiments with so many wins each."""
    sizes = np.linspace(0.01, 0.02, datasets)
    rows = [np.where(np.arange(datasets) < count, sizes, -sizes).tolist() for count in wins]
    return {"differences": rows, "retrained_z": [None] * len(rows)}


@pytest.mark.parametrize(
    ("wins", "binomial", "bayesian"),
    [([15] * 72 + [14] * 28, 0.6172, 0.5246), ([15] * 48 + [14] * 52, 0.4164, 0.3491)],
)
def test_a_mean_number_of_wins_is_rounded_once(
    wins: list[int], binomial: float, bayesian: float
) -> None:
    """14.72 became 14.5 and then 14: printed for group 3 of study 1 are 0.6172 and 0.5246."""
    found = found_in(
        "berrar-1", lambda _, __: won(wins, 20), factors={"a": (390,)}, replicates=100, block=100
    )
    [row] = found.summary.numbers
    assert row["P_binomial"] == pytest.approx(binomial, abs=5e-5)
    assert row["P_bayesian"] == pytest.approx(bayesian, abs=5e-5)
    assert ("| group3: P_binomial | 0.6172 | 0.6172 |" in "\n".join(found.tables)) == (
        binomial > 0.5
    )


# --------------------------------------------------------------------------- Neumann et al. (2021)
def test_conclusions_that_change_are_upgrades_of_those_that_can_be() -> None:
    """Section 4.1.2 counts among cases that were not significant, or small; not both ways over all."""
    moves = {  # p and d' with 10, 20 and 30 folds
        "becomes": ((0.2, 0.3), (0.01, 0.6), (0.01, 0.6)),
        "stays": ((0.2, 0.3), (0.2, 0.3), (0.2, 0.3)),
        "late": ((0.2, 0.3), (0.2, 0.3), (0.01, 0.3)),
        "was already": ((0.01, 0.9), (0.01, 0.9), (0.01, 0.9)),
        "falls back": ((0.01, 0.9), (0.3, 0.2), (0.3, 0.2)),
    }
    rows = [
        (0, "d", pair, folds, *values)
        for pair, each in moves.items()
        for folds, values in zip(neumann.FOLDS, each, strict=True)
    ]
    cases = pd.DataFrame(rows, columns=["run", "dataset", "pair", "folds", "pvalue", "effect"])
    found = neumann.changed(cases, "t")
    assert found["p"]["cases"] == [3, 3, 3]
    assert found["p"]["percent"] == pytest.approx([100 / 3, 200 / 3, 100 / 3])
    assert found["effect"]["cases"] == [3, 3, 3]
    assert found["effect"]["percent"] == pytest.approx([100 / 3, 100 / 3, 0])
    assert neumann.changed(cases[9:12], "t")["p"] == {"percent": [0, 0, 0], "cases": [0, 0, 0]}


def test_the_printed_percentages_are_of_the_printed_number_of_cases() -> None:
    """The fractions show what was counted: 8.70% is 8 of 92, which no larger number explains."""
    paper = printed("neumann_2021")
    for key in (
        "table5_t_conclusion_changed_percent",
        "table9_wilcoxon_conclusion_changed_percent",
    ):
        for name, counts in paper[key]["cases_deduced"].items():
            for percent, count in zip(paper[key][name], counts, strict=True):
                assert abs(percent - 100 * round(count * percent / 100) / count) < 0.0051


def test_the_screen_and_the_power_are_the_papers() -> None:
    one_nn, three_nn = (
        np.array(printed("neumann_2021")["case_t"][k]) for k in ("one_nn", "three_nn")
    )
    study = replace(STUDIES["special-cases"], factors={"dataset": ("vote",), "folds": (10,)})
    learners = ("random-forest-100", "random-forest-300", "svm", "1-nn", "3-nn", "naive-bayes")
    rows = {name: (three_nn if name == "3-nn" else one_nn).tolist() for name in learners}
    records = pa.table({
        "replicate": [0] * 6, "dataset": ["vote"] * 6, "folds": [10] * 6, "learner": list(rows),
        "accuracies": list(rows.values()),
    })  # fmt: skip
    cases = neumann.read_cases(study, records)["t"]
    [found] = cases[cases["pair"] == "1NN-3NN"].itertuples()
    assert found.power == pytest.approx(0.49, abs=0.005)  # as printed; 0.51 by the noncentral t
    assert found.normal
    ks = [special.kolmogorov(np.sqrt(10) * rc.check_normality(
        row, method="kolmogorov-smirnov").statistic) for row in (one_nn, three_nn)]  # fmt: skip
    assert np.round(ks, 2).tolist() == [0.68, 0.83]  # as printed


# --------------------------------------------------------------------------- all that is stored
class Told(dict[str, Any]):
    """Printed numbers that remember which of them were asked for."""

    def __init__(self, content: dict[str, Any], path: str, asked: set[str]) -> None:
        super().__init__({
            key: Told(value, f"{path}.{key}", asked) if isinstance(value, dict)
            else [Told(v, f"{path}.{key}", asked) if isinstance(v, dict) else v for v in value]
            if isinstance(value, list) else value
            for key, value in content.items()
        })  # fmt: skip
        self.path, self.asked = path, asked

    def __getitem__(self, key: str) -> Any:
        self.asked.add(f"{self.path}.{key}")
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(f"{self.path}.{key}")
        return super().get(key, default)

    def values(self) -> Any:
        return [self[key] for key in self]

    def items(self) -> Any:
        return [(key, self[key]) for key in self]


def keys_of(content: Any, path: str) -> set[str]:
    if isinstance(content, list):
        return set().union(*(keys_of(one, path) for one in content))
    if not isinstance(content, dict):
        return set()
    return set().union(*(
        {f"{path}.{key}"} | keys_of(value, f"{path}.{key}") for key, value in content.items()
    ))  # fmt: skip


def over_datasets(datasets: int) -> Any:
    def columns(levels: Any, count: int) -> dict[str, Any]:
        rng = np.random.default_rng(int(levels["a"]))
        rows = rng.normal(0.01, 0.02, size=(count, datasets))
        return {"differences": list(rows), "retrained_z": [rng.normal(2, 0.7, 30)] * count}

    return columns


def in_folds(levels: Any, count: int) -> dict[str, Any]:
    rng = np.random.default_rng(next(iter(levels.values())))
    rows = rng.normal(0.01, 0.02, size=(count, 10))
    return {"differences": list(rows), "first_only": [60] * count, "second_only": [50] * count}


def partitioned(count: int, rng: np.random.Generator) -> dict[str, Any]:
    sizes = {"folds": 100, "splits": 100, "halves": 10}
    return {name: list(rng.normal(0.01, 0.05, size=(count, n))) for name, n in sizes.items()}


def on_networks(levels: Any, count: int) -> dict[str, Any]:
    places = {
        "replicate": [r for r in range(count) for _ in range(10)],
        "repetition": list(range(10)) * count,
    }
    return {**places, **partitioned(10 * count, np.random.default_rng(levels["source"]))}


def on_uci(levels: Any, count: int) -> dict[str, Any]:
    pairs = (("naive-bayes", "c45"), ("naive-bayes", "nearest"), ("c45", "nearest"))
    names = {
        "first": [a for a, _ in pairs for _ in range(count)],
        "second": [b for _, b in pairs for _ in range(count)],
        "rows": [300] * 3 * count,
        "replicate": list(range(count)) * 3,
    }
    return {**names, **partitioned(3 * count, np.random.default_rng(len(levels["dataset"])))}


def special_scores(levels: Any, _count: int) -> dict[str, Any]:
    learners = ("random-forest-100", "random-forest-300", "svm", "1-nn", "3-nn", "naive-bayes")
    rng = np.random.default_rng(levels["folds"])
    rows = [rng.normal(0.8, 0.04, levels["folds"]) for _ in learners]
    return {"learner": list(learners), "accuracies": rows, "replicate": [0] * len(learners)}


MADE_UP: dict[str, tuple[Any, dict[str, Any]]] = {
    "berrar-1": (over_datasets(20), {"replicates": 20, "block": 20}),
    "berrar-2": (over_datasets(44), {"replicates": 20, "block": 20}),
    "berrar-3": (in_folds, {"replicates": 20, "block": 20}),
    "berrar-4": (in_folds, {"replicates": 20, "block": 20}),
    "bouckaert-simulation-as-printed": (on_networks, {"replicates": 20}),
    "uci-replicability-as-printed": (on_uci, {"replicates": 20, "block": 20}),
    "special-cases-as-printed": (
        special_scores,
        {"factors": {"dataset": ("vote", "keel:contraceptive"), "folds": (10, 20, 30)}},
    ),
}


@pytest.fixture(scope="module")
def asked_and_pages() -> tuple[set[str], dict[str, str]]:
    """Write every report and the page of worked examples; say which printed keys they asked for."""
    asked: set[str] = set()
    plain = published.json.loads

    def remembering(text: str) -> Told:
        content = plain(text)
        return Told(content, content["source"], asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published, "json", SimpleNamespace(loads=remembering))
        pages = {
            name: "\n".join(found_in(name, columns, **changes).tables)
            for name, (columns, changes) in MADE_UP.items()
        }
        pages["examples"] = make_papers.examples_page()
    return asked, pages


def test_every_printed_number_that_is_stored_is_read(asked_and_pages: Any) -> None:
    asked, _ = asked_and_pages
    stored = set()
    for paper in ("berrar_2024", "bouckaert_2004", "bouckaert_frank_2004", "neumann_2021"):
        content = printed(paper)
        stored |= keys_of(content, content["source"])
    notes = {
        key
        for key in stored
        if key.rpartition(".")[2] in ("source", "note", "repetitions", "alpha")
    }
    assert sorted(stored - notes - asked) == []


def test_a_report_of_an_interrupted_study_has_what_all_datasets_have() -> None:
    """Reruns that only some datasets have once ended the report in a traceback."""

    def interrupted(levels: Any, count: int) -> dict[str, Any]:
        return on_uci(levels, 12 if levels["dataset"] == "vote" else count)

    name = "uci-replicability-as-printed"
    found = found_in(name, interrupted, replicates=20, block=20)
    assert {outcomes.reruns for outcomes in found.read.values()} == {12}
    assert found.tables


@pytest.mark.parametrize("name", MADE_UP)
def test_printed_values_have_errors(name: str, asked_and_pages: Any) -> None:
    _, pages = asked_and_pages
    assert "errors apart" in pages[name]
    assert "nan" not in pages[name]


@pytest.mark.parametrize("name", MADE_UP)
def test_rows_have_as_many_cells_as_their_head(name: str, asked_and_pages: Any) -> None:
    """A bar in a label, as in |F - P|, once cut a row into more cells than its head has."""
    _, pages = asked_and_pages
    head = 0
    for line in pages[name].splitlines():
        cells = line.count("|") if line.startswith("|") else 0
        assert cells in (0, head) or head == 0, line
        head = cells


def test_the_page_of_worked_examples_is_up_to_date() -> None:
    remedy = "run python -m docs.make_papers"
    page = make_papers.examples_page()
    assert make_papers.PAGE.read_text(encoding="utf-8") == page, remedy
    assert "**differs**" not in page


def test_the_normal_rank_test_is_the_papers() -> None:
    """No correction for continuity; 2n' + 1 in the variance, where the paper prints n' + 2."""
    procedure = replace(PROCEDURES["rank-kfold"])
    rng = np.random.default_rng(4)
    rows = rng.normal(0.3, 1, size=(50, 10, 10)).round(1)
    pvalues, signs = bouckaert.rank_as_printed(procedure, rows)
    for row, p, sign in zip(rows[:, 0], pvalues, signs, strict=True):
        kept = row[row != 0]
        found = stats.wilcoxon(kept, method="asymptotic", correction=False)
        n, ties = len(kept), np.unique(np.abs(kept), return_counts=True)[1]
        variance = n * (n + 1) * (2 * n + 1) / 24
        untied = found.zstatistic * np.sqrt((variance - (ties**3 - ties).sum() / 48) / variance)
        assert p == pytest.approx(2 * stats.norm.sf(abs(untied)))
        assert sign == np.sign((stats.rankdata(np.abs(kept)) * np.sign(kept)).sum())
    nothing = bouckaert.rank_as_printed(procedure, np.zeros((1, 10, 10)))
    assert nothing[0].tolist() == [1.0]


def test_datasets_that_are_equal_are_left_out_of_the_wins() -> None:
    """9 wins, 1 loss and 10 equal are a success rate of 0.9: the 18 wins of 20 that Berrar counts."""

    def tied(_levels: Any, count: int) -> dict[str, Any]:
        row = [0.0] * 10 + [0.01 * i for i in range(1, 10)] + [-0.005]
        return {"differences": [row] * count, "retrained_z": [None] * count}

    group = found_in(
        "berrar-1", tied, factors={"a": (390,)}, replicates=25
    ).read.groups[0]  # fmt: skip
    assert group.over.success.value == pytest.approx(0.9)
    assert group.over.eighteen_wins.hits == 25
    assert group.over.won.hits == 25  # p = 0.021; over 20 with halves it would be 0.115


def test_errors_of_ten_reruns_are_binomial() -> None:
    """Against ten thousand tens of made-up reruns on three datasets."""
    rng, chances = np.random.default_rng(2), (0.5, 0.9, 1.0)
    pvalues = np.array([np.where(rng.random(400) < c, 0.5, 0.001) for c in chances])
    made = bouckaert_frank.Outcomes(("a", "b", "c"), {"5x2cv-t": (pvalues, np.ones_like(pvalues))})
    found = made.errors("5x2cv-t")
    draws = rng.binomial(10, chances, size=(10_000, 3))
    consistent = ((draws == 0) | (draws == 10)).sum(axis=1)
    agreement = (draws * (draws - 1) + (10 - draws) * (9 - draws)) / 90
    assert found["consistent"] == pytest.approx(consistent.std(), rel=0.15)
    assert found["replicability"] == pytest.approx(agreement.mean(axis=1).std(), rel=0.15)


REPORTS = sorted(page.parent for page in make_papers.PAGE.parent.glob("*/study.toml"))


@pytest.mark.parametrize("folder", REPORTS, ids=lambda folder: folder.name)
def test_reports_state_command_size_and_time(folder: Path) -> None:
    study = Study.read(folder / "study.toml")
    assert (
        study.fingerprint == STUDIES[study.name].fingerprint
    )  # the library's study, perhaps smaller
    page = (folder / "README.md").read_text(encoding="utf-8")
    assert how_made(study) in page
    assert "on one core" in page


def test_the_table_of_items_counts_its_verdicts() -> None:
    text = (make_papers.PAGE.parent / "items.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+), item by item$", text, flags=re.M)[1:]
    words = ("full", "partly", "differs", "missing")
    seen = Counter[str]()
    for paper, part in zip(parts[::2], parts[1::2], strict=True):
        verdicts = [line.split("|")[-2].strip() for line in re.findall(r"^\| \d+ \|.*", part, re.M)]
        counted = Counter(re.split(r"\W", verdict)[0] for verdict in verdicts)
        assert set(counted) <= set(words)
        assert all(verdict != "differs" for verdict in verdicts)  # none without its reason
        cells = " | ".join(str(counted[word]) for word in words)
        assert f"| {paper} | {len(verdicts)} | {cells} |" in text
        seen += counted
    assert seen.total() == 136
