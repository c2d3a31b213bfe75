#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers of benchmarks/peers: each loads, keeps its declarations, and agrees with others. Run by `make peers-test`.

Needs build/ and build/peers, and the Python of build/venv (numpy). PEERS_SEED repeats a run.
"""

import ctypes
import json
import os
import subprocess
import tempfile
import unittest

import numpy

from session import (
    DEGENERATE, DISTANCE, DOMAIN, EMPTY, INVERSE, LINESTRING, MULTILINESTRING, MULTIPOINT, MULTIPOLYGON, NONFINITE,
    NOT_CONVERGED, NULL, OK, PEERS, POINT, POLYGON, ROOT, SPHERE, UNSUPPORTED, WGS84, Failed, Session)

SEED = int(os.environ.get("PEERS_SEED", int.from_bytes(os.urandom(4), "little")))
MERIDIAN = ROOT / "build" / "bin" / "meridian"
COUNTRIES = ROOT / "Examples" / "data" / "ne_110m_admin_0_countries.geojson"
PROBLEMS = ROOT / "Examples" / "data" / "problems.geojson"
ALWAYS = {"peer.boost", "peer.boost-andoyer", "peer.boost-haversine", "peer.boost-karney", "peer.boost-thomas",
          "peer.boost-vincenty", "peer.geographiclib", "peer.geographiclib-exact", "peer.geos-wheel", "peer.s2",
          "peer.spatialindex"}
ORACLE = "peer.geographiclib-exact"
E_UNSUPPORTED, E_CANCELLED, E_NOT_FOUND = 3, 5, 9
MEASURES = {"length": 1, "perimeter": 2, "area": 3, "area_signed": 4, "perimeter_area": 5}
# How far from the antipode a formula is refused, in degrees.
REFUSED = {"peer.boost-vincenty": 1, "peer.boost-thomas": 5, "peer.boost-andoyer": 5}
# Largest relative difference from PROJ, or from native on the sphere and the plane: (lengths, areas).
AGREEMENT = {
    "peer.geographiclib": (1e-12, 1e-11), "peer.geographiclib-exact": (1e-12, 1e-11), "peer.geodesic-c": (1e-12, 1e-11),
    "peer.boost-karney": (1e-12, 2e-8), "peer.boost-vincenty": (1e-9, 2e-8), "peer.boost-thomas": (1e-6, 1e-6),
    "peer.boost-andoyer": (1e-4, 1e-5), "peer.boost-haversine": (1e-12, 1e-11), "peer.s2": (1e-12, 1e-11),
    "peer.boost": (1e-13, 1e-11),
}


def setUpModule():
    global session, kernels, peers
    print(f"PEERS_SEED={SEED}")
    session = Session()
    kernels = session.kernels()
    peers = [kernel for kernel in kernels if kernel.startswith("peer.")]


def offering(operation):
    return [peer for peer in peers if operation in kernels[peer]]


def meridian(*arguments, **options):
    environment = {**os.environ, "MERIDIAN_PLUGIN_PATH": str(PEERS), **options.pop("environment", {})}
    return subprocess.run([MERIDIAN, *map(str, arguments)], env=environment, capture_output=True, text=True, check=False)


def compare(path, operation, a, b, *options):
    """The object that `compare` prints for the first layer."""
    result = meridian("compare", path, "--op", operation, "--kernels", f"{a},{b}", "--repeat", 1, "--format", "json",
                      *options)
    if result.returncode not in (0, 1):
        raise AssertionError(result.stderr)
    return json.loads(result.stdout.splitlines()[0])


def random_points(rng, count):
    return numpy.column_stack([rng.uniform(-180, 180, count), numpy.degrees(numpy.arcsin(rng.uniform(-1, 1, count)))])


def pairs(rng, count):
    """Anywhere, near each other, and near the antipode, a third each."""
    a, b = random_points(rng, count), random_points(rng, count)
    third = count // 3
    b[:third] = a[:third] + rng.normal(size=(third, 2)) * 10.0 ** rng.uniform(-8, 0, (third, 1))
    b[third:2 * third] = (a[third:2 * third] * [1, -1] + [180, 0]
                          + rng.normal(size=(third, 2)) * 10.0 ** rng.uniform(-6, 1, (third, 1)))
    b[:, 1] = numpy.clip(b[:, 1], -90, 90)
    return a, b


def from_antipode(a, b):
    """Degrees between b and the antipode of a, on the sphere."""
    def vector(p):
        lon, lat = numpy.radians(p).T
        return numpy.column_stack([numpy.cos(lat) * numpy.cos(lon), numpy.cos(lat) * numpy.sin(lon), numpy.sin(lat)])
    u, v = vector(a), -vector(b)
    return numpy.degrees(numpy.arctan2(numpy.linalg.norm(numpy.cross(u, v), axis=1), (u * v).sum(axis=1)))


def rows_of(kind, y):
    """Null, empty, with NaN, and one whose largest y is `y`: (coordinates, offsets, validity)."""
    ring = [[0, 0], [3, 0], [3, y], [0, 0]]
    bad = [[0, 0], [numpy.nan, 1], [3, 3], [0, 0]]
    if kind == POINT:
        return [[1, 1], [numpy.nan, numpy.nan], [numpy.inf, 1], [1, y]], [], [0, 1, 1, 1]
    inner = [0, 4, 4, 8, 12]
    outer = {1: [inner], 2: [[0, 1, 1, 2, 3], [0, 4, 8, 12]],
             3: [[0, 1, 1, 2, 3], [0, 1, 2, 3], [0, 4, 8, 12]]}
    levels = {LINESTRING: 1, MULTIPOINT: 1, POLYGON: 2, MULTILINESTRING: 2, MULTIPOLYGON: 3}[kind]
    return ring + bad + ring, outer[levels], [0, 1, 1, 1]


class Declarations(unittest.TestCase):
    def test_peers_are_there(self):
        self.assertLessEqual(ALWAYS, set(peers))

    def test_every_operation_is_declared(self):
        for peer in peers:
            self.assertTrue(kernels[peer], peer)
            for operation in kernels[peer]:
                with self.subTest(peer=peer, operation=operation):
                    info = session.info(peer, operation)
                    self.assertTrue(info.method)
                    self.assertTrue(info.edges_mask and info.metric_mask)
                    self.assertEqual(info.type_mask == 0, operation.startswith("index."))

    def test_what_is_not_declared_is_refused(self):
        square = session.wrap(POLYGON, [[0, 0], [1, 0], [1, 1], [0, 0]], [[0, 1], [0, 4]])
        for peer in offering("measure.area"):
            if peer != "peer.boost":
                with self.subTest(peer=peer), self.assertRaises(Failed) as caught:
                    session.measure(peer, 3, "area", square)
                self.assertIn(caught.exception.status, (E_UNSUPPORTED, E_NOT_FOUND))

    def test_a_set_cancel_word_cancels(self):
        session.cancel = ctypes.pointer(ctypes.c_uint32(1))
        self.addCleanup(setattr, session, "cancel", None)
        for peer in offering("measure.length"):
            model = None if peer == "peer.boost" else SPHERE if is_spherical(peer) else WGS84
            line = session.wrap(LINESTRING, [[0, 0], [1, 1]], [[0, 2]], model)
            with self.subTest(peer=peer), self.assertRaises(Failed) as caught:
                session.measure(peer, 1, "length", line)
            self.assertEqual(caught.exception.status, E_CANCELLED)


def is_spherical(peer):
    return peer in ("peer.s2", "peer.boost-haversine")


class Globe(unittest.TestCase):
    def check_distances(self, model, selected):
        a, b = pairs(numpy.random.default_rng(SEED), 30000)
        away = from_antipode(a, b)
        first, second = session.wrap(POINT, a, model=model), session.wrap(POINT, b, model=model)
        truth, _ = session.pair(ORACLE, DISTANCE, "distance", first, second, 1)
        own = session.info(ORACLE, "measure.distance").absolute
        for peer in filter(selected, offering("measure.distance")):
            values, status = session.pair(peer, DISTANCE, "distance", first, second, 1)
            info = session.info(peer, "measure.distance")
            with self.subTest(peer=peer, seed=SEED):
                fine = status == OK
                self.assertTrue(numpy.all(fine | (status == NOT_CONVERGED)))
                self.assertFalse(numpy.any(~fine & (away > REFUSED.get(peer, 0) + 1e-6)))
                error = numpy.abs(values - truth)[0]
                allowed = info.absolute + own + (info.relative + 1e-15) * truth[0]
                worst = numpy.argmax(numpy.where(fine, error - allowed, -numpy.inf))
                self.assertLessEqual(error[worst], allowed[worst], f"{a[worst]} {b[worst]}")
                self.assertTrue(numpy.all(numpy.isnan(values[0][~fine])))

    def test_distances_on_the_ellipsoid_keep_their_bounds(self):
        self.check_distances(WGS84, lambda peer: not is_spherical(peer))

    def test_distances_on_the_sphere_keep_their_bounds(self):
        self.check_distances(SPHERE, is_spherical)

    def test_direct_undoes_inverse(self):
        rng = numpy.random.default_rng(SEED)
        a, b = random_points(rng, 5000), random_points(rng, 5000)
        keep = (from_antipode(a, b) > 5) & (numpy.abs(b[:, 1]) < 89)
        a, b = a[keep], b[keep]
        first, second = session.wrap(POINT, a, model=WGS84), session.wrap(POINT, b, model=WGS84)
        for peer in offering("measure.direct"):
            with self.subTest(peer=peer, seed=SEED):
                found, status = session.pair(peer, INVERSE, "inverse", first, second, 3)
                self.assertTrue(numpy.all(status == OK))
                # Of pairs 5 degrees from antipodal, Thomas's and Andoyer's formulas miss by up to 0.2 degrees of azimuth.
                near = {"peer.boost-andoyer": 0.5, "peer.boost-thomas": 0.1, "peer.boost-vincenty": 1e-7}.get(peer, 1e-10)
                ends, status = session.direct(peer, first, found[1].copy(), found[0].copy())
                self.assertTrue(numpy.all(status == OK))
                self.assertLess(numpy.max(numpy.abs(ends[1] - b[:, 1])), near)
                east = numpy.remainder(ends[0] - b[:, 0] + 180, 360) - 180
                self.assertLess(numpy.max(numpy.abs(east) * numpy.cos(numpy.radians(b[:, 1]))), near)

    def test_equal_points_have_no_azimuth(self):
        place = session.wrap(POINT, [[7, 46]], model=WGS84)
        for peer in offering("measure.inverse"):
            values, status = session.pair(peer, INVERSE, "inverse", place, place, 3)
            self.assertEqual((list(values[:, 0]), list(status)), ([0, 0, 0], [DEGENERATE]), peer)

    def test_a_country_has_the_same_measures(self):
        for peer in offering("measure.area"):
            if peer == "peer.boost":
                other, options = "native", ("--edges", "planar", "--metric", "coord")
            elif is_spherical(peer):
                other, options = "native", ("--edges", "great_circle")
            else:
                other, options = "proj", ("--edges", "geodesic")
            for operation in MEASURES:
                with self.subTest(peer=peer, operation=operation):
                    found = compare(COUNTRIES, f"measure.{operation}", other, peer, *options)
                    self.assertEqual(found["rows"], 177)
                    self.assertFalse(found["status_differences"])
                    for column in found["columns"]:
                        self.assertEqual(column["only_one"], 0)
                        allowed = AGREEMENT[peer]["area" in column["column"]]
                        self.assertLessEqual(column["largest_relative"] or 0, allowed, column)


class BadRows(unittest.TestCase):
    def test_measures(self):
        for kind in range(POINT, MULTIPOLYGON + 1):
            for name, op in MEASURES.items():
                for peer in offering(f"measure.{name}"):
                    model = None if peer == "peer.boost" else SPHERE if is_spherical(peer) else WGS84
                    coords, offsets, valid = rows_of(kind, 95)
                    subject = session.wrap(kind, coords, offsets, model, valid)
                    width = 2 if op == 5 else 1
                    with self.subTest(peer=peer, kind=kind, operation=name):
                        values, status = session.measure(peer, op, name, subject, width)
                        last = OK if model is None else DOMAIN
                        self.assertEqual(list(status), [NULL, EMPTY, NONFINITE, last])
                        self.assertTrue(numpy.all(numpy.isnan(values[:, [0, 2]])))
                        self.assertTrue(numpy.all(values[:, 1] == 0))

    def test_layouts_give_the_same_bits(self):
        """A slice, 32-bit offsets and separated coordinates with a negative stride."""
        rng = numpy.random.default_rng(SEED)
        rings = []
        for x, y in rng.uniform(-60, 60, (50, 2)):
            turn = numpy.sort(rng.uniform(0, 2 * numpy.pi, 12))
            ring = numpy.column_stack([x + 9 * numpy.cos(turn), y + 9 * numpy.sin(turn)])
            rings.append(numpy.vstack([ring, ring[:1]]))
        coords, offsets = numpy.vstack(rings), [range(51), range(0, 651, 13)]
        for peer in peers:
            model = None if peer in ("peer.boost", "peer.geos-wheel") else SPHERE if is_spherical(peer) else WGS84
            plain = session.wrap(POLYGON, coords, offsets, model)
            other = session.wrap(POLYGON, coords, offsets, model, first=3, bits=32, separated=True)
            calls = [lambda s, o=op, n=name: session.measure(peer, o, n, s, 2 if o == 5 else 1)[0]
                     for name, op in MEASURES.items() if f"measure.{name}" in kernels[peer]]
            if "validate.valid" in kernels[peer]:
                calls.append(lambda s: numpy.array([session.validate(peer, s)[0]]))
            if "simplify.douglas_peucker" in kernels[peer]:
                calls.append(lambda s: session.simplify(peer, 1, "douglas_peucker", s, 2)[0][None])
            for number, call in enumerate(calls):
                with self.subTest(peer=peer, call=number, seed=SEED):
                    numpy.testing.assert_array_equal(call(plain)[:, 3:], call(other))

    def test_half_turns_are_told(self):
        line = session.wrap(LINESTRING, [[10, 0], [-170, 5]], [[0, 2]], WGS84)
        values, status = session.measure("peer.geographiclib", 1, "length", line)
        self.assertEqual(list(status), [0x100])
        self.assertTrue(numpy.isfinite(values[0, 0]))
        ring = session.wrap(POLYGON, [[10, 0], [-170, 5], [20, 40], [10, 0]], [[0, 1], [0, 4]], WGS84)
        self.assertEqual(list(session.measure("peer.geographiclib", 3, "area", ring)[1]), [UNSUPPORTED])

    def test_verdicts(self):
        for kind in range(LINESTRING, MULTIPOLYGON + 1):
            coords, offsets, valid = rows_of(kind, 2)
            for peer in offering("validate.valid"):
                with self.subTest(peer=peer, kind=kind):
                    verdicts, status = session.validate(peer, session.wrap(kind, coords, offsets, None, valid))
                    self.assertEqual((verdicts, status[0]), ([2, 1, 0, 1], NULL))

    def test_results_that_are_geometries(self):
        for kind in range(LINESTRING, MULTIPOLYGON + 1):
            coords, offsets, valid = rows_of(kind, 2)
            subject = session.wrap(kind, coords, offsets, None, valid)
            calls = [(peer, lambda p: session.simplify(p, 1, "douglas_peucker", subject, 0.1))
                     for peer in offering("simplify.douglas_peucker")]
            calls += [(peer, lambda p: session.simplify(p, 3, "topology_preserving", subject, 0.1))
                      for peer in offering("simplify.topology_preserving")]
            calls += [(peer, lambda p: session.repair(p, subject, 1)) for peer in offering("validate.repair")]
            calls += [(peer, lambda p: session.snap(p, subject, subject, 0.1)) for peer in offering("snap.pair")]
            for peer, call in calls:
                with self.subTest(peer=peer, kind=kind):
                    vertices, status = call(peer)
                    self.assertEqual(status[0], NULL)
                    # Points are never simplified, so nobody looks at them.
                    self.assertIn(status[2], (NONFINITE, OK) if kind == MULTIPOINT else (NONFINITE,))
                    self.assertEqual(list(vertices[1:]), [0, 4, 4])

    def test_collapse(self):
        """A ring within the tolerance is held, becomes a point's empty row, or goes."""
        tiny = session.wrap(POLYGON, [[0, 0], [1, 0], [1, 1], [0, 0]], [[0, 1], [0, 4]])
        for peer in offering("simplify.douglas_peucker"):
            with self.subTest(peer=peer):
                self.assertEqual(session.simplify(peer, 1, "douglas_peucker", tiny, 10, 0)[0][0], 4)
                self.assertEqual(session.simplify(peer, 1, "douglas_peucker", tiny, 10, 1)[0][0], 1)
                self.assertEqual(session.simplify(peer, 1, "douglas_peucker", tiny, 10, 2)[0][0], 0)


class Planar(unittest.TestCase):
    def test_verdicts_are_those_of_geos(self):
        for peer in offering("validate.valid"):
            for path in (COUNTRIES, PROBLEMS):
                with self.subTest(peer=peer, path=path.name):
                    found = compare(path, "validate.valid", "geos", peer)
                    self.assertEqual((found["disagreements"], found["status_differences"]), (0, 0))

    def test_repairs_and_snaps_are_those_of_geos(self):
        for operation, path, options in (("validate.repair", PROBLEMS, ()), ("validate.repair", COUNTRIES, ()),
                                         ("snap.pair", COUNTRIES, ("--tolerance", 0.1))):
            for peer in offering(operation):
                with self.subTest(peer=peer, operation=operation, path=path.name):
                    found = compare(path, operation, "geos", peer, *options)
                    self.assertEqual((found["geometry"]["different"], found["geometry"]["only_one"]), (0, 0))

    def test_lines_are_simplified_as_by_geos(self):
        rng = numpy.random.default_rng(SEED)
        with tempfile.NamedTemporaryFile("w", suffix=".wkt") as file:
            for _ in range(200):
                walk = numpy.cumsum(rng.normal(size=(rng.integers(2, 300), 2)), axis=0)
                file.write("LINESTRING(" + ",".join(f"{x!r} {y!r}" for x, y in walk.tolist()) + ")\n")
            file.flush()
            for peer in offering("simplify.douglas_peucker"):
                with self.subTest(peer=peer, seed=SEED):
                    found = compare(file.name, "simplify.douglas_peucker", "geos", peer, "--tolerance", 1.5)
                    self.assertEqual((found["rows"], found["geometry"]["different"]), (200, 0))

    def test_rings_keep_the_promise_of_douglas_and_peucker(self):
        tolerance = 0.5
        before = rings_of(COUNTRIES.read_text(encoding="utf-8"))
        for peer in offering("simplify.douglas_peucker"):
            with self.subTest(peer=peer):
                result = meridian("simplify", COUNTRIES, "--tolerance", tolerance, "--kernel", f"simplify={peer}", "--quiet")
                self.assertEqual(result.returncode, 0, result.stderr)
                after = rings_of(result.stdout)
                self.assertEqual(len(before), len(after))
                less = 0
                for old, new in zip(before, after):
                    less += len(new) < len(old)
                    self.assertLessEqual({tuple(p) for p in new}, {tuple(p) for p in old})
                    self.assertLessEqual(distance_to_ring(numpy.array(old), numpy.array(new)), tolerance * (1 + 1e-12))
                self.assertGreater(less, 100)


def rings_of(text):
    rings = []
    for feature in json.loads(text)["features"]:
        geometry = feature["geometry"]
        polygons = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
        rings += [ring for polygon in polygons for ring in polygon]
    return rings


def distance_to_ring(points, ring):
    """The largest distance of the points from the edges of the ring."""
    a, edge = ring[:-1], numpy.diff(ring, axis=0)
    length = (edge ** 2).sum(axis=1)
    share = ((points[:, None, :] - a) * edge).sum(axis=2) / numpy.where(length > 0, length, 1)
    foot = a + numpy.clip(share, 0, 1)[:, :, None] * edge
    return numpy.sqrt(((points[:, None, :] - foot) ** 2).sum(axis=2).min(axis=1).max())


class Indexes(unittest.TestCase):
    def layout(self, rng, huge):
        """Boxes on a grid, so that many touch and many are equally far, and such as are never hit."""
        low = rng.integers(0, 40, (2000, 2))
        boxes = numpy.hstack([low, low + rng.integers(0, 3, (2000, 2))]).astype(float)
        boxes[::97, 0] = numpy.nan
        boxes[5::101] = boxes[5::101][:, [2, 3, 0, 1]] + [1, 1, -1, -1]
        if huge:
            boxes[17] = [-numpy.inf, 3, numpy.inf, 4]
            boxes[18] = [1e300, 1e300, 1.5e300, 1.5e300]
        return boxes

    @staticmethod
    def hits(boxes, window):
        with numpy.errstate(invalid="ignore"):
            alive = (boxes[:, 0] <= boxes[:, 2]) & (boxes[:, 1] <= boxes[:, 3])
            meets = ((boxes[:, 0] <= window[2]) & (window[0] <= boxes[:, 2])
                     & (boxes[:, 1] <= window[3]) & (window[1] <= boxes[:, 3]))
        if not (window[0] <= window[2] and window[1] <= window[3]):
            return []
        return list(numpy.flatnonzero(alive & meets))

    @staticmethod
    def neighbours(boxes, query, k, ties, most, excluded):
        found = []
        for index, box in enumerate(boxes.tolist()):
            if box[0] <= box[2] and box[1] <= box[3] and index != excluded:
                dx = max(box[0] - query[2], 0, query[0] - box[2])
                dy = max(box[1] - query[3], 0, query[1] - box[3])
                if not most or dx * dx + dy * dy <= most * most:
                    found.append((dx * dx + dy * dy, index))
        found.sort()
        if ties and len(found) > k:
            return [index for square, index in found if square <= found[k - 1][0]]
        return [index for _, index in found[:k]]

    def test_windows(self):
        rng = numpy.random.default_rng(SEED)
        for huge in (False, True):
            boxes = self.layout(rng, huge)
            low = rng.uniform(-2, 44, (300, 2)).round(rng.integers(0, 2))
            windows = numpy.hstack([low, low + rng.integers(0, 8, (300, 2))])
            windows[0] = [-numpy.inf, -numpy.inf, numpy.inf, numpy.inf]
            windows[1] = [numpy.nan, 0, 5, 5]
            windows[2] = [5, 5, 4, 6]
            wanted = [self.hits(boxes, window) for window in windows]
            for peer in offering("index.window"):
                with self.subTest(peer=peer, huge=huge, seed=SEED):
                    index = session.index(peer, boxes)
                    self.assertEqual(session.window(index, windows), wanted)
                    session.lib.mrd_index_release(index)

    def test_nearest(self):
        rng = numpy.random.default_rng(SEED)
        for huge in (False, True):
            boxes = self.layout(rng, huge)
            low = rng.integers(-5, 50, (40, 2)).astype(float)
            points = numpy.hstack([low, low])
            extents = numpy.hstack([low, low + 2])
            for peer in offering("index.nearest"):
                index = session.index(peer, boxes)
                queries = [points] if peer == "peer.flatbush" else [points, extents]
                for boxed in queries:
                    for k, ties, most in ((1, 0, 0), (5, 0, 0), (5, 1, 0), (50, 0, 2.0), (3000, 0, 0)):
                        excluded = numpy.full(len(boxed), 40, dtype=numpy.int64)
                        wanted = [self.neighbours(boxes, query.tolist(), k, ties, most, 40) for query in boxed]
                        with self.subTest(peer=peer, huge=huge, k=k, ties=ties, most=most, seed=SEED):
                            ids, distances = session.nearest(index, boxed, k=k, ties=ties, max_distance_coord=most,
                                                             exclude=excluded.ctypes.data)
                            self.assertEqual(ids, wanted)
                            self.assertTrue(all(row == sorted(row) for row in distances))
                session.lib.mrd_index_release(index)

    def test_nothing_in_the_index(self):
        for peer in offering("index.build"):
            for boxes in ([], [[numpy.nan] * 4]):
                index = session.index(peer, boxes)
                self.assertEqual(session.window(index, [[0, 0, 1, 1]]), [[]])
                self.assertEqual(session.nearest(index, [[0, 0, 0, 0]], k=3)[0], [[]])
                session.lib.mrd_index_release(index)

    def test_rows_of_a_file(self):
        for peer in offering("index.window"):
            with self.subTest(peer=peer):
                found = compare(COUNTRIES, "index.window", "native", peer)
                self.assertEqual(found["disagreements"], 0)


class TwoGEOS(unittest.TestCase):
    """Debian's GEOS under the adapter and the wheel's under the peer, in one process."""

    def test_each_binds_to_its_own(self):
        result = meridian("compare", PROBLEMS, "--op", "validate.valid", "--kernels", "geos,geos-wheel",
                          environment={"LD_DEBUG": "bindings"})
        self.assertEqual(result.returncode, 0)
        bindings = [line.split("binding file ")[1] for line in result.stderr.splitlines()
                    if "binding file" in line and ("geos" in line.lower())]
        seen = set()
        for line in bindings:
            source, rest = line.split(" [", 1)
            target, symbol = rest.split(" to ", 1)[1].split(" [", 1)
            if "`GEOS" not in symbol and "N4geos" not in symbol:
                continue
            wheel = "peer.geos-wheel" in source
            self.assertEqual(wheel, "peer.geos-wheel" in target, line)
            seen.add(wheel)
        self.assertEqual(seen, {True, False}, "both libraries were at work")

    def test_each_has_its_own_version(self):
        for kernel in ("meridian.geos", "peer.geos-wheel"):
            session.validate(kernel, session.wrap(LINESTRING, [[0, 0], [1, 1]], [[0, 2]]))
        with open("/proc/self/maps", encoding="utf-8") as file:
            loaded = {line.split()[-1] for line in file if "libgeos_c" in line}
        versions = {}
        for path in loaded:
            library = ctypes.CDLL(path)
            library.GEOSversion.restype = ctypes.c_char_p
            versions["peer" if "peer.geos-wheel" in path else "adapter"] = library.GEOSversion().decode()
        self.assertEqual(set(versions), {"peer", "adapter"})
        self.assertNotEqual(versions["peer"], versions["adapter"])
        print(f"GEOS versions in one process: {versions}")


if __name__ == "__main__":
    unittest.main()
