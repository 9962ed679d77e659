"""Tables of medicine and of reinforcement learning: cases, patients, seeds, steps and episodes."""

import json
from typing import Any

import numpy as np
import pytest

import replicast as rc
from replicast import InvalidArgumentError
from replicast.design import Cases


def read(text: str, name: str = "t.csv", **said: Any) -> rc.ScoreTable:
    return rc.read_scores({name: text.encode()}, **said)


def asked(text: str, **said: Any) -> InvalidArgumentError:
    with pytest.raises(InvalidArgumentError) as error:
        read(text, **said)
    return error.value


def images(head: str, count: int = 12) -> str:
    """Write cases, three of a patient, with the Dice of two networks."""
    rows = [
        f"c{at};p{at // 3};{0.8 + (7 * at % 11) / 100};{0.78 + (5 * at % 7) / 100}"
        for at in range(count)
    ]
    cells = head.count(";") + 1
    return "\n".join([head, *(";".join(row.split(";")[-cells:]) for row in rows)])


@pytest.mark.parametrize("said", [{}, {"design": "cases"}])
@pytest.mark.parametrize(
    "head", ["Fall-ID;pat;dice_A;dice_B", "pat;dice_A;dice_B", "x;pat;dice_A;dice_B"]
)
def test_clusters_that_were_named_are_used(head: str, said: dict[str, Any]) -> None:
    found = read(images(head), cluster_column="pat", **said)
    assert found.design == Cases(12, clusters=4)


def test_clusters_of_folds_are_refused() -> None:
    error = asked(images("Fall;pat;dice_A;dice_B"), cluster_column="pat", design="kfold:folds=12")
    assert "`cluster_column` must be left out, where rows are no cases" in str(error)


@pytest.mark.parametrize("case", ["Fall", "Fall-ID", "Fallnummer", "case"])
@pytest.mark.parametrize(
    "patient", ["Pat", "Pat.-Nr.", "PatNr", "Patienten-ID", "Proband", "Patient"]
)
def test_patients_beside_cases_hold_them_together(case: str, patient: str) -> None:
    text = images(f"{case};{patient};dice_A;dice_B", 36)
    found = read(text, design="cases")
    assert found.design == Cases(36, clusters=12)
    assert found.case_names[0] == "c0"


@pytest.mark.parametrize("site", ["Zentrum", "Standort", "site"])
def test_sites_are_asked_about(site: str) -> None:
    error = asked(images(f"case;{site};dice_A;dice_B"), design="cases")
    assert f"share {site} (4 groups)" in str(error)


def test_rows_of_a_column_called_case_are_cases_most_likely() -> None:
    text = images("case;pat;dice_A;dice_B", 20).replace(";p", ";q")
    assert read(text).design == rc.Cases(20)


def test_cases_of_folds_are_read_as_such() -> None:
    rows = [f"{at % 5},c{at},0.8{at:02d},0.7{at * 3:02d}" for at in range(30)]
    found = read("\n".join(["fold,case,dice_a,dice_b", *rows]))
    assert (found.design.folds, len(found.case_scores[0][0][0])) == (5, 30)


@pytest.mark.parametrize("scale", [-1.0, 30.0])
def test_seeds_whose_scores_may_be_returns_are_asked_about(scale: float) -> None:
    rows = [f"{at},{scale * (100 + 7 * at)},{scale * (120 + 3 * at)}" for at in range(6)]
    error = asked("\n".join(["seed,ours,DDPG", *rows]), greater_is_better=True)
    assert [one.value for one in error.choices] == [
        "seeds:count=6,split=none",
        "seeds:count=6,split=shared",
    ]


@pytest.mark.parametrize(
    "name",
    ["episodic_return", "charts/episodic_return", "eval/mean_reward", "rollout/ep_rew_mean"],
)
def test_returns_are_known_by_the_names_programs_give_them(name: str) -> None:
    rows = [
        f"{algo},{env},{100 * at + len(algo)}"
        for algo in ("sac", "td3x")
        for at, env in enumerate(("Ant", "Hopper", "Swimmer"))
    ]
    assert read("\n".join([f"algo,env,{name}", *rows])).greater_is_better


def curve(step: str) -> str:
    rows = [
        f"{algo},{env},{seed},{100_000 * at},{at * 10 + seed + len(algo)}"
        for algo in ("sac", "td3x")
        for env in ("Ant", "Hopper")
        for seed in range(3)
        for at in range(1, 4)
    ]
    return "\n".join([f"algo,env,seed,{step},episodic_return", *rows])


@pytest.mark.parametrize(
    "step", ["iteration", "timesteps", "frames", "epoch", "global_step", "env_steps", "step"]
)
def test_a_learning_curve_is_refused_with_its_last_step(step: str) -> None:
    error = asked(curve(step))
    assert "steps of training are no repeats" in str(error)
    [last] = error.choices
    assert (last.argument, last.value) == ("where", f"{step}=300000")
    assert len(read(curve(step), where={step: "300000"}).datasets) == 2


def test_iterations_that_count_are_folds() -> None:
    rows = [f"{at},{0.8 + at / 100},{0.78 + at * at / 900}" for at in range(1, 6)]
    assert "5 iterations" in str(asked("\n".join(["iteration,svm,nb", *rows])))


@pytest.mark.parametrize("name", ["eval_episode", "episode", "rollout", "trial"])
@pytest.mark.parametrize("wide", [True, False])
def test_episodes_of_a_seed_are_averaged(name: str, wide: bool) -> None:
    def score(algo: str, env: str, seed: int, at: int) -> int:
        return 100 * len(env) + 10 * seed + 3 * at * at + len(algo)

    algos, keys = ("sac", "td3x"), [
        (env, seed, at) for env in ("Ant", "Hopper") for seed in range(2) for at in range(3)
    ]  # fmt: skip
    if wide:
        lines = [f"env,seed,{name},sac,td3x"]
        lines += [
            ",".join(map(str, [*key, *(score(algo, *key) for algo in algos)])) for key in keys
        ]
    else:
        lines = [f"algo,env,seed,{name},return"]
        lines += [
            ",".join(map(str, [algo, *key, score(algo, *key)])) for algo in algos for key in keys
        ]
    found = read("\n".join(lines), greater_is_better=True)
    assert f"The score of a seed is the mean of its 3 episodes, in column {name}." in found.account
    expected = [[100 * len(env) + 5 + 5 + len(algo) for env in ("Ant", "Hopper")] for algo in algos]
    assert np.allclose(found.scores[:, :, 0, 0], expected)


def test_an_empty_column_is_no_classifier() -> None:
    text = "env,Notes,Sweep,sac,td3\nAnt,,,10,20\nHopper,,,12,21\nSwimmer,,,9,30\n"
    found = read(text, metric="return")
    assert found.classifiers == ("sac", "td3")
    assert "Not used, since nothing stands in them: Sweep." in found.account


def test_the_column_that_was_named_holds_the_classifiers() -> None:
    head = "Name,State,Notes,env_id,variant_of_it,seed,learning_rate,charts/episodic_return"
    rows = [
        f"{env}-{algo}-{seed},finished,,{env},{algo},{seed},0.0003,{seed + len(algo)}"
        for algo in ("sac", "td3x")
        for env in ("Ant", "Hopper")
        for seed in range(3)
    ]
    found = read("\n".join([head, *rows]), classifier_column="variant_of_it")
    assert (found.classifiers, found.datasets) == (("sac", "td3x"), ("Ant", "Hopper"))


def summary(dice: list[dict[str, float]]) -> bytes:
    cases = [
        {
            "reference_file": f"c{at}.nii.gz",
            "metrics": {key: {"Dice": one} for key, one in told.items()},
        }
        for at, told in enumerate(dice)
    ]
    return json.dumps({"foreground_mean": {}, "mean": {}, "metric_per_case": cases}).encode()


def test_an_image_of_which_one_network_lacks_a_label_counts_for_none() -> None:
    full = [{"1": 0.8 + at / 100, "2": 0.5} for at in range(6)]
    short = [{"1": 0.7, "2": np.nan if at < 2 else 0.4} for at in range(6)]
    found = rc.read_scores({"a/summary.json": summary(full), "b/summary.json": summary(short)})
    pair = found.pair("a", "b")
    assert np.allclose(pair.first, [0.66, 0.665, 0.67, 0.675])
    assert np.allclose(pair.second, [0.55] * 4)
    assert "has no label 2 in b" in pair.left_out
