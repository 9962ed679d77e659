"""Logs of boards, judges and agents written from scores that are known; see `writers`."""

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from writers import Truth, Writer, Written, csv_of


def _by_model(
    truth: Truth, name: str, content: Callable[[list[float]], bytes], **said: Any
) -> Written:
    """Write a file for each model; `{}` of its name is the model."""
    files = {
        name.format(model): content(truth.scores[i, 0].tolist())
        for i, model in enumerate(truth.classifiers)
    }
    return Written(files, truth, said, named=False)


def _json(value: object) -> bytes:
    return json.dumps(value).encode()


def swebench(truth: Truth) -> Written:
    def content(scores: list[float]) -> bytes:
        every = [f"repo__p-{k}" for k in range(len(scores))]
        resolved = [case for case, x in zip(every, scores, strict=True) if x]
        return _json({"submitted_ids": every, "resolved_ids": resolved})

    return _by_model(truth.right, "{}.json", content)


def swebench_instances(truth: Truth) -> Written:
    right = truth.right
    files = {
        f"run/{model}/repo__p-{k}/report.json": _json(
            {f"repo__p-{k}": {"patch_exists": True, "resolved": bool(x)}}
        )
        for i, model in enumerate(right.classifiers)
        for k, x in enumerate(right.scores[i, 0])
    }
    return Written(files, right, named=False)


def tau(truth: Truth) -> Written:
    def content(scores: list[float]) -> bytes:
        return _json(
            [
                {"task_id": k, "reward": x, "info": {}, "traj": [], "trial": 0}
                for k, x in enumerate(scores)
            ]
        )

    return _by_model(truth.right, "{}.json", content)


def livecode(truth: Truth) -> Written:
    def content(scores: list[float]) -> bytes:
        return _json(
            [{"question_id": f"{k}", "graded_list": [bool(x)]} for k, x in enumerate(scores)]
        )

    return _by_model(truth.right, "{}.json", content)


def evalplus(truth: Truth) -> Written:
    def content(scores: list[float]) -> bytes:
        states = ["pass" if x else "fail" for x in scores]
        solved = {
            f"HumanEval/{k}": [{"base_status": "pass", "plus_status": state}]
            for k, state in enumerate(states)
        }
        return _json({"date": "2026-01-16", "eval": solved})

    return _by_model(truth.right, "{}.json", content)


def lighteval(truth: Truth) -> Written:
    right, files = truth.right, {}
    for i, model in enumerate(right.classifiers):
        frame = pd.DataFrame(
            {
                "doc": [
                    {"id": str(k), "query": f"question {k}", "task_name": right.datasets[0]}
                    for k in range(right.folds)
                ],
                "metric": [{"em": x} for x in right.scores[i, 0].tolist()],
            }
        )
        sink = io.BytesIO()
        frame.to_parquet(sink)
        files[f"details/{model}/2026-01-16/details.parquet"] = sink.getvalue()
    return Written(files, right)


def comet(truth: Truth) -> Written:
    single = truth.single
    systems = {
        model: [
            {"src": f"S{k}", "mt": "m", "ref": "r", "COMET": x}
            for k, x in enumerate(single.scores[i, 0].tolist())
        ]
        for i, model in enumerate(single.classifiers)
    }
    return Written({"comet.json": _json(systems)}, single, named=False)


def nnunet(truth: Truth) -> Written:
    def content(scores: list[float]) -> bytes:
        return _json(
            {
                "metric_per_case": [
                    {"metrics": {"1": {"Dice": x}}, "reference_file": f"case_{k}.nii.gz"}
                    for k, x in enumerate(scores)
                ]
            }
        )

    return _by_model(truth.single, "{}.json", content)


def trec(truth: Truth) -> Written:
    def content(scores: list[float]) -> bytes:
        lines = [f"map\t{301 + k}\t{x!r}" for k, x in enumerate(scores)]
        return "\n".join([*lines, f"map\tall\t{np.mean(scores):.4f}", ""]).encode()

    return _by_model(truth.single, "{}.eval", content)


def stable_baselines(truth: Truth) -> Written:
    """Return a run for each score: two evaluations, the last of which counts."""
    single, files = truth.single, {}
    for i, model in enumerate(single.classifiers):
        for k, x in enumerate(single.scores[i, 0].tolist()):
            sink = io.BytesIO()
            np.savez(sink, timesteps=[1, 2], results=[[0.0, 0.0], [x, x]])
            files[f"{model}/{single.datasets[0]}_{k + 1}/evaluations.npz"] = sink.getvalue()
    return Written(files, single)


def _votes(truth: Truth) -> Truth:
    """Return votes between the first two models: 1 for the one that won, half for a draw."""
    first = np.round(truth.scores[0, :1] * 2) / 2
    return Truth(truth.classifiers[:2], ("votes",), np.stack([first, 1 - first]))


def alpaca(truth: Truth) -> Written:
    votes = _votes(truth)
    one, other = votes.classifiers
    found = [
        {"instruction": f"Do {k}", "generator_1": one, "generator_2": other, "preference": 2 - x}
        for k, x in enumerate(votes.scores[0, 0].tolist())
    ]
    return Written({"annotations.json": _json(found)}, votes)


def _winners(votes: Truth, first: str, second: str) -> list[str]:
    words = {1.0: first, 0.0: second, 0.5: "tie"}
    return [words[x] for x in votes.scores[0, 0].tolist()]


def mt_bench(truth: Truth) -> Written:
    votes = _votes(truth)
    one, other = votes.classifiers
    lines = [
        {"question_id": 80 + k, "model_1": one, "model_2": other, "turn": 1,
         "g1_winner": word, "g2_winner": word}
        for k, word in enumerate(_winners(votes, "model_1", "model_2"))
    ]  # fmt: skip
    return Written({"pairs.jsonl": b"\n".join(map(_json, lines))}, votes)


def arena(truth: Truth) -> Written:
    votes = _votes(truth)
    head = ["question_id", "model_a", "model_b", "winner"]
    rows = [
        [f"q{k}", *votes.classifiers, word]
        for k, word in enumerate(_winners(votes, "model_a", "model_b"))
    ]
    return Written({"votes.csv": csv_of([head, *rows])}, votes)


def forecasts(truth: Truth) -> Written:
    """Return forecasts that miss by the score: the first fold is the mean of its series."""
    means = truth.means
    head = ["unique_id", "ds", "cutoff", "y", *means.classifiers]
    rows = [
        [series, f"2024-0{month}-01", "2023-12-01", 0, *means.scores[:, j, 0].tolist()]
        for j, series in enumerate(means.datasets)
        for month in (1, 2)
    ]
    return Written({"forecasts.csv": csv_of([head, *rows])}, means, higher=False)


def _totals(
    truth: Truth, told: Callable[[str, dict[str, Any]], dict[str, Any]], key: str
) -> Written:
    """Write a file for each model with a score for each task."""
    means = truth.means
    files = {}
    for i, model in enumerate(means.classifiers):
        scores = means.scores[i, :, 0].tolist()
        results = {task: {key: x} for task, x in zip(means.datasets, scores, strict=True)}
        files[f"{i}/results_1.json"] = _json(told(model, results))
    return Written(files, means)


def lm_eval_results(truth: Truth) -> Written:
    def told(model: str, results: dict[str, Any]) -> dict[str, Any]:
        return {"results": results, "configs": {}, "versions": {}, "model_name": model}

    return _totals(truth, told, "acc,none")


def lighteval_results(truth: Truth) -> Written:
    def told(model: str, results: dict[str, Any]) -> dict[str, Any]:
        return {"config_general": {"model_name": model}, "results": results}

    return _totals(truth, told, "acc")


def mteb(truth: Truth) -> Written:
    means = truth.means
    files = {
        f"{model}/1/{j}.json": _json(
            {"task_name": task, "mteb_version": "1", "scores": {"test": [{"main_score": x}]}}
        )
        for i, model in enumerate(means.classifiers)
        for j, (task, x) in enumerate(
            zip(means.datasets, means.scores[i, :, 0].tolist(), strict=True)
        )
    }
    return Written(files, means)


BOARDS: dict[str, tuple[Writer, ...]] = {
    "lm-eval results": (lm_eval_results,),
    "lighteval results": (lighteval_results,),
    "MTEB results": (mteb,),
    "SWE-bench reports": (swebench,),
    "SWE-bench instances": (swebench_instances,),
    "tau-bench results": (tau,),
    "LiveCodeBench results": (livecode,),
    "EvalPlus results": (evalplus,),
    "AlpacaEval annotations": (alpaca,),
    "MT-bench judgements": (mt_bench,),
    "COMET scores": (comet,),
    "nnU-Net summaries": (nnunet,),
    "trec_eval output": (trec,),
    "evaluations of Stable-Baselines3": (stable_baselines,),
    "lighteval details": (lighteval,),
    "votes of an arena": (arena,),
    "forecasts": (forecasts,),
}
