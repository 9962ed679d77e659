"""Pure array functions with a batch axis: the last axis holds observations, leading axes the batch."""
