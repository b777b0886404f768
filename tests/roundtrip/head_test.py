#!/usr/bin/env python3
"""Heads of test programs: a wrong one is an error, never a test that checks nothing."""
import unittest

from head import BadHead, Head, Variant, parse_head

GOOD = """\
// Two threads take two locks
// in opposite order.
//
// expect: deadlock
// within: random, 100 runs
// bug: one, other
// points: memory; there is nothing else
// variant: clang -O1: passed, 20 runs; the locks are merged
// variant: -O1: deadlock, 300 runs; it is less likely
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
    (", 20 runs; the locks are merged", "", "the reason"),
    ("variant: clang -O1: passed", "variant: tcc -O1: passed", "variant"),
    ("variant: clang -O1: passed", "variant: : passed", "variant"),
    ("variant: clang -O1: passed", "variant: clang -O1: lucky", "lucky"),
    ("; the locks are merged", "; ", "the reason"),
    ("memory; there is nothing else", "memory", "the reason"),
    ("memory; there is nothing else", "everywhere; because", "points"),
    ("//\n", "", "description"),
    (GOOD, "#include <pthread.h>\n", "description"),
]


class Heads(unittest.TestCase):
    def test_a_good_head_is_read(self):
        self.assertEqual(parse_head(GOOD, "deadlock"),
                         Head("deadlock", "random", 100, ["one", "other"],
                              [Variant("clang", "-O1", "passed", 20, "the locks are merged"),
                               Variant("", "-O1", "deadlock", 300, "it is less likely")],
                              "memory"))

    def test_a_variant_says_what_is_expected_of_its_builds(self):
        head = parse_head(GOOD, "deadlock")

        self.assertEqual(head.built_by("clang", "-O1"), Head("passed", "random", 20, points="memory"))
        self.assertEqual(head.built_by("gcc", "-O1"),
                         Head("deadlock", "random", 300, ["one", "other"], points="memory"))
        self.assertEqual(head.built_by("clang", "-O0"), head)

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
