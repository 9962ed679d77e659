# Random inputs and a small JSON writer used by the scripts of this folder.

number <- function(x) {
  stopifnot(all(is.finite(x)))
  short <- sprintf("%.15g", x)
  ifelse(as.numeric(short) == x, short, sprintf("%.17g", x))
}

json <- function(x) {
  if (is.list(x)) {
    items <- vapply(x, json, "")
    if (is.null(names(x))) return(paste0("[", paste(items, collapse = ", "), "]"))
    return(paste0("{", paste0("\"", names(x), "\": ", items, collapse = ", "), "}"))
  }
  if (is.character(x)) return(paste0("\"", x, "\""))
  if (is.matrix(x)) {
    rows <- apply(x, 1, function(row) paste0("[", paste(number(row), collapse = ", "), "]"))
    return(paste0("[", paste(rows, collapse = ", "), "]"))
  }
  if (length(x) == 1) return(number(unname(x)))
  paste0("[", paste(number(unname(x)), collapse = ", "), "]")
}

# `checks`: the function a file is for, what it is checked against, and the tests that do so.
emit <- function(name, command, rtol, cases, packages = character(), checks = NULL) {
  versions <- vapply(packages, function(p) paste(p, packageVersion(p)), "")
  source <- paste(c(paste("R", getRversion()), versions), collapse = ", ")
  cat("{\"source\": ", json(source), ",\n \"command\": ", json(command),
      ",\n \"script\": \"make/", name, ".R\",\n \"rtol\": ", number(rtol),
      if (!is.null(checks)) paste0(",\n \"checks\": ", json(checks)), ",\n \"cases\": [\n  ",
      paste(vapply(unname(cases), json, ""), collapse = ",\n  "), "\n ]}\n", sep = "")
}

sizes <- c(5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 20, 25, 30, 44, 60)

# Scores whose differences have no zeros and no two equal sizes.
plain_scores <- function(n, effect) {
  repeat {
    first <- round(75 + 5 * rnorm(n) + effect, 4)
    second <- round(75 + 5 * rnorm(n), 4)
    d <- first - second
    if (min(abs(d)) > 1e-5 && min(diff(sort(abs(d)))) > 1e-5) break
  }
  list(first = first, second = second)
}

# Scores on a grid of halves, exact in binary: the differences have ties and zeros.
tied_scores <- function(n, effect) {
  repeat {
    second <- 70 + sample(0:20, n, replace = TRUE) / 2
    first <- second + effect + sample(-5:5, n, replace = TRUE) / 2
    d <- first - second
    kept <- d[d != 0]
    if (length(kept) >= 3 && length(kept) < n && anyDuplicated(abs(kept))) break
  }
  list(first = first, second = second)
}
