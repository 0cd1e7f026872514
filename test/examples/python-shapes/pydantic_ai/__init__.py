"""The documented shapes of Pydantic AI 1 that `examples/python/pydantic_ai_tools.py` uses; nothing of Pydantic AI itself."""


class ModelRetry(Exception):
    pass


class FunctionToolset:
    def __init__(self):
        self.tools = {}

    def tool(self, function):
        self.tools[function.__name__] = function
        return function

    async def call_tool(self, name, tool_args, ctx, tool):
        return self.tools[name](**tool_args)


class Agent:
    def __init__(self, model, toolsets):
        self.model, self.toolsets = model, toolsets
