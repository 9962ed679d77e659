"""How a table may be written: each way in its own module, all ending in a Sheet."""
