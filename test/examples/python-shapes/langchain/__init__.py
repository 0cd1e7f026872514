"""The documented shapes of LangChain 1 that `examples/python/langchain_tools.py` uses; nothing of LangChain itself."""
