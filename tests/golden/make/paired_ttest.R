source("tests/golden/make/common.R")
set.seed(1)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) for (effect in c(0.5, 2)) {
  x <- draw(n, effect)
  test <- t.test(x$first, x$second, paired = TRUE)
  cases[[length(cases) + 1]] <- c(x, list(
    statistic = test$statistic, pvalue = test$p.value, estimate = test$estimate,
    low = test$conf.int[1], high = test$conf.int[2]))
}
emit("paired_ttest", "t.test(first, second, paired = TRUE)", 1e-10, cases)
