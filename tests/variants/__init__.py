"""Files like those of the collection, made anew from a seed: other numbers, words, measures, programs.

The truth beside each file is computed here with NumPy and SciPy, never with replicast.
"""
