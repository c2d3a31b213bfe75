#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All problems of polygonal geometries by the rules of OGC Simple Features, with exact fractions and every pair of edges
looked at: slow, short, and a second implementation of what the native validator does.

    problems.py SEED COUNT > problems.tsv      random multipolygons on coarse grids, one a line, with their
                                               problems where they are few
"""
import math
import random
import sys
from fractions import Fraction
from itertools import combinations, product


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def sign(number):
    return (number > 0) - (number < 0)


def within(p, a, b):
    """p lies on the closed edge a b."""
    return (cross(a, b, p) == 0 and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
            and min(a[1], b[1]) <= p[1] <= max(a[1], b[1]))


def same_way(o, a, b):
    """From o, a and b lie the same way."""
    return cross(o, a, b) == 0 and (a[0] - o[0]) * (b[0] - o[0]) + (a[1] - o[1]) * (b[1] - o[1]) > 0


def turn(o, way, start):
    """The place of a way among all ways from o, counter-clockwise from `start`, as something that sorts: half, slope."""
    x, y = way[0] - o[0], way[1] - o[1]
    u, v = start[0] - o[0], start[1] - o[1]
    along, left = x * u + y * v, u * y - v * x
    if left == 0:
        return (0, 0) if along > 0 else (2, 0)
    return (1 if left > 0 else 3, -Fraction(along, 1) / left)


def splits(o, u0, u1, w0, w1):
    """Do the ways w0 and w1 lie on different sides of the path u0, o, u1? All four differ."""
    limit = turn(o, u1, u0)
    return (turn(o, w0, u0) < limit) != (turn(o, w1, u0) < limit)


def cleaned(ring):
    """Without consecutive equal vertices and the closing one."""
    points = [p for i, p in enumerate(ring) if i == 0 or p != ring[i - 1]]
    while len(points) > 1 and points[0] == points[-1]:
        points.pop()
    return points


def location(p, ring):
    """1 inside, 0 on, -1 outside."""
    count = 0
    for a, b in zip(ring, ring[1:] + ring[:1]):
        if within(p, a, b):
            return 0
        if (a[0] <= p[0]) != (b[0] <= p[0]) and (cross(a, b, p) < 0) == (a[0] < b[0]):
            count += 1
    return 1 if count % 2 else -1


def is_inside(inner, outer):
    """Of rings that neither cross nor overlap: some point of `inner` off `outer` decides."""
    for a, b in zip(inner, inner[1:] + inner[:1]):
        stops = [Fraction(0), Fraction(1)]
        for v in outer:
            if cross(a, b, v) == 0:
                axis = 0 if a[0] != b[0] else 1
                stops.append(Fraction(v[axis] - a[axis]) / (b[axis] - a[axis]))
        stops = sorted(t for t in stops if 0 <= t <= 1)
        for s, t in zip(stops, stops[1:]):
            if s < t:
                m = (s + t) / 2
                side = location((a[0] + m * (b[0] - a[0]), a[1] + m * (b[1] - a[1])), outer)
                if side:
                    return side > 0
    return False


class Groups:
    def __init__(self):
        self.parent = {}

    def find(self, item):
        while self.parent.setdefault(item, item) != item:
            item = self.parent[item]
        return item

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        self.parent[a] = b
        return a != b


def contacts(rings):
    """Crossings, overlaps with tips, meetings at vertices and bad pairs of rings, from all pairs of edges."""
    edges = [(key, i, ring[i], ring[(i + 1) % len(ring)]) for key, ring in rings.items() for i in range(len(ring))]
    crossings, overlaps, tips, meetings, touches, bad = set(), {}, {}, {}, {}, set()
    for (k, i, a, b), (l, j, c, d) in combinations(edges, 2):
        if max(a[0], b[0]) < min(c[0], d[0]) or max(c[0], d[0]) < min(a[0], b[0]):
            continue
        if max(a[1], b[1]) < min(c[1], d[1]) or max(c[1], d[1]) < min(a[1], b[1]):
            continue
        pair, size = (k, l), len(rings[k])
        shared = b if k == l and j == i + 1 else a if k == l and i == 0 and j == size - 1 else None
        sc, sd, sa, sb = (sign(cross(*t)) for t in ((a, b, c), (a, b, d), (c, d, a), (c, d, b)))
        if sc == 0 and sd == 0:
            low, high = max(min(a, b), min(c, d)), min(max(a, b), max(c, d))
            if low < high:
                bad.add(pair)
                overlaps.setdefault(pair, set()).add((low, high))
                if shared is not None:
                    tips.setdefault(pair, set()).add(shared)
                continue
        if sc * sd < 0 and sa * sb < 0:
            t = Fraction(cross(c, d, a)) / (cross(c, d, a) - cross(c, d, b))
            crossings.add(((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])), pair))
            bad.add(pair)
            continue
        if shared is not None:
            continue
        for p in {p for p in (a, b) if within(p, c, d)} | {p for p in (c, d) if within(p, a, b)}:
            if p in (b, d):  # the visit counts for the edge that begins there
                continue
            u0 = rings[k][i - 1] if p == a else a
            w0 = rings[l][j - 1] if p == c else c
            ways = (u0, b, w0, d)
            if any(same_way(p, s, t) for s, t in combinations(ways, 2)):
                continue  # an overlap ends here
            if splits(p, u0, b, w0, d):
                bad.add(pair)
                meetings.setdefault((p, pair), set()).add('CROSSING')
            elif k == l:
                bad.add(pair)
                meetings.setdefault((p, pair), set()).add('RING_SELF_TOUCH')
            else:
                touches.setdefault(p, set()).update(pair)
    return crossings, overlaps, tips, meetings, touches, bad


def is_same_ring(one, other):
    """The same closed curve: the corners, without vertices on a straight way, from the least one on, either way round."""
    def corners(ring):
        turns = [p for i, p in enumerate(ring) if cross(ring[i - 1], p, ring[(i + 1) % len(ring)]) != 0]
        at = turns.index(min(turns)) if turns else 0
        return turns[at:] + turns[:at]
    a, b = corners(one), corners(other)
    return a == b or a == b[:1] + b[:0:-1]


def problems(parts):
    """(code, place, ring, other ring or None) of each problem; a multipolygon is a list of polygons, lists of rings."""
    found, rings = set(), {}
    short = set()
    for pi, rings_of_part in enumerate(parts):
        for ri, ring in enumerate(rings_of_part):
            points = cleaned(ring)
            if len(points) >= 3:
                rings[pi, ri] = points
            elif ring:
                short.add(pi)
                found.add(('TOO_FEW_POINTS', min(ring), (pi, ri), None))
    crossings, overlaps, tips, meetings, touches, bad = contacts(rings)
    found |= {('CROSSING', place, *pair) for place, pair in crossings}
    for (place, pair), codes in meetings.items():
        if not any(within(place, *stretch) for stretch in overlaps.get(pair, ())):
            found.add((min(codes), place, *pair))
    faulty = {k for k, l in bad if k == l}
    for pair, stretches in overlaps.items():
        runs = Groups()
        for stretch in stretches:
            runs.join(*stretch)
        ends = {end for stretch in stretches for end in stretch}
        one, other = rings[pair[0]], rings[pair[1]]
        whole = pair[0] != pair[1] and not set(pair) & faulty and is_same_ring(one, other)
        for root in {runs.find(end) for end in ends}:
            run = [end for end in ends if runs.find(end) == root]
            run_tips = tips.get(pair, set()) & set(run)
            found |= {('SPIKE', tip, *pair) for tip in run_tips}
            if not run_tips:
                found.add(('DUPLICATE_RING' if whole else 'EDGE_OVERLAP', min(run), *pair))

    def judged(a, b):
        return not {a, b} & faulty and (a, b) not in bad and (b, a) not in bad

    wrong = set()
    for pi, rings_of_part in enumerate(parts):
        shell, holes = (pi, 0), [(pi, ri) for ri in range(1, len(rings_of_part)) if (pi, ri) in rings]
        for hole in holes:
            if (judged(hole, shell) and not is_inside(rings[hole], rings[shell])) if shell in rings else not rings_of_part[0]:
                found.add(('HOLE_OUTSIDE_SHELL', min(rings[hole]), hole, shell))
                wrong.add(pi)
        for inner, outer in product(holes, holes):
            if inner != outer and judged(inner, outer) and is_inside(rings[inner], rings[outer]):
                found.add(('NESTED_HOLES', min(rings[inner]), inner, outer))
                wrong.add(pi)
    for pi, qi in product(range(len(parts)), repeat=2):
        inner, outer = (pi, 0), (qi, 0)
        if pi == qi or inner not in rings or outer not in rings or not judged(inner, outer):
            continue
        holes = [(qi, ri) for ri in range(1, len(parts[qi])) if (qi, ri) in rings]
        if is_inside(rings[inner], rings[outer]) and all(judged(inner, h) for h in holes):
            if not any(is_inside(rings[inner], rings[h]) for h in holes):
                found.add(('NESTED_SHELLS', min(rings[inner]), inner, outer))
    for pi, rings_of_part in enumerate(parts):
        own = {(pi, ri) for ri in range(len(rings_of_part))} & set(rings)
        if pi in wrong | short or own & faulty or any(k in own and l in own for k, l in bad):
            continue
        nodes = Groups()
        for point in sorted(touches):
            for ring in sorted(touches[point] & own):
                if not nodes.join(('point', point), ring):
                    found.add(('DISCONNECTED_INTERIOR', point, ring, None))
    return found


# --- random input -----------------------------------------------------------------------------------------------------

def random_ring(rng, side, most):
    size = rng.randint(3, most)
    ring = [(rng.randint(0, side), rng.randint(0, side)) for _ in range(size)]
    if rng.random() < 0.5:  # round its middle: fewer crossings
        mx, my = sum(p[0] for p in ring) / size, sum(p[1] for p in ring) / size
        ring.sort(key=lambda p: math.atan2(p[1] - my, p[0] - mx))
    if rng.random() < 0.1:
        at = rng.randrange(size)
        ring.insert(at, ring[at])
    return ring + ring[:1]


def random_box(rng, side):
    x, y = rng.randint(0, side - 1), rng.randint(0, side - 1)
    w, h = rng.randint(1, max(1, side - x)), rng.randint(1, max(1, side - y))
    ring = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    if rng.random() < 0.3:
        ring.reverse()
    return ring + ring[:1]


def random_geometry(rng):
    side, parts = rng.choice((3, 4, 5, 6, 8, 12)), []
    kind = rng.random()
    for _ in range(1 if kind < 0.5 else rng.randint(1, 4)):
        rings = []
        for number in range(1 if rng.random() < 0.4 else rng.randint(1, 4)):
            if kind < 0.25 or (0.6 < kind < 0.8 and rng.random() < 0.5):
                rings.append(random_ring(rng, side, 9))
            elif number == 0 and rng.random() < 0.6:
                rings.append([(0, 0), (side, 0), (side, side), (0, side), (0, 0)])
            else:
                rings.append(random_box(rng, side) if rng.random() < 0.6 else random_ring(rng, side, 5))
        parts.append(rings)
    if rng.random() < 0.04:
        rings = rng.choice(parts)
        rings.append(list(rng.choice(rings)))
    if rng.random() < 0.02:
        parts.append([list(rng.choice(rng.choice(parts)))])
    return parts


def text(parts):
    def ring(points):
        return '(' + ','.join(f'{x} {y}' for x, y in points) + ')'
    return 'MULTIPOLYGON(' + ','.join('(' + ','.join(map(ring, rings)) + ')' for rings in parts) + ')'


def rounded(place):
    return f'{float(place[0])!r} {float(place[1])!r}'


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print(f'# problems.py {seed} {count}: geometry, problems as CODE x y part ring other-part other-ring')
    while count > 0:
        parts = random_geometry(rng)
        lines = sorted(f'{code} {rounded(place)} {ring[0]} {ring[1]} ' + (f'{other[0]} {other[1]}' if other else '-1 -1')
                       for code, place, ring, other in problems(parts))
        if len(lines) > 12:  # they would fill the file
            continue
        count -= 1
        print(text(parts) + '\t' + (';'.join(lines) or 'valid'))


if __name__ == '__main__':
    main()
