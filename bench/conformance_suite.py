"""What the suites of `conformance` have in common: a list of tests, a place to build, a command for each test."""
import os
import pathlib
import re
import subprocess
import threading

LISTS = pathlib.Path(__file__).resolve().parent / "conformance_lists"
COMPILE_SECONDS = 300
TOO_SLOW = "the compiler did not end"


class NotBuilt(Exception):
    """One test could not be made; the text is the reason, short enough to be counted by."""


def first_error(output):
    """The first thing that a compiler or linker found wrong, without places."""
    for line in output.splitlines():
        found = re.search(r"(?:fatal error|error): (.*)|(undefined reference to .*)", line)
        if found:
            text = found[1] or found[2]
            missing = re.match(r"(\S+\.[hc]): No such file", text)
            return f"needs {missing[1]}" if missing else text.strip()
    return "the compiler failed"


def compile_program(line):
    """None, or why it did not compile."""
    line = [str(part) for part in line if part != ""]
    try:
        done = subprocess.run(line, capture_output=True, text=True, errors="replace", timeout=COMPILE_SECONDS)
    except subprocess.TimeoutExpired:
        return TOO_SLOW
    return None if done.returncode == 0 else first_error(done.stderr)


class Suite:
    name = ""
    environment = {}  # beside what is there already
    skip_status = 77
    most_jobs = 1000  # at a time, whatever is asked for

    def __init__(self, cache):
        self.cache = cache
        self.built = cache / "built" / self.name
        self.built.mkdir(parents=True, exist_ok=True)
        self.talking = threading.Lock()

    def log(self, text):
        with self.talking:
            print(f"{self.name}: {text}", flush=True)

    def prepare(self):
        """Fetches and builds what all tests need. Raises CannotBuild."""

    def is_prepared(self):
        """Whether prepare() would fetch and build nothing."""
        return True

    def find_tests(self):
        """What the list was made of; the list itself is fixed."""
        raise NotImplementedError

    def tests(self):
        lines = (LISTS / f"{self.name}.list").read_text().splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    def command(self, test):
        """Builds it if need be. Raises NotBuilt."""
        raise NotImplementedError

    def compile_once(self, program, line):
        refused = program.with_name(program.name + ".refused")
        if refused.exists():
            raise NotBuilt(refused.read_text())
        if program.exists():
            return
        made = program.with_name(f"{program.name}.{os.getpid()}")  # another benchmark may be at it as well
        why = compile_program([made if part == program else part for part in line])
        if why == TOO_SLOW:  # on a quieter day it may be faster
            raise NotBuilt(why)
        if why is not None:
            refused.write_text(why)
            raise NotBuilt(why)
        made.rename(program)
