source("tests/golden/make/common.R")
set.seed(6)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) for (effect in c(0, 1.5)) {
  x <- draw(n, effect)
  wins <- sum(x$first > x$second)
  losses <- sum(x$first < x$second)
  half <- floor(max(wins, losses) + (n - wins - losses) / 2)
  cases[[length(cases) + 1]] <- c(x, list(
    wins = wins, losses = losses, pvalue = binom.test(wins, wins + losses)$p.value,
    pvalue_half = min(1, 2 * pbinom(half - 1, n, 0.5, lower.tail = FALSE))))
}
emit("sign_test", paste("binom.test(wins, wins + losses); pvalue_half:",
     "min(1, 2 * pbinom(floor(max(wins, losses) + ties / 2) - 1, n, 0.5, lower.tail = FALSE))"),
     1e-12, cases)
