"""Mutation testing of the kernels: change one thing at a time and see whether a test notices."""
