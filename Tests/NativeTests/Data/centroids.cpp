// SPDX-License-Identifier: Apache-2.0
//
// Makes centroids.csv: mean positions on ellipsoids by quadrature in 80-bit arithmetic. It needs GeographicLib 2.x (MIT) compiled
// for `long double`; see closest.cpp.
//
// Areas: with phi0 the latitude of the first vertex, or the pole that the figure holds, the integrals of 1 and of X - X0 between
// phi0 and an edge are 30-point Gauss sums over the latitude, and 24-point ones over each of sixteen pieces of the edge
// (GeodesicLineExact), times d lambda = sin(azimuth) ds / (N cos phi). Lines: 24-point sums of X. The mean comes back along the
// normal by Newton's method on the ellipse. The kernel's fans and its use of Green's theorem about the centre are not used.
#include <GeographicLib/GeodesicExact.hpp>
#include <GeographicLib/GeodesicLineExact.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

using GeographicLib::GeodesicExact;
using GeographicLib::GeodesicLineExact;
using real = GeographicLib::Math::real;
static_assert(sizeof(real) > 8, "GeographicLib must be compiled for long double");

static const real pi = acosl(-1.0L);
static real radians(real degrees) { return degrees * (pi / 180); }

static uint64_t state = 20261130;
static double uniform(double low, double high) {  // SplitMix64
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return low + (high - low) * double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

struct Point { double lat, lon; };
struct Vector { real x = 0, y = 0, z = 0; };

// Gauss-Legendre nodes on [0, 1] by Newton's method.
struct Gauss {
  std::vector<real> node, weight;
  explicit Gauss(int n) {
    for (int i = 0; i < n; ++i) {
      real x = cosl(pi * (i + 0.75L) / (n + 0.5L)), slope = 1;
      for (int step = 0; step < 50; ++step) {
        real before = 1, here = x;
        for (int k = 2; k <= n; ++k) {
          const real next = ((2 * k - 1) * x * here - (k - 1) * before) / k;
          before = here, here = next;
        }
        slope = n * (x * here - before) / (x * x - 1);
        x -= here / slope;
      }
      node.push_back((1 - x) / 2);
      weight.push_back(1 / ((1 - x * x) * slope * slope));
    }
  }
};
static const Gauss outer(24), inner(30);

struct Globe {
  real a = 6378137, f, e2, b;
  GeodesicExact geodesics;
  explicit Globe(double flattening)
      : f(flattening), e2(f * (2 - f)), b(a * (1 - f)), geodesics(a, f) {}
  real prime(real phi) const { return a / sqrtl(1 - e2 * sinl(phi) * sinl(phi)); }
  real meridian(real phi) const {
    const real n = prime(phi) / a;
    return a * (1 - e2) * n * n * n;
  }
  Vector position(real phi, real lambda) const {
    const real n = prime(phi);
    return {n * cosl(phi) * cosl(lambda), n * cosl(phi) * sinl(lambda), n * (1 - e2) * sinl(phi)};
  }
  // The nearest latitude: the largest root of the multiplier's equation.
  void normal(Vector p, real &lat, real &lon) const {
    const real r = hypotl(p.x, p.y), z = fabsl(p.z);
    real t = fmaxl(a * r - a * a, b * z - b * b);
    for (int step = 0; step < 200; ++step) {
      const real u = a * r / (t + a * a), v = b * z / (t + b * b);
      const real value = u * u + v * v - 1, slope = 2 * (u * u / (t + a * a) + v * v / (t + b * b));
      if (!(value > 0)) break;
      t += value / slope;
    }
    lat = atan2l(z * (t + a * a), r * (t + b * b)) * 180 / pi * (p.z < 0 ? -1 : 1);
    lon = atan2l(p.y, p.x) * 180 / pi;
  }
};

static const Vector zero;
struct Sums { real weight = 0; Vector moment; };

static void add_area(const Globe &globe, const std::vector<Point> &ring, real base, Vector origin, Sums &sums) {
  for (size_t i = 0; i + 1 < ring.size(); ++i) {
    const GeodesicLineExact line = globe.geodesics.InverseLine(ring[i].lat, ring[i].lon, ring[i + 1].lat, ring[i + 1].lon);
    const real length = line.Distance();
    for (int piece = 0; piece < 16; ++piece)
      for (size_t k = 0; k < outer.node.size(); ++k) {
        real lat, lon, azimuth;
        line.Position(length * (piece + outer.node[k]) / 16, lat, lon, azimuth);
        const real phi = radians(lat), lambda = radians(lon);
        const real step = -outer.weight[k] * length / 16 * sinl(radians(azimuth)) / (globe.prime(phi) * cosl(phi));
        for (size_t m = 0; m < inner.node.size(); ++m) {
          const real at = base + (phi - base) * inner.node[m];
          const real w = step * inner.weight[m] * (phi - base) * globe.meridian(at) * globe.prime(at) * cosl(at);
          const Vector x = globe.position(at, lambda);
          sums.weight += w;
          sums.moment.x += w * (x.x - origin.x), sums.moment.y += w * (x.y - origin.y), sums.moment.z += w * (x.z - origin.z);
        }
      }
  }
}

static void add_line(const Globe &globe, const std::vector<Point> &path, Vector origin, Sums &sums) {
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const GeodesicLineExact line = globe.geodesics.InverseLine(path[i].lat, path[i].lon, path[i + 1].lat, path[i + 1].lon);
    const real length = line.Distance();
    for (int piece = 0; piece < 16; ++piece)
      for (size_t k = 0; k < outer.node.size(); ++k) {
        real lat, lon, azimuth;
        line.Position(length * (piece + outer.node[k]) / 16, lat, lon, azimuth);
        const real w = outer.weight[k] * length / 16;
        const Vector x = globe.position(radians(lat), radians(lon));
        sums.weight += w;
        sums.moment.x += w * (x.x - origin.x), sums.moment.y += w * (x.y - origin.y), sums.moment.z += w * (x.z - origin.z);
      }
  }
}

static void write(const char *kind, const Globe &globe, double flattening, const Sums &sums, Vector origin,
                  const std::vector<Point> &path) {
  const Vector mean = {origin.x + sums.moment.x / sums.weight, origin.y + sums.moment.y / sums.weight,
                       origin.z + sums.moment.z / sums.weight};
  real lat, lon;
  globe.normal(mean, lat, lon);
  printf("%s,%.17g,%.17Lg,%.17Lg,%.6Lf,", kind, flattening, lon, lat, sqrtl(mean.x * mean.x + mean.y * mean.y + mean.z * mean.z) / globe.a);
  for (size_t i = 0; i < path.size(); ++i) printf("%s%.17g %.17g", i ? ";" : "", path[i].lon, path[i].lat);
  puts("");
}

static std::vector<Point> star(const Globe &globe, Point centre, double size, int count) {
  std::vector<Point> ring;
  for (int i = 0; i < count; ++i) {
    real lat, lon;
    globe.geodesics.Direct(centre.lat, centre.lon, -360.0 * i / count, size * uniform(0.6, 1), lat, lon);
    ring.push_back({double(lat), double(lon)});
  }
  ring.push_back(ring[0]);
  return ring;
}

int main() {
  puts("# Mean positions on ellipsoids with the equatorial radius 6378137: area|polar|line,flattening,lon,lat of the mean brought back\n"
       "# along the normal,its distance from the centre over the radius,vertices as \"lon lat\" with ; between them, exact doubles.\n"
       "# Made by centroids.cpp beside this file; see there for the method.");
  for (double f : {1 / 298.257223563, 1.0 / 150, 1.0 / 50, -1.0 / 150}) {
    const Globe globe(f);
    for (double size = 1; size < 6e6; size *= 3.7) {
      const Point centre = {uniform(-60, 60), uniform(-180, 180)};
      if (size < 2.5e6) {
        const auto ring = star(globe, centre, size, 5 + int(uniform(0, 5)));
        const Vector origin = globe.position(radians(ring[0].lat), radians(ring[0].lon));
        Sums sums;
        add_area(globe, ring, radians(ring[0].lat), origin, sums);
        write("area", globe, f, sums, origin, ring);
      }
      // Round a pole: from the edges up to it.
      const double pole = uniform(0, 1) < 0.5 ? 90 : -90;
      const auto cap = star(globe, {pole, 0}, size, 6);
      Sums sums;
      const Vector top = globe.position(radians(pole), 0);
      add_area(globe, cap, radians(pole), top, sums);
      write("polar", globe, f, sums, top, cap);
      auto path = star(globe, centre, size, 6);
      path.pop_back();
      const Vector origin = globe.position(radians(path[0].lat), radians(path[0].lon));
      Sums along;
      add_line(globe, path, origin, along);
      write("line", globe, f, along, origin, path);
    }
  }
}
