"""Monte Carlo studies as data: planned, run in blocks, resumable, summarised with their error."""
