"""Three hundred names of measures, and which way each is better by its definition."""

HIGHER = """
accuracy acc Accuracy ACC test_accuracy val_acc valid_acc mean_test_score_accuracy test/acc
val/accuracy eval/accuracy train_test_accuracy eval_accuracy acc_norm acc@1 top1_acc
top-1_accuracy top5_accuracy top_5_acc Acc@5 accuracy_score balanced_accuracy bal_acc BalAcc
balanced_acc balanced_accuracy_score mean_accuracy overall_accuracy Percent_correct pct_correct
exact_match em EM exact_match_score correct is_correct pass@1 pass_at_1 pass@10 solve_rate
success_rate win_rate hit_rate hits@10 Hits@1 recall@5 precision@10 P@10 R@100 ndcg ndcg@10 NDCG
map mAP mAP50 MAP@10 mean_average_precision mrr MRR MRR@10 auc AUC roc_auc ROC-AUC auroc AUROC
AUC_ROC roc_auc_ovr roc_auc_ovo_weighted test_roc_auc val_auc pr_auc PR-AUC auprc AUPRC
average_precision AP avg_precision gini f1 F1 f1_score F1-score f1_macro macro_f1 f1_micro
micro-F1 f1_weighted weighted_f1 F1_macro test_f1 val_f1 fbeta f2 f0.5 precision recall
sensitivity specificity tpr tnr true_positive_rate true_negative_rate npv ppv
positive_predictive_value precision_macro recall_macro precision_weighted recall_weighted jaccard
jaccard_score iou IoU mIoU mean_iou dice dice_score DSC kappa Kappa cohen_kappa cohens_kappa
quadratic_weighted_kappa qwk mcc MCC matthews_corrcoef informedness youden_j g_mean gmean r2 R2
r2_score r_squared adjusted_r2 explained_variance explained_variance_score pearson pearson_r
pearsonr spearman spearmanr spearman_rho kendall_tau concordance c_index concordance_index
harrell_c d2_absolute_error_score bleu BLEU sacrebleu bleu4 rouge1 rouge2 rougeL rouge-l ROUGE-L
meteor METEOR chrf chrF++ bertscore bertscore_f1 comet cider CIDEr spice psnr PSNR ssim SSIM
inception_score silhouette silhouette_score adjusted_rand_index ari ARI nmi NMI
normalized_mutual_info adjusted_mutual_info ami purity v_measure homogeneity completeness
calinski_harabasz log_likelihood loglikelihood neg_log_loss neg_mean_squared_error
neg_root_mean_squared_error neg_mean_absolute_error test_neg_log_loss neg_brier_score
neg_max_error neg_median_absolute_error reward mean_reward episode_reward average_return elo Elo
mc1 mc2 acc_mutual_info throughput tokens_per_second sentiment_acc runtime_adjusted_accuracy
error_detection_f1 time_to_event_auc loss_aware_accuracy
"""
LOWER = """
error err error_rate test_error val_error Error misclassification misclassification_rate mmce
classif.ce classif_error zero_one_loss top1_error top-5_error top5_err balanced_error_rate ber BER
Percent_incorrect hamming_loss loss test_loss val_loss valid_loss eval_loss log_loss logloss
test_logloss LogLoss mlogloss multi_logloss binary_logloss cross_entropy crossentropy ce_loss
binary_crossentropy nll NLL negative_log_likelihood hinge_loss focal_loss brier brier_score Brier
brier_loss ece ECE expected_calibration_error mce_calibration calibration_error ace_calibration
mse MSE test_mse val_mse mean_squared_error rmse RMSE test_rmse test-rmse val_rmse
root_mean_squared_error rmsle RMSLE msle mae MAE test_mae test/mae mean_absolute_error
median_absolute_error medae max_error mape MAPE smape sMAPE wape mase MASE nrmse NRMSE nmae rae
rrse relative_absolute_error crps CRPS pinball_loss quantile_loss huber_loss poisson_deviance
mean_poisson_deviance gamma_deviance deviance tweedie_deviance perplexity ppl PPL word_perplexity
byte_perplexity bits_per_byte bpb bits_per_char bpc bits_per_dim bpd wer WER word_error_rate cer
CER character_error_rate ter TER edit_distance levenshtein levenshtein_distance hausdorff
hausdorff_distance hd95 HD95 chamfer_distance earth_movers_distance wasserstein fid FID kid KID
lpips LPIPS eer EER equal_error_rate false_positive_rate fpr FPR false_negative_rate fnr FNR fpr95
FPR@95TPR miss_rate false_discovery_rate davies_bouldin davies_bouldin_score aic AIC aicc bic BIC
rank avg_rank mean_rank average_rank latency latency_ms inference_time inference_time_ms
training_time train_time fit_time runtime runtime_s elapsed_time wall_time cpu_time duration
seconds time_ms memory_mb peak_memory memory_usage max_memory regret simple_regret
cumulative_regret inertia reconstruction_error rouge_loss hallucination_rate toxicity
"""
NAMES: dict[str, str] = {
    **dict.fromkeys(HIGHER.split(), "higher"),
    **dict.fromkeys(LOWER.split(), "lower"),
}
