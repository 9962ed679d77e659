"""How long a test waits for what must come: only one that hangs waits so long."""

PATIENCE = 180.0  # seconds, on a machine that does other things too
