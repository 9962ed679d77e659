# Two correlated areas under the ROC curve: DeLong's covariance and test.
source("common.R")
suppressMessages(library(pROC))
set.seed(23)
cases <- lapply(list(c(8, 5), c(12, 20), c(40, 30), c(25, 60), c(100, 150), c(9, 9)), function(size) {
  truth <- rep(c(1, 0), size)
  shared <- rnorm(length(truth))
  digits <- if (size[1] == 9) 0 else 2
  first <- round(1.1 * truth + shared + rnorm(length(truth)), digits)
  second <- round(.7 * truth + shared + rnorm(length(truth)), digits)
  a <- roc(truth, first, quiet = TRUE, direction = "<")
  b <- roc(truth, second, quiet = TRUE, direction = "<")
  told <- roc.test(a, b, method = "delong", paired = TRUE)
  list(truth = truth, first = first, second = second, first_auc = as.numeric(auc(a)),
       second_auc = as.numeric(auc(b)), first_variance = var(a, method = "delong"),
       second_variance = var(b, method = "delong"), covariance = cov(a, b, method = "delong"),
       statistic = unname(told$statistic), pvalue = told$p.value)
})
emit("delong", "roc.test(roc(truth, first), roc(truth, second), method = 'delong', paired = TRUE)",
     1e-10, cases, "pROC")
