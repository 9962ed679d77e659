source("tests/golden/make/common.R")
set.seed(13)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) {
  x <- draw(n, 1.5)
  test <- shapiro.test(x$first - x$second)
  cases[[length(cases) + 1]] <- c(x, list(statistic = test$statistic, pvalue = test$p.value))
}
emit("shapiro", "shapiro.test(first - second)", 1e-6, cases)
