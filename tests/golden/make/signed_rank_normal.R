source("tests/golden/make/common.R")
set.seed(4)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) for (effect in c(0, 1.5)) {
  x <- draw(n, effect)
  test <- wilcox.test(x$first, x$second, paired = TRUE, exact = FALSE, correct = TRUE)
  kept <- sum(x$first != x$second)
  side <- sign(test$statistic - kept * (kept + 1) / 4)
  cases[[length(cases) + 1]] <- c(x, list(
    statistic = test$statistic, pvalue = test$p.value,
    z = side * qnorm(test$p.value / 2, lower.tail = FALSE)))
}
emit("signed_rank_normal",
     "wilcox.test(first, second, paired = TRUE, exact = FALSE, correct = TRUE)", 1e-9, cases)
