source("tests/golden/make/common.R")
set.seed(10)
cases <- list()
for (grid in c(1e-4, 0.5)) for (effect in c(0, 1, 3)) for (draw in 1:4) {
  d <- matrix(round((rnorm(10) + effect) / grid) * grid, 5)
  spread <- rowSums((d - rowMeans(d))^2)
  t <- d[1, 1] / sqrt(mean(spread))
  f <- sum(d^2) / (2 * sum(spread))
  cases[[length(cases) + 1]] <- list(
    differences = d, statistic = t, pvalue = 2 * pt(abs(t), 5, lower.tail = FALSE),
    f = f, f_pvalue = pf(f, 10, 5, lower.tail = FALSE))
}
emit("five_by_two", paste("rows are replications: spread = rowSums((d - rowMeans(d))^2);",
     "t = d[1, 1] / sqrt(mean(spread)), 2 * pt(abs(t), 5, lower.tail = FALSE);",
     "f = sum(d^2) / (2 * sum(spread)), pf(f, 10, 5, lower.tail = FALSE)"), 1e-10, cases)
