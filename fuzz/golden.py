"""Files of every format, below tests/golden/formats; the fuzzer changes the first of them."""


def _pair(pattern: str, *names: str) -> tuple[str, ...]:
    return tuple(pattern.format(name) for name in names or ("a", "b"))


_COFFEE = "Predictions/Coffee/testResample0.csv"
_SAMPLES = "samples_arc_easy_2026-01-05T10-11-12.131415.jsonl"
GOLDEN: dict[str, tuple[str, ...]] = {
    "lm-eval samples": _pair(f"lm-eval/model-{{}}/{_SAMPLES}"),
    "Inspect logs": _pair("inspect/model-{}.json"),
    "HELM instances": _pair("helm/model={}/per_instance_stats.json"),
    "OpenAI evals": _pair("openai-evals/gpt-{}.jsonl"),
    "DeepEval runs": _pair("deepeval/model-{}.json"),
    "promptfoo results": ("promptfoo/results.csv",),
    "SWE-bench reports": _pair("boards/swebench-{}.json"),
    "SWE-bench instances": tuple(f"boards/run/{m}/{i}/report.json" for m in "ab" for i in "xyz"),
    "tau-bench results": _pair("boards/tau-{}.json"),
    "LiveCodeBench results": _pair("boards/livecode-{}.json"),
    "EvalPlus results": _pair("boards/evalplus-{}.json"),
    "AlpacaEval annotations": ("boards/alpaca.json",),
    "MT-bench judgements": ("boards/pairs.jsonl",),
    "COMET scores": ("boards/comet.json",),
    "nnU-Net summaries": _pair("boards/nnunet/{}/summary.json"),
    "trec_eval output": _pair("boards/trec-{}.eval"),
    "lm-eval results": _pair("totals/lm-eval/model-{}/results_2026-01-05.json"),
    "lighteval results": _pair("totals/lighteval/model-{}/results_2026.json"),
    "MTEB results": tuple(
        f"totals/mteb/model-{m}/revision/STS1{i}.json" for m in "ab" for i in range(2, 7)
    ),
    "evaluations of Stable-Baselines3": tuple(
        f"boards/sb3/{m}/Pole-v1_{i}/evaluations.npz" for m in ("ppo", "a2c") for i in (1, 2, 3)
    ),
    "tsml results": _pair(f"tsml/{{}}/{_COFFEE}", "ROCKET", "1NN-DTW"),
    "results of scikit-learn": ("sklearn/cross-validate.json",),
    "Weka Experimenter results": ("weka/iris-5x2-j48.csv", "weka/nb.arff.gz"),
    "AutoML benchmark results": ("automl/results.csv", "automl/results.csv"),
    "OpenML evaluations": ("openml/evaluations.csv",),
    "cv_results_ of scikit-learn": ("sklearn/cv-results.csv",),
    "MLflow runs": ("mlflow/runs.csv",),
    "samples of Inspect": ("inspect/samples.csv",),
    "Optuna trials": ("refused/optuna.csv",),
    "rounds of boosting": ("refused/xgb-cv.csv",),
    "training curves": ("refused/wandb-chart.csv",),
    "tsml-eval table": ("tsml-eval/accuracy_mean.csv",),
    "aeon reference results": _pair("aeon/{}_accuracy.csv", "HC2", "TSF"),
    "lighteval details": _pair("boards/lighteval/{}/1/details_x.parquet"),
    "votes of an arena": ("boards/arena.csv",),
    "forecasts": ("boards/forecasts.csv",),
    "tables": ("tables/long.csv", "tables/long.csv"),
}
