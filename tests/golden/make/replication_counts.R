# Replication probabilities of wins over datasets and of Z, written out.
source("tests/golden/make/common.R")
cases <- list()
add <- function(...) cases[[length(cases) + 1]] <<- list(...)
critical <- function(m, alpha) {
  s <- (m %/% 2 + 1):(m + 1)
  s[which(2 * pbinom(s - 1, m, 0.5, lower.tail = FALSE) < alpha)[1]]
}
upper <- function(s, n, p) pbinom(s - 1, n, p, lower.tail = FALSE)
for (n in c(6, 20, 44, 300)) for (share in c(0.5, 0.6, 0.75, 0.9, 1)) for (alpha in c(0.01, 0.05)) {
  x <- ceiling(n * share)
  s <- critical(n, alpha)
  i <- s:n
  predictive <- function(b) {
    if (s > n) return(0)
    sum(exp(lchoose(n, i) + lbeta(b + x + i, b + n - x + n - i) - lbeta(b + x, b + n - x)))
  }
  theta <- c(if (x > 0) qbeta(0.025, x, n - x + 1) else 0,
             if (x < n) qbeta(0.975, x + 1, n - x) else 1)
  add(model = "wins", wins = x, n = n, alpha = alpha, calibrated = predictive(2),
      flat = predictive(1), published = upper(s, n, x / n), low = upper(s, n, theta[1]),
      high = upper(s, n, theta[2]))
}
score <- function(share, s0) (2 * asin(sqrt(share)) - pi / 2) / (2 * s0)
for (n in c(10, 20, 100, 2000)) for (z in c(0.5, 1.96, 2.6)) {
  s0 <- sqrt((2 * n + 1) / (6 * n * (n + 1)))
  total <- n * (n + 1) / 2
  share <- 0.5 + (z * sqrt(total * (2 * n + 1) / 12) + 0.5) / total
  y <- score(share, s0)
  bar <- score(min(1, 0.5 + qnorm(0.975) * s0 + 1 / (n * (n + 1))), s0)
  reach <- pi / (4 * s0)
  weight <- function(l) dnorm(y - l) * cos(2 * s0 * l)
  span <- c(max(-reach, y - 12), min(reach, y + 12))
  whole <- integrate(weight, span[1], span[2], rel.tol = 1e-12, subdivisions = 1000)$value
  part <- integrate(function(l) weight(l) * pnorm(l - bar), span[1], span[2], rel.tol = 1e-12,
                    subdivisions = 1000)$value
  add(model = "z", z = z, n = n, calibrated = part / whole, published = pnorm(z - qnorm(0.975)),
      flat = pnorm((y - bar) / sqrt(2)))
}
emit("replication_counts",
     paste("wins: sum(exp(lchoose(n, i) + lbeta(a + i, b + n - i) - lbeta(a, b))) over i >= s,",
           "pbinom(s - 1, n, p, lower.tail = FALSE) at x / n and at the qbeta limits;",
           "z: integrate() over the arcsine scale, pnorm(z - qnorm(0.975)), pnorm((y - bar) / sqrt(2))"),
     1e-9, cases)
