"""What names of measures and columns mean: known by whole words, or not known."""

import pytest

import replicast as rc
from replicast.reading.vocabulary.measures import MEASURES, find_measure
from replicast.reading.vocabulary.roles import find_role
from replicast.reading.vocabulary.summaries import is_summary

HIGHER = """test_accuracy|mean_test_neg_log_loss|roc_auc|d2_log_loss_score|pass@1|win_rate
f1-score|F1_macro
mAP|mAP@0.5:0.95|Recall@10|top-1 accuracy|top5_acc|AreaUnderROC|classif.acc|regr.rsq|test/acc
val acc|BalAcc|Percent_correct|Kappa_statistic|neg_root_mean_squared_error
test_neg_mean_absolute_error|Accuracy (%)|Acc.|Macro-F1|micro F1|MRR|nDCG@10|R2|R²|Adjusted R²
explained_variance|balanced_accuracy_score|AUC-ROC|Cohen's kappa|acc_norm|testAccuracy|F_measure
Weighted_avg_area_under_ROC|Matthews_correlation|neg_brier_score|1 - error|c-index
log-likelihood|IR_precision|Area_under_PRC|BLEU-4|rouge1|ROUGE-L|f1_weighted|eval/accuracy|hit@1
Prec.|MCC|Rank-1|rank@1|Rank@10|rank-5 accuracy
TM-score|SI-SDR|PESQ|STOI|MOTA|IDF1|main_score|准确率|정확도|точность"""
LOWER = """test-rmse|test/mae|val_loss|classif.ce|mmce|logloss|RMSE_test|ece|ppl|word_perplexity
bits_per_byte|crps|wer|mase|nrmse|latency|avg_rank|fid|aic|brier_score|error rate|Error Rate (%)
1-acc|1 - accuracy|1_minus_auc|neg_accuracy|log_loss|Cross-Entropy|neg_log_likelihood
negative_log_likelihood|nll|Mean_absolute_error|sMAPE|fit_time|FitTime|MemoryUsage
valid binary_logloss|test_error|err_rate|EER|FPR|deviance|brier_score_loss|Hamming loss
zero_one_loss|0-1 loss|regret|Davies-Bouldin|MAPE|pinball loss|train_loss|time (s)|Mean rank
accuracy_rank|TER|CER|KL divergence|Elapsed_Time_training|Relative_absolute_error|hinge_loss
mlogloss|MSE|toxicity|hallucinations|错误率|誤差率|Ошибка|RMSD|chamfer|AbsRel"""
UNKNOWN = """quux|平均速度|оценка|점수|sentiment_acc|timeseries_accuracy|error_detection_f1
runtime_adjusted_accuracy|score|value
accuracy_drop|acc_diff|delta_acc|mean_error|bias|gini|ks|std_accuracy|accuracy_std|coverage|gap
inverse_error|attack_success_rate|improvement|error_reduction|loss_ratio|non_accuracy
InceptionTime|HC2|svm|test|n"""
PARTS = ("{}", "test_{}", "val/{}", "mean_{}", "eval-{}", "{} (%)", "{}_score", "best {}")


def names(block: str) -> list[str]:
    return [name for line in block.splitlines() for name in line.split("|")]


@pytest.mark.parametrize("name", names(HIGHER))
def test_higher_is_better(name: str) -> None:
    known = find_measure(name)
    assert known is not None
    assert known.greater_is_better


@pytest.mark.parametrize("name", names(LOWER))
def test_lower_is_better(name: str) -> None:
    known = find_measure(name)
    assert known is not None
    assert not known.greater_is_better


@pytest.mark.parametrize("name", names(UNKNOWN))
def test_a_name_with_an_unknown_word_is_not_known(name: str) -> None:
    assert find_measure(name) is None


@pytest.mark.parametrize("part", PARTS)
def test_what_stands_around_a_measure_never_turns_it(part: str) -> None:
    for name, measure in MEASURES.items():
        known = find_measure(part.format(name))
        assert known is None or known.greater_is_better == measure.greater_is_better, name


@pytest.mark.parametrize("name", sorted(MEASURES))
def test_neg_turns_a_measure(name: str) -> None:
    known = find_measure(f"neg_{name}")
    if known is not None and f"neg{name}" not in MEASURES:
        assert known.greater_is_better != MEASURES[name].greater_is_better


@pytest.mark.parametrize(
    ("role", "block"),
    [
        ("fold", "fold|Fold|fold_id|fold_no|outer_fold|cv_fold|Key_Fold|params.fold|fold number"),
        ("run", "run|Run|rep|repeat|repetition|trial|run_no|Key_Run|trial_number"),
        ("seed", "seed|random_state|random seed|seed_id|params.seed"),
        ("classifier", "model|Models|Methods|Classifiers|LLM|System|Approach|Technique|learner.id"),
        ("dataset", "dataset|Data set|data_name|task.id|task_id|problem|corpus|Dataset name"),
        ("case", "id|example_id|question_id|doc_id|question|prompt|sample_no|case|instance_id"),
        ("truth", "y_true|label|target|gold|actual|y|ground_truth|true_label"),
        ("size", "#instances|#features|n|n_samples|num_classes|instances"),
        ("number", "#|No.|nr|Unnamed: 0|"),
    ],
)  # fmt: skip
def test_roles_of_columns(role: str, block: str) -> None:
    assert {name: find_role(name) for name in block.split("|")} == dict.fromkeys(
        block.split("|"), role
    )


def test_rows_that_sum_up_others() -> None:
    known = (
        "Avg. Acc.|Mean acc|Rank|#wins|Durchschnitt|W/T/L|average rank|Std. Dev.|Mittelwert|Overall"
    )
    assert all(map(is_summary, known.split("|")))
    assert not any(map(is_summary, ("iris", "wine", "ECG200", "Meat", "Rankine", "averagefish")))


SUMMED_UP = """平均值 均值 平均値 평균 合計 Среднее Średnia Ortalama Genomsnitt Medelvärde
Gennemsnitt Keskiarvo Moy. Moyenne_générale Valor_medio Gesamtmittel Gesamtergebnis
Totaal Averaged Geo._mean x̄ Écart-type Desv._est. Desviación_estándar Std.-Abw. Stabw
S.D. 标准差 標準偏差 Desvio_padrão Streuung"""


@pytest.mark.parametrize("name", SUMMED_UP.split())
def test_means_and_deviations_of_many_languages_sum_up(name: str) -> None:
    assert is_summary(name.replace("_", " "))


def test_a_measure_in_another_script_that_nobody_knows_is_asked_about() -> None:
    """Its letters were left out, so that its name said nothing and higher was assumed to be better."""
    text = "dataset,model,{}\niris,a,0.8\niris,b,0.7\nwine,a,0.9\nwine,b,0.8\n"
    with pytest.raises(rc.InvalidArgumentError, match=r"higher_is_better|greater_is_better"):
        rc.read_scores({"s.csv": text.format("推定値").encode()})
    table = rc.read_scores({"s.csv": text.format("错误率").replace("model", "模型").encode()})
    assert (table.metric, table.greater_is_better) == ("错误率", False)
