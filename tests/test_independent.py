"""The second implementations agree with R, mpmath, Weka and the numbers printed in the papers."""

import json
import math
from typing import Any

import pytest

import independent as check
from goldens import FOLDER, golden, published


def differences(case: dict[str, Any]) -> list[float]:
    return [a - b for a, b in zip(case["first"], case["second"], strict=True)]


def near(rtol: float, *values: float) -> Any:
    return pytest.approx(values if len(values) > 1 else values[0], rel=rtol, abs=1e-13)


def test_every_golden_file_says_where_it_comes_from() -> None:
    for path in FOLDER.glob("*.json"):
        content = json.loads(path.read_text(encoding="utf-8"))
        keys = [key for key in content if key != "checks"]
        assert keys == ["source", "command", "script", "rtol", "cases"]
        assert (FOLDER / content["script"]).exists()
        assert len(content["cases"]) > 5


def test_paired_t() -> None:
    cases, rtol = golden("paired_ttest")
    for case in cases:
        expected = case["statistic"], case["pvalue"]
        assert check.paired_t(differences(case)) == near(rtol, *expected)


def test_corrected_t() -> None:
    cases, rtol = golden("corrected_ttest")
    for case in cases:
        found = check.corrected_t(differences(case), case["ratio"])
        assert found == near(rtol, case["statistic"], case["pvalue"])


def test_five_by_two() -> None:
    cases, rtol = golden("five_by_two")
    for case in cases:
        x = case["differences"]
        assert check.five_by_two_t(x) == near(rtol, case["statistic"], case["pvalue"])
        assert check.five_by_two_f(x) == near(rtol, case["f"], case["f_pvalue"])


def test_sign() -> None:
    cases, rtol = golden("sign_test")
    for case in cases:
        d = differences(case)
        assert check.sign(d, "drop") == near(rtol, case["pvalue"])
        assert check.sign(d) == near(rtol, case["pvalue_half"])


@pytest.mark.parametrize("name", ["signed_rank_exact", "signed_rank_exact_ties"])
def test_signed_rank_exact(name: str) -> None:
    cases, rtol = golden(name)
    small = [case for case in cases if sum(x != 0 for x in differences(case)) <= 15]
    assert len(small) > 20
    for case in small:
        found = check.signed_rank_exact(differences(case))
        assert found == near(rtol, case["statistic"], case["pvalue"])


def test_signed_rank_counts_give_the_p_of_large_samples() -> None:
    cases, rtol = golden("signed_rank_exact")
    for case in cases:
        n, w = len(case["first"]), int(case["statistic"])
        counts = check.signed_rank_counts(n)
        tail = sum(counts[: min(w, len(counts) - 1 - w) + 1]) / 2**n
        assert min(1.0, 2 * tail) == near(rtol, case["pvalue"])


def test_signed_rank_normal() -> None:
    cases, rtol = golden("signed_rank_normal")
    for case in cases:
        d = differences(case)
        assert check.signed_rank_normal(d) == near(rtol, case["z"], case["pvalue"])
        assert check.rank_r(d) == near(rtol, abs(case["z"]) / math.sqrt(2 * len(d)))


def test_pseudomedian() -> None:
    cases, rtol = golden("pseudomedian")
    for case in cases:
        found = check.pseudomedian(differences(case), case["confidence"])
        assert found == near(rtol, case["estimate"], case["low"], case["high"])


def test_mcnemar() -> None:
    cases, rtol = golden("mcnemar_exact")
    for case in cases:
        assert check.mcnemar_exact(case["b"], case["c"]) == near(rtol, case["pvalue"])
        assert check.mcnemar_midp(case["b"], case["c"]) == near(rtol, case["midp"])


def test_sign_flip_of_ranks_is_the_signed_rank_test() -> None:
    for d in ([1, -2, 3, 4, 5, -6, 7], [1.5, 1.5, 3, -4, 5, -6.5, 6.5], [0.1, 0.2, -0.3]):
        sizes = check.midranks([abs(x) for x in d])
        ranks = [math.copysign(rank, x) for rank, x in zip(sizes, d, strict=True)]
        assert check.sign_flip(ranks) == check.signed_rank_exact(d)[1]
    assert check.sign_flip([0.1, 0.2, -0.3]) == 1.0


def test_effect_sizes() -> None:
    cases, rtol = golden("effect_sizes")
    for case in cases:
        d = differences(case)
        assert check.d_prime(d) == near(rtol, abs(case["d"]))
        assert check.a12(case["first"], case["second"]) == near(rtol, case["a12"])
        assert check.cliffs_delta(case["first"], case["second"]) == near(rtol, case["cliffs_delta"])
        assert check.rank_biserial(d) == near(rtol, case["rank_biserial"])


def test_correlated_posterior() -> None:
    cases, rtol = golden("correlated_posterior")
    for case in cases:
        found = check.correlated_posterior(differences(case), case["ratio"], case["rope"])
        assert found == near(rtol, case["left"], case["within"], case["right"])


def test_signed_rank_posterior() -> None:
    d = [1.0, 2.0, -0.5, 3.0, 1.5, -1.0, 0.7]
    left, rope, right = check.signed_rank_posterior(d, 0.1, 400, 1)
    assert left + rope + right == pytest.approx(1)
    assert right > 0.9
    mirrored = check.signed_rank_posterior([-x for x in d], 0.1, 400, 1)
    assert mirrored == pytest.approx((right, rope, left))
    assert check.signed_rank_posterior(d, 9, 5, 1) == (0, 1, 0)


def test_ks_statistic() -> None:
    cases, rtol = golden("lilliefors")
    for case in cases:
        assert check.ks_statistic(differences(case)) == near(rtol, case["statistic"])


def test_noncentral_t() -> None:
    cases, rtol = golden("nct_tails")
    for case in cases[::9]:
        found = check.nct_upper(case["t"], case["df"], case["ncp"])
        assert found == near(rtol, case["upper"])


def test_power_t() -> None:
    cases, rtol = golden("power_ttest")
    for case in cases[::4]:
        found = check.power_t_exact(case["effect"], case["n"], 0, case["alpha"])
        assert found == near(rtol, case["power"])


def test_power_wilcoxon_is_close_to_that_of_t() -> None:
    for n, effect in ((10, 0.8), (20, 0.5)):
        power = check.power_t_exact(effect, n, 0, 0.05)
        simulated = check.power_wilcoxon_simulated(effect, 1, n, 0.05, 4000, 1)
        assert power - 0.06 < simulated < power + 0.02
        wider = check.power_wilcoxon_simulated(effect, 1, n, 0.05, 4000, 1, "independent")
        half = check.power_t_exact(effect / math.sqrt(2), n, 0, 0.05)
        assert half - 0.06 < wider < half + 0.02


def test_neumann_case_t() -> None:
    case = published("neumann_2021")["case_t"]
    d = [a - b for a, b in zip(case["one_nn"], case["three_nn"], strict=True)]
    t, p = check.paired_t(d)
    assert (round(t, 2), round(p, 4)) == (case["t"], case["p_value"])
    effect = check.d_prime(d)
    assert round(effect, 2) == case["cohen_d"]
    shifted = {n: check.power_t_shifted(effect, n, 0, 0.05) for n in (10, 25, 50)}
    assert round(shifted[10], 2) == case["power_as_published"]["10"]
    assert round(shifted[25], 2) == case["power_as_published"]["25"]
    assert round(shifted[50], 3) == 0.998
    exact = [check.power_t_exact(effect, n, 0, 0.05) for n in (10, 25)]
    assert exact == pytest.approx([0.5142, 0.9237], abs=5e-5)
    rounded = [check.power_t_exact(2.08 / 2.95, n, 0, 0.05) for n in (10, 25)]
    assert rounded == pytest.approx([0.512, 0.922], abs=5e-4)
    assert round(check.ks_pvalue(case["one_nn"]), 2) == 0.68
    assert round(check.ks_pvalue(case["three_nn"]), 2) == 0.83


def test_bouckaert_schemes() -> None:
    figure = published("bouckaert_2004")["figure1"]
    x = figure["differences"]
    pairs = {
        "folds": "average_over_folds",
        "runs": "average_over_runs",
        "sorted": "average_over_sorted_runs",
    }
    for name, key in pairs.items():
        assert check.scheme(x, name) == pytest.approx(figure[key], abs=0.006)
    assert check.scheme(x, "all") == [v for row in x for v in row]
    assert check.scheme(x, "first-run") == x[0]


def test_berrar_binomial_and_bayesian() -> None:
    paper = published("berrar_2024")
    case = paper["binomial_example"]
    found = check.replication_binomial(29, 44, 0.05, 0.05)
    assert check.critical_wins(44, 0.05) == case["critical_wins"]
    assert round(check.sign([1] * 29 + [-1] * 15), 4) == case["p_value"]
    assert check.clopper_pearson(29, 44, 0.05) == pytest.approx(case["ci_theta"], abs=5e-4)
    assert found[0] == pytest.approx(0.5696, abs=5e-5)  # the print rounds the rate first
    assert found[1:] == pytest.approx(case["interval"], abs=5e-4)
    assert check.binomial_upper(29, 44, 0.66) == pytest.approx(case["P"], abs=5e-5)
    case = paper["bayesian_example"]
    found = check.replication_bayesian(29, 44, 0.05, 0.05)
    assert check.beta_hdi(30, 16, 0.05) == pytest.approx(case["hdi_theta"], abs=5e-4)
    assert found[0] == pytest.approx(case["P"], abs=5e-5)
    assert found[1:] == pytest.approx(case["interval"], abs=5e-4)
    case = paper["nonsignificant_example"]
    found = check.replication_binomial(24, 44, 0.05, 0.05)
    assert found[0] == pytest.approx(0.0855, abs=5e-5)  # here too
    assert check.binomial_upper(29, 44, 0.5455) == pytest.approx(
        case["P_significant_next"], abs=5e-5
    )
    assert found[2] == pytest.approx(case["upper_binomial"], abs=5e-5)
    upper = check.replication_bayesian(24, 44, 0.05, 0.05)[2]
    assert upper == pytest.approx(case["upper_bayesian"], abs=5e-5)
    case = paper["study1_group3_single"]
    assert check.replication_binomial(15, 20, 0.05, 0.05)[0] == pytest.approx(
        case["P_binomial"], abs=5e-5
    )
    assert check.replication_bayesian(15, 20, 0.05, 0.05)[0] == pytest.approx(
        case["P_bayesian"], abs=5e-5
    )
    assert check.replication_binomial(15, 44, 0.05, 0.05) == check.replication_binomial(
        29, 44, 0.05, 0.05
    )
    assert check.replication_binomial(5, 5, 0.05, 0.05)[0] == 0
    for wins in range(29, 45):
        lower = check.replication_binomial(wins, 44, 0.05, 0.05)[1]
        assert (lower > 0.5) == (wins >= 35)


def test_predictive_averages_the_posterior() -> None:
    mp = check.mp
    weight = mp.quad(
        lambda x: x**15 * (1 - x) ** 5 * check.binomial_upper(15, 20, x), [0, 0.5, 1]
    ) / mp.beta(16, 6)
    assert check.replication_bayesian_predictive(15, 20, 0.05) == pytest.approx(float(weight))


def test_berrar_wilcoxon() -> None:
    paper = published("berrar_2024")
    found = check.replication_wilcoxon(1.96, 1, 0.05, 0.05)
    assert found == pytest.approx((0.5, 0.025, 0.975), abs=5e-4)
    case = paper["wilcoxon_group3"]
    assert round(check.replication_wilcoxon(case["Z"], case["s"], 0.05, 0.05)[0], 2) == case["P"]


def test_berrar_t() -> None:
    paper = published("berrar_2024")
    found = check.replication_t(check.t_critical(9, 0.05), 9, 0.05, 0.05)
    assert found[0] == pytest.approx(paper["t_example"]["P"], abs=5e-5)
    assert found[1:] == pytest.approx(paper["t_example"]["interval"], abs=5e-4)
    t, p = check.required_t(9, 0.95)
    assert (round(t, 4), round(p, 7)) == (4.0665, 0.0028144)
    for case in (paper["study3"]["q3"], paper["study4"]["d11"]):
        t = case["mean_T"]
        assert 2 * check.t_upper(t, 9) == pytest.approx(case["p_value"], abs=6e-5)
        critical = check.t_critical(9, 0.05)
        assert check.nct_upper(critical, 9, t) == pytest.approx(case["P"], abs=6e-4)


def test_replication_t() -> None:
    cases, rtol = golden("replication_t")
    for case in cases[4::18]:
        found = check.replication_t(case["t"], case["df"], case["alpha"], case["c"])
        assert found == near(rtol, case["probability"], case["low"], case["high"])


def test_bouckaert_frank_table1() -> None:
    table = published("bouckaert_frank_2004")["table1_5x2cv"]
    for pair in ("NB vs C4.5", "NB vs NN", "C4.5 vs NN"):
        draws = [row["draws"][pair] for row in table["datasets"]]
        consistent, almost, replicability = check.consistency(draws, 10)
        assert consistent == table["consistent"][pair]
        assert almost == table["almost_consistent"][pair]
        assert round(replicability, 3) == table["replicability"][pair]


def test_replicability() -> None:
    assert check.r1("AABBAB") == pytest.approx(2 / 3)
    for n in (4, 10, 11):
        for i in range(n + 1):
            pairs = i * (i - 1) + (n - i) * (n - i - 1)
            assert check.r2(i, n) == pytest.approx(pairs / (n * (n - 1)))
    assert check.r2_of("AAB-") == pytest.approx(1 / 6)
    assert check.normalised(0.5) == 0
    assert check.normalised(1) == 1


def test_variances_of_replicability_follow_the_closed_forms() -> None:
    for n in (4, 10, 20):
        for r in (0.5, 0.6, 0.8, 0.95, 1):
            p = 0.5 + math.sqrt(2 * r - 1) / 2
            f3 = p**3 + (1 - p) ** 3
            closed = 2 / (n * (n - 1)) * (2 * (n - 2) * (f3 - r * r) + r - r * r)
            assert check.var_r2(r, n) == pytest.approx(closed, abs=1e-14)
            assert check.var_r1(r, n) == pytest.approx((r - r * r) / (n / 2), abs=1e-14)


def test_friedman() -> None:
    cases, rtol = golden("friedman")
    for case in cases:
        expected = case["statistic"], case["pvalue"], case["f"], case["f_pvalue"]
        assert check.friedman(case["scores"]) == near(rtol, *expected)


def test_adjusted_p() -> None:
    cases, rtol = golden("p_adjust")
    for case in cases:
        for name in ("holm", "hochberg", "bonferroni"):
            found = getattr(check, name)(case["pvalues"])
            assert found == pytest.approx(case[name], rel=rtol)


def test_shaffer() -> None:
    assert check.possible_true(4) == {0, 1, 2, 3, 6}
    assert check.possible_true(5) == {0, 1, 2, 3, 4, 6, 10}
    ps = [0.001, 0.004, 0.01, 0.02, 0.03, 0.5]
    assert check.shaffer(ps, 4) == pytest.approx([0.006, 0.012, 0.03, 0.06, 0.06, 0.5])
    assert all(s <= h for s, h in zip(check.shaffer(ps, 4), check.holm(ps), strict=True))


def test_nemenyi() -> None:
    cases, rtol = golden("nemenyi")
    for case in cases[::5]:
        found = check.nemenyi_difference(case["classifiers"], case["datasets"], case["alpha"])
        assert found == near(rtol, case["critical_difference"])


def test_weka_marks() -> None:
    cases, _ = golden("weka_experimenter")
    base = {case["dataset"]: case for case in cases if case["mark"] == "base"}
    for case in cases:
        scores = case["percent_correct"]
        assert len(scores) == case["runs"] * case["folds"]
        assert round(check.mean(scores), 2) == case["mean"]
        if case["mark"] == "base":
            continue
        reference = base[case["dataset"]]["percent_correct"]
        d = [a - b for a, b in zip(scores, reference, strict=True)]
        t, p = check.corrected_t(d, sum(case["testing"]) / sum(case["training"]))
        mark = "no difference" if p >= 0.05 else "better" if t > 0 else "worse"
        assert mark == case["mark"]


def test_degenerate_samples_have_decided_answers() -> None:
    zeros = [0.0] * 10
    assert check.paired_t(zeros) == (0, 1)
    assert check.corrected_t(zeros, 0.1) == (0, 1)
    assert check.sign(zeros) == check.sign(zeros, "drop") == 1
    assert check.signed_rank_exact(zeros) == check.signed_rank_normal(zeros) == (0, 1)
    assert check.sign_flip(zeros) == check.mcnemar_exact(0, 0) == check.mcnemar_midp(0, 0) == 1
    assert check.d_prime(zeros) == check.rank_r(zeros) == check.rank_biserial(zeros) == 0
    assert check.friedman([[1, 1, 1]] * 4) == (0, 1, 0, 1)
