from dataclasses import dataclass, replace


@dataclass
class ToolCallRequest:
    tool_call: dict
    tool: object = None
    state: object = None
    runtime: object = None

    def override(self, **changes):
        return replace(self, **changes)


class AgentMiddleware:
    """An agent that is run with `ainvoke` calls `awrap_tool_call`; a middleware without it stops the run."""

    def wrap_tool_call(self, request, handler):
        raise NotImplementedError

    async def awrap_tool_call(self, request, handler):
        raise NotImplementedError
