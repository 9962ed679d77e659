"""The page: the library's answers in a browser and as a JSON interface. Needs `replicast[web]`."""
