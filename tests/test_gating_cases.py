"""Gates and watches on graded, clustered and repeatedly answered cases."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.special import stdtr
from typer.testing import CliRunner

import replicast as rc
from replicast import Cases, PairedCases
from replicast.cli import app
from replicast.errors import DesignMismatchError
from replicast.judging.rulers import ClusterRuler, ruler_of
from replicast.kernels.cases import clustered_mean


def world(
    groups: int, gap: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three answers to every case, of which a cluster shares the difficulty, and clusters."""
    sizes = np.ceil(rng.lognormal(2, 0.7, groups)).astype(int)
    labels = np.repeat(np.arange(groups), sizes)
    shared = rng.normal(0, 0.1, (2, groups))[:, labels]
    answers = 0.5 + shared[..., None] + rng.normal(0, 0.3, (2, len(labels), 3))
    return answers[0] + gap, answers[1], labels


@pytest.mark.parametrize("groups", [8, 15, 40])
def test_false_passes_at_the_margin_keep_the_level(groups: int) -> None:
    rng, runs, margin, level = np.random.default_rng(groups), 1500, 0.03, 0.05
    passed = 0
    for _ in range(runs):
        first, second, labels = world(groups, -margin, rng)
        pair = PairedCases(first=first, second=second, clusters=labels)
        passed += ruler_of(rc.case_ttest(pair), pair).bound_pvalues(-margin)[0] < level
    assert passed / runs <= level + 3 * np.sqrt(level * (1 - level) / runs)


@pytest.mark.parametrize("groups", [8, 15, 40])
def test_false_passes_in_1e5_runs(groups: int) -> None:
    """The same at the margin for 100 draws of sizes, by the kernel, whose p is the gate's."""
    rng, margin, level, passed = np.random.default_rng(groups + 100), 0.03, 0.05, 0
    for draw in range(100):
        sizes = np.ceil(rng.lognormal(2, 0.7, groups)).astype(int)
        labels = np.repeat(np.arange(groups), sizes)
        shared = rng.normal(0, 0.1 * 2**0.5, (1000, groups))[:, labels]
        rows = shared + rng.normal(0, 0.3 * (2 / 3) ** 0.5, (1000, len(labels))) - margin
        mean, error, df = clustered_mean(rows, labels)
        pvalues = stdtr(df, -(mean + margin) / error)
        passed += int((pvalues < level).sum())
        if draw == 0:
            pair = PairedCases(first=rows[0], second=np.zeros(len(labels)), clusters=labels)
            told = ruler_of(rc.case_ttest(pair), pair).bound_pvalues(-margin)[0]
            assert pvalues[0] == pytest.approx(told, rel=1e-9)
    assert passed / 1e5 <= level + 3 * np.sqrt(level * (1 - level) / 1e5)


@pytest.mark.parametrize("groups", [8, 15, 40])
def test_the_chance_to_pass_is_what_happens(groups: int) -> None:
    """What a gate says it can see, told the true noise, within two points of 20,000 gates."""
    rng, runs, level = np.random.default_rng(groups), 20_000, 0.05
    sizes = np.ceil(rng.lognormal(2, 0.7, groups)).astype(int)
    labels, cases = np.repeat(np.arange(groups), sizes), sizes.sum()
    noise = np.sqrt((2 * 0.1**2 * sizes**2 + 2 * 0.3**2 / 3 * sizes).sum()) / cases
    shared = rng.normal(0, 0.1 * 2**0.5, (runs, groups))[:, labels]
    rows = shared + rng.normal(0, 0.3 * (2 / 3) ** 0.5, (runs, cases))
    mean, error, df = clustered_mean(rows, labels)
    pair = PairedCases(first=rows[0], second=np.zeros(cases), clusters=labels)
    seen = ruler_of(rc.case_ttest(pair), pair)
    assert isinstance(seen, ClusterRuler)
    told = dataclasses.replace(seen, error=float(noise), shared=0.25)
    for margin in (0.02, 0.05, 0.08, 0.11):
        passed = stdtr(df, -(mean + margin) / error) < level
        assert told.chance(0.0, level, above=-margin) == pytest.approx(passed.mean(), abs=0.02)


def test_a_gate_takes_cases_and_lists_the_largest_drops() -> None:
    first = np.array([0.9, 0.1, 0.8, 0.75, 0.6, 0.4])
    second = np.array([0.8, 0.5, 0.7, 0.8, 0.5, 0.5])
    found = rc.gate(PairedCases(first=first, second=second), margin=0.1)
    assert found.lost == (1, 5, 3)
    assert found.gained == (0, 2, 4)
    assert found.sight.needed > 6
    assert "2 6 4" in str(found)
    assert found.outcome == "cannot tell"


def test_clusters_that_all_agree_count_as_clusters() -> None:
    pair = PairedCases(
        first=np.full(40, 0.6), second=np.full(40, 0.5), clusters=np.arange(40) // 10
    )
    assert rc.gate(pair, margin=0.05).pass_pvalue == 2.0**-4


def graded(tmp_path, scale: float = 1.0, clusters: bool = False):
    rng = np.random.default_rng(1)
    lines = ["model,question_id,score" + ",passage_id" * clusters]
    for case in range(60):
        level = rng.uniform(0, 0.6)
        for model, gain in (("new", 0.25), ("old", 0.0)):
            tail = f",p{case // 6}" * clusters
            lines.append(f"{model},q{case},{scale * (level + gain):.4f}{tail}")
    path = tmp_path / "graded.csv"
    path.write_text("\n".join(lines))
    return str(path)


def run(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


def test_lost_cases_are_named_on_the_command_line(tmp_path) -> None:
    table = graded(tmp_path)
    said = run("gate", table, "--candidate", "old", "--baseline", "new", "--margin", "2",
               "--higher-is-better")  # fmt: skip
    assert said.exit_code == 1
    assert "worse   60 (better 0): q0 q1" in said.output
    assert "q0" in said.output


def test_a_graded_file_can_be_watched(tmp_path) -> None:
    found = run("stop", graded(tmp_path), "--higher-is-better")
    assert found.exit_code == 0
    assert "new is better" in found.output
    assert "old is better" in run("stop", graded(tmp_path), "--lower-is-better").output
    ten = graded(tmp_path, scale=10.0)
    refused = run("stop", ten, "--higher-is-better")
    assert refused.exit_code == 2
    assert "`--bounds` must be the least and the largest score" in refused.output.replace("\n", " ")
    assert "new is better" in run("stop", ten, "--higher-is-better", "--bounds", "0,10").output
    assert run("stop", ten, "--higher-is-better", "--bounds", "ten").exit_code == 2


def test_clusters_are_not_watched_case_by_case(tmp_path) -> None:
    refused = run("stop", graded(tmp_path, clusters=True), "--higher-is-better")
    assert refused.exit_code == 2
    assert "watch the mean of every cluster" in refused.output.replace("\n", " ")
    with pytest.raises(DesignMismatchError, match="cases that do not hang together"):
        rc.Monitor(design=Cases(60, clusters=10))
    assert rc.Monitor(design=Cases()).design == Cases()


def test_missing_answers_are_not_taken_for_right_ones(tmp_path: Path) -> None:
    """Blanks of a candidate that times out on hard questions once let it pass."""
    rng = np.random.default_rng(0)
    lines = ["model,question_id,attempt,correct"]
    for question in range(60):
        for model in ("old", "new"):
            for attempt in range(3):
                right = rng.random() < 0.7
                cell = "1" if right else ("" if model == "new" else "0")
                lines.append(f"{model},q{question},{attempt},{cell}")
    path = tmp_path / "answers.csv"
    path.write_text("\n".join(lines))
    with pytest.raises(rc.ReplicastError, match=r"new lacks \d+ of 180 answers. Write 0"):
        rc.read_scores(path, assume=False)
    found = rc.compare(rc.read_scores(path))
    assert "new lacks" in found.cautions[0].text
    table = rc.read_scores(path, missing="drop-case", assume=False)
    gated = rc.gate(table, margin=0.5)
    assert "left-out" in [caution.code for caution in gated.cautions]


def test_a_gate_takes_arrays_and_tables() -> None:
    new, old = [1, 1, 1, 0] * 50, [1, 1, 0, 1] * 50
    pair = rc.PairedScores(first=new, second=old, design="holdout", names=("new", "old"))
    found = rc.gate(new, old, design="holdout", names=("new", "old"), margin=0.2)
    assert found == rc.gate(pair, margin=0.2)
    table = rc.read_scores(
        {"a": [0.9, 0.8, 0.9], "b": [0.7, 0.8, 0.7], "c": [0.1, 0.2, 0.1]}, design=3
    )
    assert rc.gate(table, names=("b", "c"), margin=0.1) == rc.gate(table.pair("b", "c"), margin=0.1)
    with pytest.raises(rc.InvalidArgumentError, match="a table of two classifiers, got one of 3"):
        rc.compare(table)


def test_a_measure_of_few_skewed_cases_is_gated_as_its_cases_are() -> None:
    """By t alone a Brier score passed at p = 0.012 where its cases do at 0.027."""
    rng = np.random.default_rng(4)
    truth = (rng.random(40) < 0.5).astype(int)
    new = np.clip(np.where(truth == 1, 0.9, 0.1) + rng.normal(0, 0.03, 40), 0.01, 0.99)
    old = new.copy()
    old[:3] = 1 - new[:3]  # wrong with certainty: three large differences
    new[5:20] = np.clip(0.97 * new[5:20], 0.01, 0.99)
    measure = rc.compare_measure("brier", truth, new, old)
    losses = [(chance - truth) ** 2 for chance in (new, old)]
    cases = rc.compare(*losses, design=rc.Cases(40)).scores.swapped()  # a loss: less is better
    by_measure, by_cases = rc.gate(measure, margin=0.02), rc.gate(cases, margin=0.02)
    assert by_measure.pass_pvalue == pytest.approx(by_cases.pass_pvalue)
    assert by_measure.pass_pvalue == pytest.approx(0.0271, abs=1e-4)
    assert by_measure.fail_pvalue == pytest.approx(by_cases.fail_pvalue)
