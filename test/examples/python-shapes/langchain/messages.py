from dataclasses import dataclass


@dataclass
class ToolMessage:
    content: str
    tool_call_id: str
    name: str = ""
    status: str = "success"
