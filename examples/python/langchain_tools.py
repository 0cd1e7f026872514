"""LangChain for Python: every tool of an agent behind the gate, by a middleware.

Written against the documented form of LangChain 1 (`AgentMiddleware.wrap_tool_call`). The tests of this repository do not run it:
`langchain` is not installed there.
"""

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware
from langchain.messages import ToolMessage
from langchain.tools import tool

from countersign_client import CallRefused, Gate

gate = Gate(path="~/.countersign/run/gate.sock", principal={"agent": "langchain"})


class Gated(AgentMiddleware):
    def wrap_tool_call(self, request, handler):
        call = request.tool_call
        try:
            # The call that runs has the arguments that were judged.
            run = lambda judged: handler(request.override(tool_call={**call, "args": judged}))  # noqa: E731
            return gate.run(call["name"], call["args"], run, call_id=call["id"])
        except CallRefused as refused:
            return ToolMessage(content=str(refused), tool_call_id=call["id"], name=call["name"], status="error")


@tool
def search_orders(customer: str) -> str:
    """Orders of a customer."""
    return f"orders of {customer}"


agent = create_agent("anthropic:claude-sonnet-4-5", tools=[search_orders], middleware=[Gated()])
