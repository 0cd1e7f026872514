"""Countersign for Python: tools behind the gate of `countersign serve`. Standard library only, Python 3.9 or later.

    gate = Gate(path="~/.countersign/run/gate.sock", session="chat-1")

    @gate.wrap
    def refund(order: str, amount: int) -> str: ...

A call runs only where the gate answers 200 with `allow` or `flag`. Everything else, a gate that is away included, raises `CallRefused`.
"""

import asyncio
import contextlib
import functools
import http.client
import inspect
import json
import os
import socket
import time
import urllib.parse
import uuid


class CallRefused(Exception):
    """The call did not run. `str()` of it is for the model; `code` says why; `decision` is the gate's answer, or None."""

    def __init__(self, message, code, decision=None):
        super().__init__(message)
        self.code = code
        self.decision = decision


class Gate:
    """One gate, for one conversation: at a `url` with a `token`, or at the `path` of its Unix socket.

    Calls of one `session` (default a new one) are judged by each other. `wait`: seconds that a call waits for people; with 0 it is refused
    at once, and may be made again after a yes. `timeout`: seconds for one answer of the gate."""

    def __init__(self, url=None, *, token=None, path=None, session=None, principal=None, cwd=None, wait=300.0, timeout=10.0):
        if (url is None) == (path is None):
            raise ValueError("pass either `url` or `path`")
        self._url = None if url is None else urllib.parse.urlsplit(url)
        if self._url is not None and self._url.scheme not in ("http", "https"):
            raise ValueError("`url` is neither http nor https")
        self._token, self._path = token, None if path is None else os.path.expanduser(path)
        self._base = {"session": session or f"python-{uuid.uuid4()}", "principal": principal or {}, "cwd": cwd}
        self._wait, self._timeout = wait, timeout
        self._gated = set()

    def decide(self, tool, args, *, server=None, call_id=None, approval=None):
        """The gate's answer as a dict, whatever it is; waits for nobody. Raises `CallRefused` only where there is none."""
        call = {**self._base, "tool": tool, "server": server, "args": _copied(args), "call_id": call_id, "approval": approval}
        status, decision = self._ask("POST", "/v1/decisions", call, self._timeout)
        if "decision" not in decision:
            raise CallRefused("The gate did not take this call.", str(decision.get("error", "client.answer")), None)
        return {**decision, "runs": status == 200 and decision["decision"] in ("allow", "flag")}

    def run(self, tool, args, function, *, server=None, call_id=None):
        """Decides, waits for people where they are asked, runs `function(args)` with a copy of what was judged, reports its result."""
        args, names = _copied(args), {"server": server, "call_id": call_id}
        decision = self.decide(tool, args, **names)
        waiting = decision.get("approval")
        if not decision["runs"] and waiting and self._wait > 0:
            end = time.monotonic() + self._wait
            answer = {"status": "pending"}
            while answer.get("status") == "pending" and (left := end - time.monotonic()) > 0:
                seconds = max(1, min(30, int(left)))
                answer = self._ask("GET", f"/v1/approvals/{waiting['id']}?wait={seconds}s", None, self._timeout + seconds)[1]
            decision = self.decide(tool, args, **names, approval=waiting.get("token"))
        if not decision["runs"]:
            raise CallRefused(decision.get("agent_reason") or "This call is not allowed.", decision.get("code", "client.answer"), decision)
        call = {**self._base, "tool": tool, "server": server, "args": _copied(args), "call_id": call_id}
        try:
            result = function(args)
        except Exception as error:
            self._report(call, {"error": str(error)})
            raise
        self._report(call, result)
        return result

    def wrap(self, function=None, *, name=None):
        """The same function behind the gate, a coroutine function too; also a decorator. Its arguments have to be JSON values."""
        if function is None:
            return lambda given: self.wrap(given, name=name)
        tool = name or function.__name__
        signature = inspect.signature(function)
        if any(each.kind in (each.POSITIONAL_ONLY, each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in signature.parameters.values()):
            raise ValueError(f"`{tool}`: every parameter needs a name")
        self._gated.add(tool)

        def bound(args, kwargs):
            (given := signature.bind(*args, **kwargs)).apply_defaults()
            return dict(given.arguments)

        if not inspect.iscoroutinefunction(function):
            return functools.wraps(function)(lambda *args, **kwargs: self.run(tool, bound(args, kwargs), lambda given: function(**given)))

        @functools.wraps(function)
        async def later(*args, **kwargs):
            loop = asyncio.get_running_loop()
            body = lambda given: asyncio.run_coroutine_threadsafe(function(**given), loop).result()  # noqa: E731
            return await asyncio.to_thread(self.run, tool, bound(args, kwargs), body)

        return later

    def assert_gated(self, names):
        """For the start of a program: raises `ValueError` for tools that were not wrapped."""
        missing = [name for name in names if name not in self._gated]
        if missing:
            raise ValueError(f"declared, but not gated: {', '.join(missing)}")

    def _report(self, call, result):
        with contextlib.suppress(CallRefused):  # The tool has run; what the session does not know, it does not trust.
            self._ask("POST", "/v1/results", {**call, "result": result}, self._timeout)

    def _ask(self, method, path, body, timeout):
        try:
            made = self._connection(timeout)
            headers = {"content-type": "application/json", **({} if self._token is None else {"authorization": f"Bearer {self._token}"})}
            with contextlib.closing(made):
                made.request(method, path, None if body is None else json.dumps(body, allow_nan=False, default=str).encode(), headers)
                answer = made.getresponse()
                said = json.loads(answer.read())
            if not isinstance(said, dict):
                raise ValueError("the answer is no object")
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise CallRefused("The gate did not answer, so this call was not made.", "client.unreachable") from error
        return answer.status, said

    def _connection(self, timeout):
        if self._url is not None:
            kind = http.client.HTTPSConnection if self._url.scheme == "https" else http.client.HTTPConnection
            return kind(self._url.hostname, self._url.port, timeout=timeout)
        made = http.client.HTTPConnection("localhost", timeout=timeout)
        made.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.sock.settimeout(timeout)
        made.sock.connect(self._path)
        return made


def _copied(value):
    """A copy; raises `CallRefused` for what JSON cannot say: what is judged has to be what runs."""
    try:
        copy = json.loads(json.dumps(value, allow_nan=False))
        if copy != value:
            raise ValueError("it would change on the way")
    except (TypeError, ValueError, RecursionError) as error:
        raise CallRefused("The arguments are no JSON values.", "client.arguments") from error
    return copy
