source("tests/golden/make/common.R")
suppressMessages(library(exactRankTests))
set.seed(3)
cases <- list()
for (n in sizes) for (effect in c(0, 0.5, 1.5)) {
  x <- tied_scores(n, effect)
  test <- wilcox.exact(x$first - x$second, exact = TRUE)
  cases[[length(cases) + 1]] <- c(x, list(statistic = test$statistic, pvalue = test$p.value))
}
emit("signed_rank_exact_ties", "wilcox.exact(first - second, exact = TRUE)", 1e-10, cases,
     "exactRankTests")
