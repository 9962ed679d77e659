"""What words mean in files of scores: measures, roles of columns, cells, rows that sum up others."""
