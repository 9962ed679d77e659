"""Write docs/trust.md: every claim with the test that would fail if it were false, and the counts.

    python docs/make_trust.py

Counts come from the files themselves: golden numbers from tests/golden, mutants from tests/mutants,
fuzzed inputs from tests/golden/fuzz/report.json, faults from the tests that inject them. A test
checks that the page is up to date and that every test it names exists.
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "trust.md"
_NO_BROWSER = (
    "Chromium is not installed; where `REQUIRE_BROWSER` is set, as in `.ci/run`, this fails"
)

CLAIMS: tuple[tuple[str, str], ...] = (
    ("Wilcoxon's test counts all sign patterns, ties included", "tests/test_golden.py::test_exact_signed_rank_as_in_r"),
    ("the same, by enumerating every pattern", "tests/test_independent.py::test_signed_rank_exact"),
    ("overlapping training sets enlarge the variance by n_test / n_train", "tests/test_golden.py::test_corrected_ttest_as_in_r"),
    ("t-tests, sign test, McNemar, 5x2cv are those of R", "tests/test_golden.py::test_five_by_two_as_in_r"),
    ("marks and means are those of the Weka Experimenter", "tests/test_golden.py::test_weka_marks_and_means"),
    ("effects and their intervals are those of R", "tests/test_golden.py::test_effects_as_in_r"),
    ("tails of the noncentral t hold to 50 digits of mpmath", "tests/test_golden.py::test_noncentral_t_as_in_mpmath"),
    ("identical models give p = 1, never infinity", "tests/contract/test_methods.py::test_identical_classifiers_are_never_different"),
    ("round-off is not variance: 0.8 - 0.7 ties with 0.9 - 0.8", "tests/test_peers.py::test_ties_survive_subtraction"),
    ("swapping the classifiers mirrors every result", "tests/contract/test_methods.py::test_swapping_mirrors"),
    ("the unit of the scores does not matter", "tests/contract/test_methods.py::test_unit_of_the_scores_does_not_matter"),
    ("many rows at once give what a loop gives", "tests/contract/test_methods.py::test_batch_equals_loop"),
    ("a test refuses designs it is not valid for", "tests/contract/test_methods.py::test_design_it_is_not_valid_for_is_refused"),
    ("tests keep their level on equal classifiers", "tests/contract/test_methods.py::test_null_pvalues_are_near_uniform"),
    ("significant means p < level, everywhere", "tests/test_peers.py::test_pvalue_equal_to_the_level_is_not_significant"),
    ("as published: Berrar's numbers to the printed digit", "tests/test_replication.py::test_binomial_example"),
    ("the calibrated chance is better calibrated than the plug-in", "tests/test_calibration.py::test_default_beats_the_plug_in"),
    ("a curve is made of the single answers", "tests/test_replication.py::test_the_curve_is_made_of_single_answers"),
    ("Neumann's case study comes out", "tests/test_golden.py::test_neumann_case_study"),
    ("Bouckaert and Frank's table comes out of R1 and R2", "tests/test_independent.py::test_bouckaert_frank_table1"),
    ("Friedman, adjusted p-values and Nemenyi agree with second implementations", "tests/test_independent.py::test_adjusted_p"),
    ("pictures never contradict p-values", "tests/test_many.py::test_picture_never_contradicts_the_pvalues"),
    ("C4.5, naive Bayes and IB1 predict what Weka predicts, case by case", "tests/test_weka_learners.py::test_predictions_are_those_of_weka"),
    ("fast cross-validation gives the predictions of refitting", "tests/test_fast_learners.py::test_folds_equal_refitting"),
    ("partitions of the same seed are the same bits", "tests/test_fast_learners.py::test_the_same_generator_gives_the_same_bits"),
    ("text says only what the record holds", "tests/test_reports.py::test_statements_say_what_the_record_holds"),
    ("whatever is given for an argument gets an answer or one sentence", "tests/adversarial/test_odd_arguments.py::test_odd_arguments"),
    ("every format gives back the scores written in it", "tests/properties/test_readers.py::test_long"),
    ("a missing score is never made up", "tests/properties/test_readers.py::test_a_missing_score_is_never_made_up"),
    ("whatever fuzzing found stays mended", "tests/test_fuzz_finds.py::test_find"),
    ("a study gives the same bytes in one process, several, or on Dask", "tests/test_studies.py::test_every_store_and_executor_gives_the_same_bytes"),
    ("SIGKILL loses no finished block", "tests/test_studies.py::test_killed_twenty_times"),
    ("a worker's death on Dask changes no byte", "tests/test_studies.py::test_a_dask_worker_dies"),
    ("a full disk loses no finished block", "tests/faults/test_study_faults.py::test_a_disk_that_is_full"),
    ("a read-only disk can be read, and says so when written", "tests/faults/test_study_faults.py::test_a_disk_that_cannot_be_written"),
    ("clocks decide nothing", "tests/faults/test_study_faults.py::test_clocks_that_jump"),
    ("two runs on one store end with the bytes of one", "tests/faults/test_study_faults.py::test_two_runs_on_one_store_at_once"),
    ("slow clients hold up no one", "tests/faults/test_server_faults.py::test_slow_clients"),
    ("aborted uploads leave nothing behind", "tests/faults/test_server_faults.py::test_aborted_uploads"),
    ("500 open connections hold up no one", "tests/faults/test_server_faults.py::test_five_hundred_open_connections"),
    ("numbers on the page are the library's", "tests/web/test_api.py::test_numbers_are_the_librarys"),
    ("script in a name, a table or an address is shown, not run", "tests/web/test_api.py::test_injected_script_is_escaped"),
    ("no file of the server can be asked for", "tests/web/test_api.py::test_no_file_of_the_server_is_read"),
    ("zip bombs get a sentence", "tests/web/test_uploads.py::test_a_bomb"),
    ("a table that takes too long is ended", "tests/web/test_uploads.py::test_workers_end_what_takes_too_long"),
    ("text on the pages has the contrast of WCAG AA", "tests/web/test_browser.py::test_contrast"),
    ("nothing is asked of the network at run time", "tests/test_package.py::test_no_network_at_run_time"),
    ("`import replicast` is quick and light", "tests/test_package.py::test_import_is_quick_and_light"),
    ("a mistake gets one sentence and exit code 2", "tests/test_cli.py::test_mistakes_get_one_sentence_and_exit_code_2"),
    ("what the README shows is what happens", "tests/test_readme.py::test_console_blocks"),
    ("what the documentation shows is what happens", "tests/test_docs.py::test_console_blocks"),
)  # fmt: skip


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


def page() -> str:
    """Return the whole page."""
    parts = [
        "# Why should you trust it?",
        "",
        "Green tests prove nothing if no test could fail. So: each claim beside the test that would fail if",
        "it were false, and how hard the whole was hit. Made by `docs/make_trust.py` from the files named.",
        "",
        "## Claims",
        "",
        "| claim | the test that would fail |",
        "|---|---|",
        *(f"| {claim} | `{test}` |" for claim, test in CLAIMS),
        "",
        *_sources(),
        *_golden(),
        *_mutants(),
        *_coverage(),
        *_fuzzed(),
        *_faults(),
        *_exceptions(),
    ]
    return "\n".join(parts).rstrip() + "\n"


def _sources() -> list[str]:
    file = ROOT / "tests" / "adversarial" / "sources.json"
    if not file.exists():
        return []
    told: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    counts = Counter(len(one["sources"]) for one in told)
    lines = [
        "## Every function against independent sources",
        "",
        f"{len(told)} functions; {counts[2]} against two sources, {sum(counts.values()) - counts[2]} "
        "against more (`tests/adversarial/sources.json` names the tests).",
        "",
        "| function | checked against |",
        "|---|---|",
    ]
    lines += [f"| `{one['function']}` | {'; '.join(one['sources'])} |" for one in told]
    return [*lines, ""]


def _golden() -> list[str]:
    rows: Counter[str] = Counter()
    for file in sorted((ROOT / "tests" / "golden").glob("*.json")):
        told = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(told, dict) and isinstance(told.get("cases"), list):
            rows[_short(str(told["source"]))] += len(told["cases"])
    for file in sorted((ROOT / "tests" / "golden").glob("weka-*.csv")):
        rows["Weka, case by case"] += len(file.read_text(encoding="utf-8").splitlines()) - 1
    printed = ROOT / "src" / "replicast" / "studies" / "published"
    for file in sorted(printed.glob("*.json")):
        rows["printed in the four papers (numbers)"] += _numbers(
            json.loads(file.read_text(encoding="utf-8"))
        )
    lines = [
        "## Golden values by source",
        "",
        "Cases, each with several numbers; every file names the program, its version and the command.",
        "",
        "| source | cases |",
        "|---|---|",
    ]
    return [*lines, *(f"| {source} | {count:,} |" for source, count in rows.most_common()), ""]


def _short(source: str) -> str:
    return re.split(r"[;(:]| with ", source)[0].strip()[:70]


def _numbers(told: Any) -> int:
    if isinstance(told, bool):
        return 0
    if isinstance(told, int | float):
        return 1
    if isinstance(told, dict):
        return sum(_numbers(value) for value in told.values())
    return sum(_numbers(value) for value in told) if isinstance(told, list) else 0


def _mutants() -> list[str]:
    file = ROOT / "tests" / "mutants" / "results.json"
    if not file.exists():
        return []
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    total = {
        key: sum(one.get(key, 0) for one in told.values())
        for key in ("killed", "timeout", "survived")
    }
    killed = total["killed"] + total["timeout"]
    every = killed + total["survived"]
    return [
        "## Mutants",
        "",
        f"{every:,} small faults were put into the kernels, one at a time; the tests noticed {killed:,} "
        f"({100 * killed / every:.1f} %). The {total['survived']:,} survivors stand with their reasons in "
        "[mutants.md](mutants.md). Rerun with `make mutants`.",
        "",
    ]


def _coverage() -> list[str]:
    file = ROOT / "tests" / "coverage.json"
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return [
        "## Coverage",
        "",
        f"The tests reach {told['lines']} % of {told['num_statements']:,} lines and {told['branches']} % of "
        f"{told['num_branches']:,} branches of `src/`, without a line left out by a comment. Compiled "
        "kernels and learners are counted in a second run as plain Python. Measured and checked by "
        "`make coverage`.",
        "",
    ]


def _fuzzed() -> list[str]:
    file = ROOT / "tests" / "golden" / "fuzz" / "report.json"
    if not file.exists():
        return []
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    finds = len([one for one in file.parent.glob("*/*") if one.is_file()])
    lines = [
        "## Fuzzing",
        "",
        f"{sum(one['inputs'] for one in told.values()):,} inputs to {len(told)} readers (atheris, "
        f"{min(one['seconds'] for one in told.values()) // 60} minutes each or more; `make fuzz`). {finds} "
        "finds were mended and are kept in `tests/golden/fuzz`.",
        "",
        "| reader | inputs |",
        "|---|---|",
    ]
    return [*lines, *(f"| {name} | {one['inputs']:,} |" for name, one in sorted(told.items())), ""]


def _faults() -> list[str]:
    lines = ["## Faults injected", ""]
    for file in ("tests/faults/test_study_faults.py", "tests/faults/test_server_faults.py"):
        for name in re.findall(
            r"^def (test_\w+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE
        ):
            lines.append(f"- {name.removeprefix('test_').replace('_', ' ')} (`{file}`)")
    return [
        *lines,
        "- twenty SIGKILLs at random moments, a killed Dask worker, damaged blocks (`tests/test_studies.py`)",
        "",
    ]


_SKIPS = re.compile(
    r"pytest\.(?:mark\.)?(?:skip|skipif|importorskip|xfail)\((?:[^()]|\([^()]*\))*\)"
)
_IGNORES = re.compile(r"(?:simplefilter|filterwarnings)\(\s*\"ignore[^)]*\)([^\n]*)")


def _exceptions() -> list[str]:
    """List every way a test may be left out and every warning that is ignored, with its reason."""
    skips, ignored = [], []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        place, text = f"`{file.relative_to(ROOT)}`", file.read_text(encoding="utf-8")
        for call in _SKIPS.findall(text):
            words = re.search(r"reason=f?\"(.*?)\"", call) or re.search(r"\(f?\"(.*?)\"", call)
            reason = (
                _NO_BROWSER if words is None and file.name == "browser.py" else words and words[1]
            )
            if not reason:
                raise ValueError(f"{place}: a test is left out without a reason: {call}")
            skips.append(f"- {place}: {re.sub(r'{.*?}', '...', reason)}")
        for comment in _IGNORES.findall(text):
            if "#" not in comment:
                raise ValueError(f"{place}: a warning is ignored without a reason")
            ignored.append(f"- {place}: {comment.partition('#')[2].strip()}")
    for reason in re.findall(
        r"^# ignored: (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    ):
        ignored.append(f"- `Makefile`: {reason}")
    return [
        "## Left out or ignored, and why",
        "",
        "No test is expected to fail. Tests that take minutes run with `make slow`. Tests are skipped only",
        "where what they need is missing; each prints its reason:",
        "",
        *dict.fromkeys(skips),
        "",
        "Warnings are errors in all tests. Those that are ignored, in the tests concerned alone:",
        "",
        *dict.fromkeys(ignored),
        "",
    ]


if __name__ == "__main__":
    main()
