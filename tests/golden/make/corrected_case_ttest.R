# The plain t-test of cases by t.test, its t divided by sqrt(1 + k / (k - 1)); p and interval by pt and qt.
#   Rscript tests/golden/make/corrected_case_ttest.R > tests/golden/corrected_case_ttest.json
source("tests/golden/make/common.R")

right_or_wrong <- function(n, effect) {
  second <- rbinom(n, 1, 0.7)
  list(first = ifelse(runif(n) < 0.25, rbinom(n, 1, 0.7 + 0.1 * effect), second), second = second)
}
graded <- function(n, effect) {
  second <- round(rexp(n), 4)
  list(first = round(second + 0.2 * effect + 0.5 * rnorm(n), 4), second = second)
}

set.seed(33)
cases <- list()
for (draw in list(right_or_wrong, graded)) for (folds in c(2, 5, 10, 20)) {
  for (n in c(50, 120, 301)) {
    x <- draw(n, 1)
    plain <- t.test(x$first, x$second, paired = TRUE)
    wider <- sqrt(1 + folds / (folds - 1))
    t <- unname(plain$statistic) / wider
    df <- unname(plain$parameter)
    half <- qt(0.975, df) * plain$stderr * wider
    cases[[length(cases) + 1]] <- c(x, list(
      design = paste0("cross-validated-cases:folds=", folds), statistic = t, df = df,
      pvalue = 2 * pt(-abs(t), df), greater = pt(t, df, lower.tail = FALSE),
      estimate = unname(plain$estimate), low = unname(plain$estimate) - half,
      high = unname(plain$estimate) + half))
  }
}
emit("corrected_case_ttest", "t.test(first, second, paired = TRUE), its t over sqrt(1 + k / (k - 1))",
     1e-9, cases, checks = list(list(
  "function" = "corrected_case_ttest",
  sources = list("R 4.2.2 t.test and pt", "fractions"),
  tests = list("tests/contract/test_goldens.py::test_as_in_the_golden_file",
               "tests/test_cross_validated_cases.py::test_t_by_fractions"))))
