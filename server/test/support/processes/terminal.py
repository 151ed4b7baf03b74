"""Runs a command in a terminal of its own, presses Ctrl-C after certain output, and reports how it ended.

Arguments: the words to wait for, then the command. Prints one line of JSON.
"""

import json
import os
import pty
import select
import sys
import time

MAX_SECONDS = 110

awaited, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(command[0], command)

said = b""
pressed_at = None
started = time.monotonic()
while time.monotonic() - started < MAX_SECONDS:
    ready, _, _ = select.select([terminal], [], [], 0.1)
    if ready:
        try:
            chunk = os.read(terminal, 65536)
        except OSError:  # The last process of the terminal has ended.
            break
        if not chunk:
            break
        said += chunk
    if pressed_at is None and awaited.encode() in said:
        pressed_at = len(said)
        os.write(terminal, b"\x03")
else:
    os.kill(pid, 9)
_, status = os.waitpid(pid, 0)
print(
    json.dumps(
        {
            "before": said[:pressed_at].decode(errors="replace"),
            "after": "" if pressed_at is None else said[pressed_at:].decode(errors="replace"),
            # As a shell reports it: 128 plus the number of the signal that ended it.
            "code": os.waitstatus_to_exitcode(status)
            if os.WIFEXITED(status)
            else 128 + os.WTERMSIG(status),
        }
    )
)
