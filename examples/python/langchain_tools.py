"""LangChain for Python: every tool of an agent behind the gate, by a middleware.

Written against the documented form of LangChain 1 (`AgentMiddleware.wrap_tool_call`). The tests of this repository run it against that
form, not against `langchain`, which is not installed there.
"""

import asyncio
import os

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.messages import ToolMessage
from langchain.tools import tool

from countersign_client import CallRefused, Gate

home = os.environ.get("COUNTERSIGN_HOME", "~/.countersign")
gate = Gate(path=os.path.join(home, "run", "gate.sock"), principal={"agent": "langchain"}, wait=float(os.environ.get("WAIT", "300")))


def refusal(call, refused):
    return ToolMessage(content=str(refused), tool_call_id=call["id"], name=call["name"], status="error")


class Gated(AgentMiddleware):
    def wrap_tool_call(self, request, handler):
        call = request.tool_call

        def run(judged):  # The call that runs has the arguments that were judged.
            return handler(request.override(tool_call={**call, "args": judged}))

        try:
            return gate.run(call["name"], call["args"], run, call_id=call["id"])
        except CallRefused as refused:
            return refusal(call, refused)

    async def awrap_tool_call(self, request, handler):
        call, loop = request.tool_call, asyncio.get_running_loop()

        def run(judged):
            made = handler(request.override(tool_call={**call, "args": judged}))
            return asyncio.run_coroutine_threadsafe(made, loop).result()

        try:
            return await asyncio.to_thread(gate.run, call["name"], call["args"], run, call_id=call["id"])
        except CallRefused as refused:
            return refusal(call, refused)


@tool
def search_orders(customer: str) -> str:
    """Orders of a customer."""
    return f"orders of {customer}"


agent = create_agent("anthropic:claude-sonnet-4-5", tools=[search_orders], middleware=[Gated()])
