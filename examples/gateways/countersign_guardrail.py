"""LiteLLM asks Countersign about every tool call that a model proposes, before its answer goes to whoever asked.

Put this file beside LiteLLM's config.yaml (litellm-config.yaml shows the lines), and start LiteLLM with COUNTERSIGN_URL and
COUNTERSIGN_TOKEN (`countersign tokens add --name litellm --role agent`). Whatever cannot be asked about is refused.
"""

import asyncio
import json
import os
import urllib.error
import urllib.request
from typing import Any, Optional

from fastapi import HTTPException
from litellm.integrations.custom_guardrail import CustomGuardrail


class CountersignGuardrail(CustomGuardrail):
    def __init__(self, api_base: Optional[str] = None, api_key: Optional[str] = None, **kwargs: Any):
        self.url = (api_base or os.environ.get("COUNTERSIGN_URL") or "http://127.0.0.1:7433").rstrip("/")
        self.token = api_key or os.environ["COUNTERSIGN_TOKEN"]
        super().__init__(**kwargs)

    async def apply_guardrail(self, inputs: Any, request_data: dict, input_type: str, logging_obj: Any = None) -> Any:
        if input_type == "request":
            # The pieces of a stream are gone before anybody could ask about the call that they make.
            if request_data.get("stream"):
                raise HTTPException(403, "Countersign decides on whole answers here: ask without `stream`, or through `countersign proxy`.")
            return inputs
        for call in inputs.get("tool_calls") or []:
            await asyncio.to_thread(self.decide, call, request_data)
        return inputs

    def decide(self, call: Any, request_data: dict) -> None:
        """Returns where the call may run, and raises otherwise, also where nobody answers."""
        function = part(call, "function")
        name, arguments = part(function, "name"), part(function, "arguments") or "{}"
        try:
            whole = isinstance(json.loads(arguments), dict)
        except ValueError:
            whole = False
        if not whole:
            raise HTTPException(403, f"The call of `{name}` did not run. Its arguments are no JSON object.")
        session = request_data.get("litellm_session_id") or request_data.get("litellm_call_id")
        # The arguments go on as the model wrote them: whoever reads them next may read them otherwise than Python does.
        body = '{"tool":%s,"args":%s%s}' % (json.dumps(name), arguments, "" if session is None else ',"session":%s' % json.dumps(str(session)))
        request = urllib.request.Request(
            f"{self.url}/v1/decisions",
            data=body.encode(),
            headers={"authorization": f"Bearer {self.token}", "content-type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, said = answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            status, said = error.code, None
            try:
                said = json.load(error)
            except ValueError:
                pass
        except OSError as error:
            raise HTTPException(403, f"Countersign cannot be asked about `{name}`: {error}") from error
        if status != 200:
            reason = (said or {}).get("agent_reason") or (said or {}).get("message") or f"status {status}"
            raise HTTPException(403, f"The call of `{name}` did not run. {reason}")
        if said.get("modified_arguments") is not None:
            raise HTTPException(403, f"The call of `{name}` may run with other arguments only.")


def part(value: Any, key: str) -> Any:
    """LiteLLM hands over dictionaries or objects, as the endpoint has it."""
    return value.get(key) if isinstance(value, dict) else getattr(value, key, None)
