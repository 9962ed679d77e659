"""What replicast claims, the test that guards each claim, and a fault that makes the claim false.

`make claims` puts each fault into a copy of the package, one at a time, and sees that the test fails.
"""

from typing import NamedTuple


class Fault(NamedTuple):
    """One change of one line; the old text occurs once in the file."""

    file: str  # below src/replicast
    old: str
    new: str


class Claim(NamedTuple):
    """A sentence, the test that would fail if it were false, and a fault that makes it so."""

    text: str
    test: str
    fault: Fault


_MIDRANKS = Fault(
    "kernels/ranks.py", "total += 2 * smaller + equal + 1", "total += 2 * smaller + 2"
)
_NO_CORRECTION = Fault(
    "kernels/student.py",
    "np.sqrt(1 / rows.shape[-1] + test_train_ratio)",
    "np.sqrt(1 / rows.shape[-1])",
)
_WRONG_SCORES = Fault(
    "reading/assembly.py", "cube.reshape(-1)[cell] = scores", "cube.reshape(-1)[cell] = scores / 2"
)
_FRESH_ENTROPY = Fault(
    "studies/plan.py", "np.random.default_rng(sequence)", "np.random.default_rng()"
)
_NO_SENTENCE = Fault("studies/store.py", "if isinstance(error, OSError):", "if error is self:")
_EFFECT = Fault(
    "effects.py",
    "d = float(student.ratio_or_infinity(mean, deviation))",
    "d = 2 * float(student.ratio_or_infinity(mean, deviation))",
)
_OTHER_WORDS = Fault(
    "presentation/words/comparison.py",
    "Would it hold on fresh data? {_about(chance)}",
    "{_about(chance)}",
)
_READERS = "tests/properties/test_readers.py::"

CLAIMS: tuple[Claim, ...] = (
    # ---- tests and effects
    Claim("Wilcoxon's test counts all sign patterns, ties included: as in R",
          "tests/test_golden.py::test_exact_signed_rank_as_in_r", _MIDRANKS),
    Claim("the same, by enumerating every pattern",
          "tests/test_golden.py::test_kernels_against_brute_force", _MIDRANKS),
    Claim("overlapping training sets enlarge the variance by n_test / n_train",
          "tests/test_golden.py::test_corrected_ttest_as_in_r", _NO_CORRECTION),
    Claim("the paired t-test is that of R",
          "tests/test_golden.py::test_paired_ttest_as_in_r",
          Fault("inference/student.py",
                't_result(admitted, found, len(admitted.sample) - 1, "mean difference")',
                't_result(admitted, found, len(admitted.sample), "mean difference")')),
    Claim("the sign test is that of R",
          "tests/test_golden.py::test_sign_test_as_in_r",
          Fault("inference/ranks.py",
                "pvalue = counts.binomial_pvalue(wins, losses, equal, ties_rule=ties",
                "pvalue = counts.binomial_pvalue(wins, losses + 1, equal, ties_rule=ties")),
    Claim("McNemar's test is that of R",
          "tests/test_golden.py::test_mcnemar_as_in_r",
          Fault("inference/counts.py", "pvalue=float(_pvalues(first_only, second_only, method",
                "pvalue=float(_pvalues(first_only, second_only + 1, method")),
    Claim("the 5x2cv tests are those of R",
          "tests/test_golden.py::test_five_by_two_as_in_r",
          Fault("inference/five_by_two.py", "t_result(admitted, found, 5,",
                "t_result(admitted, found, 4,")),
    Claim("marks and means are those of the Weka Experimenter",
          "tests/test_golden.py::test_weka_marks_and_means", _NO_CORRECTION),
    Claim("effects and their intervals are those of R",
          "tests/test_golden.py::test_effects_as_in_r", _EFFECT),
    Claim("small tails of the noncentral t keep their digits: mpmath with 50",
          "tests/kernels/test_noncentral.py::test_small_tails_keep_their_digits",
          Fault("kernels/noncentral.py", "_DIGITS_FROM = 1e-6", "_DIGITS_FROM = -1.0")),
    Claim("identical models give p = 1, never infinity",
          "tests/contract/test_methods.py::test_identical_classifiers_are_never_different",
          Fault("inference/student.py",
                "pvalue = float(student.constant_row_pvalue(np.asarray(estimate), n, alternative))",
                "pvalue = 0.5")),
    Claim("round-off is not variance: 0.8 - 0.7 ties with 0.9 - 0.8",
          "tests/test_peers.py::test_ties_survive_subtraction",
          Fault("kernels/rounding.py", "_DIGITS = 14", "_DIGITS = 18")),
    Claim("swapping the classifiers mirrors every result",
          "tests/contract/test_methods.py::test_swapping_mirrors",
          Fault("kernels/student.py", "return mean, standard_error, ratio_or_infinity(mean,",
                "return mean, standard_error, ratio_or_infinity(mean + 1e-3,")),
    Claim("the unit of the scores does not matter",
          "tests/contract/test_methods.py::test_unit_of_the_scores_does_not_matter",
          Fault("scores.py", "difference = snap(first - second, np.asarray(magnitude))",
                "difference = np.round(first - second, 2)")),
    Claim("many rows at once give what a loop gives",
          "tests/contract/test_methods.py::test_batch_equals_loop",
          Fault("inference/student.py", 'pvalue = student.t_pvalue(statistic, df, "two-sided")',
                'pvalue = student.t_pvalue(statistic, df + 1, "two-sided")')),
    Claim("a test refuses designs it is not valid for",
          "tests/contract/test_methods.py::test_design_it_is_not_valid_for_is_refused",
          Fault("inference/evidence.py",
                "refuse_design(scores.design, method)", "pass")),
    Claim("tests keep their level on equal classifiers",
          "tests/contract/test_methods.py::test_null_pvalues_are_near_uniform",
          Fault("inference/student.py", 'pvalue = student.t_pvalue(statistic, df, "two-sided")',
                'pvalue = student.t_pvalue(1.5 * statistic, df, "two-sided")')),
    Claim("significant means p < level, everywhere",
          "tests/test_peers.py::test_pvalue_equal_to_the_level_is_not_significant",
          Fault("results.py", "return pvalue < significance", "return pvalue <= significance")),
    # ---- replication and replicability
    Claim("as published: Berrar's binomial model to the printed digit",
          "tests/test_replication.py::test_binomial_example",
          Fault("replication/counts.py", "rate = won / total", "rate = won / (total + 1)")),
    Claim("as published: Berrar's Bayesian model to the printed digit",
          "tests/test_replication.py::test_bayesian_example",
          Fault("replication/counts.py", "rate = a / (a + b)", "rate = a / (a + b + 1)")),
    Claim("as published: Berrar's Wilcoxon model to the printed digit",
          "tests/test_replication.py::test_wilcoxon_examples",
          Fault("replication/counts.py", "special.ndtr((gain * z - critical) / self.spread)",
                "special.ndtr(gain * z - critical)")),
    Claim("as published: Berrar's t model to the printed digit",
          "tests/test_replication.py::test_t_examples",
          Fault("replication/student.py", "centres = [self.statistic]",
                "centres = [self.statistic + 0.1]")),
    Claim("the calibrated chance is better calibrated than the plug-in",
          "tests/test_calibration.py::test_default_beats_the_plug_in",
          Fault("replication/models.py", "return model.assess(None, goal)",
                "return model.plug_in(goal)")),
    Claim("a curve is made of the single answers",
          "tests/test_replication.py::test_the_curve_is_made_of_single_answers",
          Fault("replication/curves.py", 'assess(model, "calibrated", goal)',
                'assess(model, "flat", goal)')),
    Claim("Neumann's case study comes out",
          "tests/test_golden.py::test_neumann_case_study", _EFFECT),
    Claim("Bouckaert and Frank's table comes out of R2 and consistency",
          "tests/test_agreement.py::test_table_1_of_bouckaert_and_frank",
          Fault("kernels/agreement.py", "(counts * (counts - 1)).sum(axis=-1)",
                "(counts * counts).sum(axis=-1)")),
    # ---- many classifiers
    Claim("Friedman's test is that of R",
          "tests/test_ranking.py::test_friedman_agrees_with_r",
          Fault("inference/friedman.py", "((ahead == 0).sum(axis=1) + 1) / 2", "(ahead == 0).sum(axis=1)")),
    Claim("corrected p-values are those of R",
          "tests/test_ranking.py::test_corrections_agree_with_r",
          Fault("kernels/multiplicity.py", "np.arange(len(pvalues), 0.0, -1.0)",
                "np.full(len(pvalues), float(len(pvalues)))")),
    Claim("Nemenyi's difference is that of R",
          "tests/test_ranking.py::test_nemenyi_agrees_with_r_and_the_double",
          Fault("inference/friedman.py", "studentized_range.ppf(1 - significance, classifiers, np.inf)",
                "studentized_range.ppf(1 - significance / 2, classifiers, np.inf)")),
    Claim("pictures never contradict p-values",
          "tests/test_many.py::test_picture_never_contradicts_the_pvalues",
          Fault("presentation/pictures/standings.py", "alike[j, i] = not cell.significant",
                "alike[j, i] = cell.adjusted > 0.2")),
    # ---- learners and experiments
    Claim("C4.5, naive Bayes and IB1 predict what Weka predicts, case by case",
          "tests/test_weka_learners.py::test_predictions_are_those_of_weka",
          Fault("learners/c45/classifier.py", "confidence: float = 0.25,", "confidence: float = 0.01,")),
    Claim("fast cross-validation gives the predictions of refitting",
          "tests/test_fast_learners.py::test_folds_equal_refitting",
          Fault("learners/bayes/gaussian.py", "first[part, j] += Z[i, j]",
                "first[part, j] += 1.1 * Z[i, j]")),
    Claim("partitions of the same seed are the same bits",
          "tests/test_fast_learners.py::test_the_same_generator_gives_the_same_bits",
          Fault("kernels/splits.py", "return rng.integers(0, 2**64, dtype=np.uint64)",
                "return np.random.default_rng().integers(0, 2**64, dtype=np.uint64)")),
    # ---- words
    Claim("text says only what the record holds",
          "tests/test_reports.py::test_statements_say_what_the_record_holds",
          Fault("presentation/words/statements.py", "{format_percent(found.probability)} (",
                "{format_percent(found.as_published)} (")),
    Claim("headlines follow the chance of replication",
          "tests/test_reports.py::test_headlines_follow_the_chance",
          Fault("presentation/words/statements.py", "chance = comparison.replication.probability",
                "chance = 1 - comparison.replication.probability")),
    Claim("a mistake gets one sentence and exit code 2",
          "tests/test_cli.py::test_mistakes_get_one_sentence_and_exit_code_2",
          Fault("cli/terminal.py", "raise typer.Exit(2) from None", "raise typer.Exit(1) from None")),
    Claim("whatever is given for an argument gets an answer or one sentence",
          "tests/adversarial/test_odd_arguments.py::test_odd_arguments",
          Fault("errors.py", "except (TypeError, ValueError, OverflowError):",
                "except OverflowError:")),
    Claim("what the README shows is what happens",
          "tests/test_readme.py::test_console_blocks", _OTHER_WORDS),
    Claim("what the documentation shows is what happens",
          "tests/test_docs.py::test_console_blocks", _OTHER_WORDS),
    # ---- reading
    Claim("long tables give back the scores written in them", f"{_READERS}test_long", _WRONG_SCORES),
    Claim("wide tables do", f"{_READERS}test_wide", _WRONG_SCORES),
    Claim("Parquet files and data frames do", f"{_READERS}test_long_parquet_and_frame", _WRONG_SCORES),
    Claim("files of the Weka Experimenter do", f"{_READERS}test_weka", _WRONG_SCORES),
    Claim("results of aeon do", f"{_READERS}test_aeon", _WRONG_SCORES),
    Claim("results of the AutoML benchmark do", f"{_READERS}test_automl", _WRONG_SCORES),
    Claim("evaluations of OpenML do", f"{_READERS}test_openml", _WRONG_SCORES),
    Claim("runs of MLflow do", f"{_READERS}test_mlflow", _WRONG_SCORES),
    Claim("results of scikit-learn do", f"{_READERS}test_scikit_learn", _WRONG_SCORES),
    Claim("predictions, lm-eval samples and tsml results do", f"{_READERS}test_cases", _WRONG_SCORES),
    Claim("a missing score is never made up",
          f"{_READERS}test_a_missing_score_is_never_made_up",
          Fault("reading/assembly.py", "cube = np.full(tuple(map(len, axes)), np.nan)",
                "cube = np.zeros(tuple(map(len, axes)))")),
    Claim("whatever fuzzing found stays mended",
          "tests/test_fuzz_finds.py::test_find",
          Fault("reading/files.py", "except Exception as error:  # damaged metadata",
                "except OSError as error:  # damaged metadata")),
    # ---- studies
    Claim("a study gives the same bytes in one process or several",
          "tests/test_studies.py::test_every_store_and_executor_gives_the_same_bytes",
          _FRESH_ENTROPY),
    Claim("and on Dask", "tests/test_studies.py::test_dask_gives_the_same_bytes", _FRESH_ENTROPY),
    Claim("SIGKILL loses no finished block",
          "tests/test_studies.py::test_killed_and_resumed",
          Fault("studies/execution.py", "there = store.finished()", "there: set[str] = set()")),
    Claim("a worker's death on Dask changes no byte",
          "tests/test_studies.py::test_a_dask_worker_dies", _FRESH_ENTROPY),
    Claim("damaged blocks are found and computed again",
          "tests/test_studies.py::test_damaged_blocks_are_found_and_repaired",
          Fault("studies/execution.py", "repaired = tuple(store.damaged())", "repaired = ()")),
    Claim("a full disk loses no finished block",
          "tests/faults/test_study_faults.py::test_a_disk_that_is_full", _NO_SENTENCE),
    Claim("a read-only disk can be read, and says so when written",
          "tests/faults/test_study_faults.py::test_a_disk_that_cannot_be_written", _NO_SENTENCE),
    Claim("clocks decide nothing",
          "tests/faults/test_study_faults.py::test_clocks_that_jump",
          Fault("studies/plan.py", "np.random.SeedSequence(self.seed,",
                'np.random.SeedSequence(int(__import__("time").time()),')),
    Claim("two runs on one store end with the bytes of one",
          "tests/faults/test_study_faults.py::test_two_runs_on_one_store_at_once", _FRESH_ENTROPY),
    # ---- the server
    Claim("slow clients hold up no one",
          "tests/faults/test_server_faults.py::test_slow_clients",
          Fault("web/uploads.py", "        length += len(chunk)",
                '        length += len(chunk)\n        __import__("time").sleep(3)')),
    Claim("aborted uploads leave nothing behind",
          "tests/faults/test_server_faults.py::test_aborted_uploads",
          Fault("web/uploads.py", "        length += len(chunk)",
                "        length += len(chunk)\n"
                '        too_large.__dict__.setdefault("kept", []).append(bytes(chunk))')),
    Claim("500 open connections hold up no one",
          "tests/faults/test_server_faults.py::test_five_hundred_open_connections",
          Fault("cli/serve.py", "timeout_keep_alive=10,",
                "timeout_keep_alive=10,\n            limit_concurrency=100,")),
    Claim("numbers on the page are the library's",
          "tests/web/test_api.py::test_numbers_are_the_librarys",
          Fault("web/pages/paper.py", "report_replication(first, significance=question.significance)",
                "report_replication(first, significance=question.significance / 2)")),
    Claim("script in a name, a table or an address is shown, not run",
          "tests/web/test_api.py::test_injected_script_is_escaped",
          Fault("presentation/files/rendering.py", "autoescape=True", "autoescape=False")),
    Claim("no file of the server can be asked for",
          "tests/web/test_api.py::test_no_file_of_the_server_is_read",
          Fault("web/uploads.py", 'found.append((PASTED, pasted.encode("utf-8", "replace")))',
                'found.append((PASTED, open(pasted, "rb").read()))')),
    Claim("zip bombs get a sentence",
          "tests/web/test_uploads.py::test_a_bomb",
          Fault("reading/files.py", "raw = file.read(largest + 1)", "raw = file.read()[:largest]")),
    Claim("a table that takes too long is ended",
          "tests/web/test_uploads.py::test_workers_end_what_takes_too_long",
          Fault("web/workers.py", "timeout=self._seconds)", "timeout=None)")),
    Claim("text on the pages has the contrast of WCAG AA",
          "tests/web/test_browser.py::test_contrast",
          Fault("presentation/pictures/palette.py", '"soft": ("#55606f",', '"soft": ("#95a0af",')),
    # ---- the package
    Claim("nothing is asked of the network at run time",
          "tests/test_package.py::test_no_network_at_run_time",
          Fault("reading/files.py", "        size = os.stat(path).st_size",
                '        __import__("socket").create_connection(("192.0.2.1", 9), 1)\n'
                "        size = os.stat(path).st_size")),
    Claim("`import replicast` is light: no heavy module, no memory",
          "tests/test_package.py::test_import_is_light",
          Fault("__init__.py", "from importlib import import_module",
                "from importlib import import_module\n\nimport pandas")),
)  # fmt: skip
