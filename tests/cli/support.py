"""What the tests of whole commands share: a folder of their own, commands, stray processes."""
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import uuid
from dataclasses import dataclass

UNRAVEL = os.environ["UNRAVEL_BINARY"]
PROGRAMS = pathlib.Path(os.environ["UNRAVEL_PROGRAMS"])

# A program that is linked with a library of unravel-cc, which lies beside it. The linker tells of
# every function of libc that it finds dangerous and that the runtime has, too, used or not.
BESIDE = ("-Wl,-rpath,$ORIGIN", "-Wl,--no-warnings")

# Only against hanging for ever.
HANG_SECONDS = 300

# How long what was killed may take to go away on a loaded machine.
SECONDS_TO_VANISH = 30


# Two threads that each add one without a lock, in one line.
LOST_UPDATE = """
#include <assert.h>
#include <pthread.h>
int counter;
static void* add(void* unused) {
  counter++;
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  assert(counter == 2);
}
"""

# Every run of it takes a while.
SLOW_LOST_UPDATE = LOST_UPDATE.replace(
    "  counter++;", "  for (long i = 0; i < 200000000; i++) __asm__ volatile(\"\");\n  counter++;")


def program(name):
    return str(PROGRAMS / name)


@dataclass
class Done:
    """A command that has ended."""
    command: str
    status: int
    out: str
    err: str

    def json(self):
        return json.loads(self.out)

    def __str__(self):
        return f"{self.command}\nexit status {self.status}\n-- out:\n{self.out}-- err:\n{self.err}"


class CommandTest(unittest.TestCase):
    """Each test has a folder, in which the store is, and leaves no process behind."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="unravel-cli-"))
        # Every process that a command starts inherits it, so it shows whom to look for.
        self.mark = f"CLI_TEST={uuid.uuid4()}"
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("UNRAVEL_")}
        # `doctor` waits for 20 seconds otherwise, every time.
        self.environment["UNRAVEL_LATER"] = "0"
        name, value = self.mark.split("=")
        self.environment[name] = value

    def tearDown(self):
        left = self.wait_until_gone()
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.assertEqual(list(left.values()), [], "processes were left behind")

    def start(self, *arguments, environment=None, stdin=subprocess.DEVNULL):
        return subprocess.Popen(
            [UNRAVEL, *arguments], cwd=self.folder, env=self.environment | (environment or {}),
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def finish(self, process, data=None):
        command = shlex.join(process.args)
        try:
            out, err = process.communicate(data, timeout=HANG_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            self.fail(f"{command}\ndid not end within {HANG_SECONDS} s\n{err.decode()}")
        return Done(command, process.returncode, out.decode(errors="replace"),
                    err.decode(errors="replace"))

    def tool(self, *arguments, data=None, environment=None):
        stdin = subprocess.DEVNULL if data is None else subprocess.PIPE
        return self.finish(self.start(*arguments, environment=environment, stdin=stdin), data)

    def source(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def build(self, *command, **environment):
        """A compiler, or something else that must end well and complain of nothing."""
        done = subprocess.run([str(part) for part in command], cwd=self.folder, text=True,
                              env={**self.environment, **environment}, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"{command}")
        return done.stdout

    def check_interrupted_inquiry(self, command, *options):
        """Into a failure that takes long to repeat; nothing is left of it, and the store is whole."""
        self.source("slow.c", SLOW_LOST_UPDATE)
        self.build("gcc", "-g", "-O1", "-fsanitize=thread", "-pthread", "slow.c", "-o", "slow")
        found = self.tool("run", "--json", "--seed", "1", "--runs", "2000", "--points", "memory", "--",
                          "./slow")
        self.check(found, 1)
        process = self.start(command, found.json()["run"], *options)
        while process.poll() is None and not any("./slow" in line for line in self.marked().values()):
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.check(self.finish(process), 2, "interrupted")
        self.assertEqual(self.wait_until_gone(), {})
        self.check_store_is_whole()

    def where_refused(self, *arguments):
        """The tool on a machine that grants neither namespaces nor fixed addresses."""
        return self.finish(subprocess.Popen(
            [program("refuse_namespaces"), UNRAVEL, *arguments], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE))

    def check(self, done, status, *words):
        """This exit status, and all of these words on standard error."""
        self.assertEqual(done.status, status, f"\n{done}")
        for word in words:
            self.assertIn(word, done.err, f"\n{done}")

    def check_refused(self, arguments, *words, status=2):
        """Refused in words, and with --json in JSON alone on standard output."""
        command, *rest = arguments
        plain = self.tool(command, *rest)
        self.check(plain, status, "unravel: ", *words)
        self.assertEqual(plain.out, "", f"\n{plain}")
        done = self.tool(command, "--json", *rest)
        self.check(done, status, *words)
        self.assertTrue(done.json()["error"]["what"], f"\n{done}")
        return plain

    def check_store_is_whole(self):
        """What is kept can be listed, shown and added to."""
        self.check(self.tool("list"), 0)
        for run in self.tool("list", "--json").json()["runs"]:
            self.check(self.tool("show", "--json", run["run"]), 0)
        self.check(self.tool("run", "--runs", "5", "--", program("locks_in_order")), 0)
        self.assertEqual(list((self.folder / ".unravel" / "tmp").glob("*")), [])

    def marked(self):
        """Living processes that carry our mark, with their command lines."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if self.mark.encode() in (entry / "environ").read_bytes().split(b"\0"):
                    line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                    found[int(entry.name)] = f"{entry.name}: {line}"
            except OSError:
                pass  # it has just ended
        return found

    def wait_until_gone(self):
        give_up = time.monotonic() + SECONDS_TO_VANISH
        while (left := self.marked()) and time.monotonic() < give_up:
            time.sleep(0.02)
        return left

    def wait_for_program(self, process, name):
        """Numbers of the processes that run this program, once there are any."""
        give_up = time.monotonic() + HANG_SECONDS
        while time.monotonic() < give_up and process.poll() is None:
            found = [pid for pid, line in self.marked().items()
                     if line.split(": ", 1)[1].startswith(program(name))]
            if found:
                return found
        self.fail(f"{name} did not start")
