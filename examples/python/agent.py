"""One turn of an agent: the tools that a model asked for, run behind the gate. Usage: python3 agent.py '[["read_file", {"path": "a"}]]'"""

import json
import os
import sys

from countersign_client import CallRefused, Gate

home = os.environ.get("COUNTERSIGN_HOME", os.path.expanduser("~/.countersign"))
gate = Gate(path=os.path.join(home, "run", "gate.sock"), session="example", principal={"agent": "example"}, wait=0)


@gate.wrap
def read_file(path: str) -> str:
    return f"what is in {path}"


@gate.wrap
def send_report(to: str, text: str = "done") -> str:
    return f"sent to {to}"


TOOLS = {"read_file": read_file, "send_report": send_report}
gate.assert_gated(TOOLS)  # A tool that is offered to the model and not gated stops the program here.

for name, arguments in json.loads(sys.argv[1] if len(sys.argv) > 1 else '[["read_file", {"path": "notes"}]]'):
    try:
        print(f"{name}: {TOOLS[name](**arguments)}")
    except CallRefused as refused:
        print(f"{name}: refused, {refused.code}: {refused}")
