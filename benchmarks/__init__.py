"""Speed against what a user would otherwise write. Ratios only: the machine's clock is not ours."""
