source("tests/golden/make/common.R")
cases <- list()
for (n in c(5, 10, 20, 25, 30, 50, 100)) for (effect in c(0.1, 0.2, 0.5, 0.8, 1.3))
  for (alpha in c(0.01, 0.05, 0.1)) {
    test <- power.t.test(n = n, delta = effect, sd = 1, sig.level = alpha, type = "paired",
                         alternative = "two.sided", strict = TRUE)
    cases[[length(cases) + 1]] <- list(n = n, effect = effect, alpha = alpha, power = test$power)
  }
emit("power_ttest", paste("power.t.test(n = n, delta = effect, sd = 1, sig.level = alpha,",
     "type = 'paired', alternative = 'two.sided', strict = TRUE)"), 1e-8, cases)
