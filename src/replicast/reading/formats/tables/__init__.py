"""Tables that no program claims: wide, long, transposed, predictions; what a column is, is found out."""
