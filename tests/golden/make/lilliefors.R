source("tests/golden/make/common.R")
library(nortest)
set.seed(14)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) {
  x <- draw(n, 1.5)
  test <- lillie.test(x$first - x$second)
  cases[[length(cases) + 1]] <- c(x, list(statistic = test$statistic, pvalue = test$p.value))
}
emit("lilliefors", "lillie.test(first - second), pvalue by the approximation of Dallal and Wilkinson",
     1e-9, cases, "nortest")
