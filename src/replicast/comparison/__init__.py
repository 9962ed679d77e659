"""All answers about two classifiers, or many, put together."""
