"""Support vector machines, as LIBSVM finds them."""
