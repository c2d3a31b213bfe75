#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The libraries in build/ are clean, and the checker finds each kind of dirt in a library made to have it."""

import glob
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ENTRY = "__attribute__((visibility(\"default\"))) const void *mrd_plugin_entry_v1(void) { return 0; }\n"


def check(kind, *paths):
    command = [sys.executable, os.path.join(ROOT, "scripts", "check-hygiene"), kind, *paths]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    return result.returncode, result.stdout


class Built(unittest.TestCase):
    def test_plugins(self):
        paths = sorted(glob.glob(os.path.join(ROOT, "build", "lib", "meridian", "plugins", "*", "*.so")))
        self.assertTrue(paths, "no plug-in is in build/: run `make build`")
        self.assertEqual(check("plugin", *paths), (0, ""))

    def test_host_library(self):
        path = os.path.join(ROOT, "build", "lib", "libmeridian.so")
        self.assertEqual(check("host", path), (0, ""))

    def test_counter_of_allocations(self):
        path = os.path.join(ROOT, "build", "lib", "meridian", "libMeridianAllocations.so")
        self.assertEqual(check("counter", path), (0, ""))

    def test_counter_counts_when_it_is_preloaded(self):
        """A thousand blocks are asked for between two readings; the interpreter asks for a few more."""
        program = """
import ctypes
library = ctypes.CDLL(None)
library.malloc.restype = ctypes.c_void_p
library.malloc.argtypes = [ctypes.c_size_t]
def counts():
    pair = ctypes.c_int64(), ctypes.c_int64()
    library.mrda_read(ctypes.byref(pair[0]), ctypes.byref(pair[1]))
    return pair[0].value, pair[1].value
before = counts()
for _ in range(1000):
    library.malloc(100_000)
after = counts()
print(after[0] - before[0], after[1] - before[1])
"""
        path = os.path.join(ROOT, "build", "lib", "meridian", "libMeridianAllocations.so")
        run = subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "LD_PRELOAD": path}, stdout=subprocess.PIPE, text=True,
            check=True)
        calls, size = map(int, run.stdout.split())
        self.assertTrue(1000 <= calls < 5000, run.stdout)
        self.assertTrue(100_000_000 <= size < 102_000_000, run.stdout)

    def test_host_library_exports_every_function_of_the_header(self):
        """Holds nm against the committed dump: a function that is declared and not there fails at run time only."""
        with open(os.path.join(ROOT, "abi", "current", "x86_64-linux.txt"), encoding="utf-8") as file:
            declared = {line.split(" ")[1] for line in file if line.startswith("function ")} - {"mrd_plugin_entry_v1"}
        path = os.path.join(ROOT, "build", "lib", "libmeridian.so")
        listed = subprocess.run(["nm", "-D", "--defined-only", path], stdout=subprocess.PIPE, text=True, check=True)
        exported = {line.split(" ")[2].split("@")[0] for line in listed.stdout.splitlines()}
        self.assertEqual(sorted(declared - exported), [], "declared in host.h, not exported")
        self.assertEqual(sorted(exported - declared), [], "exported, not declared in host.h")


class Dirt(unittest.TestCase):
    """Each library has one fault, and the checker names it."""

    def library(self, source, *flags):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        unit, path = os.path.join(folder.name, "unit.c"), os.path.join(folder.name, "library.so")
        with open(unit, "w", encoding="utf-8") as file:
            file.write(source)
        subprocess.run(["clang", "-shared", "-fPIC", "-fvisibility=hidden", "-o", path, unit, *flags], check=True)
        return path

    def assert_found(self, code, path, kind="plugin"):
        status, output = check(kind, path)
        self.assertEqual(status, 1, output)
        self.assertIn(f": {code}: ", output)

    def test_clean(self):
        self.assertEqual(check("plugin", self.library(ENTRY)), (0, ""))

    def test_clean_by_another_linker(self):
        self.assertEqual(check("plugin", self.library(ENTRY, "-fuse-ld=lld")), (0, ""))

    def test_second_export(self):
        path = self.library(ENTRY + "__attribute__((visibility(\"default\"))) int swift_retain(void) { return 0; }\n")
        self.assert_found("EXPORTS", path)

    def test_no_entry(self):
        self.assert_found("EXPORTS", self.library("static int unused(void) { return 0; }\nint (*keep)(void) = unused;"))

    def test_host_with_a_stray_export(self):
        path = self.library(ENTRY + "__attribute__((visibility(\"default\"))) int helper(void) { return 0; }\n")
        self.assert_found("EXPORTS", path, kind="host")

    def test_undefined_symbol(self):
        path = self.library("extern int nowhere(void);\n" + ENTRY.replace("return 0", "nowhere(); return 0"))
        self.assert_found("UNRESOLVED", path)

    def test_missing_library(self):
        other = self.library("__attribute__((visibility(\"default\"))) int other(void) { return 1; }\n",
                             "-Wl,-soname,libgone.so.1")
        path = self.library("extern int other(void);\n" + ENTRY.replace("return 0", "other(); return 0"), other)
        os.remove(other)
        self.assert_found("UNRESOLVED", path)
        self.assert_found("NEEDED", path)

    def test_absolute_runpath(self):
        self.assert_found("RUNPATH", self.library(ENTRY, "-Wl,-rpath,/opt/somewhere"))

    def test_runpath_beside_the_library_is_allowed(self):
        self.assertEqual(check("plugin", self.library(ENTRY, "-Wl,-rpath,$ORIGIN/../lib")), (0, ""))

    def test_executable_stack(self):
        self.assert_found("EXEC_STACK", self.library(ENTRY, "-Wl,-z,execstack"))
        self.assert_found("EXEC_STACK", self.library(ENTRY, "-fuse-ld=lld", "-Wl,-z,execstack"))

    def test_text_relocation(self):
        code = '__asm__(".text\\n.quad outside\\n");\n'
        path = self.library(ENTRY + "int outside;\n" + code, "-Wl,-z,notext")
        self.assert_found("TEXT_RELOCATION", path)


if __name__ == "__main__":
    unittest.main()
