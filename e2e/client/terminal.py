"""Runs a program on a terminal of its own: `terminal.py [[[expected, typed], …], [command, argument, …]]`, and prints what it showed and its code."""
import json
import os
import pty
import select
import sys
import time

LIMIT_SECONDS = 100

steps, command = json.loads(sys.argv[1])
process, terminal = pty.fork()
if process == 0:
    os.execvp(command[0], command)

shown = b""
deadline = time.monotonic() + LIMIT_SECONDS


def read():
    """False at the end of what the program shows."""
    global shown
    if not select.select([terminal], [], [], max(0, deadline - time.monotonic()))[0]:
        os.kill(process, 9)
        sys.exit(f"nothing more was shown after {shown!r}")
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        return False
    shown += chunk
    return chunk != b""


position = 0
for expected, typed in steps:
    while shown.find(expected.encode(), position) == -1:
        if not read():
            sys.exit(f"{expected!r} was not shown: {shown!r}")
    position = len(shown)
    os.write(terminal, typed.encode())
while read():
    pass
code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
print(json.dumps({"shown": shown.decode(), "code": code}))
