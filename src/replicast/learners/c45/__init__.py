"""C4.5, release 8, as Weka's J48."""
