"""Will it happen again on fresh data? Replication probability, its inverse, and planning."""
