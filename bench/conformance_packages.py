"""Suites that Debian's packages bring along (glib, Python), and libuv's, which is quickly built."""
import os
import pathlib
import re
import shlex
import subprocess

from conformance_suite import NotBuilt, Suite
from debian_sources import CannotBuild, fetch, must


class Glib(Suite):
    """The installed tests of glib that are programs. Some others are scripts that start one."""
    name = "glib"
    folder = pathlib.Path("/usr/share/installed-tests/glib")

    def prepare(self):
        if not self.folder.is_dir():
            raise CannotBuild("glib's tests are not installed: apt-get install libglib2.0-tests")

    def line_of(self, file):
        return next(line for line in file.read_text().splitlines() if line.startswith("Exec=")).removeprefix("Exec=")

    def find_tests(self):
        return sorted(file.stem for file in self.folder.glob("*.test")
                      if not shlex.split(self.line_of(file))[0].endswith(".py"))

    def command(self, test):
        file = self.folder / f"{test}.test"
        if not file.exists():
            raise NotBuilt("is not in the installed version")
        return shlex.split(self.line_of(file))


class Python(Suite):
    """Each method of CPython's tests of threads by itself."""
    name = "python"
    interpreter = "/usr/bin/python3"
    modules = ("test_threading", "test_queue", "test_concurrent_futures")
    finder = """
import sys, unittest
def methods(suite):
    for one in suite:
        yield from methods(one) if isinstance(one, unittest.TestSuite) else [one.id()]
for module in sys.argv[1:]:
    print("\\n".join(methods(unittest.defaultTestLoader.loadTestsFromName("test." + module))))
"""

    def prepare(self):
        done = subprocess.run([self.interpreter, "-c", "import test.test_threading, test.test_concurrent_futures"],
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise CannotBuild("Python's tests are not installed: apt-get install libpython3.11-testsuite")
        self.known = set(self.find_tests())

    def find_tests(self):
        ids = must([self.interpreter, "-c", self.finder, *self.modules], "/", "listing Python's tests").split()
        return sorted({one.removeprefix("test.") for one in ids})

    def command(self, test):
        if test not in self.known:
            raise NotBuilt("is not in the installed version")
        return [self.interpreter, "-m", "unittest", "-q", f"test.{test}"]


class Libuv(Suite):
    """Each test in a process of its own, as its runner starts it; those that need a server beside them fail natively."""
    name = "libuv"
    environment = {"UV_RUN_AS_ROOT": "1", "RES_OPTIONS": "attempts:0"}
    skip_status = 7
    most_jobs = 1  # ports and paths are fixed

    def __init__(self, cache):
        super().__init__(cache)
        self.program = self.built / "build/uv_run_tests"

    def is_prepared(self):
        return self.program.exists()

    def prepare(self):
        if not self.is_prepared():
            source = fetch("libuv1", self.cache / "sources")
            self.log("building its tests")
            must(["cmake", "-S", source, "-B", self.built / "build", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"], self.built,
                 "cmake")
            must(["cmake", "--build", self.built / "build", "--target", "uv_run_tests", "-j2"], self.built,
                 "cmake --build")
        self.known = set(self.find_tests())

    def find_tests(self):
        lines = must([self.program, "--list"], self.built, "uv_run_tests --list", {**os.environ, **self.environment})
        return sorted({line.split()[0] for line in lines.splitlines() if re.match(r"\w", line)})

    def command(self, test):
        if test not in self.known:
            raise NotBuilt("is not in this version")
        return [str(self.program), test, test]
