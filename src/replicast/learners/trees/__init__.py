"""Trees and forests that split numbers in two."""
