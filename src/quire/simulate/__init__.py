"""The engine on a virtual clock: the real scheduler, KV manager and router, and a price for steps."""
