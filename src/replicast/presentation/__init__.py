"""Results become text, tables and pictures here; nothing is computed."""
