"""The field: what published results of others say about replication."""
