from dataclasses import dataclass


@dataclass
class WrapperToolset:
    wrapped: object

    async def call_tool(self, name, tool_args, ctx, tool):
        return await self.wrapped.call_tool(name, tool_args, ctx, tool)
