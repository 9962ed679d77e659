source("tests/golden/make/common.R")
cases <- list()
for (b in c(0, 1, 2, 5, 7, 10, 25, 60)) for (c in c(1, 2, 5, 8, 10, 17, 40)) {
  below <- min(b, c)
  cases[[length(cases) + 1]] <- list(
    b = b, c = c, pvalue = binom.test(b, b + c)$p.value,
    midp = 2 * pbinom(below, b + c, 0.5) - dbinom(below, b + c, 0.5))
}
emit("mcnemar_exact", paste("binom.test(b, b + c); midp:",
     "2 * pbinom(min(b, c), b + c, 0.5) - dbinom(min(b, c), b + c, 0.5)"), 1e-12, cases)
