"""Run the experiment: estimators, data and a design become scores."""
