"""What a run writes is bounded: in the driver's memory, in the store, and on the disk."""
import pathlib
import re
import select
import subprocess
import unittest

from support import UNRAVEL, CommandTest, program

MUCH = program("print_much")
MEBIBYTE = 1 << 20
FIRST, LAST = "first line\n", "last line\n"


class Output(CommandTest):
    def kept(self, extension):
        files = list((self.folder / ".unravel" / "runs").glob(f"*{extension}"))
        self.assertEqual(len(files), 1)
        return files[0].read_text()

    def check_cut(self, text, mebibytes, most):
        """Head, one line, tail."""
        whole = mebibytes * MEBIBYTE + len(FIRST) + len(LAST)
        self.assertTrue(text.startswith(FIRST + "..."))
        self.assertTrue(text.endswith("...\n" + LAST))
        gap = re.findall(r"\n\[unravel: (\d+) bytes of output are left out here; [^\n]*\]\n", text)
        self.assertEqual(gap, [str(whole - most)])
        self.assertLess(len(text), most + 200)

    def test_head_and_tail_are_kept(self):
        done = self.tool("run", "--", MUCH, "40", "20")
        self.check(done, 0, "passed")
        self.check_cut(done.out, 40, 16 * MEBIBYTE)
        self.check_cut(self.kept(".out"), 40, 16 * MEBIBYTE)
        self.check_cut(self.kept(".err"), 20, 16 * MEBIBYTE)
        run = self.tool("list", "--json").json()["runs"][0]["run"]
        told = self.tool("show", "--json", run).json()
        self.assertEqual(told["output_left_out"], 24 * MEBIBYTE + len(FIRST + LAST))
        self.assertEqual(told["error_output_left_out"], 4 * MEBIBYTE + len(FIRST + LAST))
        shown = self.tool("show", run)
        self.check(shown, 0)
        self.assertIn(f"only the first and last part of its standard output were stored, without "
                      f"{24 * MEBIBYTE + len(FIRST + LAST)} bytes between them", shown.out)

    def test_what_is_short_is_whole_and_nothing_is_said(self):
        done = self.tool("run", "--json", "--", MUCH, "1", "0")
        self.check(done, 0)
        self.assertNotIn("output_left_out", done.json())
        self.assertEqual(len(self.kept(".out")), MEBIBYTE + len(FIRST + LAST))

    def test_the_size_can_be_chosen(self):
        for size, most in (("4096", 4096), ("64K", 65536), ("1MiB", MEBIBYTE), ("0", 0)):
            with self.subTest(size=size):
                done = self.tool("run", "--max-output", size, "--", MUCH, "2", "0")
                self.check(done, 0)
                whole = 2 * MEBIBYTE + len(FIRST) + len(LAST)
                self.assertIn(f"[unravel: {whole - most} bytes", done.out)
                self.assertLess(len(done.out), most + 200)
        for size in ("much", "-1", "2G", "1T", "1.5M", "iB", "99999999999999999999"):
            with self.subTest(size=size):
                self.check_refused(["run", "--max-output", size, "--", MUCH, "0", "0"],
                                   size, "--max-output", "64M")

    def test_failures_of_a_loop_and_of_a_hunt_are_cut_too(self):
        done = self.tool("run", "--runs", "3", "--max-output", "64K", "--", MUCH, "3", "0", "abort")
        self.check(done, 1, "SIGABRT")
        self.check_cut(done.out, 3, 65536)
        again = self.tool("replay", "--max-output", "64K")
        self.check(again, 1, "reproduced")
        self.assertEqual(again.out, done.out)
        found = self.tool("hunt", "--find-only", "--runs", "3", "--max-output", "64K", "--", MUCH,
                          "3", "0", "abort")
        self.check(found, 1)
        self.check_cut(found.out[:found.out.index(LAST) + len(LAST)], 3, 65536)

    def test_a_program_that_prints_for_long_is_neither_stopped_nor_held_in_memory(self):
        process = subprocess.Popen(
            [UNRAVEL, "run", "--timeout", "50s", "--", MUCH, "1200", "0"], cwd=self.folder,
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        # It has kept the run, and waits until somebody reads what the program wrote.
        select.select([process.stdout], [], [])
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
        peak = int(re.search(r"VmHWM:\s+(\d+) kB", status).group(1))
        done = self.finish(process)
        self.check(done, 0, "passed")
        self.check_cut(done.out, 1200, 16 * MEBIBYTE)
        # Twenty for itself, and twice what is kept.
        self.assertLess(peak, 80 * 1024)

    def test_who_judges_the_output_sees_all_of_it(self):
        whole = 20 * MEBIBYTE + len(FIRST) + len(LAST)
        count = f"test $(wc -c) -eq {whole}"
        self.check(self.tool("run", "--oracle", count, "--max-output", "64K", "--", MUCH, "20", "0"),
                   0, "passed")
        expected = self.folder / "expected"
        chunk = "." * (MEBIBYTE - 1) + "\n"
        expected.write_text(FIRST + chunk * 20 + LAST)
        options = ["--expect-output", str(expected), "--max-output", "64K"]
        self.check(self.tool("run", *options, "--", MUCH, "20", "0"), 0, "passed")
        expected.write_text(FIRST + chunk * 19 + LAST)
        self.check(self.tool("run", *options, "--", MUCH, "20", "0"), 1,
                   "line 21: expected 'last line', got '....")
        expected.write_text(FIRST + chunk * 10)
        self.check(self.tool("run", *options, "--", MUCH, "20", "0"), 1,
                   "line 12: expected no more, got '....")

    def test_a_target_is_not_missed_in_what_was_left_out(self):
        command = ["--max-output", "64K", "--", MUCH, "0", "3", "abort"]
        self.check(self.tool("run", "--target", "text:first line", *command), 1, "SIGABRT")
        done = self.tool("run", "--json", "--target", "text:middle", *command)
        self.assertEqual(done.json()["outcome"], "unresolved", f"\n{done}")
        self.assertIn("--max-output", done.json()["explanation"])
        # Where it cannot be there, nothing is left open.
        done = self.tool("run", "--json", "--target", "text:middle,stack:nobody", *command)
        self.assertEqual(done.json()["outcome"], "passed", f"\n{done}")


if __name__ == "__main__":
    unittest.main()
