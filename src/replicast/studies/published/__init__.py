"""The papers' tables as data, and studies beside them."""
