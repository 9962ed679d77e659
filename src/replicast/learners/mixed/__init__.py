"""Tables of numbers and names: what the learners of Weka share."""
