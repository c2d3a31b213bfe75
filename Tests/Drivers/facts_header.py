#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints facts of Tests/NativeTests/Data as C arrays, for fact_driver.c: a share of each file, so that a run is short."""
import csv
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "NativeTests" / "Data"


def lines(name, step):
    with open(DATA / name, encoding="utf-8") as file:
        return [row for row in csv.reader(line for line in file if not line.startswith("#"))][::step]


def split(text):
    """A decimal number as a whole number and a rest: more digits than one double holds."""
    whole, _, rest = text.partition(".")
    return f"{whole}.0, 0.{rest or '0'}"


def number(text):
    return repr(float(text))


print("""/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
struct pair_fact { double flattening, a[2], b[2], distance, rest, azimuth, reduced; };
struct ring_fact { double flattening; int64_t vertices; double area; int compact; };
struct closest_fact { double flattening, point[2], edge[4], distance, rest; };""")

print("static const struct pair_fact pairs[] = {")
for _, f, lat1, lon1, lat2, lon2, distance, azimuth, _, reduced in lines("geodesics.csv", 9):
    print(f"  {{{number(f)}, {{{number(lon1)}, {number(lat1)}}}, {{{number(lon2)}, {number(lat2)}}}, "
          f"{split(distance)}, {number(azimuth)}, {number(reduced)}}},")
print("};\nstatic const struct ring_fact rings[] = {")
vertices = []
for kind, f, _, area, places in lines("rings.csv", 5):
    ring = [number(value) for value in places.split()]
    ring += ring[:2]
    vertices += ring
    compact = int(kind in ("compact", "small"))
    print(f"  {{{number(f)}, {len(ring) // 2}, {number(area)}, {compact}}},")
print("};\nstatic const double ring_vertices[] = {")
for at in range(0, len(vertices), 8):
    print("  " + ", ".join(vertices[at:at + 8]) + ",")
print("};\nstatic const struct closest_fact closest[] = {")
for row in lines("closest.csv", 3):
    f, plon, plat, alon, alat, blon, blat, distance, _, length = row[1:11]
    # The middle of an edge of nearly half a turn hangs on the last bits of its ends.
    if float(length) < 19e6:
        print(f"  {{{number(f)}, {{{number(plon)}, {number(plat)}}}, "
              f"{{{number(alon)}, {number(alat)}, {number(blon)}, {number(blat)}}}, {split(distance)}}},")
print("};")
