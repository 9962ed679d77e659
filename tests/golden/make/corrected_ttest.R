source("tests/golden/make/common.R")
set.seed(11)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) for (ratio in c(1/9, 1/4, 0.5)) {
  x <- draw(n, 2.5)
  d <- x$first - x$second
  error <- sqrt((1 / n + ratio) * var(d))
  t <- mean(d) / error
  reach <- qt(0.975, n - 1) * error
  cases[[length(cases) + 1]] <- c(x, list(
    ratio = ratio, statistic = t, pvalue = 2 * pt(abs(t), n - 1, lower.tail = FALSE),
    low = mean(d) - reach, high = mean(d) + reach))
}
emit("corrected_ttest", paste("error = sqrt((1 / n + ratio) * var(d)); t = mean(d) / error;",
     "2 * pt(abs(t), n - 1, lower.tail = FALSE); mean(d) -/+ qt(0.975, n - 1) * error"),
     1e-10, cases)
