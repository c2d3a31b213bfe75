// SPDX-License-Identifier: Apache-2.0
//
// Makes closest.csv: the closest place of a geodesic to a point, by brute force. It needs GeographicLib 2.x (MIT) compiled
// for `long double` (GEOGRAPHICLIB_PRECISION=3), which is no part of this repository:
//
//     c++ -std=c++17 -O2 -I .../GeographicLib/include closest.cpp -lGeographicLib -o closest && ./closest > closest.csv
//
// The edge is followed by elliptic integrals (GeodesicLineExact) in 80-bit arithmetic. The rate at which the distance from
// the point changes along it, the cosine of the angle between the two geodesics, is sampled at 3,000 places; every change
// from falling to rising is halved until the bracket is 1e-12 m, and the nearest of these places and the two ends is the
// answer. Nothing of the kernel's method is used.
#include <GeographicLib/GeodesicExact.hpp>
#include <GeographicLib/GeodesicLineExact.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>

using GeographicLib::GeodesicExact;
using GeographicLib::GeodesicLineExact;
using real = GeographicLib::Math::real;
static_assert(sizeof(real) > 8, "GeographicLib must be compiled for long double");

static uint64_t state = 20261130;
static double uniform(double low, double high) {  // SplitMix64
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return low + (high - low) * double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}
static double power(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
static double round_down(real x) { return double(x); }
static real radians(real degrees) { return degrees * (acosl(-1.0L) / 180); }

struct Point { double lat, lon; };
struct Foot { real distance, along, lat, lon, slope; };

static Foot at(const GeodesicExact &globe, const GeodesicLineExact &edge, Point p, real along, real &rate) {
  real lat, lon, azimuth, distance, start, end, reduced, scale12, scale21;
  edge.Position(along, lat, lon, azimuth);
  globe.Inverse(p.lat, p.lon, lat, lon, distance, start, end, reduced, scale12, scale21);
  rate = cosl(radians(azimuth - end));
  return Foot{distance, along, lat, lon, scale12 / (reduced > 1e-3L ? reduced : 1e-3L)};
}

static void write(const char *kind, double flattening, Point p, Point a, Point b) {
  const GeodesicExact globe(6378137, flattening);
  const GeodesicLineExact edge = globe.InverseLine(a.lat, a.lon, b.lat, b.lon);
  const real length = edge.Distance();
  const int pieces = 3000;
  real rate, before;
  Foot best = at(globe, edge, p, 0, before);
  const char *place = "start";
  for (int piece = 1; piece <= pieces; ++piece) {
    const Foot here = at(globe, edge, p, length * piece / pieces, rate);
    if (before < 0 && rate > 0) {
      real low = length * (piece - 1) / pieces, high = length * piece / pieces;
      for (int halving = 0; halving < 90 && high - low > 1e-12L; ++halving) {
        const real middle = (low + high) / 2;
        real sign;
        at(globe, edge, p, middle, sign);
        (sign < 0 ? low : high) = middle;
      }
      real sign;
      const Foot foot = at(globe, edge, p, (low + high) / 2, sign);
      if (foot.distance < best.distance) best = foot, place = "interior";
    }
    if (piece == pieces && here.distance < best.distance) best = here, place = "end";
    before = rate;
  }
  printf("%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.13Lf,%.13Lf,%.13Lf,%s,%.17Lg,%.17Lg,%.6Lg\n", kind, flattening, p.lon,
         p.lat, a.lon, a.lat, b.lon, b.lat, best.distance, best.along, length, place, best.lon, best.lat, best.slope);
}

static Point from(double flattening, Point start, double azimuth, double distance) {
  const GeodesicExact globe(6378137, flattening);
  real lat, lon;
  globe.Direct(start.lat, start.lon, azimuth, distance, lat, lon);
  return {round_down(lat), round_down(lon)};
}

static double latitude() { return std::asin(uniform(-1, 1)) * (180 / std::acos(-1.0)); }
static Point anywhere() { return {latitude(), uniform(-180, 180)}; }
static double azimuth() { return uniform(-180, 180); }

// A point beside the edge: from a place on it (or its continuation) sideways.
static Point beside(double f, Point a, Point b, double low, double high, double away, double skew) {
  const GeodesicExact globe(6378137, f);
  const GeodesicLineExact edge = globe.InverseLine(a.lat, a.lon, b.lat, b.lon);
  real lat, lon, heading;
  edge.Position(edge.Distance() * uniform(low, high), lat, lon, heading);
  const double side = uniform(0, 1) < 0.5 ? 90 : -90;
  return from(f, {round_down(lat), round_down(lon)}, round_down(heading) + side + uniform(-skew, skew), away);
}

static void around(double f, int count) {
  for (int i = 0; i < count; ++i) {
    Point a = anywhere();
    double length = power(1, 1e4);
    Point b = from(f, a, azimuth(), length);
    write("local", f, beside(f, a, b, -0.3, 1.3, length * power(1e-3, 3), 20), a, b);
    length = power(1e4, 1e6);
    b = from(f, a, azimuth(), length);
    write("regional", f, beside(f, a, b, -0.2, 1.2, length * power(1e-3, 2), 20), a, b);
    length = uniform(1e6, 1.95e7);
    b = from(f, a, azimuth(), length);
    write("long", f, anywhere(), a, b);
    write("long", f, beside(f, a, b, 0.05, 0.95, power(1e2, 3e6), 0), a, b);
    // Next to the edge: from a nanometre to a metre.
    length = power(1e2, 5e6);
    b = from(f, a, azimuth(), length);
    write("beside", f, beside(f, a, b, 0.02, 0.98, power(1e-9, 1), 0), a, b);
    // A quarter of the way round from the whole of the edge.
    length = uniform(2e5, 8e6);
    b = from(f, a, azimuth(), length);
    write("quarter", f, beside(f, a, b, 0.1, 0.9, uniform(9.85e6, 9.99e6), 1), a, b);
    // Beyond a quarter, up to the antipode: an end.
    write("far", f, beside(f, a, b, 0, 1, uniform(1.05e7, 1.999e7), 30), a, b);
    // Round a pole, and the point near it or on it.
    const double pole = i % 2 ? 90 : -90;
    a = {pole * uniform(0.97, 0.99999), uniform(-180, 180)};
    b = {pole * uniform(0.97, 0.99999), uniform(-180, 180)};
    write("polar", f, {i % 5 ? pole * uniform(0.95, 1) : pole, uniform(-180, 180)}, a, b);
    // Over the antimeridian, longitudes in other turns.
    a = {uniform(-70, 70), 180 - power(1e-6, 5)};
    b = {a.lat + uniform(-2, 2), -180 + power(1e-6, 5) + (i % 3) * 360};
    write("antimeridian", f, {a.lat + uniform(-3, 3), uniform(175, 185) - (i % 2) * 360}, a, b);
    // Along the equator and along a meridian, over a pole as well.
    a = {0, uniform(-180, 180)};
    b = {0, a.lon + uniform(-170, 170)};
    write("equatorial", f, {i % 4 ? latitude() / 2 : power(1e-9, 1), a.lon + uniform(-180, 180)}, a, b);
    a = {uniform(-89, 89), std::floor(uniform(-180, 180))};
    b = {uniform(-89, 89), i % 3 ? a.lon : a.lon + 180};
    write("meridional", f, {latitude(), a.lon + uniform(-90, 90)}, a, b);
    // Edges that end almost opposite to their start.
    a = {uniform(-60, 60), uniform(-180, 180)};
    b = {-a.lat + uniform(-0.7, 0.7), a.lon + 180 + uniform(-0.9, 0.9)};
    write("antipodal", f, anywhere(), a, b);
    // The point is an end, or lies on the continuation of the edge.
    a = anywhere();
    b = from(f, a, azimuth(), power(1, 5e6));
    write("vertex", f, i % 2 ? a : b, a, b);
  }
}

int main() {
  puts("# Closest places on geodesics of ellipsoids with the equatorial radius 6378137: class,flattening,then lon,lat of the point,\n"
       "# of the start and of the end of the edge, as exact doubles; distance_m, distance along the edge_m, length of the edge_m,\n"
       "# start|interior|end, lon,lat of the place, and the second derivative of the distance along the edge there (1/m, with\n"
       "# distances under 1 mm taken as 1 mm). Made by closest.cpp beside this file; see there for the method.");
  around(1 / 298.257223563, 30);
  around(1.0 / 150, 6);
  around(1.0 / 50, 6);
  around(-1.0 / 150, 6);
}
