"""Cases of the client: a list of steps as JSON on standard input, one line of JSON for each that was taken."""

import asyncio
import json
import sys

from countersign_client import CallRefused, Gate

ran = []
asked = json.load(sys.stdin)
gate = Gate(**asked["gate"])


@gate.wrap
def read(name: str, more=None) -> str:
    ran.append("read")
    return f"read of {name}"


@gate.wrap(name="paint")
async def painted(name: str) -> str:
    ran.append("paint")
    return f"paint of {name}"


@gate.wrap
def wipe(name: str) -> None:
    ran.append("wipe")


@gate.wrap
def fails(name: str) -> None:
    raise KeyError(name)


STRANGE = {"date": object(), "nan": float("nan"), "tuple": (1, 2), "key": {1: 2}, "bytes": b"x"}


def step(name, arguments):
    if name == "paint":
        return asyncio.run(painted(**arguments))
    arguments = {key: STRANGE[value[1:]] if str(value).startswith("!") else value for key, value in arguments.items()}
    return {"read": read, "wipe": wipe, "fails": fails}[name](**arguments)


for name, arguments in asked["steps"]:
    ran.clear()
    try:
        said = {"result": step(name, arguments)}
    except CallRefused as refused:
        said = {"code": refused.code, "message": str(refused), "approval": ((refused.decision or {}).get("approval") or {}).get("id")}
    except KeyError as error:
        said = {"raised": str(error)}
    print(json.dumps({**said, "ran": list(ran)}), flush=True)
try:
    gate.assert_gated(["read", "paint", "search"])
except ValueError as error:
    print(json.dumps({"start": str(error)}))
