# Tail areas of the distributions behind the tests, down to 1e-300.
source("tests/golden/make/common.R")
cases <- list()
add <- function(...) cases[[length(cases) + 1]] <<- list(...)
for (df in c(1, 2, 4, 5, 9, 99, 999, 99999)) {
  for (t in c(0.001, 0.5, 2, 6, 20, 37, 1e3, 1e6, 1e30, 1e100)) {
    tail <- 2 * pt(-t, df)
    if (tail > 1e-300) add(family = "t", statistic = t, df = df, tail = tail)
  }
}
for (f in c(0.01, 1, 10, 1e3, 1e6, 1e20, 1e60, 1e115)) {
  add(family = "f", statistic = f, df = c(10, 5), tail = pf(f, 10, 5, lower.tail = FALSE))
}
for (n in c(2, 10, 50, 900, 1e4, 1e6)) {
  for (share in c(0.5, 0.505, 0.55, 0.7, 0.9, 1)) {
    wins <- ceiling(n * share)
    tail <- min(1, 2 * pbinom(wins - 1, n, 0.5, lower.tail = FALSE))
    if (tail > 1e-300) add(family = "binomial", wins = wins, n = n, tail = tail)
  }
}
for (z in c(0, 0.1, 1, 3, 8, 20, 30, 37)) {
  add(family = "normal", statistic = z, tail = 2 * pnorm(-z))
}
for (n in c(3, 6, 10, 20, 35, 50)) {
  for (w in unique(floor(n * (n + 1) / 2 * c(0, 0.01, 0.1, 0.3, 0.5)))) {
    add(family = "signed rank", statistic = w, n = n, tail = min(1, 2 * psignrank(w, n)))
  }
}
for (df in c(1, 2, 9, 99)) for (x in c(0.5, 10, 200, 1000, 1300)) {
  add(family = "chi-squared", statistic = x, df = df, tail = pchisq(x, df, lower.tail = FALSE))
}
emit("extreme_tails",
     paste("2 * pt(-statistic, df); pf(statistic, 10, 5, lower.tail = FALSE);",
           "2 * pbinom(wins - 1, n, 0.5, lower.tail = FALSE); 2 * pnorm(-statistic);",
           "2 * psignrank(statistic, n); pchisq(statistic, df, lower.tail = FALSE)"),
     1e-11, cases)
