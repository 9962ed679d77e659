"""Random files against every reader: `make fuzz`."""
