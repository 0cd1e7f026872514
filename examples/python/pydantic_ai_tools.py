"""Pydantic AI: every tool of a toolset behind the gate.

Written against the documented form of Pydantic AI 1 (`WrapperToolset.call_tool`). The tests of this repository run it
against that form, not against `pydantic-ai`, which is not installed there.
"""

import asyncio
import os
from dataclasses import dataclass

from pydantic_ai import Agent, FunctionToolset, ModelRetry
from pydantic_ai.toolsets import WrapperToolset

from countersign_client import CallRefused, Gate

home = os.environ.get("COUNTERSIGN_HOME", "~/.countersign")
gate = Gate(path=os.path.join(home, "run", "gate.sock"), principal={"agent": "pydantic-ai"}, wait=float(os.environ.get("WAIT", "300")))


@dataclass
class GatedToolset(WrapperToolset):
    async def call_tool(self, name, tool_args, ctx, tool):
        loop = asyncio.get_running_loop()
        inner = super().call_tool

        def run(judged):
            return asyncio.run_coroutine_threadsafe(inner(name, judged, ctx, tool), loop).result()

        try:
            return await asyncio.to_thread(gate.run, name, tool_args, run, call_id=ctx.tool_call_id)
        except CallRefused as refused:
            raise ModelRetry(str(refused)) from refused


toolset = FunctionToolset()


@toolset.tool
def search_orders(customer: str) -> str:
    """Orders of a customer."""
    return f"orders of {customer}"


agent = Agent("anthropic:claude-sonnet-4-5", toolsets=[GatedToolset(toolset)])
