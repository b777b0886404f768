#!/usr/bin/env python3
"""Stores that are empty, damaged, foreign, too new, read-only, full, or used by two at once."""
import os
import shutil
import sqlite3
import subprocess
import unittest

from support import UNRAVEL, CommandTest, program

GOOD = program("locks_in_order")
BAD = program("locks_in_disorder")
EVERY_COMMAND = (["list"], ["show"], ["replay"], ["run", "--", GOOD])


def can_mount():
    """Whether we may have a mount namespace of our own."""
    tried = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"],
                           stdin=subprocess.DEVNULL, capture_output=True)
    return tried.returncode == 0


class Stores(CommandTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / ".unravel"
        self.database = self.store / "store.db"

    def keep_a_failure(self):
        done = self.tool("run", "--json", "--seed", "1", "--runs", "200", "--", BAD)
        self.check(done, 1)
        return done.json()["run"]

    def change_database(self, *statements):
        with sqlite3.connect(self.database) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def in_own_mounts(self, script, *arguments):
        """Runs unravel after a shell script that only it sees the mounts of."""
        if not can_mount():
            self.skipTest("unshare -m is refused: needs to be root")
        process = subprocess.Popen(
            ["unshare", "-m", "sh", "-ec", script + '\nexec "$@"', "sh", UNRAVEL, *arguments],
            cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return self.finish(process)

    def test_where_nothing_was_run_there_is_nothing(self):
        self.check(self.tool("list"), 0)
        self.assertEqual(self.tool("list", "--json").json()["runs"], [])
        self.check_refused(["show"], "no store", "unravel run")
        self.check_refused(["replay"], "no store", "unravel run")
        self.assertFalse(self.store.exists())

    def test_a_run_is_named_by_a_prefix_that_only_it_has(self):
        ids = set()
        while len({name[0] for name in ids}) == len(ids):
            done = self.tool("run", "--json", "--", GOOD)
            self.check(done, 0)
            ids.add(done.json()["run"])
        twice = next(name for name in ids if sum(name[0] == other[0] for other in ids) > 1)

        self.check(self.tool("show", "--json", twice), 0)
        self.check(self.tool("show", "--json", twice[:5]), 0)
        self.check_refused(["show", twice[0]], twice[0], *[n for n in ids if n[0] == twice[0]])
        self.check_refused(["replay", twice[0]], twice[0])
        self.check_refused(["show", "zzz"], "zzz", "unravel list")
        self.check_refused(["show", "'; DROP TABLE runs; --"], "unravel list")
        self.check_refused(["replay", twice + "0"], twice + "0")
        self.check_refused(["replay"], "no run", "failed")
        self.check_store_is_whole()

    def test_a_damaged_database_is_refused(self):
        self.keep_a_failure()
        whole = self.database.read_bytes()
        table = [
            ("foreign bytes", b"not a database at all\n" * 500, "is not a store"),
            ("zeros", bytes(len(whole)), ""),
            ("cut in the middle", whole[:len(whole) // 2], ""),
            ("cut in the header", whole[:60], ""),
            ("overwritten", whole[:4096] + os.urandom(len(whole) - 4096), "damaged"),
        ]
        for name, content, words in table:
            for command in EVERY_COMMAND:
                with self.subTest(damage=name, command=command):
                    for beside in self.store.glob("store.db-*"):
                        beside.unlink()
                    self.database.write_bytes(content)
                    if (name, command[0]) == ("overwritten", "run"):
                        # Seen when the run is to be kept: it is told before the error.
                        self.check(self.tool(*command), 2, "passed", ".unravel", words)
                    else:
                        self.check_refused(command, str(".unravel"), words)

    def test_a_database_of_another_program_is_refused_and_left_alone(self):
        self.store.mkdir()
        self.change_database("CREATE TABLE runs (theirs)", "PRAGMA user_version = 1")
        for command in EVERY_COMMAND:
            with self.subTest(command=command):
                self.check_refused(command, "not a store", "another program", "--store")
        with sqlite3.connect(self.database) as connection:
            names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema")]
        connection.close()
        self.assertEqual(names, ["runs"])

    def test_a_newer_store_is_refused(self):
        self.keep_a_failure()
        self.change_database("PRAGMA user_version = 99")

        for command in EVERY_COMMAND:
            with self.subTest(command=command):
                self.check_refused(command, "version 99", "newer", "update unravel")

    def test_a_lost_or_damaged_file_of_a_run_is_refused(self):
        run = self.keep_a_failure()
        schedule = self.store / "runs" / f"{run}.sched"
        whole = schedule.read_bytes()

        schedule.write_bytes(whole[:-5])
        self.check_refused(["replay", run], run, "damaged")
        schedule.unlink()
        self.check_refused(["replay", run], run)
        self.check(self.tool("list"), 0)

    def test_a_damaged_row_is_refused(self):
        run = self.keep_a_failure()
        for column, value in (("details", "x'0102'"), ("outcome", "'nonsense'")):
            with self.subTest(column=column):
                self.change_database(f"UPDATE runs SET {column} = {value}")
                self.check_refused(["show", run], run)

    def test_a_store_that_cannot_be_a_directory_is_refused(self):
        (self.folder / "file").write_text("")
        table = [("file", "not a directory"), ("file/store", "file"), ("/proc/store", "/proc"),
                 ("/dev/null", "not a directory")]
        for place, *words in table:
            with self.subTest(store=place):
                self.check_refused(["run", "--store", place, "--", GOOD], place, *words)

    def test_a_read_only_store_can_be_read(self):
        run = self.keep_a_failure()
        script = "mount --bind .unravel .unravel; mount -o remount,bind,ro .unravel"

        self.check(self.in_own_mounts(script, "list"), 0)
        self.check(self.in_own_mounts(script, "show", "--json", run), 0)
        self.check(self.in_own_mounts(script, "run", "--", GOOD), 2, "store", "--store")
        self.check(self.in_own_mounts(script, "replay", run), 2, "--store")
        self.check_store_is_whole()

    def test_a_read_only_place_is_refused(self):
        done = self.in_own_mounts("mkdir place; mount -t tmpfs -o ro none place",
                                  "run", "--store", "place/store", "--", GOOD)

        self.check(done, 2, "place/store", "Read-only")

    def test_a_full_disk_is_an_error_of_the_environment(self):
        # Too small for a database, for captured output, for what is kept of a run.
        for size, command in (("4k", [GOOD]), ("64k", [GOOD]),
                              ("2m", [program("flood"), "200000"])):
            with self.subTest(size=size):
                done = self.in_own_mounts(
                    f"mkdir -p full; mount -t tmpfs -o size={size} none full",
                    "run", "--store", "full/store", "--", *command)
                self.check(done, 2, "full/store")

    def test_a_disk_that_fills_up_leaves_the_store_whole(self):
        script = "mkdir -p full; mount -t tmpfs -o size=400k none full; " \
                 f"for i in 1 2 3; do {UNRAVEL} run --store full/store -- {GOOD}; done; " \
                 "dd if=/dev/zero of=full/rest bs=1k || true; " \
                 f"{UNRAVEL} run --store full/store --seed 1 --runs 200 -- {BAD} || " \
                 "echo status $?; rm full/rest; "

        done = self.in_own_mounts(script, "list", "--json", "--store", "full/store")

        self.check(done, 0, "full/store")
        self.assertIn("status 2", done.out)

    def test_two_commands_at_once_share_a_store(self):
        for _ in range(10):
            processes = [self.start("run", "--json", "--seed", str(seed), "--runs", "200", "--",
                                    BAD) for seed in (1, 2)]
            processes.append(self.start("list", "--json"))
            for process, status in zip(processes, (1, 1, 0)):
                self.check(self.finish(process), status)
        runs = self.tool("list", "--json").json()["runs"]
        self.assertEqual(len({run["run"] for run in runs}), 20)
        self.check_store_is_whole()

    def test_a_store_moves_with_its_folder(self):
        run = self.keep_a_failure()
        shutil.move(self.store, self.folder / "elsewhere")

        self.check(self.tool("replay", "--store", "elsewhere", run), 1, "reproduced")
        self.assertFalse(self.store.exists())


if __name__ == "__main__":
    unittest.main()
