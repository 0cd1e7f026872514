"""Calls of `search_orders` through both examples, as their frameworks make them: customers on the command line, one line of JSON each."""

import asyncio
import json
import sys
from types import SimpleNamespace

import langchain_tools
import pydantic_ai_tools
from langchain.agents.middleware import ToolCallRequest
from langchain.messages import ToolMessage
from pydantic_ai import ModelRetry

[gated] = langchain_tools.agent.middleware
[toolset] = pydantic_ai_tools.agent.toolsets


def request(customer, way):
    return ToolCallRequest({"name": "search_orders", "args": {"customer": customer}, "id": f"{way}-{customer}", "type": "tool_call"})


def ran(request):
    [function] = langchain_tools.agent.tools
    return ToolMessage(content=function(**request.tool_call["args"]), tool_call_id=request.tool_call["id"])


async def later(request):
    return ran(request)


async def pydantic(customer):
    try:
        return await toolset.call_tool("search_orders", {"customer": customer}, SimpleNamespace(tool_call_id=f"p-{customer}"), None)
    except ModelRetry as retry:
        return f"refused: {retry}"


for customer in sys.argv[1:]:
    one = gated.wrap_tool_call(request(customer, "l"), ran)
    other = asyncio.run(gated.awrap_tool_call(request(customer, "a"), later))
    said = {"sync": [one.status, one.content], "async": [other.status, other.content], "pydantic": asyncio.run(pydantic(customer))}
    print(json.dumps(said), flush=True)
