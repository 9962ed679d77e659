source("tests/golden/make/common.R")
set.seed(7)
cases <- list()
for (draw in list(plain_scores, tied_scores)) for (n in sizes) {
  x <- draw(n, 1.5)
  d <- x$first - x$second
  kept <- d[d != 0]
  greater <- mean(outer(x$first, x$second, ">"))
  less <- mean(outer(x$first, x$second, "<"))
  cases[[length(cases) + 1]] <- c(x, list(
    d = mean(d) / sd(d), a12 = greater + (1 - greater - less) / 2, cliffs_delta = greater - less,
    rank_biserial = sum(sign(kept) * rank(abs(kept))) / sum(rank(abs(kept)))))
}
emit("effect_sizes", paste("mean(d) / sd(d);",
     "mean(outer(first, second, '>')) + mean(outer(first, second, '==')) / 2;",
     "mean(sign(outer(first, second, '-'))); sum(sign(d) * rank(abs(d))) / sum(rank(abs(d)))"),
     1e-11, cases)
