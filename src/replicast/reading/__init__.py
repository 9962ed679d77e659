"""Foreign files, each format in its own module, all ending in a ScoreTable."""
