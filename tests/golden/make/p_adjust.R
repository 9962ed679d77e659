source("tests/golden/make/common.R")
set.seed(9)
cases <- list()
for (m in c(2, 3, 6, 10, 15, 28)) for (kind in 1:3) {
  p <- switch(kind, runif(m), rbeta(m, 0.3, 3), round(rbeta(m, 0.5, 2), 1))
  cases[[length(cases) + 1]] <- list(
    pvalues = p, holm = p.adjust(p, "holm"), hochberg = p.adjust(p, "hochberg"),
    bonferroni = p.adjust(p, "bonferroni"))
}
emit("p_adjust", "p.adjust(pvalues, method)", 1e-12, cases)
