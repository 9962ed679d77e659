"""A document on the screen, on paper, on a page: each output is one renderer."""
