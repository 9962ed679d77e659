"""Results of every kind, and the answers they print, which `pytest --rewrite` writes anew."""
