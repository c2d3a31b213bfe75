#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The ABI gate, and the gate's own test: every kind of breaking change, made to a copy of the headers, is caught."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INCLUDE = os.path.join(ROOT, "include")
CURRENT = os.path.join(ROOT, "abi", "current")
RELEASED = sorted(name for name in os.listdir(os.path.join(ROOT, "abi")) if re.fullmatch(r"\d+\.\d+", name))


def dump(include, out):
    command = [os.path.join(ROOT, "scripts", "abi-dump"), "--include", include, "--out", out]
    subprocess.run([sys.executable] + command, check=True)


def check(released, today):
    """Exit code and output of the checker."""
    command = [sys.executable, os.path.join(ROOT, "scripts", "abi-check"), released, today]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return result.returncode, result.stdout


def read(folder):
    texts = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            texts[name] = file.read()
    return texts


class Gate(unittest.TestCase):
    def test_headers_equal_the_committed_dump(self):
        with tempfile.TemporaryDirectory() as out:
            dump(INCLUDE, out)
            self.maxDiff = None
            self.assertEqual(read(CURRENT), read(out), "the ABI changed: read docs/abi-policy.md, then `make abi`")

    def test_every_released_dump_is_a_prefix_of_today(self):
        self.assertTrue(RELEASED)
        for version in RELEASED:
            code, output = check(os.path.join(ROOT, "abi", version), CURRENT)
            self.assertEqual((code, output), (0, ""), f"against {version}")


class Mutations(unittest.TestCase):
    """Each test changes one line of a copy of the headers and expects the checker to name the rule."""

    def after(self, header, pattern, replacement):
        """Output of the checker when `pattern` in `header` is replaced."""
        with tempfile.TemporaryDirectory() as folder:
            include = os.path.join(folder, "include")
            shutil.copytree(INCLUDE, include)
            path = os.path.join(include, "meridian", header)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            changed, count = re.subn(pattern, replacement, text, count=1, flags=re.MULTILINE | re.DOTALL)
            self.assertEqual(count, 1, f"{pattern} is not in {header}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(changed)
            out = os.path.join(folder, "dump")
            dump(include, out)
            code, output = check(CURRENT, out)
            self.assertEqual(code, 1 if output else 0)
            return output

    def assert_caught(self, rule, output):
        self.assertIn(f"{rule}: ", output)
        self.assertIn("x86_64-linux.txt", output)

    def test_unchanged_headers_pass(self):
        self.assertEqual(self.after("status.h", r"\Z", "\n"), "")

    def test_member_inserted(self):
        out = self.after("call.h", r"  void \*host;", "  void *between;\n  void *host;")
        self.assert_caught("G1", out)

    def test_member_retyped(self):
        self.assert_caught("G1", self.after("geometry.h", r"  int64_t length; +/\* rows", "  uint64_t length; /* rows"))

    def test_member_renamed(self):
        self.assert_caught("G1", self.after("info.h", r"double error_absolute;", "double absolute_error;"))

    def test_members_swapped(self):
        out = self.after(
            "info.h", r"(  uint32_t type_mask;[^\n]*\n)(  uint32_t dims_mask;[^\n]*\n)", r"\2\1")
        self.assert_caught("G1", out)

    def test_member_removed(self):
        self.assert_caught("G1", self.after("info.h", r"  const char \*method;[^\n]*\n", ""))

    def test_slot_given_another_signature(self):
        out = self.after("families/index.h", r"int64_t count, int64_t \*removed,", "int64_t *removed, int64_t count,")
        self.assert_caught("G1", out)

    def test_record_removed(self):
        out = self.after("ext/observer.h", r"typedef struct mrd_observer \{.*?\} mrd_observer;",
                         "typedef struct mrd_observer mrd_observer;")
        self.assert_caught("G1", out)

    def test_member_appended_to_a_record_of_fixed_size(self):
        out = self.after("geometry.h", r"  int64_t count;      /\* coordinates that may be read \*/",
                         "  int64_t count;\n  int64_t capacity;")
        self.assert_caught("G3", out)
        self.assert_caught("G3", self.after("status.h", r"  char message\[488\];[^\n]*", "  char message[488];\n  int64_t line;"))

    def test_member_appended_in_padding(self):
        # On a 32-bit target a record may end in padding that 64-bit targets do not have.
        out = self.after("geometry.h", r"(  double \*const \*values;[^\n]*\n)", r"\1  void *more;\n")
        self.assertIn("wasm32.txt: G4: ", out)
        self.assertNotIn("x86_64-linux.txt", out)

    def test_member_appended_is_allowed(self):
        out = self.after("info.h", r"(  const struct mrd_op_info \*next;[^\n]*\n)", r"\1  double seconds_per_call;\n")
        self.assertNotIn("x86_64-linux.txt", out)

    def test_stepped_record_may_grow(self):
        out = self.after("families/snap.h", r"(  int64_t other_ring;[^\n]*\n)", r"\1  double extra;\n")
        self.assertEqual(out, "")

    def test_size_changed_without_a_member(self):
        out = self.after("geometry.h", r"double \*v\[4\]; /\* x, y, z", "double *v[5]; /* x, y, z")
        self.assert_caught("G2", out)

    def test_function_changed(self):
        out = self.after("host.h", r"mrd_set_length\(const mrd_set \*set\)", "mrd_set_length(mrd_set *set)")
        self.assert_caught("G5", out)

    def test_function_removed(self):
        out = self.after("host.h", r"MRD_API const char \*MRD_ABI mrd_version\(void\);", "")
        self.assert_caught("G5", out)

    def test_typedef_changed(self):
        self.assert_caught("G5", self.after("status.h", r"typedef int32_t mrd_status;", "typedef int64_t mrd_status;"))

    def test_constant_changed(self):
        self.assert_caught("G6", self.after("status.h", r"#define MRD_E_LIMIT 6", "#define MRD_E_LIMIT 16"))

    def test_constant_removed(self):
        self.assert_caught("G6", self.after("status.h", r"#define MRD_E_LIMIT 6[^\n]*", ""))

    def test_id_changed(self):
        out = self.after("families/measure.h", r"meridian\.measure/1", "meridian.measure/2")
        self.assert_caught("G6", out)

    def test_count_shrunk(self):
        self.assert_caught("G6", self.after("call.h", r"MRD_BUF_COUNT 13u", "MRD_BUF_COUNT 12u"))

    def test_count_grown_is_allowed(self):
        self.assertEqual(self.after("call.h", r"MRD_BUF_COUNT 13u", "MRD_BUF_COUNT 14u"), "")

    def test_macro_changed(self):
        out = self.after("status.h", r"\(\(s\) & 0xff\)", "((s) & 0x7f)")
        self.assert_caught("G7", out)

    def test_new_record_without_a_size(self):
        out = self.after("info.h", r"#endif /\* MERIDIAN_INFO_H \*/",
                         "typedef struct mrd_fresh {\n  double value;\n} mrd_fresh;\n#endif")
        self.assert_caught("G8", out)


if __name__ == "__main__":
    unittest.main()
