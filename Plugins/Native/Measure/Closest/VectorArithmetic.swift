// SPDX-License-Identifier: Apache-2.0

extension Vector {
  static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func - (a: Vector, b: Vector) -> Vector { Vector(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }

  /// The length where the squares are known to be normal numbers, or need not be exact.
  var norm: Double { (x * x + y * y + z * z).squareRoot() }
}
