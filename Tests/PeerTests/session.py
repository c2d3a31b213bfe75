# SPDX-License-Identifier: Apache-2.0
"""A session of libmeridian over numpy arrays, for the tests of the peers: structs and calls come from Tests/Drivers."""

import ctypes
import pathlib
import sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int32, c_int64, c_uint8, c_uint32, c_void_p

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Drivers"))
from driver import (  # noqa: E402
    Boxes, Columns, Failed, Library, Model, NearestOptions, RepairOptions, Run, SessionOptions, SimplifyOptions, Sized,
    SnapOptions)

PLUGINS = ROOT / "build" / "lib" / "meridian" / "plugins"
PEERS = ROOT / "build" / "peers" / "plugins"
POINT, LINESTRING, POLYGON, MULTIPOINT, MULTILINESTRING, MULTIPOLYGON = range(1, 7)
OK, NULL, EMPTY, NONFINITE, DOMAIN, INVALID, DEGENERATE, NOT_CONVERGED, UNSUPPORTED = range(9)
INVERSE, DISTANCE = 16, 17
BUF_ROWS, BUF_IDS, BUF_VALUES = 10, 11, 12
WGS84 = Model(edges=2, metric=2, semi_major=6378137.0, flattening=1 / 298.257223563)
SPHERE = Model(edges=1, metric=1, semi_major=6371008.7714150598)


class OpInfo(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("type_mask", c_uint32), ("dims_mask", c_uint32),
                ("edges_mask", c_uint32), ("metric_mask", c_uint32), ("dialect_mask", c_uint32),
                ("error_unit", c_int32), ("absolute", c_double), ("relative", c_double), ("per_vertex", c_double),
                ("max_flattening", c_double), ("ns_per_coord", c_double), ("method", c_char_p)]


class Geoms(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("type", c_int32), ("dims", c_int32),
                ("offset_bits", c_uint32), ("n_offsets", c_uint32), ("length", c_int64), ("first", c_int64),
                ("validity", c_void_p), ("offsets", c_void_p * 3), ("v", c_void_p * 4), ("stride", c_int64 * 4),
                ("count", c_int64), ("model", c_void_p)]


class WindowOptions(Sized):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("mode", c_int32), ("pad0", c_uint32),
                ("limit", c_int64), ("visitor", c_void_p), ("visitor_context", c_void_p)]


def pointer(array):
    return array.ctypes.data_as(c_void_p)


class Session:
    def __init__(self):
        self.meridian = Library(str(ROOT / "build" / "lib" / "libmeridian.so"))
        self.lib = self.meridian.lib
        paths = (c_char_p * 2)(str(PLUGINS).encode(), str(PEERS).encode())
        self.handle = self.meridian.made("mrd_session_create", byref(SessionOptions(flags=3, paths=paths, n_paths=2)))
        self.lib.mrd_session_kernel_info.restype = POINTER(OpInfo)

    def kernels(self):
        """Kernel ids with the operations that their manifests name."""
        class Kernel(Sized):
            _fields_ = [("struct_size", c_uint32), ("operations", c_uint32), ("id", c_char_p), ("rest", c_void_p * 8)]
        found = {}
        for index in range(self.lib.mrd_session_kernel_count(self.handle)):
            kernel = Kernel()
            self.meridian.call("mrd_session_kernel", self.handle, c_int64(index), byref(kernel))
            found[kernel.id.decode()] = [
                self.lib.mrd_session_kernel_operation(self.handle, index, number).decode()
                for number in range(kernel.operations)]
        return found

    def info(self, kernel, operation):
        index = list(self.kernels()).index(kernel)
        info = self.lib.mrd_session_kernel_info(self.handle, c_int64(index), operation.encode(), None)
        assert info, f"{kernel} declares nothing of {operation}"
        return info.contents

    def wrap(self, kind, coords, offsets=(), model=None, valid=None, first=0, bits=64, separated=False):
        """A set over these arrays; `coords` [n, 2], `offsets` outermost first. Rows before `first` are left out."""
        coords = numpy.ascontiguousarray(coords, dtype=float).reshape(-1, 2)
        offsets = [numpy.ascontiguousarray(level, dtype=f"int{bits}") for level in offsets]
        geoms = Geoms(type=kind, dims=1, offset_bits=bits, n_offsets=len(offsets), count=len(coords), first=first,
                      length=(len(offsets[0]) - 1 if offsets else len(coords)) - first)
        if separated:  # backward in memory, too
            coords = numpy.ascontiguousarray(coords[::-1].T)
            geoms.v[0], geoms.v[1] = coords.ctypes.data + coords.nbytes // 2 - 8, coords.ctypes.data + coords.nbytes - 8
            geoms.stride[0] = geoms.stride[1] = -8
        else:
            geoms.v[0], geoms.v[1] = coords.ctypes.data, coords.ctypes.data + 8
            geoms.stride[0] = geoms.stride[1] = 16
        for level, values in enumerate(offsets):
            geoms.offsets[level] = values.ctypes.data
        keep = [coords, offsets, geoms, model]
        if model is not None:
            geoms.model = ctypes.addressof(model)
        if valid is not None:
            bits = numpy.packbits(numpy.asarray(valid, dtype=bool), bitorder="little")
            geoms.validity = bits.ctypes.data
            keep.append(bits)
        made = self.meridian.made("mrd_set_wrap", byref(geoms))
        made.keep = keep
        return made

    def _columns(self, width, rows):
        values = numpy.full((width, rows), -7.0)
        pointers = (POINTER(c_double) * width)(*[values[k].ctypes.data_as(POINTER(c_double)) for k in range(width)])
        out = Columns(count=width, length=rows, values=ctypes.cast(pointers, POINTER(POINTER(c_double))))
        out.keep = pointers
        return values, out

    cancel = None

    def _run(self, kernel, family, operation, rows):
        status = numpy.full(rows, -1, dtype=numpy.int32)
        run = Run(rules=f"{family}.{operation}={kernel}".encode(), threads=1)
        run.cancel = self.cancel
        run.item_status = status.ctypes.data_as(POINTER(c_int32))
        return status, run

    def measure(self, kernel, op, name, subject, width=1):
        rows = self.lib.mrd_set_length(subject)
        values, out = self._columns(width, rows)
        status, run = self._run(kernel, "measure", name, rows)
        self.meridian.call("mrd_measure", self.handle, c_uint32(op), subject, None, byref(out), byref(run))
        return values, status

    def pair(self, kernel, op, name, a, b, width):
        rows = self.lib.mrd_set_length(a)
        values, out = self._columns(width, rows)
        status, run = self._run(kernel, "measure", name, rows)
        self.meridian.call("mrd_measure_pair", self.handle, c_uint32(op), a, b, None, byref(out), byref(run))
        return values, status

    def direct(self, kernel, points, azimuth, distance):
        rows = self.lib.mrd_set_length(points)
        values, out = self._columns(3, rows)
        status, run = self._run(kernel, "measure", "direct", rows)
        self.meridian.call("mrd_measure_direct", self.handle, points, pointer(azimuth), pointer(distance), None,
                           byref(out), byref(run))
        return values, status

    def validate(self, kernel, subject):
        rows = self.lib.mrd_set_length(subject)
        verdicts = (c_uint8 * rows)()
        status, run = self._run(kernel, "validate", "valid", rows)
        problems = c_void_p()
        self.meridian.call("mrd_validate", self.handle, c_uint32(1), subject, None, verdicts, byref(problems), byref(run))
        self.lib.mrd_result_release(problems)
        return list(verdicts), status

    def simplify(self, kernel, op, name, subject, tolerance, collapse=0):
        """Vertices of each row of the result, and the row statuses."""
        rows = self.lib.mrd_set_length(subject)
        status, run = self._run(kernel, "simplify", name, rows)
        options = SimplifyOptions(n_tolerances=1, tolerances=ctypes.pointer(c_double(tolerance)), collapse=collapse)
        less = self.meridian.made("mrd_simplify", self.handle, c_uint32(op), subject, byref(options),
                                  then=(None, None, byref(run)))
        return self._vertices(less), status

    def repair(self, kernel, subject, rule):
        rows = self.lib.mrd_set_length(subject)
        status, run = self._run(kernel, "validate", "repair", rows)
        made = self.meridian.made("mrd_repair", self.handle, subject, byref(RepairOptions(rule=rule)),
                                  then=(None, c_uint32(0), byref(run)))
        return self._vertices(made), status

    def snap(self, kernel, subject, targets, tolerance):
        rows = self.lib.mrd_set_length(subject)
        status, run = self._run(kernel, "snap", "pair", rows)
        made = self.meridian.made("mrd_snap", self.handle, c_uint32(16), subject, targets,
                                  byref(SnapOptions(tolerance_coord=tolerance)), then=(None, byref(run)))
        return self._vertices(made), status

    def _vertices(self, made):
        counts = self.measure("meridian.native", 8, "counts", made, 3)[0][2]
        self.lib.mrd_set_release(made)
        return counts

    def boxes(self, values):
        values = numpy.ascontiguousarray(values, dtype=float).reshape(-1, 4)
        out = Boxes(length=len(values))
        for side in range(4):
            out.v[side] = values.ctypes.data + 8 * side
            out.stride[side] = 32
        out.keep = values
        return out

    def index(self, kernel, values):
        run = Run(rules=f"index={kernel}".encode())
        boxes = self.boxes(values)
        made = self.meridian.made("mrd_index_create_boxes", self.handle, byref(boxes), None, then=(byref(run),))
        assert run.kernel == kernel.encode(), (run.kernel, run.reason)
        return made

    def window(self, index, windows):
        """Rows of ascending ids."""
        options = WindowOptions(flags=1)
        hits = self.meridian.made("mrd_index_window", index, byref(self.boxes(windows)), byref(options), then=(None,))
        return self._csr(hits)[0]

    def nearest(self, index, queries, **options):
        """Rows of ids, and rows of distances."""
        hits = self.meridian.made("mrd_index_nearest", index, byref(self.boxes(queries)),
                                  byref(NearestOptions(**options)), then=(None,))
        return self._csr(hits)

    def _csr(self, result):
        rows = self.meridian.buffer(result, BUF_ROWS, c_int64)
        ids = self.meridian.buffer(result, BUF_IDS, c_int64)
        values = self.meridian.buffer(result, BUF_VALUES, c_double)
        self.lib.mrd_result_release(result)
        return [ids[a:b] for a, b in zip(rows, rows[1:])], [values[a:b] for a, b in zip(rows, rows[1:])]
