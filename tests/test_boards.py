"""Files of evaluation tools: what a case is, who is ahead, and by how much, by hand."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import replicast as rc
from replicast.errors import InvalidArgumentError

BOARDS = Path(__file__).parent / "golden" / "formats" / "boards"


def means(table: rc.ScoreTable) -> dict[str, float]:
    return dict(zip(table.classifiers, np.nanmean(table.scores, axis=(1, 2, 3)), strict=True))


def two(name: str) -> list[Path]:
    return [BOARDS / name.format(model) for model in "ab"]


@pytest.mark.parametrize(
    ("source", "design", "expected"),
    [
        (two("swebench-{}.json"), rc.Holdout(12), {"a": 7 / 12, "b": 3 / 12}),
        (BOARDS / "run", rc.Holdout(3), {"a": 2 / 3, "b": 1 / 3}),
        (two("tau-{}.json"), rc.Cases(6, answers=2), None),
        (two("livecode-{}.json"), rc.Cases(6, answers=3), None),
        (two("evalplus-{}.json"), rc.Holdout(8), None),
        (BOARDS / "lighteval", rc.Holdout(8), None),
        (BOARDS / "alpaca.json", rc.Cases(9), {"new": 5 / 9, "base": 4 / 9}),
        (BOARDS / "pairs.jsonl", rc.Cases(6, answers=2), {"base": 4 / 12, "new": 8 / 12}),
        (BOARDS / "comet.json", rc.Cases(6), None),
        (BOARDS / "nnunet", rc.Cases(5), {"a": 0.779, "b": 0.764}),
        (BOARDS / "forecasts.csv", rc.Datasets(4), {"Naive": 2.0, "Drift": 0.7}),
        (BOARDS / "sb3", rc.Seeds(3, split="none"), {"ppo": 416.0, "a2c": 316.0}),
    ],
)
def test_a_board_is_read(source: Any, design: object, expected: dict[str, float] | None) -> None:
    table = rc.read_scores(source)
    assert table.design == design
    if expected is not None:
        assert means(table) == pytest.approx(expected, abs=1e-9)
    assert len(table.classifiers) == 2


def test_evalplus_counts_what_passes_both() -> None:
    told = [json.loads(path.read_text())["eval"] for path in two("evalplus-{}.json")]
    table = rc.read_scores(two("evalplus-{}.json"))
    both = [
        np.mean(
            [one[0]["base_status"] == one[0]["plus_status"] == "pass" for one in tasks.values()]
        )
        for tasks in told
    ]
    assert list(means(table).values()) == pytest.approx(both)
    base = [np.mean([one[0]["base_status"] == "pass" for one in t.values()]) for t in told]
    other = rc.read_scores(two("evalplus-{}.json"), metric="base")
    assert list(means(other).values()) == pytest.approx(base)


def test_votes_of_an_arena_know_both_orders() -> None:
    table = rc.read_scores(BOARDS / "arena.csv")
    rows = [line.split(",") for line in (BOARDS / "arena.csv").read_text().splitlines()[1:]]
    share = {"model_a": 1.0, "model_b": 0.0, "tie": 0.5}
    won = [share[w] if a == "new" else 1 - share[w] for _, a, _, w in rows]
    assert means(table)["new"] == pytest.approx(np.mean(won))
    assert means(table)["base"] == pytest.approx(1 - np.mean(won))


def test_votes_of_three_models_are_refused_with_the_reason(tmp_path: Path) -> None:
    path = tmp_path / "arena.csv"
    path.write_text("model_a,model_b,winner\na,b,model_a\nb,c,tie\na,c,model_b\n")
    with pytest.raises(InvalidArgumentError, match="votes between 3: a, b, c"):
        rc.read_scores(path)
    path.write_text("model_a,model_b,winner\na,b,perhaps\nb,a,tie\n")
    with pytest.raises(InvalidArgumentError, match="row 2: expected model_a, model_b or tie"):
        rc.read_scores(path)


def test_a_run_of_trec_eval_asks_for_the_measure_and_leaves_out_all() -> None:
    with pytest.raises(InvalidArgumentError) as asked:
        rc.read_scores(two("trec-{}.eval"))
    assert [one.value for one in asked.value.questions[0].choices] == ["map", "ndcg_cut_10"]
    table = rc.read_scores(two("trec-{}.eval"), metric="map")
    assert table.case_names == ("301", "302", "303", "304")


def test_a_preference_outside_its_range_is_refused(tmp_path: Path) -> None:
    told = json.loads((BOARDS / "alpaca.json").read_text())
    told[3]["preference"] = 5
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps(told))
    with pytest.raises(InvalidArgumentError, match="annotation 4: expected a preference from 1 to"):
        rc.read_scores(path)


def test_comet_is_no_percentage() -> None:
    table = rc.read_scores(BOARDS / "comet.json")
    assert not any("percent" in line for line in table.account)
    assert "higher is better for COMET" in " ".join(table.account)
