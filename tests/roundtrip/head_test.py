#!/usr/bin/env python3
"""Heads of test programs: a wrong one is an error, never a test that checks nothing."""
import unittest

from head import BadHead, Head, parse_head

GOOD = """\
// Two threads take two locks
// in opposite order.
//
// expect: deadlock
// within: random, 100 runs
// bug: one, other
#include <pthread.h>
void one(void) {}
void other(void) {}
"""

# What is replaced in the good head, by what, and what the error must say.
BAD = [
    ("expect: deadlock", "expect: dedlock", "dedlock"),
    ("expect: deadlock", "expect: livelock", "lies in the folder deadlock"),
    ("// expect: deadlock\n", "", "'expect:' is missing"),
    ("// within: random, 100 runs\n", "", "'within:' is missing"),
    ("random, 100 runs", "random 100 runs", "within"),
    ("random, 100 runs", "random, 0 runs", "within"),
    ("random, 100 runs", "luck, 100 runs", "within"),
    ("// bug: one", "// bug: nobody", "nobody"),
    ("// bug: one, other", "// bugs: one", "unknown key 'bugs'"),
    ("// bug: one, other", "// expect: deadlock", "twice"),
    ("// bug: one, other", "// bug one", "key: value"),
    ("//\n", "", "description"),
    (GOOD, "#include <pthread.h>\n", "description"),
]


class Heads(unittest.TestCase):
    def test_a_good_head_is_read(self):
        self.assertEqual(parse_head(GOOD, "deadlock"),
                         Head("deadlock", "random", 100, ["one", "other"]))

    def test_a_bad_head_is_an_error(self):
        for old, new, words in BAD:
            with self.subTest(new=new):
                self.assertIn(old, GOOD)
                with self.assertRaises(BadHead) as caught:
                    parse_head(GOOD.replace(old, new), "deadlock")
                self.assertIn(words, str(caught.exception))

    def test_a_passing_program_has_no_bug(self):
        with self.assertRaises(BadHead):
            parse_head(GOOD.replace("deadlock", "passed"), "passed")


if __name__ == "__main__":
    unittest.main()
