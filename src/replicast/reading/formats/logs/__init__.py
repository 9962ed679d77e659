"""Logs of language-model evaluations: a score per case and model, each program in its own module."""
