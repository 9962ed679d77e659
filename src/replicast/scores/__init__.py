"""Scores as they enter the house: parsed once, valid ever after."""
