"""KV blocks: who holds which, and which prefix each full block remembers."""
