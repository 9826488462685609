"""The HTTP server: OpenAI's and Anthropic's routes over an engine in another process. Without torch."""
