"""Nearest neighbours: on numbers as scikit-learn's, on mixed tables as Weka's."""
