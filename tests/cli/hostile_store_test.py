#!/usr/bin/env python3
"""Stores that somebody else made or changed: nothing outside is touched, and nothing is run unasked."""
import os
import sqlite3
import struct
import unittest

from support import CommandTest, program

GOOD = program("locks_in_order")
BAD = program("locks_in_disorder")


def manifest(folder):
    """Every name below a folder with its size; links are not followed."""
    return {os.path.join(where, name): os.lstat(os.path.join(where, name)).st_size
            for where, folders, files in os.walk(folder) for name in folders + files}


class HostileStores(CommandTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / ".unravel"
        done = self.tool("run", "--json", "--seed", "1", "--runs", "200", "--", BAD)
        self.check(done, 1)
        self.id = done.json()["run"]

    def file(self, extension):
        return self.store / "runs" / f"{self.id}{extension}"

    def change_database(self, *statements):
        with sqlite3.connect(self.store / "store.db") as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    def test_what_others_have_below_tmp_stays(self):
        for name in ("x", "aB3xYz", "scratch-12345678"):
            (self.store / "tmp" / name / "mine").mkdir(parents=True)

        self.check(self.tool("run", "--", GOOD), 0)

        for name in ("x", "aB3xYz", "scratch-12345678"):
            self.assertTrue((self.store / "tmp" / name / "mine").is_dir(), name)

    def test_a_link_in_the_place_of_a_directory_is_refused_and_not_followed(self):
        outside = self.folder / "outside"
        (outside / "scratch-00000001").mkdir(parents=True)
        (outside / f"{self.id}.sched").write_text("mine")
        before = manifest(outside)
        for name in ("tmp", "runs"):
            with self.subTest(name=name):
                (self.store / name).rename(self.folder / "moved")
                (self.store / name).symlink_to(outside)
                self.check(self.tool("run", "--", GOOD), 2, name, "symbolic link", "--store")
                self.check(self.tool("replay", self.id), 2, name, "symbolic link")
                (self.store / name).unlink()
                (self.folder / "moved").rename(self.store / name)
        self.assertEqual(manifest(outside), before)

    def test_a_directory_with_other_files_does_not_become_a_store(self):
        home = self.folder / "home"
        (home / "tmp" / "letters").mkdir(parents=True)
        before = manifest(home)

        for command in (["run", "--", GOOD], ["record", "--", GOOD], ["doctor", "--", GOOD],
                        ["hunt", "--runs", "5", "--", GOOD]):
            with self.subTest(command=command):
                self.check_refused([command[0], "--store", "home", *command[1:]], "home",
                                   "not a store", "new or empty")
        self.assertEqual(manifest(home), before)
        (self.folder / "empty").mkdir()
        self.check(self.tool("run", "--store", "empty", "--", GOOD), 0)

    def test_an_id_that_leads_outside_is_refused(self):
        self.change_database("UPDATE runs SET id = '../../outside'")
        self.file(".sched").rename(self.folder / "outside.sched")
        before = manifest(self.folder)

        for command in (["show"], ["show", "--run", ".."], ["replay", ".."],
                        ["replay", "--trace", ".."], ["diff", "..", ".."]):
            with self.subTest(command=command):
                self.check_refused(command, "outside", "no id")
        # What has a slash in it is a file.
        for command in (["show", "--run", "../../outside"], ["replay", "../../outside"],
                        ["replay", "--trace", "../.."], ["pack", "../..", "-o", "x.unravel"]):
            with self.subTest(command=command):
                self.check_refused(command, "cannot read '../..")
        listed = self.tool("list", "--json")
        self.check(listed, 0, "outside")
        self.assertEqual(listed.json()["runs"], [])
        after = {name for name in manifest(self.folder) if "store.db" not in name}
        self.assertEqual(after, {name for name in before if "store.db" not in name})

    def test_one_unreadable_row_does_not_hide_the_others(self):
        self.check(self.tool("run", "--", GOOD), 0)
        self.change_database(f"UPDATE runs SET details = x'00' WHERE id = '{self.id}'")

        listed = self.tool("list", "--json")

        self.check(listed, 0, "warning", self.id)
        self.assertEqual([run["outcome"] for run in listed.json()["runs"]], ["passed"])
        self.check_refused(["check"], self.id)

    def test_missing_tables_and_columns_are_the_stores_damage(self):
        self.change_database("ALTER TABLE runs RENAME COLUMN steps TO paces")
        for command in (["list"], ["show"], ["replay"], ["run", "--", GOOD]):
            with self.subTest(command=command):
                self.check_refused(command, "damaged", "steps", "move it away")

    def test_files_that_are_no_files_are_refused(self):
        self.file(".sched").rename(self.folder / "kept")

        def fifo(path):
            os.mkfifo(path)

        def loop(path):
            path.symlink_to(path.name)

        def endless(path):
            path.symlink_to("/dev/zero")

        def sparse(path):
            with path.open("wb") as file:
                file.truncate(1 << 40)

        for make, word in ((fifo, "not a regular file"), (loop, "symbolic link"),
                           (endless, "symbolic link"), (sparse, "more than")):
            for extension in (".sched", ".steps", ".constraints", ".out", ".err", ".in", ".trace"):
                with self.subTest(make=make.__name__, extension=extension):
                    path = self.file(extension)
                    path.unlink(missing_ok=True)
                    if extension != ".sched":
                        (self.folder / "kept").replace(self.file(".sched"))
                    make(path)
                    if extension == ".sched":
                        self.check_refused(["show", self.id], self.id, word)
                        self.check_refused(["replay", self.id], self.id, word)
                    else:
                        self.check(self.tool("show", self.id), 0)
                    if extension == ".in":
                        self.check_refused(["replay", self.id], self.id, word)
                    if extension == ".trace":
                        self.check_refused(["show", "--format", "std", self.id], word)
                    path.unlink()
                    if extension != ".sched":
                        self.file(".sched").rename(self.folder / "kept")

    def test_a_file_that_claims_to_be_huge_is_not_unpacked(self):
        # A frame of zstd whose head says 950 MB, with next to nothing in it.
        frame = struct.pack("<IBQ", 0xFD2FB528, 0b11100000, 950_000_000) + bytes(91)
        self.file(".steps").write_bytes(frame)

        done = self.tool("show", "--json", self.id)

        self.check(done, 0)
        self.assertNotIn("operations", done.json())

    def test_show_and_diff_run_nothing_unless_they_are_told_to(self):
        witness = self.folder / "witness"
        script = self.source("prog.c", """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void* nothing(void* unused) { return unused; }
int main(void) {
  FILE* file = fopen(getenv("WITNESS"), "a");
  fputs("run\\n", file);
  fclose(file);
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
}
""")
        self.build("gcc", "-g", script, "-o", "prog", "-pthread")
        self.environment["WITNESS"] = str(witness)
        ids = []
        for _ in range(2):
            done = self.tool("run", "--json", "--no-sandbox", "--", "./prog")
            self.check(done, 0)
            ids.append(done.json()["run"])
        before = witness.read_text()

        self.check(self.tool("show", ids[0]), 0, "--run")
        self.check_refused(["show", "--format", "std", ids[0]], "--run")
        self.check_refused(["diff", *ids], "--run", ids[0])
        self.check(self.tool("list"), 0)
        self.assertEqual(witness.read_text(), before)
        self.assertFalse(self.file(".steps").with_name(f"{ids[0]}.steps").exists())
        self.check(self.tool("diff", "--run", *ids), 0)
        self.assertNotEqual(witness.read_text(), before)
        shown = self.tool("show", ids[0])
        self.check(shown, 0)
        self.assertIn("create T1", shown.out)

    def test_what_is_kept_is_for_its_owner_alone(self):
        self.check(self.tool("run", "--", program("echo_input"), data=b"secret\n"), 0)
        for name in [".unravel", *manifest(self.store)]:
            self.assertEqual(os.stat(self.folder / name).st_mode & 0o077, 0, name)


if __name__ == "__main__":
    unittest.main()
