"""The driver: a child process that makes the run, as often as it is asked to."""
import json
import os
import select
import shutil
import subprocess

import gdb


class Refused(gdb.GdbError):
    """The driver cannot do what was asked for."""

    def __init__(self, error):
        lines = [error["what"]]
        if error.get("why"):
            lines.append("  " + error["why"])
        if error.get("hint"):
            lines.append("  hint: " + error["hint"])
        super().__init__("\n".join(lines))


class DriverGone(gdb.GdbError):
    """The driver has ended."""


def find_unravel(script):
    """The executable that the script was installed or built with."""
    folder = os.path.dirname(script)
    beside = os.path.normpath(os.path.join(folder, "..", "..", "..", "bin", "unravel"))
    if os.access(beside, os.X_OK):
        return beside
    found = shutil.which("unravel")
    if not found:
        raise gdb.GdbError("unravel is neither at " + beside + " nor in PATH")
    return found


class Driver:
    """Requests are lines of words, answers are lines of JSON."""

    # How long to wait for the driver's end before it is killed. It kills the run itself first.
    SECONDS_TO_END = 5

    # Ctrl-C is noticed this soon.
    GLANCE_SECONDS = 0.2

    def __init__(self, unravel, arguments):
        self.process = subprocess.Popen(
            [unravel, "replay", "--serve-debugger", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            # Ctrl-C is for the debugger. What it does to the run, the debugger decides.
            start_new_session=True)
        self.unread = b""

    def send(self, request):
        try:
            self.process.stdin.write(request.encode() + b"\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise DriverGone("unravel has ended; `unravel open` begins anew") from None

    def read(self):
        """The next answer. Waits as long as it takes; Ctrl-C raises KeyboardInterrupt."""
        while b"\n" not in self.unread:
            ready, _, _ = select.select([self.process.stdout], [], [], self.GLANCE_SECONDS)
            if not ready:
                continue
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise DriverGone("unravel has ended; `unravel open` begins anew")
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\n")
        answer = json.loads(line)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer

    def ask(self, request):
        self.send(request)
        return self.read()

    def cancel(self):
        """Gives up what it is doing. Answers that were under way are dropped."""
        self.send("cancel")
        while True:
            try:
                if self.read().get("text") == "cancelled":
                    return
            except Refused:
                pass

    def close(self):
        """Ends it, and with it the run."""
        if self.process.poll() is None:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
            try:
                self.process.wait(self.SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
