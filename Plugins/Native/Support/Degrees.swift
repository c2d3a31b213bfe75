// SPDX-License-Identifier: Apache-2.0
import KernelMath

let degreesPerRadian = 180 / Double.pi
let radiansPerDegree = Double.pi / 180

/// Sine and cosine of an angle in degrees. The reduction to [-45, 45] is exact, so multiples of 90 give exact zeros and
/// ones and cosines near a pole keep their relative accuracy, about 2 ulp.
@inline(__always)
func sineCosine(degrees: Double) -> (sin: Double, cos: Double) {
  let rest = degrees.remainder(dividingBy: 90)
  let quadrant = ((degrees - rest) / 90).remainder(dividingBy: 4)
  let radians = rest * radiansPerDegree
  let (s, c) = (sin(radians), cos(radians))
  // Adding to or subtracting from 0 makes a negative zero positive: its sign would reach atan2 as half a turn.
  switch quadrant {
  case 0: return (s, c)
  case 1: return (c, 0 - s)
  case -1: return (0 - c, s + 0)
  default: return (0 - s, 0 - c)
  }
}

/// The azimuth of the direction (east, north) in (-180, 180]; 0 for no direction.
@inline(__always)
func azimuth(east: Double, north: Double) -> Double {
  let degrees = atan2(east, north) * degreesPerRadian
  return degrees <= -180 ? 180 : degrees
}
