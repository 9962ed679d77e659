"""The three pages: a paper's number, a plan, a table of scores."""
