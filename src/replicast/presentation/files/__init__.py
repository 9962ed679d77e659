"""Results as files: pages, paragraphs, tables, records."""
