"""After the first result: judge a replication that was made, gate a change, stop in time."""
