source("tests/golden/make/common.R")
set.seed(12)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in c(10, 30, 60)) for (ratio in c(1/9, 0.5))
  for (rope in c(0, 0.5, 1)) {
    x <- draw(n, 1.5)
    d <- x$first - x$second
    scale <- sqrt((1 / n + ratio) * var(d))
    left <- pt((-rope - mean(d)) / scale, n - 1)
    right <- pt((rope - mean(d)) / scale, n - 1, lower.tail = FALSE)
    cases[[length(cases) + 1]] <- c(x, list(
      ratio = ratio, rope = rope, left = left, within = 1 - left - right, right = right))
  }
emit("correlated_posterior", paste("scale = sqrt((1 / n + ratio) * var(d));",
     "left = pt((-rope - mean(d)) / scale, n - 1);",
     "right = pt((rope - mean(d)) / scale, n - 1, lower.tail = FALSE); within = 1 - left - right"),
     1e-10, cases)
