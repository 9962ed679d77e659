# Sample sizes, detectable differences, power of McNemar's test, intervals of paired proportions.
source("tests/golden/make/common.R")
cases <- list()
add <- function(...) cases[[length(cases) + 1]] <<- list(...)
for (effect in c(0.05, 0.2, 0.5, 0.8, 2)) for (power in c(0.5, 0.8, 0.95)) {
  n <- power.t.test(delta = effect, sd = 1, power = power, type = "paired", strict = TRUE,
                    tol = 1e-12)$n
  add(what = "sample size", effect = effect, power = power, n = ceiling(n))
}
for (n in c(3, 5, 10, 30, 1000, 1e5)) for (power in c(0.5, 0.8, 0.95)) {
  delta <- power.t.test(n = n, sd = 1, power = power, type = "paired", strict = TRUE,
                        tol = 1e-13)$delta
  add(what = "difference", n = n, power = power, effect = delta)
}
critical <- function(m, alpha) {
  s <- (m %/% 2 + 1):(m + 1)
  s[which(2 * pbinom(s - 1, m, 0.5, lower.tail = FALSE) < alpha)[1]]
}
for (rates in list(c(0.08, 0.04), c(0.3, 0.2), c(0.02, 0), c(0.1, 0.1), c(0.6, 0.4))) {
  for (n in c(10, 100, 500)) {
    total <- sum(rates)
    m <- 0:n
    s <- vapply(m, critical, 0, alpha = 0.05)
    tails <- pbinom(s - 1, m, rates[1] / total, lower.tail = FALSE) +
      pbinom(s - 1, m, rates[2] / total, lower.tail = FALSE)
    add(what = "mcnemar", first = rates[1], second = rates[2], cases = n,
        power = sum(dbinom(m, n, total) * tails))
  }
}
for (cells in list(c(40, 20, 500), c(0, 0, 10), c(3, 1, 8), c(5, 0, 5), c(300, 280, 1e5))) {
  p <- (cells[1] + 1) / (cells[3] + 2)
  q <- (cells[2] + 1) / (cells[3] + 2)
  half <- qnorm(0.975) * sqrt((p + q - (p - q)^2) / (cells[3] + 2))
  add(what = "proportions", first = cells[1], second = cells[2], cases = cells[3],
      low = max(-1, p - q - half), high = min(1, p - q + half))
}
emit("planning",
     paste("power.t.test(type = 'paired', strict = TRUE) solved for n and for delta;",
           "sum(dbinom(m, n, p + q) * tails) over pbinom tails of the exact test;",
           "p - q -/+ qnorm(0.975) * sqrt((p + q - (p - q)^2) / (n + 2)), p = (b + 1) / (n + 2)"),
     1e-9, cases)
