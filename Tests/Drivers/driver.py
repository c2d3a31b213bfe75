#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Drives every family through libmeridian from Python, with ctypes alone: no binding, no compiler.

    driver.py LIBRARY PLUGIN_DIRECTORY

A family that no kernel in the directory offers is skipped and said so. Expected values are worked out by hand.
"""

import ctypes
import math
import sys
from ctypes import POINTER, byref, c_char, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32, c_void_p

POINT, LINESTRING, POLYGON = 1, 2, 3
BUF_RECORDS, BUF_BYTES, BUF_ROWS, BUF_IDS, BUF_VALUES = 9, 8, 10, 11, 12
E_ABI, E_ARGUMENT, E_CANCELLED = 1, 2, 5


class Sized(ctypes.Structure):
    """A struct of the ABI: all zero but for its size."""

    def __init__(self, **values):
        super().__init__(**values)
        self.struct_size = ctypes.sizeof(self)


class Error(Sized):
    _fields_ = [("struct_size", c_uint32), ("code", c_int32), ("item", c_int64), ("coord", c_int64),
                ("message", c_char * 488)]


class SessionOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("paths", POINTER(c_char_p)), ("n_paths", c_uint32),
                ("threads", c_uint32), ("cpu_level", c_char_p), ("config_file", c_char_p), ("log", c_void_p),
                ("log_context", c_void_p)]


class Run(Sized):
    _fields_ = [("struct_size", c_uint32), ("threads", c_uint32), ("cancel", POINTER(c_uint32)), ("rules", c_char_p),
                ("model", c_void_p), ("item_status", POINTER(c_int32)), ("progress", c_void_p),
                ("progress_context", c_void_p), ("kernel", c_char_p), ("reason", c_char_p)]


class Model(Sized):
    _fields_ = [("struct_size", c_uint32), ("edges", c_int32), ("metric", c_int32), ("pad0", c_uint32),
                ("semi_major", c_double), ("flattening", c_double)]


class Columns(Sized):
    _fields_ = [("struct_size", c_uint32), ("count", c_uint32), ("length", c_int64),
                ("values", POINTER(POINTER(c_double)))]


class Boxes(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("length", c_int64), ("v", c_void_p * 4),
                ("stride", c_int64 * 4), ("model", c_void_p)]


class ValidateOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("dialect", c_int32), ("mode", c_int32),
                ("limit", c_int64), ("decimals", c_int32), ("pad0", c_uint32), ("thresholds", c_double * 8)]


class Problem(ctypes.Structure):
    _fields_ = [("code", c_int32), ("severity", c_int32), ("row", c_int64), ("part", c_int64), ("ring", c_int64),
                ("vertex", c_int64), ("other", c_int64 * 4), ("x", c_double), ("y", c_double)]


class RepairOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("rule", c_int32), ("dialect", c_int32)]


class SimplifyOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("unit", c_int32), ("measure", c_int32),
                ("collapse", c_int32), ("n_tolerances", c_uint32), ("tolerances", POINTER(c_double)),
                ("target_count", c_int64), ("rest", c_double * 5), ("protected_vertices", c_void_p)]


class SnapOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("tolerance_coord", c_double),
                ("tolerance_m", c_double), ("grid_scale", c_double)]


class TargetLayer(Sized):
    _fields_ = [("struct_size", c_uint32), ("kinds", c_uint32), ("priority", c_int32), ("pad0", c_uint32),
                ("set", c_void_p)]


class SnapQueryOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("max_candidates", c_uint32), ("tolerance_coord", c_double),
                ("tolerance_m", c_double), ("kind_factor", c_void_p), ("kind_priority", c_void_p),
                ("screen_metric", c_void_p), ("exclusions", c_void_p), ("n_exclusions", c_int64),
                ("exclusion_size", c_uint32), ("pad0", c_uint32), ("previous", c_void_p)]


class SnapHit(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("group", c_uint32), ("layer", c_int64), ("feature", c_int64), ("part", c_int64),
                ("ring", c_int64), ("vertex", c_int64), ("other", c_int64 * 2), ("x", c_double), ("y", c_double),
                ("z", c_double), ("distance", c_double), ("more_of_other", c_int64 * 3)]


class NearestOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("ties", c_int32), ("k", c_int64), ("max_distance_coord", c_double),
                ("max_distance_m", c_double), ("exclude", c_void_p)]


class Failed(Exception):
    """A call that answered an error."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status


class Library:
    """libmeridian, with `call` for functions that end in an error record."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        for name in ("mrd_version", "mrd_status_name", "mrd_problem_name", "mrd_session_kernel_operation"):
            getattr(self.lib, name).restype = c_char_p
        for name in ("mrd_set_length", "mrd_session_kernel_count", "mrd_session_diagnostic_count"):
            getattr(self.lib, name).restype = c_int64
        self.lib.mrd_result_buffer.restype = c_int64
        self.lib.mrd_session_kernel_operation.argtypes = [c_void_p, c_int64, c_uint32]
        self.lib.mrd_metres_per_point.restype = c_double
        self.lib.mrd_metres_per_point.argtypes = [c_double] * 3

    def call(self, name, *arguments):
        error = Error()
        status = getattr(self.lib, name)(*arguments, byref(error))
        if status != 0:
            raise Failed(status, error.message.decode())

    def made(self, name, *arguments, then=()):
        """Calls a function whose next argument is the handle that it makes."""
        handle = c_void_p()
        self.call(name, *arguments, byref(handle), *then)
        assert handle, name
        return handle

    def geometry(self, kind, values, model=None):
        """A set of one geometry; `values` is interleaved x, y."""
        count = len(values) // 2
        builder = self.made("mrd_builder_create", byref(model) if model else None)
        self.call("mrd_builder_begin", builder, c_int32(kind), c_int32(1))
        if kind == POLYGON:
            self.call("mrd_builder_ring", builder)
        self.call("mrd_builder_coords", builder, (c_double * len(values))(*values), c_int64(count))
        self.call("mrd_builder_end", builder)
        made = self.made("mrd_builder_finish", builder)
        self.lib.mrd_builder_release(builder)
        return made

    def buffer(self, result, number, kind):
        """A copy of a result buffer as a list."""
        start = c_void_p()
        size = self.lib.mrd_result_buffer(result, c_uint32(number), byref(start))
        return list((kind * (size // ctypes.sizeof(kind))).from_address(start.value)) if size else []


def columns(count, rows=1):
    """Columns of doubles and the struct that names them."""
    values = [(c_double * rows)() for _ in range(count)]
    pointers = (POINTER(c_double) * count)(*[ctypes.cast(value, POINTER(c_double)) for value in values])
    out = Columns(count=count, length=rows, values=ctypes.cast(pointers, POINTER(POINTER(c_double))))
    out.keep = pointers
    return values, out


def boxes(values):
    """Boxes over one interleaved buffer, which lives as long as they do."""
    data = (c_double * len(values))(*values)
    out = Boxes(length=len(values) // 4)
    for side in range(4):
        out.v[side] = ctypes.addressof(data) + 8 * side
        out.stride[side] = 32
    out.keep = data
    return out


class Driver:
    def __init__(self, library, plugins):
        self.meridian = Library(library)
        paths = (c_char_p * 1)(plugins.encode())
        options = SessionOptions(flags=3, paths=paths, n_paths=1)
        self.session = self.meridian.made("mrd_session_create", byref(options))
        self.offered = set()
        lib = self.meridian.lib
        for kernel in range(lib.mrd_session_kernel_count(self.session)):
            index = 0
            while (name := lib.mrd_session_kernel_operation(self.session, kernel, index)) is not None:
                self.offered.add(name.decode())
                index += 1

    def offers(self, operation):
        if operation not in self.offered:
            print(f"driver.py: skipped {operation}: no kernel offers it")
        return operation in self.offered

    def test_names(self):
        lib = self.meridian.lib
        assert lib.mrd_version().decode().count(".") == 2
        assert lib.mrd_status_name(E_ARGUMENT) == b"MRD_E_ARGUMENT"
        assert lib.mrd_status_name(4711) is None
        assert math.isclose(lib.mrd_metres_per_point(60, 1, 256), 39135.75848201024, rel_tol=1e-12)

    def test_measure(self):
        square = self.meridian.geometry(POLYGON, [0, 0, 4, 0, 4, 4, 0, 4, 0, 0])
        values, out = columns(1)
        run = Run()
        self.meridian.call("mrd_measure", self.session, 3, square, None, byref(out), byref(run))
        assert values[0][0] == 16 and run.kernel and run.reason
        values, out = columns(4)
        self.meridian.call("mrd_measure", self.session, 6, square, None, byref(out), None)
        assert [value[0] for value in values] == [0, 0, 4, 4]
        self.meridian.lib.mrd_set_release(square)

    def test_measure_on_a_sphere(self):
        """A degree of the equator on a sphere of radius 180 / pi is a length of 1."""
        sphere = Model(edges=1, metric=1, semi_major=180 / math.pi)
        line = self.meridian.geometry(LINESTRING, [179.5, 0, -179.5, 0], sphere)
        values, out = columns(1)
        self.meridian.call("mrd_measure", self.session, 1, line, None, byref(out), None)
        assert math.isclose(values[0][0], 1, rel_tol=1e-12), values[0][0]
        self.meridian.lib.mrd_set_release(line)

    def test_cancel(self):
        square = self.meridian.geometry(POLYGON, [0, 0, 4, 0, 4, 4, 0, 4, 0, 0])
        _, out = columns(1)
        run = Run(cancel=ctypes.pointer(c_uint32(1)))
        try:
            self.meridian.call("mrd_measure", self.session, 3, square, None, byref(out), byref(run))
            raise AssertionError("a cancelled call was fine")
        except Failed as failed:
            assert failed.status == E_CANCELLED
        self.meridian.lib.mrd_set_release(square)

    def test_errors_have_words(self):
        try:
            self.meridian.call("mrd_session_use", self.session, b"no rule at all")
            raise AssertionError("a rule of nonsense was taken")
        except Failed as failed:
            assert failed.status == E_ARGUMENT and len(str(failed)) > 5

    def test_sizes_that_end_inside_a_member_are_refused(self):
        """Half a pointer is none, and no version of a struct has such a size."""
        line = self.meridian.geometry(LINESTRING, [0, 0, 3, 4])
        values, out = columns(1)
        for size in (9, 12, 20, 28, 36):
            run = Run(cancel=ctypes.pointer(c_uint32(0)), rules=b"measure=native")
            run.struct_size = size
            short = columns(1)[1]
            short.struct_size = min(size, ctypes.sizeof(short) - 4)
            for last in (byref(out), byref(run)), (byref(short), None):
                try:
                    self.meridian.call("mrd_measure", self.session, 1, line, None, *last)
                    raise AssertionError(f"a size of {size} was taken")
                except Failed as failed:
                    assert failed.status == E_ABI and "inside a member" in str(failed), (failed.status, str(failed))
        self.meridian.lib.mrd_set_release(line)

    def test_validate(self):
        if not self.offers("validate.valid"):
            return
        bow_tie = self.meridian.geometry(POLYGON, [0, 0, 2, 2, 2, 0, 0, 2, 0, 0])
        verdict = (c_uint8 * 1)(2)
        problems = c_void_p()
        self.meridian.call("mrd_validate", self.session, 1, bow_tie, byref(ValidateOptions()), verdict, byref(problems),
                           None)
        assert verdict[0] == 0
        assert self.meridian.lib.mrd_result_record_size(problems) >= ctypes.sizeof(Problem)
        start = c_void_p()
        assert self.meridian.lib.mrd_result_buffer(problems, BUF_RECORDS, byref(start)) > 0
        problem = Problem.from_address(start.value)
        assert (problem.row, problem.severity, problem.x, problem.y) == (0, 1, 1, 1)
        assert self.meridian.lib.mrd_problem_name(problem.code)
        self.meridian.lib.mrd_result_release(problems)
        self.meridian.lib.mrd_set_release(bow_tie)

    def test_repair(self):
        if not self.offers("validate.repair"):
            return
        bow_tie = self.meridian.geometry(POLYGON, [0, 0, 2, 2, 2, 0, 0, 2, 0, 0])
        fixed = self.meridian.made("mrd_repair", self.session, bow_tie, byref(RepairOptions(rule=1)),
                                   then=(None, c_uint32(0), None))
        values, out = columns(1)
        self.meridian.call("mrd_measure", self.session, 3, fixed, None, byref(out), None)
        assert math.isclose(values[0][0], 2, rel_tol=1e-12)
        self.meridian.lib.mrd_set_release(fixed)
        self.meridian.lib.mrd_set_release(bow_tie)

    def test_simplify(self):
        if not self.offers("simplify.douglas_peucker"):
            return
        line = self.meridian.geometry(LINESTRING, [0, 0, 1, 0.01, 2, 0, 3, 5])
        options = SimplifyOptions(n_tolerances=1, tolerances=ctypes.pointer(c_double(0.1)))
        outcome = (c_int32 * 1)(-1)
        less = self.meridian.made("mrd_simplify", self.session, 1, line, byref(options), then=(outcome, None, None))
        values, out = columns(3)
        self.meridian.call("mrd_measure", self.session, 8, less, None, byref(out), None)
        assert values[2][0] == 3 and outcome[0] == 1, (values[2][0], outcome[0])
        self.meridian.lib.mrd_set_release(less)
        self.meridian.lib.mrd_set_release(line)

    def test_snap(self):
        if not self.offers("snap.grid"):
            return
        loose = self.meridian.geometry(POLYGON, [0.04, 0, 1.06, 0, 1, 1.01, 0.04, 0])
        snapped = self.meridian.made("mrd_snap", self.session, 19, loose, None, byref(SnapOptions(grid_scale=10)),
                                     then=(None, None))
        values, out = columns(4)
        self.meridian.call("mrd_measure", self.session, 6, snapped, None, byref(out), None)
        assert all(math.isclose(value[0], wanted, abs_tol=1e-9) for value, wanted in zip(values, [0, 0, 1.1, 1]))
        self.meridian.lib.mrd_set_release(snapped)
        self.meridian.lib.mrd_set_release(loose)

    def test_snap_query(self):
        if not self.offers("snap.query"):
            return
        square = self.meridian.geometry(POLYGON, [0, 0, 4, 0, 4, 4, 0, 4, 0, 0])
        layer = TargetLayer(set=square)
        layers = (c_void_p * 1)(ctypes.addressof(layer))
        targets = self.meridian.made("mrd_targets_create", self.session, layers, c_uint32(1), then=(None,))
        options = SnapQueryOptions(tolerance_coord=0.5, max_candidates=2)
        found = []
        for place in ([3.9, 4.05], [1, 0.25], [9, 9]):
            point = self.meridian.geometry(POINT, place)
            hits = self.meridian.made("mrd_targets_query", targets, point, byref(options), then=(None,))
            start = c_void_p()
            size = self.meridian.lib.mrd_result_record_size(hits)
            assert size >= ctypes.sizeof(SnapHit)
            count = self.meridian.lib.mrd_result_buffer(hits, BUF_RECORDS, byref(start)) // size
            assert self.meridian.buffer(hits, BUF_ROWS, c_int64) == [0, count]
            for index in range(count):
                hit = SnapHit.from_address(start.value + index * size)
                found.append((hit.kind, hit.group, hit.vertex, hit.x, hit.y))
            self.meridian.lib.mrd_result_release(hits)
            self.meridian.lib.mrd_set_release(point)
        # The corner and both feet beside it; then an edge; then nothing.
        assert found == [(1, 0, 2, 4, 4), (5, 1, 2, 3.9, 4), (5, 0, 0, 1, 0)], found
        self.meridian.lib.mrd_targets_release(targets)
        self.meridian.lib.mrd_set_release(square)

    def test_index(self):
        if not self.offers("index.build"):
            return
        index = self.meridian.made("mrd_index_create_boxes", self.session,
                                   byref(boxes([0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 11, 11])), None, then=(None,))
        hits = self.meridian.made("mrd_index_window", index, byref(boxes([2, 2, 11, 11])), None, then=(None,))
        assert sorted(self.meridian.buffer(hits, BUF_IDS, c_int64)) == [1, 2]
        self.meridian.lib.mrd_result_release(hits)
        hits = self.meridian.made("mrd_index_nearest", index, byref(boxes([6, 3, 6, 3])), byref(NearestOptions(k=1)),
                                  then=(None,))
        assert self.meridian.buffer(hits, BUF_IDS, c_int64) == [1]
        assert self.meridian.buffer(hits, BUF_VALUES, c_double) == [3]
        self.meridian.lib.mrd_result_release(hits)
        self.meridian.lib.mrd_index_release(index)


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    driver = Driver(*arguments)
    failed = 0
    tests = sorted(name for name in dir(driver) if name.startswith("test_"))
    for name in tests:
        try:
            getattr(driver, name)()
        except (AssertionError, Failed) as error:
            failed += 1
            print(f"driver.py: {name}: {type(error).__name__} {error}", file=sys.stderr)
    driver.meridian.lib.mrd_session_release(driver.session)
    print(f"driver.py: {len(tests)} tests, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
