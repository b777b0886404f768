#!/usr/bin/env python3
"""Packed runs: a failure is replayed from one file, elsewhere, by somebody else."""
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

from inputs_test import ASKS_PEER, READS_FILES, Peer
from support import UNRAVEL, CommandTest, program

GOOD = program("locks_in_order")
BAD = program("locks_in_disorder")

# Fails always; prints where things are in memory, and one variable.
ADDRESSES = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern char** environ;
static void* nothing(void* unused) { return unused; }
int main(int argc, char** argv) {
  int variables = 0, local = 0;
  pthread_t thread;
  char directory[4096];
  for (char** one = environ; *one; one++) variables++;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  printf("%p %p %p %p %p %d in %s, COLOUR %s, SECRET %s\\n", (void*)&local, (void*)argv[0],
         (void*)environ, malloc(10), (void*)main, variables, getcwd(directory, sizeof directory),
         getenv("COLOUR"), getenv("SECRET"));
  return argc > 5 ? 0 : 3;
}
"""

# Fails by what its library says.
USES_LIBRARY = """
#include <assert.h>
#include <pthread.h>
int answer(void);
static void* nothing(void* unused) { return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  assert(answer() == 42);
}
"""


class PackTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.there = pathlib.Path(tempfile.mkdtemp(prefix="unravel-there-"))
        self.there.chmod(0o755)

    def tearDown(self):
        shutil.rmtree(self.there, ignore_errors=True)
        super().tearDown()

    def elsewhere(self, *arguments, before=(), environment=None):
        """The tool in another directory, with an environment of nothing but a mark."""
        name, value = self.mark.split("=")
        return self.finish(subprocess.Popen(
            [*before, UNRAVEL, *arguments], cwd=self.there,
            env={name: value, **(environment or {})}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE))

    def record(self, *command, status=1, options=(), environment=None):
        done = self.tool("run", "--json", *options, "--", *command, environment=environment)
        self.check(done, status)
        self.recorded = done
        return done.json()

    def pack(self, *options, run=(), name="failure.unravel"):
        file = self.there / name
        done = self.tool("pack", *run, "-o", str(file), *options)
        self.check(done, 0)
        self.said = done.out
        return str(file)

    def check_reproduced(self, done, run):
        self.check(done, 1)
        again = done.json()
        self.assertTrue(again["reproduced"], f"\n{done}")
        self.assertEqual(again["failure"]["key"], run["failure"]["key"])
        self.assertEqual(again["steps"], run["steps"])

    def nothing_is_left(self):
        store = self.there / ".unravel" / "tmp"
        self.assertEqual(list(store.glob("*")) if store.exists() else [], [])


class Travels(PackTest):
    def record_with_peer(self):
        peer = Peer(75)
        done = self.tool("record", "--no-sandbox", "--json", "--", ASKS_PEER, str(peer.port))
        peer.close()
        self.check(done, 1)
        return done.json()

    def test_without_its_peer_directory_environment_and_store(self):
        run = self.record_with_peer()
        file = self.pack()
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        self.assertIn("recorded inputs", self.said)
        self.assertIn("variables of the environment", self.said)
        before = pathlib.Path(file).read_bytes()
        shown = self.elsewhere("show", file)
        self.check(shown, 0)
        self.assertFalse((self.there / ".unravel").exists(), "showing a file writes nothing")
        shutil.rmtree(self.folder)
        for _ in range(3):
            again = self.elsewhere("replay", "--json", file)
            self.check_reproduced(again, run)
            self.assertEqual(again.json()["inputs"], "recorded")
        self.check(self.elsewhere("query", file, "--at", "T1:2"), 0)
        self.check(self.elsewhere("show", file, "--run"), 0)
        self.check(self.elsewhere("diff", file, "failure.unravel"), 0)
        self.nothing_is_left()
        self.assertEqual(pathlib.Path(file).read_bytes(), before)
        self.folder.mkdir()

    def test_as_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be somebody else")
        run = self.record_with_peer()
        file = self.pack()
        os.chmod(file, 0o644)
        os.chown(self.there, 65534, 65534)
        other = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        again = self.elsewhere("replay", "--json", file, before=other)
        self.check_reproduced(again, run)
        self.nothing_is_left()

    def test_what_is_made_of_it_goes_to_the_store(self):
        run = self.record(BAD, options=("--runs", "500", "--seed", "1"))
        file = self.pack()
        shutil.rmtree(self.folder)
        simple = self.elsewhere("simplify", "--json", file)
        self.check(simple, 0)
        self.assertEqual(simple.json()["from"], file)
        isolated = self.elsewhere("isolate", "--json", file)
        self.check(isolated, 0)
        self.check(self.elsewhere("replay", isolated.json()["failing"]
                                  if isolated.json()["failing"] != file else file), 1)
        traced = self.elsewhere("replay", "--trace", file)
        self.check(traced, 1, ".trace")
        self.assertEqual(len(list((self.there / ".unravel" / "runs").glob("*.trace"))), 1)
        checked = self.elsewhere("check", "--json", file)
        self.check(checked, 1)
        self.assertEqual(self.elsewhere("list", "--json").status, 0)
        again = self.elsewhere("pack", file, "-o", "again.unravel")
        self.check(again, 0)
        self.check_reproduced(self.elsewhere("replay", "--json", "again.unravel"), run)
        self.folder.mkdir()

    def test_files_that_were_recorded(self):
        data = self.folder / "data"
        data.mkdir()
        (data / "first").write_text("40\n")
        (data / "second").write_text("2\n")
        run = self.record(READS_FILES, options=("--catch-all", "--rule", "random", "--seed", "3"))
        file = self.pack()
        shutil.rmtree(self.folder)
        self.check_reproduced(self.elsewhere("replay", "--json", file), run)
        self.folder.mkdir()


class Layout(PackTest):
    def setUp(self):
        super().setUp()
        self.source("prog.c", ADDRESSES)
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")

    def printed(self):
        done = self.tool("replay")
        self.check(done, 1)
        return done.out.splitlines()[0]

    def test_addresses_are_the_same_without_the_environment(self):
        run = self.record("./prog", environment={"SECRET": "hunter2", "COLOUR": "green"})
        before = self.printed()
        self.assertIn("COLOUR green, SECRET hunter2", before)
        file = self.pack("--with-environment", "COLOUR")
        # As if nothing was left out but the values.
        again = self.elsewhere("replay", file)
        self.check(again, 1)
        self.assertEqual(again.out.splitlines()[0], before.replace("hunter2", "(null)"))
        # Nor does a directory that is gone change anything.
        moved = self.there / "moved"
        shutil.copy(self.folder / "prog", moved)
        shutil.rmtree(self.folder)
        self.check(self.elsewhere("replay", file), 2, "prog", "--program PATH")
        again = self.elsewhere("replay", file, "--program", "moved")
        self.check(again, 1)
        self.assertEqual(again.out.splitlines()[0], before.replace("hunter2", "(null)"))
        self.check_reproduced(self.elsewhere("replay", "--json", "--program", str(moved), file), run)
        self.assertFalse(self.folder.exists(), "no path of a file is written to")
        self.nothing_is_left()
        self.folder.mkdir()

    def test_values_that_were_left_out_are_not_in_the_file(self):
        self.record("./prog", environment={"PASSWORD": "hunter2", "COLOUR": "green"})
        kept = self.pack("--with-environment", "COLOUR,PASSWORD", name="kept.unravel")
        self.assertIn(b"hunter2", pathlib.Path(kept).read_bytes(), "else this test tests nothing")
        file = self.pack("--with-environment", "COLOUR")
        for secret in (b"hunter2", b"PASSWORD", self.mark.split("=")[1].encode()):
            self.assertNotIn(secret, pathlib.Path(file).read_bytes())

    def test_a_directory_below_the_root_that_is_gone(self):
        if os.geteuid() != 0:
            self.skipTest("only root can write there")
        top = pathlib.Path(tempfile.mkdtemp(prefix="unravel-top-", dir="/"))
        try:
            shutil.move(self.folder / "prog", top / "prog")
            done = self.finish(subprocess.Popen(
                [UNRAVEL, "run", "--json", "--store", str(self.folder / "store"), "--", "./prog"],
                cwd=top, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE))
            self.check(done, 1)
            file = self.pack("--store", "store", "--with-program")
        finally:
            shutil.rmtree(top)
        again = self.elsewhere("replay", "--json", "--trust-program", file)
        self.check_reproduced(again, done.json())
        self.check(self.elsewhere("replay", "--trust-program", file), 1)
        self.assertFalse(top.exists(), "no path of a file is written to")
        os.chmod(file, 0o644)
        os.chown(self.there, 65534, 65534)
        shutil.rmtree(self.there / ".unravel")
        again = self.elsewhere("replay", "--json", "--trust-program", file, before=(
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"))
        self.check_reproduced(again, done.json())
        self.nothing_is_left()

    def test_another_program_is_refused(self):
        self.record("./prog")
        file = self.pack()
        self.source("prog.c", ADDRESSES.replace(": 3", ": 4"))
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread")
        for options in ((), ("--program", str(self.folder / "prog"))):
            self.check(self.elsewhere("replay", file, *options), 2,
                       "is not the program that", "build id", "--program")
        self.check(self.elsewhere("replay", file, "--program", "/no/such"), 2, "/no/such")
        self.check(self.elsewhere("replay", file, "--program", "/etc/passwd"), 2, "/etc/passwd")

    def test_a_machine_without_namespaces_is_told(self):
        self.record("./prog")
        file = self.pack()
        shutil.copy(self.folder / "prog", self.there / "moved")
        shutil.rmtree(self.folder)
        done = self.elsewhere("replay", file, "--program", "moved",
                              before=(program("refuse_namespaces"),))
        self.check(done, 2, "cannot be shown at its recorded path", "sandbox")
        self.folder.mkdir()


class WithProgram(PackTest):
    def setUp(self):
        super().setUp()
        self.source("answer.c", "int answer(void) { return 41; }\n")
        self.source("prog.c", USES_LIBRARY)
        self.build_library()
        self.build("gcc", "-g", "prog.c", "-o", "prog", "-pthread", "-L.", "-lanswer",
                   "-Wl,-rpath,$ORIGIN/.")

    def build_library(self):
        self.build("gcc", "-g", "-shared", "-fPIC", "-Wl,--build-id", "answer.c", "-o",
                   "libanswer.so")

    def test_it_is_started_only_if_it_is_trusted(self):
        run = self.record("./prog")
        file = self.pack("--with-program")
        self.assertIn("the program and", self.said)
        shutil.rmtree(self.folder)
        self.check(self.elsewhere("replay", file), 2, "is not the program that", "--trust-program")
        self.assertFalse((self.there / ".unravel" / "runs").exists())
        again = self.elsewhere("replay", "--json", "--trust-program", file)
        self.check_reproduced(again, run)
        stack = again.json()["failure"]["stack"]
        self.assertTrue(any(frame["function"] == "main" and frame["line"] for frame in stack), stack)
        self.check(self.elsewhere("query", "--trust-program", file, "--at", "T1:1"), 0)
        self.assertFalse(self.folder.exists(), "no path of a file is written to")
        self.nothing_is_left()
        self.folder.mkdir()

    def test_another_library_is_told(self):
        run = self.record("./prog")
        plain = self.pack(name="plain.unravel")
        whole = self.pack("--with-program", name="whole.unravel")
        self.source("answer.c", "int answer(void) { return 40 + 2; }\n")
        self.build_library()
        self.check(self.elsewhere("replay", plain), 2, "is not the library that", "--with-program")
        self.check(self.elsewhere("replay", whole), 2, "is not the library that", "--trust-program")
        self.check_reproduced(self.elsewhere("replay", "--json", "--trust-program", whole), run)
        self.check(self.tool("pack", "--with-program", "-o", "late.unravel"), 2, "was rebuilt since")
        self.assertFalse((self.folder / "late.unravel").exists())

    def test_it_must_be_there_to_be_trusted(self):
        self.record("./prog")
        file = self.pack()
        self.check(self.elsewhere("replay", "--trust-program", file), 2,
                   "does not contain its program")
        self.check(self.tool("replay", "--trust-program"), 2, "only for packed runs")

    def test_commands_in_it_are_not_started(self):
        self.source("answer.c", "int answer(void) { return 42; }\n")
        self.build_library()
        mark = self.there / "mark"
        self.record("./prog", options=("--no-sandbox", "--oracle", f"touch {mark}; exit 1"))
        mark.unlink()
        file = self.pack()
        for command in ("replay", "simplify"):
            self.check(self.elsewhere(command, file), 2, "names a command", "touch")
            self.assertFalse(mark.exists())
        self.check(self.elsewhere("replay", file, "--oracle", "exit 1"), 1)
        self.assertFalse(mark.exists())

    def test_code_in_its_environment_is_not_loaded(self):
        self.record("./prog", environment={"LD_LIBRARY_PATH": str(self.folder)})
        done = self.tool("pack", "-o", "plain.unravel")
        self.check(done, 0, "LD_LIBRARY_PATH was left out")
        file = self.pack("--with-environment", "LD_LIBRARY_PATH", "--with-program")
        self.check(self.elsewhere("replay", file), 2, "LD_LIBRARY_PATH", "--trust-program")
        self.check(self.elsewhere("replay", "--trust-program", file), 1)


class BadInput(PackTest):
    def setUp(self):
        super().setUp()
        self.record(BAD, options=("--runs", "500", "--seed", "1"))

    def check_nothing_was_written(self, names):
        self.assertEqual(sorted(path.name for path in self.there.iterdir()), sorted(names))

    def test_damaged_files(self):
        whole = pathlib.Path(self.pack()).read_bytes()
        file = self.there / "failure.unravel"
        table = [(b"", "it is empty"), (whole[:-1], "damaged"), (whole[:31], "damaged"),
                 (whole[:8], "damaged"), (whole[:7], "not a packed run"),
                 (whole[:100] + b"\0" + whole[101:], "checksum"), (b"x" * 1000, "not a packed run"),
                 (b"some text\n", "not a packed run"), (whole + b"x", "damaged"),
                 (whole[:8] + b"\x09" + whole[9:], "newer unravel"),
                 (whole[:16] + struct.pack("<Q", 1 << 60) + whole[24:], "damaged")]
        for content, expected in table:
            for command in (("replay",), ("show",), ("query", "--at", "T1:1"), ("simplify",),
                            ("isolate",), ("check",), ("races",), ("predict",),
                            ("diff", "failure.unravel"), ("pack", "-o", "other.unravel")):
                with self.subTest(expected=expected, size=len(content), command=command):
                    file.write_bytes(content)
                    done = self.elsewhere(*command, str(file))
                    self.check(done, 2, "failure.unravel", expected)
                    self.assertEqual(done.out, "")
                    self.check_nothing_was_written(["failure.unravel"])

    def test_a_file_that_is_cut_anywhere(self):
        """All places are tried in tests/unit/data/packed_test.cpp; these by the command."""
        whole = pathlib.Path(self.pack()).read_bytes()
        file = self.there / "failure.unravel"
        for size in range(0, len(whole), max(1, len(whole) // 25)):
            with self.subTest(size=size):
                file.write_bytes(whole[:size])
                self.check(self.elsewhere("show", "failure.unravel"), 2, "failure.unravel")

    def test_what_is_no_file(self):
        (self.there / "directory.unravel").mkdir()
        os.mkfifo(self.there / "pipe.unravel")
        table = [("directory.unravel", "it is a directory"), ("pipe.unravel", "not a regular file"),
                 ("gone.unravel", "No such file"), ("/dev/zero", "not a regular file"),
                 ("no/such", "No such file"), (".", "no store"), ("./.", "it is a directory")]
        for name, expected in table:
            for command in ("replay", "show", "check"):
                with self.subTest(name=name, command=command):
                    self.check(self.elsewhere(command, name), 2, expected)
        self.check_nothing_was_written(["directory.unravel", "pipe.unravel"])

    def test_a_file_that_may_not_be_read(self):
        if os.geteuid() != 0:
            self.skipTest("only root can be somebody else")
        file = self.pack()
        os.chown(self.there, 65534, 65534)
        done = self.elsewhere("show", file, before=("setpriv", "--reuid=65534", "--regid=65534",
                                                    "--clear-groups"))
        self.check(done, 2, "Permission denied")

    def test_a_file_that_exists_is_not_replaced(self):
        file = pathlib.Path(self.pack())
        file.write_text("precious")
        self.check(self.tool("pack", "-o", str(file)), 2, "exists", "--force")
        self.assertEqual(file.read_text(), "precious")
        self.check(self.tool("pack", "-o", str(file), "--force"), 0)
        self.check(self.elsewhere("replay", str(file)), 1)
        link = self.there / "link.unravel"
        link.symlink_to(file)
        before = file.read_bytes()
        self.check(self.tool("pack", "-o", str(link), "--force"), 2, "something else")
        self.assertEqual(file.read_bytes(), before)

    def test_bad_options(self):
        table = [(("pack",), "no file was named"), (("pack", "-o", ""), "no file was named"),
                 (("pack", "-o", "/no/such/folder/x"), "/no/such/folder"),
                 (("pack", "-o", "."), "something else"),
                 (("pack", "zzz", "-o", "x"), "no run 'zzz'"),
                 (("pack", "-o", "x", "--with-environment", "NO_SUCH_NAME"), "was not set"),
                 (("pack", "-o", "x", "--with-environment", "A=B"), "not the name"),
                 (("pack", "-o", "x", "--", "./prog"), "takes no program")]
        for arguments, expected in table:
            with self.subTest(arguments=arguments):
                self.check(self.tool(*arguments), 2, expected)
        self.assertFalse((self.folder / "x").exists())

    def test_a_disk_that_is_full(self):
        if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
            self.skipTest("unshare -m is refused: needs to be root")
        script = ("mkdir full; mount -t tmpfs -o size=64k none full; cp .unravel/store.db full/rest "
                  "2>/dev/null; head -c 60000 /dev/zero >> full/rest; \"$@\"; status=$?; ls -A full "
                  ">&2; exit $status")
        done = self.finish(subprocess.Popen(
            ["unshare", "-m", "sh", "-c", script, "sh", UNRAVEL, "pack", "--with-program", "-o",
             "full/failure.unravel"], cwd=self.folder, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
        self.check(done, 2, "cannot write 'full/failure.unravel'", "No space left", "-o FILE")
        self.assertEqual(done.err.splitlines()[-1], "rest", "nothing is left of it")


if __name__ == "__main__":
    unittest.main()
