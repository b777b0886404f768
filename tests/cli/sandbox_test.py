#!/usr/bin/env python3
"""Runs do not see each other: not their files, ports or processes."""
import os
import pathlib
import subprocess
import unittest

from support import UNRAVEL, CommandTest, program

LEAVES = program("leave_traces")
TRACES = ("leave_traces.lock", "/tmp/leave_traces.tmp")
SEARCH = ("run", "--json", "--rule", "random", "--seed", "1", "--runs", "200")
COMPARED = ("outcome", "runs", "steps", "switches", "preemptions", "threads", "seed")


class Sandbox(CommandTest):
    def tearDown(self):
        self.forget_traces()
        super().tearDown()

    def forget_traces(self):
        for name in TRACES:
            (self.folder / name).unlink(missing_ok=True)

    def traces(self):
        return [name for name in TRACES if (self.folder / name).exists()]

    def test_two_at_once_see_what_one_sees(self):
        alone = self.tool(*SEARCH, "--", LEAVES)
        self.check(alone, 1)

        # Stores of their own, so that they do not wait for each other there.
        both = [self.start(*SEARCH, "--store", f"store{i}", "--", LEAVES) for i in range(2)]

        for process in both:
            done = self.finish(process)
            self.check(done, 1)
            self.assertEqual([alone.json()[name] for name in COMPARED],
                             [done.json()[name] for name in COMPARED])
            self.assertEqual(alone.json()["failure"]["key"], done.json()["failure"]["key"])
        self.assertEqual(self.traces(), [])

    def pool_runs(self, workers):
        runtime = pathlib.Path(UNRAVEL).resolve().parent.parent / "lib/unravel/libunravel-rt.so"
        process = subprocess.Popen(
            [program("pool_runs"), str(workers), ".", LEAVES], cwd=self.folder,
            env=self.environment | {"UNRAVEL_RUNTIME": str(runtime)}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        done = self.finish(process)
        self.check(done, 0)
        used, *runs = done.out.splitlines()
        return int(used), runs

    def test_two_workers_of_a_pool_see_what_one_sees(self):
        one, alone = self.pool_runs(1)
        two, together = self.pool_runs(2)

        self.assertEqual(one, 1)
        if two < 2:
            self.skipTest("only one CPU may be used here, so there is only one worker")
        self.assertEqual(together, alone)
        outcomes = [run.split()[1] for run in alone if run[0].isdigit()]
        self.assertEqual(len(outcomes), 200)
        self.assertEqual(set(outcomes), {"passed", "failed"})
        # They fail by their schedules, never because a name or the port is taken.
        keys = {run for run in alone if not run[0].isdigit()}
        self.assertEqual([" ".join(key.split()[:2]) for key in keys], ["assert: main"])
        self.assertEqual(self.traces(), [])

    def test_every_run_of_its_own_process_is_alone_too(self):
        forked = self.tool(*SEARCH, "--", LEAVES)

        direct = self.tool(*SEARCH, "--no-fork", "--", LEAVES)

        self.check(direct, 1)
        self.assertEqual(forked.json()["runs"], direct.json()["runs"])

    def test_nobody_is_left_of_a_run(self):
        for options in ([], ["--no-fork"]):
            with self.subTest(options=options):
                process = self.start("run", "--runs", "100000000", "--rule", "stay", *options,
                                     "--", LEAVES)
                most = 0
                for _ in range(50):
                    self.wait_for_program(process, "leave_traces")
                    most = max(most, sum(line.split(": ", 1)[1].startswith(LEAVES)
                                         for line in self.marked().values()))
                process.kill()
                process.communicate()
                # The server, a run, and what that run has started.
                self.assertLessEqual(most, 4)

    def test_files_of_a_failing_run_are_kept_where_asked(self):
        done = self.tool(*SEARCH[:1], *SEARCH[2:], "--keep-files", "kept", "--", LEAVES)
        self.check(done, 1, "kept 2 files of the run in kept")
        kept = self.folder / "kept"
        inside = pathlib.Path(*self.folder.resolve().parts[1:])
        self.assertEqual((kept / inside / "leave_traces.lock").read_text(), "taken\n")
        self.assertEqual((kept / "tmp/leave_traces.tmp").read_text(), "taken\n")

        self.check(self.tool("replay", "--keep-files", "again"), 1, "reproduced", "2 files")
        self.assertEqual((self.folder / "again/tmp/leave_traces.tmp").read_text(), "taken\n")

        self.check_refused(["replay", "--keep-files", "kept"], "new or empty")
        self.check_refused(["run", "--keep-files", "kept", "--", LEAVES], "new or empty")

    def test_without_the_sandbox_files_are_real(self):
        done = self.tool("run", "--no-sandbox", "--rule", "stay", "--", LEAVES)

        self.check(done, 0, "passed", "not controlled: a process that outlived its run")
        self.assertNotIn("not sandboxed", done.err)
        self.assertEqual(self.traces(), list(TRACES))
        self.assertEqual(list(self.wait_until_gone().values()), [])
        self.forget_traces()
        self.check(self.tool("replay", self.tool("list", "--json").json()["runs"][-1]["run"]), 0,
                   "reproduced")
        self.assertEqual(self.traces(), list(TRACES))
        self.check_refused(["run", "--no-sandbox", "--keep-files", "kept", "--",
                            program("locks_in_order")], "cannot be combined")

    def test_settings_that_a_run_overwrites_make_nobody_kill_bystanders(self):
        # In a process namespace of its own, where there is nobody else to be killed.
        enter = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child",
                 "--mount-proc"]
        if subprocess.run([*enter, "true"], capture_output=True).returncode:
            self.skipTest("process namespaces are refused here")
        script = ('sleep 1000 & bystander=$!; "$@"; echo "status $?"; '
                  'kill "$bystander" && echo "the bystander lived"; wait')
        process = subprocess.Popen(
            [*enter, "sh", "-c", script, "sh", UNRAVEL, "run", "--no-sandbox", "--runs", "3",
             "--rule", "stay", "--", program("forge_settings"), os.readlink("/proc/self/ns/pid")],
            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

        done = self.finish(process)

        self.assertEqual(done.out.splitlines()[-2:], ["status 2", "the bystander lived"], f"{done}")
        self.check(done, 0, "the program overwrote unravel's memory (the settings)")

    def test_where_it_is_refused_runs_go_on_with_a_warning(self):
        done = self.where_refused("run", "--rule", "stay", "--", LEAVES)

        self.check(done, 0, "passed", "runs are not sandboxed: the system refuses namespaces",
                   "seen by later runs: ./leave_traces.lock, /tmp/leave_traces.tmp\n",
                   "addresses are randomised")
        self.assertEqual(self.traces(), list(TRACES))

    def test_where_it_is_refused_nobody_is_left_either(self):
        for options in ([], ["--no-sandbox"]):
            with self.subTest(options=options):
                self.check(self.where_refused("run", *options, "--runs", "20", "--",
                                              program("leave_children"), "later"), 0, "20 runs")
                self.assertEqual(list(self.wait_until_gone().values()), [])

    def test_the_oracle_sees_the_files_of_the_run(self):
        done = self.tool("run", "--rule", "stay", "--runs", "5", "--oracle",
                         "grep -q taken leave_traces.lock && rm leave_traces.lock", "--", LEAVES)

        self.check(done, 0, "5 runs")

    def test_a_binary_in_shared_memory_is_found(self):
        copy = pathlib.Path("/dev/shm") / f"unravel-test-{os.getpid()}"
        copy.write_bytes(pathlib.Path(program("locks_in_order")).read_bytes())
        copy.chmod(0o755)
        self.addCleanup(copy.unlink)

        self.check(self.tool("run", "--", str(copy)), 0, "passed")


if __name__ == "__main__":
    unittest.main()
