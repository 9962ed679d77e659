# Clustered means: CR2 variance and Satterthwaite's degrees of freedom (independent cases as the
# working model), and the plain sandwich times G / (G - 1).
source("common.R")
suppressMessages(library(clubSandwich))
set.seed(17)
cases <- lapply(c(3, 4, 6, 9, 15, 25), function(groups) {
  sizes <- pmax(1, round(6 * exp(rnorm(groups))))
  clusters <- rep(seq_len(groups), sizes)
  d <- round(rnorm(length(clusters), .1) + rnorm(groups)[clusters], 3)
  fit <- lm(d ~ 1)
  robust <- vcovCR(fit, cluster = clusters, type = "CR2")
  told <- coef_test(fit, vcov = robust, test = "Satterthwaite")
  sums <- tapply(residuals(fit), clusters, sum)
  plain <- sqrt(groups / (groups - 1) * sum(sums^2)) / length(d)
  list(differences = d, clusters = clusters - 1, estimate = unname(coef(fit)), standard_error = told$SE,
       df = if (is.null(told$df_Satt)) told$df else told$df_Satt, pvalue = if (is.null(told$p_Satt)) told$p_val else told$p_Satt,
       plain_error = plain)
})
emit("clustered_mean", "coef_test(lm(d ~ 1), vcov = vcovCR(fit, clusters, 'CR2'), test = 'Satterthwaite')",
     1e-9, cases, "clubSandwich")
