// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

/// A straight piece between two points, ends included; both may be equal.
struct Segment {
  double ax, ay, bx, by;

  double squaredDistance(double x, double y) const {
    const double dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    const double share = length > 0 ? std::clamp(((x - ax) * dx + (y - ay) * dy) / length, 0.0, 1.0) : 0;
    const double fx = x - (ax + share * dx), fy = y - (ay + share * dy);
    return fx * fx + fy * fy;
  }
};
