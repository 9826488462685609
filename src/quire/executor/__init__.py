"""Where plans are run: in this process now; in others behind the same two calls."""
