source("tests/golden/make/common.R")
set.seed(8)
cases <- list()
for (k in 3:8) for (n in c(5, 10, 14, 30)) for (ties in c(FALSE, TRUE)) {
  level <- matrix(rep(seq_len(k) / 3, each = n), n)
  scores <- if (ties) 80 + round(2 * (level + matrix(rnorm(n * k), n))) / 2
            else 80 + round(level + matrix(rnorm(n * k), n), 5)
  chi2 <- unname(friedman.test(scores)$statistic)
  f <- (n - 1) * chi2 / (n * (k - 1) - chi2)
  cases[[length(cases) + 1]] <- list(
    scores = scores, statistic = chi2, pvalue = friedman.test(scores)$p.value, f = f,
    f_pvalue = pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE))
}
emit("friedman", paste("friedman.test(scores), rows are data sets;",
     "f = (n - 1) * chi2 / (n * (k - 1) - chi2), pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE)"),
     1e-9, cases)
