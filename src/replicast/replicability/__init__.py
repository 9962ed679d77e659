"""Does it happen again on the same data? Measured by rerunning on new partitions."""
