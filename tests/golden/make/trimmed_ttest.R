# YuenTTest of the package DescTools; where that is not installed, from a folder with its sources:
#   DESCTOOLS=DescTools Rscript tests/golden/make/trimmed_ttest.R
source("tests/golden/make/common.R")
home <- Sys.getenv("DESCTOOLS")
if (nzchar(home)) {
  for (file in c("Winsorize.R", "Tests.r")) source(file.path(home, "R", file))
  packageVersion <- function(package) read.dcf(file.path(home, "DESCRIPTION"), "Version")
} else library(DescTools)

# Scores whose differences have heavy tails.
wild_scores <- function(n, effect) {
  second <- round(75 + 5 * rnorm(n), 4)
  list(first = round(second + effect + 2 * rt(n, 1.5), 4), second = second)
}

set.seed(20)
cases <- list()
for (draw in list(plain_scores, tied_scores, wild_scores)) {
  for (n in c(sizes, 4, 13, 16, 19)) for (effect in c(0.5, 2)) {
    x <- draw(n, effect)
    test <- YuenTTest(x$first - x$second, trim = 0.2)
    one <- YuenTTest(x$first - x$second, trim = 0.2, alternative = "greater")
    cases[[length(cases) + 1]] <- c(x, list(
      statistic = test$statistic, df = test$parameter[1], pvalue = test$p.value,
      greater = one$p.value, estimate = test$estimate,
      low = test$conf.int[1], high = test$conf.int[2]))
  }
}
emit("trimmed_ttest", "YuenTTest(first - second, trim = 0.2)", 1e-9, cases, "DescTools", list(list(
  "function" = "trimmed_ttest",
  sources = list("R 4.2.2, DescTools 0.99.61.14 YuenTTest", "fractions"),
  tests = list("tests/contract/test_goldens.py::test_as_in_the_golden_file",
               "tests/kernels/test_student.py::test_trimmed_t_by_fractions"))))
