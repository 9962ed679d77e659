"""A hundred words that stand above columns, by what the column is for."""

WORDS: dict[str, tuple[str, ...]] = {
    "classifier": (
        "model", "Model", "models", "method", "Methods", "learner", "learner_id", "algorithm",
        "Algorithm", "algo", "classifier", "Classifiers", "clf", "estimator", "system", "approach",
        "framework", "pipeline", "technique", "network", "architecture", "LLM", "llm_name",
        "model_name", "model_id", "Verfahren", "agent", "variant", "strategy", "flow",
    ),
    "dataset": (
        "dataset", "Dataset", "datasets", "data set", "Data Set", "data", "task", "Task", "task_id",
        "problem", "Problem", "benchmark", "domain", "subject", "language", "Datensatz", "dataset_name",
        "data_id", "corpus", "suite", "UCI dataset", "environment", "game", "site",
    ),
    "fold": ("fold", "Fold", "folds", "fold_id", "fold_no", "cv_fold", "outer_fold", "k", "k-fold",
             "test_fold", "kfold", "fold number"),
    "run": ("run", "Run", "rep", "repeat", "repetition", "Key_Run", "replicate", "cv_repeat", "round",
            "trial"),
    "seed": ("seed", "random_state", "random_seed", "Seed", "rng_seed"),
    "number": ("", "#", "No.", "index", "id", "row", "Nr", "idx", "number", "line"),
    "size": ("n", "#instances", "n_samples", "instances", "size", "num_features", "n_features",
             "#classes", "rows", "samples"),
    "time": ("time", "fit_time", "runtime", "seconds", "duration", "train_time"),
}  # fmt: skip
