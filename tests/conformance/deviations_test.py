#!/usr/bin/env python3
"""Tests that deviations.py refuses rows that excuse too much, and reports rows that excuse nothing. Needs only
Python."""

import contextlib
import io
import unittest

from deviations import EVERY, LESS, UNSET, Deviations

OPS = ["Slice-8", "CTCLoss-4", "Loop-5 changing"]
GOOD = ("looser", "Slice-8, CTCLoss-4", r"^Slice : f32\[\?\], i64\[1\]=-\d", r"\(0, 1\)\]\), expected \('f32', \[\(0, 0\)\]", "a reason")


def refusal(row):
    """Returns the message with which a list of this row is refused, or ""."""
    try:
        Deviations([row], OPS)
    except SystemExit as refused:
        return str(refused)
    return ""


def told(known, drawn, complete=True):
    """Returns (number of faults, printed text)."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        return known.tell_faults(drawn, complete), text.getvalue()


class Rows(unittest.TestCase):
    def test_a_row_that_names_its_case_is_taken(self):
        self.assertEqual(refusal(GOOD), "")
        self.assertEqual(refusal((*GOOD[:3], UNSET, "")), "")
        self.assertEqual(refusal((GOOD[0], EVERY, *GOOD[2:])), "")

    def test_a_pattern_that_fits_anything_is_refused(self):
        for pattern in ("", ".", ".*", "^", r"f32\[", "output 0", r"\d+ of \d+ elements differ", r"expected \('f32', None\)", "(|bf16)"):
            self.assertIn("names nothing", refusal((*GOOD[:3], pattern, "")), pattern)
            self.assertIn("names nothing", refusal((*GOOD[:2], pattern, *GOOD[3:])), pattern)
        self.assertIn("names nothing", refusal((*GOOD[:2], "", UNSET, "")))

    def test_an_op_that_is_not_there_is_refused(self):
        self.assertIn("no op is called Slice", refusal(("looser", "Slice", *GOOD[2:])))
        self.assertIn("no op is called ", refusal(("looser", "", *GOOD[2:])))

    def test_a_row_excuses_its_case_alone(self):
        known = Deviations([GOOD], OPS)
        case, found = "Slice : f32[?], i64[1]=-3", "output 0 is ('f32', [(0, 1)]), expected ('f32', [(0, 0)])"
        self.assertEqual(known.reason_of("looser", "Slice-8", case, found), "a reason")
        self.assertIsNone(known.reason_of("shape", "Slice-8", case, found))
        self.assertIsNone(known.reason_of("looser", "Loop-5 changing", case, found))
        self.assertIsNone(known.reason_of("looser", "Slice-8", "Slice : f32[3], i64[1]=-3", found))
        self.assertIsNone(known.reason_of("looser", "Slice-8", case, "output 0 is ('f32', [(0, 5)]), expected ('f32', [(0, 0)])"))

    def test_a_row_that_excuses_nothing_is_told(self):
        known = Deviations([GOOD], OPS)
        self.assertIn("it excuses nothing", told(known, {"Slice-8": 300})[1])
        self.assertEqual(told(known, {"Slice-8": 300}, complete=False), (0, ""))
        known.reason_of("looser", "Slice-8", "Slice : f32[?], i64[1]=-3", "output 0 is ('f32', [(0, 1)]), expected ('f32', [(0, 0)])")
        self.assertEqual(told(known, {"Slice-8": 300}), (0, ""))

    def test_a_row_of_unset_memory_may_excuse_nothing(self):
        known = Deviations([(*GOOD[:3], "^output 1: .*" + UNSET, "a reason")], OPS)
        self.assertEqual(told(known, {"Slice-8": 300}), (0, ""))

    def test_a_row_of_any_shapes_that_excuses_most_cases_is_told(self):
        known = Deviations([("looser", "Loop-5 changing", "^Loop : ", LESS, "a reason")], OPS)
        for _ in range(60):
            self.assertEqual(known.reason_of("looser", "Loop-5 changing", "Loop : f32[2]", "output 0 is ('f32', None), expected ('f32', [(2, 2)])"), "a reason")
        self.assertEqual(told(known, {"Loop-5 changing": 300}), (0, ""))
        self.assertIn("it excuses 60 of 100 cases", told(known, {"Loop-5 changing": 100})[1])


if __name__ == "__main__":
    unittest.main()
