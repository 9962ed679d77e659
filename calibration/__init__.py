"""How often do results replicate, against what was predicted? Worlds in which the truth is known."""
