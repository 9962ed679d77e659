"""What a user feels of speed and memory: few figures, each with a floor it must meet and an aim."""
