"""A record of what an engine was asked and what it planned: a small file without text and tokens."""
