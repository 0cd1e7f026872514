"""One call a line on standard input, run behind the gate at the socket that is named: `ran` or `refused`, a line each."""

import json
import sys

from countersign_client import CallRefused, Gate

for line in sys.stdin:
    call = json.loads(line)
    gate = Gate(path=sys.argv[1], session=call["session"], principal=call["principal"], cwd=call["cwd"], wait=0)
    ran = []
    try:
        gate.run(call["tool"], call["args"], ran.append, server=call["server"], call_id=call["call_id"])
        print("ran" if ran else "unclear", flush=True)
    except CallRefused:
        print("refused" if not ran else "unclear", flush=True)
