source("tests/golden/make/common.R")
set.seed(2)
cases <- list()
for (n in sizes) for (effect in c(0, 1.5, 4)) {
  x <- plain_scores(n, effect)
  test <- wilcox.test(x$first, x$second, paired = TRUE, exact = TRUE)
  cases[[length(cases) + 1]] <- c(x, list(statistic = test$statistic, pvalue = test$p.value))
}
emit("signed_rank_exact", "wilcox.test(first, second, paired = TRUE, exact = TRUE)", 1e-12, cases)
