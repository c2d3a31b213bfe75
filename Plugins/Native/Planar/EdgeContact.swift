// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// How two edges that have a length meet. Exact for all finite coordinates.
enum EdgeContact: BitwiseCopyable {
  case apart
  /// In a point inside both.
  case crossing
  /// In one point that is an end of at least one of them.
  case touch(Place)
  /// Along a stretch, from its lesser end to its greater one by (x, y). Both are ends of edges.
  case overlap(from: Place, to: Place)

  /// - Parameters:
  ///   - a, b: the ends of one edge.
  ///   - c, d: those of the other.
  @inline(__always)
  init(_ a: Place, _ b: Place, _ c: Place, _ d: Place) {
    let (sideC, sideD) = (orientation(a, b, c), orientation(a, b, d))
    if sideC &* sideD > 0 {
      self = .apart
    } else {
      self.init(a, b, c, d, sideC, sideD)
    }
  }

  private init(_ a: Place, _ b: Place, _ c: Place, _ d: Place, _ sideC: Int, _ sideD: Int) {
    if sideC == 0 && sideD == 0 {
      self.init(onOneLine: a, b, c, d)
      return
    }
    let (sideA, sideB) = (orientation(c, d, a), orientation(c, d, b))
    if sideA &* sideB > 0 {
      self = .apart
    } else if sideC &* sideD < 0 && sideA &* sideB < 0 {
      self = .crossing
    } else if sideA == 0 || sideB == 0 {
      self = .touch(sideA == 0 ? a : b)
    } else {
      self = .touch(sideC == 0 ? c : d)
    }
  }

  private init(onOneLine a: Place, _ b: Place, _ c: Place, _ d: Place) {
    let (one, other) = (a < b ? (a, b) : (b, a), c < d ? (c, d) : (d, c))
    let from = one.0 < other.0 ? other.0 : one.0
    let to = one.1 < other.1 ? one.1 : other.1
    self = from < to ? .overlap(from: from, to: to) : to < from ? .apart : .touch(from)
  }
}
