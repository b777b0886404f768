#!/usr/bin/env python3
"""The ray tracer of the examples, with a picture so small that its runs are short."""
import pathlib
import re
import subprocess
import unittest

from support import UNRAVEL, CommandTest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "05-ray-tracer.cpp"
BIN = pathlib.Path(UNRAVEL).resolve().parent

PROGRAM = ("./ray-tracer", "16", "12", "4")
CALLS = ("--points", "calls")


class RayTracer(CommandTest):
    def setUp(self):
        super().setUp()
        command = re.search(r"//   (unravel-c\+\+ .*)\n", SOURCE.read_text())[1].split()
        command[0] = BIN / "unravel-c++"
        command[command.index(f"examples/{SOURCE.name}")] = SOURCE
        subprocess.run(command, cwd=self.folder, check=True, env=self.environment)

    def find_failure(self, command):
        done = self.tool("run", "--json", *CALLS, "--rule", "random", "--probability", "0.001", "--seed", "1",
                         "--runs", "200", "--", *command)
        self.check(done, 1)
        return done.json()

    def test_threads_one_after_the_other_count_every_scene(self):
        for threads in ("1", "4"):
            with self.subTest(threads=threads):
                done = self.tool("run", *CALLS, "--rule", "stay", "--", *PROGRAM[:3], threads)
                self.check(done, 0, "passed")

    def test_a_scene_is_lost_and_the_picture_is_right(self):
        right = self.tool("run", *CALLS, "--rule", "stay", "--", *PROGRAM)

        run = self.find_failure(PROGRAM)
        again = self.tool("replay", run["run"])

        self.assertEqual(run["failure"]["kind"], "assert")
        self.assertIn("scenes_loaded == threads", run["failure"]["detail"])
        self.check(again, 1, "reproduced: the same steps, the same failure")
        self.assertRegex(right.out, r"^[0-9a-f]{16}\n$")
        self.assertEqual(right.out, again.out)

    def test_no_scene_is_lost_from_a_single_thread(self):
        done = self.tool("run", *CALLS, "--rule", "random", "--probability", "0.01", "--seed", "1",
                         "--runs", "20", "--", *PROGRAM[:3], "1")
        self.check(done, 0, "20 runs, no failure")


if __name__ == "__main__":
    unittest.main()
