"""Tests: from paired scores to evidence."""
