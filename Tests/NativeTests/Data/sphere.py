#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All problems of polygonal geometries on the sphere, edges being great circles between unit vectors, with whole numbers and every
pair of edges looked at: slow, and a second implementation of what the native validator does by the dialect `spherical`.

    sphere.py SEED COUNT > sphere.tsv      random multipolygons, one a line, with their problems where they are few
"""
import math
import random
import sys
from itertools import combinations, product

from problems import Groups, cleaned, sign, text

try:
    import mpmath
    mpmath.mp.prec = 200
except ImportError:
    mpmath = None


# --- unit vectors, to the bit those of the kernel ---------------------------------------------------------------------

def two_product(a, b):
    """a b as the nearest double and the rest, which is one, too."""
    head = a * b
    (p, q), (r, s), (t, u) = a.as_integer_ratio(), b.as_integer_ratio(), head.as_integer_ratio()
    return head, (p * r * u - t * q * s) / (q * s * u)


def short_turn(degrees):
    unit, unit_tail = float.fromhex('0x1.1df46a2529d39p-6'), float.fromhex('0x1.5c1d8becdd291p-62')
    x, y = degrees * unit, 0.0
    if abs(x) > 2.0 ** -200:
        x, tail = two_product(degrees, unit)
        y = tail + degrees * unit_tail
    z = x * x
    s = c = 0.0
    for n in (17, 15, 13, 11, 9, 7, 5, 3):
        s = (1.0 if n % 4 == 1 else -1.0) / math.factorial(n) + (z * s if n < 17 else 0.0)
    for n in (18, 16, 14, 12, 10, 8, 6, 4):
        c = (1.0 if n % 4 == 0 else -1.0) / math.factorial(n) + (z * c if n < 18 else 0.0)
    s, c = z * s, z * z * c
    half = 0.5 * z
    head = 1 - half
    return x + (x * s + y * (1 - 0.5 * z)), head + (((1 - head) - half) + (c - x * y))


def exact_turn(degrees):
    rest = math.remainder(degrees, 90)
    quadrant = math.remainder((degrees - rest) / 90, 4)
    s, c = short_turn(rest)
    if quadrant == 0:
        return s + 0.0, c
    if quadrant == 1:
        return c, 0 - s
    if quadrant == -1:
        return 0 - c, s + 0.0
    return 0 - s, 0 - c


def unit_vector(place):
    (sin_x, cos_x), (sin_y, cos_y) = exact_turn(math.remainder(place[0], 360)), exact_turn(place[1])
    vector = (cos_y * cos_x, cos_y * sin_x, sin_y)
    if mpmath:
        x, y = (mpmath.mpf(a) * mpmath.pi / 180 for a in place)
        true = (mpmath.cos(y) * mpmath.cos(x), mpmath.cos(y) * mpmath.sin(x), mpmath.sin(y))
        assert all(abs(mpmath.mpf(v) - t) <= abs(t) * 2.0 ** -51 + 2.0 ** -80 for v, t in zip(vector, true)), place
    return vector


class Point(tuple):
    """A direction in whole numbers, which has a name: longitude and latitude."""


def points(parts):
    """The same lists with a `Point` for each place: those of one direction are one."""
    names, vectors = {}, {}

    def name(place):
        if abs(place[1]) == 90:
            return (0.0, float(place[1]))
        x = math.remainder(place[0], 360) + 0.0
        return (-180.0 if x == 180 else x, place[1] + 0.0)
    for place in {tuple(map(float, p)) for part in parts for ring in part for p in ring}:
        scaled = tuple(v * 2.0 ** 400 for v in unit_vector(place))
        assert all(v == int(v) for v in scaled)
        vectors[place] = tuple(map(int, scaled))
        names[vectors[place]] = min(names.get(vectors[place], (math.inf, 0)), name(place))
    made = {}
    for vector, label in names.items():
        made[vector] = Point(vector)
        made[vector].name = label
    return [[[made[vectors[tuple(map(float, p))]] for p in ring] for ring in part] for part in parts]


# --- geometry of directions -------------------------------------------------------------------------------------------

def normal(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def det(a, b, c):
    return dot(a, normal(b, c))


def within(p, a, b):
    """p lies on the closed arc a b."""
    n = normal(a, b)
    return dot(p, n) == 0 and (p == a or p == b or (dot(normal(a, p), n) > 0 and dot(normal(p, b), n) > 0))


def same_way(o, a, b):
    return det(o, a, b) == 0 and dot(normal(o, a), normal(o, b)) > 0


def turn(o, way, start):
    """The place of a way among all ways from o, counter-clockwise from `start`: half, and -cot as numerator over denominator."""
    along, left = dot(normal(o, way), normal(o, start)), det(o, start, way)
    if left == 0:
        return (0, Ratio(0, 1)) if along > 0 else (2, Ratio(0, 1))
    return (1, Ratio(-along, left)) if left > 0 else (3, Ratio(along, -left))


class Ratio:
    """A quotient with a positive denominator."""
    def __init__(self, over, under):
        self.over, self.under = over, under

    def __lt__(self, other):
        return self.over * other.under < other.over * self.under

    def __eq__(self, other):
        return self.over * other.under == other.over * self.under


def splits(o, u0, u1, w0, w1):
    limit = turn(o, u1, u0)
    return (turn(o, w0, u0) < limit) != (turn(o, w1, u0) < limit)


def crossing(a, b, c, d):
    """The direction in which two arcs cross inside, in lowest terms; None when they do not."""
    sc, sd, sa, sb = (sign(det(*t)) for t in ((a, b, c), (a, b, d), (c, d, a), (c, d, b)))
    if sc * sd >= 0 or sa * sb >= 0:
        return None
    x = normal(normal(a, b), normal(c, d))
    for x in (x, tuple(-v for v in x)):
        n, m = normal(a, b), normal(c, d)
        if (dot(normal(a, x), n) > 0 and dot(normal(x, b), n) > 0 and dot(normal(c, x), m) > 0
                and dot(normal(x, d), m) > 0):
            divisor = math.gcd(*x)
            return tuple(v // divisor for v in x)
    return None


def arcs(ring):
    return list(zip(ring, ring[1:] + ring[:1]))


def is_left(m, ring, rng=random.Random(1)):
    """m, a direction off the ring, lies left of it: by a way to a place on an edge that goes through no vertex."""
    edges = arcs(ring)
    while True:
        a, b = edges[rng.randrange(len(edges))]
        s, t = rng.randrange(1, 1000), rng.randrange(1, 1000)
        q = tuple(s * v + t * w for v, w in zip(a, b))
        side = det(a, b, m)
        # A way never comes to what is opposite to its start.
        if side == 0 or any(det(m, q, v) == 0 and any(normal(m, v)) for v in ring) or any(within(q, c, d) for c, d in edges if (c, d) != (a, b)):
            continue
        count = sum(crossing(m, q, c, d) is not None for c, d in edges if (c, d) != (a, b))
        return (side > 0) != (count % 2 == 1)


def lies_left(inner, outer):
    """Of rings that neither cross nor overlap: some direction of `inner` off `outer` decides."""
    for a, b in arcs(inner):
        stops = [v for v in outer if within(v, a, b)] + [a, b]
        n = normal(a, b)
        stops.sort(key=lambda v: turn(n, v, a))  # round the axis of the arc
        for s, t in zip(stops, stops[1:]):
            if s != t:
                m = tuple(v + w for v, w in zip(s, t))
                if not any(within(m, c, d) for c, d in arcs(outer)):
                    return is_left(m, outer)
    return None


# --- problems ---------------------------------------------------------------------------------------------------------

def contacts(rings):
    edges = [(key, i, ring[i], ring[(i + 1) % len(ring)]) for key, ring in rings.items() for i in range(len(ring))]
    crossings, overlaps, tips, meetings, touches, bad = {}, {}, {}, {}, {}, set()
    for (k, i, a, b), (l, j, c, d) in combinations(edges, 2):
        pair, size = (k, l), len(rings[k])
        shared = b if k == l and j == i + 1 else a if k == l and i == 0 and j == size - 1 else None
        ends = {p for p in (a, b) if within(p, c, d)} | {p for p in (c, d) if within(p, a, b)}
        if len(ends) > 1:
            bad.add(pair)
            overlaps.setdefault(pair, set()).add(tuple(sorted(ends, key=lambda p: p.name)))
            if shared is not None:
                tips.setdefault(pair, set()).add(shared)
            continue
        if not ends:
            x = crossing(a, b, c, d)
            if x:
                crossings.setdefault((x, pair), []).append((k, i))
                bad.add(pair)
            continue
        if shared is not None:
            continue
        for p in ends:
            if p in (b, d):  # the visit counts for the edge that begins there
                continue
            u0 = rings[k][i - 1] if p == a else a
            w0 = rings[l][j - 1] if p == c else c
            if any(same_way(p, s, t) for s, t in combinations((u0, b, w0, d), 2)):
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


def problems(parts):
    """(code, place, ring, other ring or None) of each problem; places are names or directions."""
    found, rings, unfit, antipodal = set(), {}, set(), []
    for pi, rings_of_part in enumerate(parts):
        for ri, ring in enumerate(rings_of_part):
            fit = True
            for a, b in zip(ring, ring[1:]):
                if a != b and normal(a, b) == (0, 0, 0):
                    antipodal.append(('ANTIPODAL_EDGE', min(a.name, b.name), (pi, ri), None))
                    fit = False
            kept = cleaned(ring)
            if len(kept) < 3:
                found.add(('TOO_FEW_POINTS', min(p.name for p in ring), (pi, ri), None))
                fit = False
            if fit:
                rings[pi, ri] = kept
            else:
                unfit.add(pi)
    crossings, overlaps, tips, meetings, touches, bad = contacts(rings)
    at = {}
    for x, pair in crossings:
        at.setdefault(pair, set()).add(x)
    for (p, pair), codes in meetings.items():
        if not any(within(p, *stretch) for stretch in overlaps.get(pair, ())):
            divisor = math.gcd(*p)
            x = tuple(v // divisor for v in p)
            # At one point a crossing hides a touch, and is where the vertex is.
            code = 'CROSSING' if x in at.get(pair, ()) else min(codes)
            at.get(pair, set()).discard(x)
            found.add((code, p.name, *pair))
    found |= {('CROSSING', x, *pair) for pair, directions in at.items() for x in directions}
    faulty = {k for k, l in bad if k == l}
    for pair, stretches in overlaps.items():
        runs = Groups()
        for stretch in stretches:
            runs.join(*stretch)
        ends = {end for stretch in stretches for end in stretch}
        whole = (pair[0] != pair[1] and not set(pair) & faulty
                 and all(any(within(tuple(s + t for s, t in zip(a, b)), *stretch) for stretch in stretches)
                         for ring in pair for a, b in pieces(rings[ring], rings[pair[0]] + rings[pair[1]])))
        for root in {runs.find(end) for end in ends}:
            run = [end for end in ends if runs.find(end) == root]
            run_tips = tips.get(pair, set()) & set(run)
            found |= {('SPIKE', tip.name, *pair) for tip in run_tips}
            if not run_tips:
                found.add(('DUPLICATE_RING' if whole else 'EDGE_OVERLAP', min(p.name for p in run), *pair))

    def judged(a, b):
        return not {a, b} & faulty and (a, b) not in bad and (b, a) not in bad

    wrong, placed = set(), {k for k in rings if k[1] == 0}
    for pi, rings_of_part in enumerate(parts):
        shell, holes = (pi, 0), [(pi, ri) for ri in range(1, len(rings_of_part)) if (pi, ri) in rings]
        if shell not in rings:
            continue
        for hole in holes:
            if not judged(hole, shell):
                continue
            if lies_left(rings[hole], rings[shell]):
                placed.add(hole)
            else:
                found.add(('HOLE_OUTSIDE_SHELL', least(rings[hole]), hole, shell))
                wrong.add(pi)

    def is_in_hole(ring, hole):
        return lies_left(rings[ring], rings[hole]) != lies_left(rings[hole[0], 0], rings[hole])
    for inner, outer in product(placed, repeat=2):
        if inner != outer and inner[0] == outer[0] and inner[1] and outer[1] and judged(inner, outer):
            if is_in_hole(inner, outer):
                found.add(('NESTED_HOLES', least(rings[inner]), inner, outer))
                wrong.add(inner[0])

    def is_in_polygon(ring, part):
        own = [k for k in rings if k[0] == part]
        if part in unfit or not all(k in placed and judged(ring, k) for k in own) or ring not in placed:
            return False
        return lies_left(rings[ring], rings[part, 0]) and not any(is_in_hole(ring, k) for k in own if k[1])
    nested = set()
    for pi, qi in product(range(len(parts)), repeat=2):
        if pi != qi and (pi, 0) in rings and (qi, 0) in rings and is_in_polygon((pi, 0), qi):
            found.add(('NESTED_SHELLS', least(rings[pi, 0]), (pi, 0), (qi, 0)))
            nested |= {(pi, qi), (qi, pi)}
    for (pi, ri), qi in product(sorted(rings), range(len(parts))):
        if ri and pi != qi and (qi, 0) in rings and (pi, qi) not in nested and is_in_polygon((pi, ri), qi):
            found.add(('NESTED_SHELLS', least(rings[pi, ri]), (pi, ri), (qi, 0)))
    for pi, rings_of_part in enumerate(parts):
        own = {(pi, ri) for ri in range(len(rings_of_part))} & set(rings)
        if pi in wrong | unfit or own & faulty or any(k in own and l in own for k, l in bad):
            continue
        nodes = Groups()
        for point in sorted(touches, key=lambda p: p.name):
            for ring in sorted(touches[point] & own):
                if not nodes.join(('point', point), ring):
                    found.add(('DISCONNECTED_INTERIOR', point.name, ring, None))
    return [*found, *antipodal]  # of these there may be several at one place


def pieces(ring, vertices):
    """The arcs of a ring, cut at vertices."""
    for a, b in arcs(ring):
        stops = sorted({v for v in vertices if within(v, a, b)} | {a, b}, key=lambda v: turn(normal(a, b), v, a))
        yield from zip(stops, stops[1:])


def least(ring):
    return min(p.name for p in ring)


# --- random input -----------------------------------------------------------------------------------------------------

def random_place(rng, kind, side):
    if kind == 'grid':  # about a point where the equator and a meridian cross
        return (side[0] + 15 * rng.randint(-2, 2), 15 * rng.randint(-2, 2))
    if kind == 'pole':
        return (45 * rng.randint(-4, 4), side[1] * rng.choice((30, 45, 60, 75, 90)))
    if kind == 'globe':
        return (30 * rng.randint(-6, 6), 30 * rng.randint(-3, 3))
    return (rng.uniform(-180, 180), math.degrees(math.asin(rng.uniform(-1, 1))))


def random_ring(rng, kind, side, most):
    ring = [random_place(rng, kind, side) for _ in range(rng.randint(3, most))]
    if rng.random() < 0.6:  # round its middle: fewer crossings
        mx, my = sum(p[0] for p in ring) / len(ring), sum(p[1] for p in ring) / len(ring)
        ring.sort(key=lambda p: (p[0], p[1]) if kind == 'pole' else math.atan2(p[1] - my, p[0] - mx))
    if rng.random() < 0.2:
        ring.reverse()
    return ring


def random_box(rng, kind, side):
    if kind == 'pole' and rng.random() < 0.7:  # round the pole
        lat = side[1] * rng.choice((15, 30, 45, 60, 75, 80))
        ring = [(lon, lat) for lon in range(-180, 180, rng.choice((45, 60, 90, 120)))]
    else:
        (x, y), (w, h) = random_place(rng, kind, side), (rng.choice((5, 15, 30)), rng.choice((5, 15, 30)))
        y = max(-90, min(90 - h, y))
        ring = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
    if rng.random() < 0.3:
        ring.reverse()
    return ring


def middle(rng, a, b):
    """A place near the middle of an arc, on it but for rounding."""
    va, vb = unit_vector(a), unit_vector(b)
    t = rng.random()
    x, y, z = (s * t + w * (1 - t) for s, w in zip(va, vb))
    return (math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y))))


def random_geometry(rng):
    kind = rng.choice(('grid', 'grid', 'pole', 'globe', 'random'))
    side, parts = (rng.choice((0, 45, 90, 180, 37)), rng.choice((1, -1))), []
    for _ in range(1 if rng.random() < 0.5 else rng.randint(1, 3)):
        rings = []
        for number in range(1 if rng.random() < 0.4 else rng.randint(1, 4)):
            if number == 0 and rng.random() < 0.5:
                # A large one round all the rest, or all but that.
                w, h = (45, 45) if kind == 'grid' else (80, 80)
                ring = [(side[0] - w, -h), (side[0] + w, -h), (side[0] + w, h), (side[0] - w, h)]
                if kind == 'pole':
                    ring = [(lon, side[1] * 10) for lon in range(-180, 180, 60)][::side[1]]
                rings.append(ring if rng.random() < 0.8 else ring[::-1])
            else:
                rings.append(random_box(rng, kind, side) if rng.random() < 0.6 else random_ring(rng, kind, side, 6))
        parts.append(rings)
    everything = [ring for rings in parts for ring in rings]
    if rng.random() < 0.3:  # a vertex of one ring on an edge of another, nearly
        one, other = rng.choice(everything), rng.choice(everything)
        at = rng.randrange(len(one))
        other.insert(rng.randrange(len(other)), middle(rng, one[at - 1], one[at]))
    if rng.random() < 0.05:
        rng.choice(parts).append(list(rng.choice(everything)))
    if rng.random() < 0.1:
        ring = rng.choice(everything)
        ring[0] = (ring[0][0] + 360 * rng.randint(-1, 1), ring[0][1])
    if rng.random() < 0.05:
        ring = rng.choice(everything)
        ring.insert(1, (ring[0][0] + 180, -ring[0][1]))
    return [[ring + ring[:1] for ring in rings] for rings in parts]


def random_holes(rng):
    """A shell, mostly large, and small holes and islands that touch it and each other in vertices."""
    x, y, step = rng.choice((0, 90, 180, 20)), rng.choice((0, 0, 40, -60)), rng.choice((1, 10, 7.3))
    w = 2 * step
    shell = [(x - w, y - w), (x, y - w), (x + w, y - w), (x + w, y), (x + w, y + w), (x, y + w), (x - w, y + w), (x - w, y)]
    if rng.random() < 0.3:
        shell.reverse()
    parts = [[shell]]
    for _ in range(rng.randint(1, 5)):
        ring = [(x + step * rng.randint(-2, 2), y + step * rng.randint(-2, 2)) for _ in range(rng.choice((3, 3, 4)))]
        if rng.random() < 0.75:
            parts[0].append(ring)
        else:
            parts.append([ring])
    if rng.random() < 0.4:
        rings = [ring for part in parts for ring in part]
        one = rng.choice(rings)
        rng.choice(rings + [one, one]).insert(rng.randrange(3), rng.choice(one))
    return [[ring + ring[:1] for ring in rings] for rings in parts]


def place_of(place):
    if len(place) == 2:
        return f'{place[0]!r} {place[1]!r}'
    x, y, z = (float(v / max(map(abs, place))) for v in place)
    return f'{math.degrees(math.atan2(y, x))!r} {math.degrees(math.atan2(z, math.hypot(x, y)))!r}'


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print(f'# sphere.py {seed} {count}: geometry, problems as CODE x y part ring other-part other-ring')
    while count > 0:
        parts = random_holes(rng) if rng.random() < 0.4 else random_geometry(rng)
        lines = sorted(f'{code} {place_of(place)} {ring[0]} {ring[1]} ' + (f'{other[0]} {other[1]}' if other else '-1 -1')
                       for code, place, ring, other in problems(points(parts)))
        if len(lines) > 12 or (not lines and rng.random() < 0.3):  # they would fill the file
            continue
        count -= 1
        print(text(parts) + '\t' + (';'.join(lines) or 'valid'))


if __name__ == '__main__':
    main()
