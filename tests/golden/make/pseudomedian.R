source("tests/golden/make/common.R")
set.seed(5)
cases <- list()
for (n in sizes[sizes >= 6]) for (confidence in c(0.9, 0.95)) {
  x <- plain_scores(n, 1.5)
  test <- wilcox.test(x$first, x$second, paired = TRUE, exact = TRUE, conf.int = TRUE,
                      conf.level = confidence)
  cases[[length(cases) + 1]] <- c(x, list(
    confidence = confidence, estimate = test$estimate,
    low = test$conf.int[1], high = test$conf.int[2]))
}
emit("pseudomedian",
     "wilcox.test(first, second, paired = TRUE, exact = TRUE, conf.int = TRUE, conf.level = confidence)",
     1e-10, cases)
