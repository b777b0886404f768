#!/usr/bin/env python3
"""Servers with their clients: `--with` starts a client beside each run."""
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support import CommandTest, program

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SERVER = program("awaits_client")
REPLAYS = 5

# Connects, sends a byte and gets it back. Then it does what its argument says.
CLIENT = """
import os, signal, socket, sys, time
server = socket.create_connection(("127.0.0.1", 5555))
server.sendall(b"x")
try:
    answer = server.recv(1)
except ConnectionError:
    answer = b""
print("the server answered", answer)
sys.stdout.flush()
%s
"""


class Servers(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.built = pathlib.Path(tempfile.mkdtemp(prefix="unravel-servers-"))
        for name in ("06-key-value-server", "07-chat-server"):
            subprocess.run(["g++", "-std=c++20", "-g", "-pthread", EXAMPLES / f"{name}.cpp", "-o",
                            cls.built / name], check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.built, ignore_errors=True)

    def client(self, then):
        (self.folder / "client.py").write_text(CLIENT % then)
        return "python3 client.py"

    def with_client(self, command, form, then="", *options):
        """One command with that form of the server, and a client that ends as `then` says."""
        return self.tool(*command.split(), "--json", "--with", self.client(then), *options, "--",
                         SERVER, form, "5555")

    def check_replayed(self, run, status, times=REPLAYS):
        """The client is gone, and the run is the same."""
        for client in self.folder.glob("*.py"):
            client.unlink()
        for _ in range(times):
            again = self.tool("replay", "--json", run["run"])
            self.check(again, status)
            told = again.json()
            self.assertTrue(told["reproduced"], again)
            self.assertEqual(told["inputs"], "recorded")
            self.assertEqual(told["client"], run["client"])
            if run["failure"]:
                self.assertEqual(told["failure"]["key"], run["failure"]["key"])

    def hunt_example(self, name, *options):
        shutil.copy(EXAMPLES / f"{name}-client.py", self.folder)
        found = self.tool("hunt", "--json", "--find-only", *options, "--with",
                          f"./{name}-client.py 5555", "--", str(self.built / f"{name}-server"), "5555")
        self.check(found, 1)
        return found.json()["failures"][0]

    def test_a_lost_increment_is_found_by_the_clients_exit_status(self):
        run = self.hunt_example("06-key-value", "--seed", "1", "--jobs", "1")
        self.assertTrue(run["verified"])
        self.assertEqual(run["failure"]["key"], "oracle: client exit status 1")
        self.assertEqual(run["client"]["ended"], "exit status 1")
        self.assertRegex(run["client"]["output"], r"^10 apples were added, [0-9] are there\n$")
        self.check_replayed(run, 1)
        told = self.tool("replay", run["run"])
        self.check(told, 1, "with the recorded inputs")
        self.assertIn("client exit status 1", told.err)
        self.assertIn("10 apples were added", told.err)

    def test_a_chat_server_is_caught_by_its_own_assertion(self):
        run = self.hunt_example("07-chat", "--seed", "1", "--jobs", "2")
        self.assertTrue(run["verified"])
        self.assertEqual(run["failure"]["kind"], "assert")
        self.assertIn("a member who has left", run["failure"]["detail"])
        self.check_replayed(run, 1)

    def test_a_server_that_passes_is_ended_by_its_signal_and_replayed(self):
        for command in ("record", "run --seed 3"):
            with self.subTest(command):
                done = self.with_client(command, "echo")
                self.check(done, 0)
                run = done.json()
                self.assertEqual(run["client"]["output"], "the server answered b'x'\n")
                self.check_replayed(run, 0)

    def test_the_client_is_started_for_every_form_of_waiting(self):
        for form in ("signal", "asks", "leaves"):
            with self.subTest(form):
                (self.folder / "client.py").write_text("" if form == "signal" else CLIENT % "")
                done = self.tool("run", "--json", "--with", "python3 client.py", "--", SERVER, form,
                                 "5555")
                self.check(done, 0)
                self.check_replayed(done.json(), 0, times=1)

    def test_each_run_has_a_client_of_its_own(self):
        done = self.with_client("hunt --runs 20 --jobs 2", "echo")
        self.check(done, 0)
        self.assertEqual(done.json()["runs"], 20)

    def test_without_a_sandbox_it_works_too(self):
        done = self.with_client("hunt --runs 5 --no-sandbox", "echo")
        self.check(done, 0)
        self.assertEqual(done.json()["runs"], 5)

    def test_a_deadlock_between_the_servers_threads_is_one(self):
        done = self.with_client("hunt --seed 1 --find-only", "locks")
        self.check(done, 1)
        run = done.json()["failures"][0]
        self.assertEqual(run["failure"]["kind"], "deadlock")
        self.assertTrue(run["verified"])
        self.check_replayed(run, 1, times=1)

    def test_a_standstill_that_the_client_cannot_end_is_a_failure(self):
        done = self.with_client("run --timeout 1s", "stuck")
        self.check(done, 1)
        self.assertEqual(done.json()["failure"]["kind"], "lost-wakeup")
        self.check_replayed(done.json(), 1, times=1)

    def test_the_clients_exit_status_is_the_verdict(self):
        for then, status, outcome, said in (
                ("sys.exit(3)", 1, "failed", "client exit status 3"),
                ("os.kill(os.getpid(), signal.SIGKILL)", 1, "failed", "client exit status 137"),
                ("os.kill(os.getppid(), signal.SIGKILL)", 1, "failed", "client SIGKILL"),
                ("sys.exit(125)", 2, "unresolved", "the client could not tell (exit status 125)"),
                ("sys.exit(77)", 2, "unresolved", "the client skipped the test (exit status 77)")):
            with self.subTest(then):
                done = self.with_client("run", "echo", then)
                self.check(done, status)
                run = done.json()
                self.assertEqual(run["outcome"], outcome)
                self.assertIn(said, run["failure"]["detail"] if run["failure"] else run["explanation"])

    def test_a_client_that_hangs_is_unresolved(self):
        done = self.with_client("run --timeout 1s", "echo", "time.sleep(1000)")
        self.check(done, 2)
        run = done.json()
        self.assertEqual((run["outcome"], run["reason"]), ("unresolved", "limit"))
        self.assertIn("its client did not end", run["explanation"])
        self.assertEqual(run["client"]["ended"], "ended by unravel")

    def test_a_client_that_outlives_the_server_is_unresolved(self):
        done = self.with_client("run --timeout 1s", "leaves", "time.sleep(1000)")
        self.check(done, 2)
        self.assertIn("the client did not end in time after the program had ended",
                      done.json()["explanation"])

    def test_what_the_client_leaves_behind_is_ended(self):
        # tearDown() looks for processes that were left.
        for options in ((), ("--no-sandbox",)):
            done = self.with_client("run", "echo", "os.system('setsid sleep 1000 & sleep 1000 &')",
                                    *options)
            self.check(done, 0)

    def test_the_client_ends_with_a_driver_that_is_killed(self):
        for options in ((), ("--no-sandbox",)):
            process = self.start("run", *options, "--with", "setsid sleep 1000 & sleep 1000", "--",
                                 SERVER, "echo", "5555")
            while process.poll() is None and not any(
                    line.endswith("sleep 1000 ") for line in self.marked().values()):
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
            self.finish(process)
            self.assertEqual(self.wait_until_gone(), {})

    def test_an_interrupted_hunt_leaves_no_client(self):
        process = self.start("hunt", "--with", "setsid sleep 1000 & sleep 1000", "--", SERVER,
                             "echo", "5555")
        while process.poll() is None and not any(
                line.endswith("sleep 1000 ") for line in self.marked().values()):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        self.check(self.finish(process), 2)
        self.assertEqual(self.wait_until_gone(), {})

    def test_a_program_that_waits_for_nothing_gets_no_client(self):
        done = self.with_client("run", "never")
        self.check(done, 2)
        self.assertEqual(done.json()["reason"], "client")
        self.assertIn("the client was not started", done.json()["explanation"])

    def test_a_client_that_cannot_be_started_is_told_once(self):
        done = self.tool("hunt", "--with", "./no-such-client", "--", SERVER, "echo", "5555")
        self.check(done, 2)
        self.assertEqual(done.err.count("the client './no-such-client' could not be run"), 1, done)
        self.assertIn("not found", done.err)

    def test_the_signal_can_be_chosen(self):
        self.check(self.with_client("run", "echo", "", "--with-signal", "SIGINT"), 0)
        # Nobody tells the server that it is over.
        done = self.with_client("run --timeout 1s", "echo", "", "--with-signal", "none")
        self.check(done, 2)
        self.assertEqual(done.json()["outcome"], "unresolved")

    def test_what_makes_no_sense_is_refused(self):
        for arguments, said in (
                (["hunt", "--with", " "], "--with needs a command"),
                (["run", "--with", "x", "--with-signal", "FOO"], "not 'FOO'"),
                (["run", "--with", "x", "--with-signal", "KILL"], "cannot be KILL"),
                (["run", "--with-signal", "TERM"], "--with-signal has no effect without --with"),
                (["record", "--with", "x", "--no-inputs"], "--with and --no-inputs"),
                (["hunt", "--with", "x", "--each-test"], "--with and --each-test"),
                (["hunt", "--max-input", "1M"], "--max-input has no effect without --with")):
            with self.subTest(arguments):
                done = self.tool(*arguments, "--", SERVER, "never", "5555")
                self.check(done, 2)
                self.assertIn(said, done.err)
                self.assertFalse((self.folder / ".unravel").exists())


if __name__ == "__main__":
    unittest.main()
