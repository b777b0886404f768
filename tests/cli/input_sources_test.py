#!/usr/bin/env python3
"""A failure is recorded once, then its input goes away or changes: replays do not need it.

UNRAVEL_REPLAYS=N makes N replays of each instead of a few.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from inputs_test import Peer
from support import CommandTest, program

FAILS = program("fails_by_input")
REPLAYS = int(os.environ.get("UNRAVEL_REPLAYS", "3"))


class AnsweringPeer(Peer):
    def reply(self):
        return b"bad answer\n"


class InputSources(CommandTest):
    def record(self, kind, where, *options, **started):
        done = self.tool("record", *options, "--", FAILS, kind, where, **started)
        self.check(done, 1, "assertion failed")
        self.assertRegex(done.out, rf"^{kind}: bad, 10 turns, at \d+\n")
        self.first = done.out
        # Verified means that replays with the recorded inputs failed, too.
        self.assertNotIn("not verified", done.err)
        return done

    def check_replays(self, changed="", **started):
        """All replays print what the run printed, and take the same steps."""
        for i in range(REPLAYS):
            with self.subTest(replay=i, changed=changed):
                done = self.tool("replay", **started)
                self.check(done, 1, "reproduced: the same steps, the same failure")
                self.assertEqual(done.out, self.first)

    def gone_and_changed(self, path):
        path.unlink()
        self.check_replays("gone")
        path.write_text("good\n")
        self.check_replays("changed")

    def test_standard_input(self):
        self.record("standard-input", "-", data=b"bad\n")
        self.check_replays(data=b"good\n")

    def test_a_file(self):
        path = self.folder / "file"
        path.write_text("bad\n")
        self.record("file", str(path))
        self.gone_and_changed(path)

    def test_a_large_file_must_stay_unless_all_is_recorded(self):
        path = self.folder / "large"

        def write(text):
            path.write_text(text)
            os.truncate(path, (16 << 20) + 1)

        write("bad\n")
        self.record("file", str(path))
        self.check_replays("unchanged")
        write("good\n")
        self.check(self.tool("replay"), 2, "too large for the record has changed or is gone",
                   "likely cause")
        write("bad\n")
        self.record("file", str(path), "--catch-all")
        self.gone_and_changed(path)

    def test_a_directory(self):
        folder = self.folder / "listed"
        folder.mkdir()
        (folder / "bad").touch()
        self.record("listing", str(folder))
        (folder / "bad").unlink()
        self.check_replays("changed")
        shutil.rmtree(folder)
        self.check_replays("gone")

    def test_a_pipe_read_by_fgets(self):
        path = self.folder / "piped"
        path.write_text("bad\n")
        self.record("pipe", f"cat {path}")
        self.gone_and_changed(path)

    def test_proc(self):
        shutil.copy("/bin/sleep", self.folder / "bad")
        process = subprocess.Popen([str(self.folder / "bad"), "600"])
        comm = pathlib.Path(f"/proc/{process.pid}/comm")
        while comm.read_text() != "bad\n":
            time.sleep(0.01)
        try:
            # The sandbox has processes of its own, and does not show this one.
            self.record("proc", str(comm), "--no-sandbox")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.check_replays("gone")

    def test_a_peer(self):
        peer = AnsweringPeer()
        self.record("peer", str(peer.port), "--no-sandbox")
        peer.close()
        self.check_replays("gone")

    def test_the_status_of_a_child(self):
        path = self.folder / "status"
        path.write_text("7\n")
        self.record("child", f"exit $(cat {path})")
        path.write_text("0\n")
        self.check_replays("changed")

    def test_a_signal(self):
        path = self.folder / "number"
        path.write_text("USR1\n")
        self.record("signal", f"kill -$(cat {path}) $PPID")
        path.write_text("0\n")
        self.check_replays("changed")

    def test_a_variable(self):
        self.record("variable", "INPUT", environment={"INPUT": "bad"})
        self.check_replays("gone")
        self.check_replays("changed", environment={"INPUT": "good"})

    def test_the_time_of_day(self):
        self.record("time", str(int(time.time()) + 3))
        time.sleep(3)
        self.check_replays("changed")


if __name__ == "__main__":
    unittest.main()
