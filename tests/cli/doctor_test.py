#!/usr/bin/env python3
"""What `unravel doctor` says about programs that are not controlled, or only in part."""
import unittest

from support import CommandTest, program


class Doctor(CommandTest):
    def concerns(self, *command):
        done = self.tool("doctor", "--json", "--", *command)
        return done, {concern["name"]: concern for concern in done.json()["uncontrolled"]
                      if concern["weight"] != "note"}

    def test_a_plain_program_is_controlled(self):
        done, concerns = self.concerns(program("locks_in_order"))

        self.check(done, 0)
        self.assertEqual(concerns, {})

    def test_a_thread_that_was_created_behind_our_back_is_named(self):
        done, concerns = self.concerns(program("hide_thread"))

        self.check(done, 1)
        thread = concerns["a thread that is not scheduled"]
        self.assertEqual(thread["weight"], "certain")
        self.assertIn("hidden", thread["evidence"])

    def test_a_child_is_no_such_thread(self):
        for command in (["sh", "-c", f"{program('locks_in_order')}; true"],
                        [program("leave_children")]):
            with self.subTest(command=command):
                _, concerns = self.concerns(*command)

                self.assertNotIn("a thread that is not scheduled", concerns)

    def test_threads_may_be_in_another_process(self):
        done, concerns = self.concerns("sh", "-c", f"{program('locks_in_order')}; true")

        self.check(done, 0)
        self.assertEqual(list(concerns), ["another process"])
        self.assertIn("exec", concerns["another process"]["advice"])

        done, concerns = self.concerns("sh", "-c", f"exec {program('locks_in_order')}")

        self.check(done, 0)
        self.assertEqual(concerns, {})


if __name__ == "__main__":
    unittest.main()
