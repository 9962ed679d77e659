# Welch's t over seeds by t.test; its p-value on fresh splits by adaptive quadrature over the share of the
# split, which is lognormal with the median and the spread of src/replicast/kernels/seeds.json; a dataset that
# nobody has seen is as uncertain as t on the published datasets says. Splits of one dataset have in common what
# they test on.
source("tests/golden/make/common.R")
told <- paste(readLines("src/replicast/kernels/seeds.json"), collapse = " ")
field <- function(name) as.numeric(sub(paste0(".*\"", name, "\": ([0-9.]+).*"), "\\1", told))
median <- field("median")
datasets <- field("datasets")
spread <- field("spread") * sqrt(1 + 1 / datasets) * qt(0.975, datasets - 1) / qnorm(0.975)

mean_over <- function(f, low = -9, high = 9) {
  cuts <- seq(low, high, by = 1)
  sum(mapply(function(a, b) integrate(f, a, b, rel.tol = 1e-12, abs.tol = 0)$value,
             head(cuts, -1), tail(cuts, -1)))
}

fresh <- function(first, second, count, splits, paired, tested) {
  a <- matrix(first, nrow = count)
  b <- matrix(second, nrow = count)
  within <- function(x) mean(apply(x, 2, var))
  if (paired) {
    noise <- within(a - b)
    df <- splits * (count - 1)
  } else {
    noise <- within(a) + within(b)
    df <- noise^2 / ((within(a)^2 + within(b)^2) / (splits * (count - 1)))
  }
  gaps <- colMeans(a - b)
  estimate <- mean(gaps)
  more <- splits - 1
  share <- function(z) median * exp(spread * z)
  ratio <- if (splits > 1) count * var(gaps) / noise else 1
  degrees <- df
  likely <- function(z) {
    scale <- 1 + count * (1 - tested) * share(z)
    dnorm(z) * (if (splits > 1) stats::df(ratio / scale, more, degrees) / scale else 1)
  }
  total <- mean_over(likely)
  tail_at <- function(distance) mean_over(function(z) {
    each <- share(z)
    pooled <- (degrees + more * ratio / (1 + count * (1 - tested) * each)) / (degrees + more)
    error <- sqrt(noise * pooled * (1 / (count * splits) + each * (tested + (1 - tested) / splits)))
    likely(z) * pt(-distance / error, degrees + more)
  }) / total
  half <- uniroot(function(x) tail_at(x) - 0.025, c(0, 1e4 * sqrt(noise)), tol = 1e-13)$root
  list(design = paste0("seeds:count=", count, if (splits > 1) paste0(",splits=", splits),
                       if (paired) ",paired=yes",
                       if (tested != 0.2) paste0(",test_percent=", 100 * tested)),
       statistic = estimate / sqrt(noise / (count * splits)), df = degrees,
       pvalue = 2 * tail_at(abs(estimate)), greater = tail_at(estimate), less = tail_at(-estimate),
       estimate = estimate, low = estimate - half, high = estimate + half)
}

set.seed(23)
cases <- list()
for (count in c(2, 3, 5, 10)) for (splits in c(1, 2, 5)) for (paired in c(FALSE, TRUE)) for (effect in c(1, 8)) {
  moved <- rep(3 * rnorm(splits), each = count)
  first <- round(75 + effect + moved + 2 * rnorm(count * splits), 4)
  second <- round(75 + 3 * rnorm(count * splits), 4)
  tested <- if (splits == 5 && paired) 0.1 else 0.2
  found <- fresh(first, second, count, splits, paired, tested)
  if (splits == 1 && !paired) {
    welch <- t.test(first, second)
    stopifnot(all.equal(unname(welch$statistic), found$statistic),
              all.equal(unname(welch$parameter), found$df))
  }
  cases[[length(cases) + 1]] <- c(list(first = first, second = second), found)
}
emit("seeds_ttest", paste("t.test(first, second) for t and df; integrate() over the share of the split",
     "for tails, uniroot() for the interval"), 1e-6, cases)
