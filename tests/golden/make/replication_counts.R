# Replication probabilities of wins over datasets and of Z, written out.
source("tests/golden/make/common.R")
cases <- list()
add <- function(...) cases[[length(cases) + 1]] <<- list(...)
critical <- function(m, alpha) {
  if (m == 0) return(1)
  s <- (m %/% 2 + 1):(m + 1)
  s[which(2 * pbinom(s - 1, m, 0.5, lower.tail = FALSE) < alpha)[1]]
}
upper <- function(s, n, p) pbinom(s - 1, n, p, lower.tail = FALSE)
chance <- function(i, n, a, b) exp(lchoose(n, i) + lbeta(a + i, b + n - i) - lbeta(a, b))
for (n in c(6, 20, 44, 300)) for (share in c(0.5, 0.6, 0.75, 0.9, 1)) for (tied in c(0, 0.25))
  for (rule in c("half", "drop")) {
  ties <- floor(n * tied)
  x <- ceiling((n - ties) * share)
  lost <- n - ties - x
  predictive <- function(b) {
    # ties first, then wins among the decided, summed over what the test calls significant
    sum(sapply(0:n, function(t) {
      wins <- 0:(n - t)
      least <- if (rule == "half") critical(n, 0.05) - t %/% 2 else critical(n - t, 0.05)
      chance(t, n, 1 + ties, 1 + x + lost) *
        sum(chance(wins, n - t, b + x, b + lost)[wins >= least])
    }))
  }
  won <- x + ties / 2
  theta <- c(if (won > 0) qbeta(0.025, won, n - won + 1) else 0,
             if (won < n) qbeta(0.975, won + 1, n - won) else 1)
  s <- critical(n, 0.05)
  add(model = "wins", wins = x, losses = lost, ties = ties, rule = rule, n = n,
      firm = predictive(3), uniform = predictive(1), published = upper(s, n, won / n),
      low = upper(s, n, theta[1]), high = upper(s, n, theta[2]))
}
score <- function(share, s0) (2 * asin(sqrt(share)) - pi / 2) / (2 * s0)
for (n in c(10, 20, 100, 2000)) for (z in c(0.5, 1.96, 2.6)) {
  s0 <- sqrt((2 * n + 1) / (6 * n * (n + 1)))
  total <- n * (n + 1) / 2
  share <- 0.5 + (z * sqrt(total * (2 * n + 1) / 12) + 0.5) / total
  y <- score(share, s0)
  # exact for up to 50 differences, normal with continuity correction beyond
  least <- if (n <= 50) which(2 * psignrank((0:total) - 1, n, lower.tail = FALSE) < 0.05)[1] - 1.5
    else total / 2 + 0.5 + qnorm(0.975) * sqrt(total * (2 * n + 1) / 12)
  bar <- score(least / total, s0)
  prior <- function(l) 0.5 * dnorm(l, 0, 0.35 / (2 * s0)) + 0.5 * dnorm(l, 0, 0.7 / (2 * s0))
  weight <- function(l) dnorm(y - l) * prior(l)
  whole <- integrate(weight, y - 12, y + 12, rel.tol = 1e-12, subdivisions = 1000)$value
  part <- integrate(function(l) weight(l) * pnorm(l - bar), y - 12, y + 12, rel.tol = 1e-12,
                    subdivisions = 1000)$value
  add(model = "z", z = z, n = n, mixture = part / whole, published = pnorm(z - qnorm(0.975)),
      flat = pnorm((y - bar) / sqrt(2)))
}
emit("replication_counts",
     paste("wins: exp(lchoose(n, i) + lbeta(a + i, b + n - i) - lbeta(a, b)) of ties, then of wins,",
           "summed over what the sign test calls significant;",
           "pbinom(s - 1, n, p, lower.tail = FALSE) at x / n and at the qbeta limits;",
           "z: integrate() over the arcsine scale, psignrank, pnorm(z - qnorm(0.975)),",
           "pnorm((y - bar) / sqrt(2))"),
     1e-9, cases)
