#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the built command against shapely (GEOS) and pyproj (PROJ) on files of features.

    pip install shapely pyproj
    scripts/verify-against-peers.py --build build FILE...

Reads GeoJSON, line-delimited GeoJSON, WKT (a geometry a line) and GeoPackage by means of its own, so that a fault of
Meridian's readers shows as well. Two claims are checked for every feature, and one for layers of valid polygons:

  validate --kernel validate=geos   gives the verdict of shapely.is_valid
  measure                           gives pyproj's area within max(1e-9 relative, 1e-4 m2 x vertices), and its length and
                                    perimeter within max(1e-12 relative, 5 nm x edges), on WGS84
  validate --check layer            names every row in which shapely.coverage_invalid_edges finds an edge, and of two rows that
                                    it names, for other things than gaps, shapely finds one in one of them at least

Areas are |shell| - sum |hole| for each polygon, summed. Exit code 0 = all agree, 1 = some differ, 2 = could not run.
"""

import argparse
import json
import math
import pathlib
import sqlite3
import subprocess
import sys

try:
    import pyproj
    import shapely
    from shapely.geometry import shape
except ImportError as error:
    print(f"verify: {error}; pip install shapely pyproj", file=sys.stderr)
    sys.exit(2)

GEOD = pyproj.Geod(ellps="WGS84")
AREA_RELATIVE, AREA_PER_VERTEX = 1e-9, 1e-4
LENGTH_RELATIVE, LENGTH_PER_EDGE = 1e-12, 5e-9


# ---- reading -------------------------------------------------------------------------------------------------------


def from_geojson(geometry):
    """The geometry, None for null, or the reason why shapely cannot hold it."""
    if geometry is None:
        return None
    try:
        return shape(geometry)
    except (ValueError, TypeError, AttributeError, shapely.errors.ShapelyError) as error:
        return f"{type(error).__name__}: {error}"


def geojson_features(text):
    root = json.loads(text)
    if root.get("type") == "FeatureCollection":
        return [feature.get("geometry") for feature in root["features"]]
    return [root.get("geometry") if root.get("type") == "Feature" else root]


def geopackage_layers(path):
    """(layer, geometries) for each feature table; the header before the WKB is 8 bytes and an envelope."""
    envelope = [0, 32, 48, 48, 64]
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        tables = database.execute("SELECT table_name, column_name FROM gpkg_geometry_columns").fetchall()
        for table, column in tables:
            key = [row[1] for row in database.execute(f'PRAGMA table_info("{table}")') if row[5]]
            order = f' ORDER BY "{key[0]}"' if key else ""
            rows = database.execute(f'SELECT "{column}" FROM "{table}"{order}').fetchall()
            blobs = [row[0] for row in rows]
            yield table, [
                None if blob is None else shapely.from_wkb(blob[8 + envelope[blob[3] >> 1 & 7] :]) for blob in blobs
            ]


def layers(path):
    """(layer name or None, list of geometries) of a file."""
    suffix = path.suffix.lower()
    if suffix == ".gpkg":
        return list(geopackage_layers(path))
    text = path.read_text(encoding="utf-8-sig")
    if suffix == ".wkt":
        return [(None, [shapely.from_wkt(line) for line in text.splitlines() if line.strip()])]
    if suffix in (".geojsonl", ".geojsonseq", ".ndjson", ".jsonl"):
        lines = [line.strip("\x1e ") for line in text.splitlines()]
        return [(None, [from_geojson(json.loads(line).get("geometry")) for line in lines if line])]
    return [(None, [from_geojson(geometry) for geometry in geojson_features(text)])]


# ---- the peers' answers ----------------------------------------------------------------------------------------------


def ring_measures(ring):
    x, y = ring.xy
    area, perimeter = GEOD.polygon_area_perimeter(x, y)
    return abs(area), perimeter


def measures(geometry):
    """(length, perimeter, area) in metres on WGS84."""
    if geometry.is_empty:
        return 0.0, 0.0, 0.0
    if geometry.geom_type in ("LineString", "LinearRing"):
        x, y = geometry.xy
        return GEOD.line_length(x, y), 0.0, 0.0
    if geometry.geom_type == "Polygon":
        shell, perimeter = ring_measures(geometry.exterior)
        holes = [ring_measures(ring) for ring in geometry.interiors]
        return 0.0, perimeter + math.fsum(p for _, p in holes), shell - math.fsum(a for a, _ in holes)
    if hasattr(geometry, "geoms"):
        parts = [measures(part) for part in geometry.geoms]
        return tuple(math.fsum(part[i] for part in parts) for i in range(3))
    return 0.0, 0.0, 0.0


def is_on_earth(geometry):
    coordinates = shapely.get_coordinates(geometry)
    return bool((abs(coordinates[:, 1]) <= 90).all()) if len(coordinates) else True


# ---- the command's answers -------------------------------------------------------------------------------------------


def answers(command, path, *words):
    """Rows of the command by (layer, row)."""
    run = subprocess.run([command, *words, "--format", "json", "--quiet", str(path)], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        print(f"verify: {path.name}: {words[0]} ended with {run.returncode}: {run.stderr.strip()[:400]}")
    rows = [json.loads(line) for line in run.stdout.splitlines()]
    return {(row["layer"], row["row"]): row for row in rows}


class Tally:
    def __init__(self):
        self.checked = {"verdicts": 0, "measures": 0, "coverages": 0}
        self.skipped = 0
        self.differences = []

    def differ(self, path, row, text):
        self.differences.append(f"{path.name}: row {row}: {text}")


def check_verdict(tally, path, number, geometry, row):
    tally.checked["verdicts"] += 1
    expected = bool(shapely.is_valid(geometry))
    if row.get("valid") is not expected:
        reason = shapely.is_valid_reason(geometry)
        tally.differ(path, number, f"valid is {row.get('valid')}, shapely says {expected} ({reason})")


def check_measures(tally, path, number, geometry, row):
    tally.checked["measures"] += 1
    vertices = len(shapely.get_coordinates(geometry))
    expected = measures(geometry)
    allowed = [max(LENGTH_RELATIVE * abs(value), LENGTH_PER_EDGE * vertices) for value in expected[:2]]
    allowed.append(max(AREA_RELATIVE * abs(expected[2]), AREA_PER_VERTEX * vertices))
    for name, value, limit in zip(("length_m", "perimeter_m", "area_m2"), expected, allowed):
        got = row.get(name)
        if got is None or abs(got - value) > limit:
            tally.differ(path, number, f"{name} is {got}, pyproj says {value!r}, allowed {limit:.3g} ({row.get('status')})")


def check_coverage(tally, path, geometries, rows):
    """`rows`: of the command, by number."""
    areas = [shapely.Polygon()] * len(geometries)
    for number, geometry in enumerate(geometries):
        if isinstance(geometry, (shapely.Polygon, shapely.MultiPolygon)):
            if not geometry.is_valid:
                return
            areas[number] = geometry
    if all(area.is_empty for area in areas):
        return
    tally.checked["coverages"] += 1
    theirs = {number for number, edges in enumerate(shapely.coverage_invalid_edges(areas)) if not edges.is_empty}
    ours = set()
    for number, row in rows.items():
        for problem in row["problems"]:
            if not problem["code"].startswith("LAYER_") or problem["code"] == "LAYER_GAP" or areas[number].is_empty:
                continue
            pair = {number, problem["other_row"]}
            ours |= pair
            if not pair & theirs:
                tally.differ(path, number, f"{problem['code']} with row {problem['other_row']}, of which shapely finds nothing")
    for number in sorted(theirs - ours):
        tally.differ(path, number, "shapely finds edges that are not valid in a coverage, and no problem names the row")


def check(command, path, tally):
    verdicts = answers(command, path, "validate", "--kernel", "validate=geos", "--first")
    numbers = answers(command, path, "measure", "--crs", "lonlat")
    rows = answers(command, path, "validate", "--check", "layer")
    for layer, geometries in layers(path):
        check_coverage(tally, path, geometries, {key[1]: row for key, row in rows.items() if key[0] == layer})
        for number, geometry in enumerate(geometries):
            key = (layer, number)
            if geometry is None or isinstance(geometry, str):
                tally.skipped += 1
                if isinstance(geometry, str):
                    print(f"verify: {path.name}: row {number}: not compared: {geometry}")
                continue
            if key not in verdicts or key not in numbers:
                tally.differ(path, number, f"no answer for layer {layer}")
                continue
            check_verdict(tally, path, number, geometry, verdicts[key])
            if is_on_earth(geometry):
                check_measures(tally, path, number, geometry, numbers[key])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build", type=pathlib.Path, help="where bin/meridian is; default: build")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    command = arguments.build / "bin" / "meridian"
    if not command.exists():
        print(f"verify: {command} is not there; run make build")
        return 2
    tally = Tally()
    for path in arguments.files:
        before = len(tally.differences)
        check(str(command.resolve()), path, tally)
        print(f"{path.name}: {len(tally.differences) - before} differences")
    for line in tally.differences[:100]:
        print(line)
    print(
        f"verify: {tally.checked['verdicts']} verdicts and {tally.checked['coverages']} coverages "
        f"(GEOS {shapely.geos_version_string}) and "
        f"{tally.checked['measures']} measures (PROJ {pyproj.proj_version_str}) compared, {tally.skipped} rows without, "
        f"{len(tally.differences)} differences"
    )
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
