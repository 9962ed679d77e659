source("tests/golden/make/common.R")
cases <- list()
for (k in c(2, 3, 4, 5, 6, 8, 10)) for (n in c(10, 30)) for (alpha in c(0.05, 0.1)) {
  q <- uniroot(function(q) ptukey(q, k, Inf, lower.tail = FALSE) - alpha, c(0.5, 12),
               tol = 1e-13)$root
  cases[[length(cases) + 1]] <- list(
    classifiers = k, datasets = n, alpha = alpha,
    critical_difference = q / sqrt(2) * sqrt(k * (k + 1) / (6 * n)))
}
emit("nemenyi", "q solves ptukey(q, k, Inf) = 1 - alpha; q / sqrt(2) * sqrt(k * (k + 1) / (6 * n))",
     1e-8, cases)
