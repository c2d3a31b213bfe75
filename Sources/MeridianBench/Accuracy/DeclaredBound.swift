// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// |error| <= absolute + perVertex x vertices + relative x |exact result|, in `unit` ("m", "deg", "coord", "ulp").
package struct DeclaredBound: Equatable, Sendable {
  package let unit: String
  package let absolute: Double
  package let relative: Double
  package let perVertex: Double
  /// In words, for reports.
  package let text: String

  package init(unit: String, absolute: Double, relative: Double, perVertex: Double, text: String) {
    self.unit = unit
    self.absolute = absolute
    self.relative = relative
    self.perVertex = perVertex
    self.text = text
  }

  package func allows(error: Double, exact: Double, vertices: Int) -> Bool {
    if unit == "ulp" { return error <= absolute * exact.ulp + relative * abs(exact) }
    return error <= absolute + perVertex * Double(vertices) + relative * abs(exact)
  }
}

extension DeclaredBound {
  /// The bound of a declaration; nil when it declares none.
  package init?(_ info: mrd_op_info) {
    let unit: String
    switch info.error_unit {
    case MRD_UNIT_METRE: unit = "m"
    case MRD_UNIT_DEGREE: unit = "deg"
    case MRD_UNIT_COORD: unit = "coord"
    case MRD_UNIT_ULP: unit = "ulp"
    default: return nil
    }
    var parts: [String] = []
    if info.error_absolute > 0 { parts.append("\(info.error_absolute) \(unit)") }
    if info.error_per_vertex > 0 { parts.append("\(info.error_per_vertex) \(unit) a vertex") }
    if info.error_relative > 0 { parts.append("\(info.error_relative) relative") }
    self.init(
      unit: unit, absolute: info.error_absolute, relative: info.error_relative, perVertex: info.error_per_vertex,
      text: parts.isEmpty ? "exact" : parts.joined(separator: " + "))
  }

  /// True when the bound is about figures in `unit`, of `Accuracy`: areas are held against the bounds of lengths, as
  /// the ABI has it, and ulps against everything.
  func speaks(of unit: String) -> Bool {
    self.unit == unit || self.unit == "ulp" || (self.unit == "m" && unit == "m2")
  }
}

extension Host {
  /// The bound that a kernel declares for a subject; nil when it declares none, or does not offer the operation.
  package func declaredBound(_ subject: Subject, kernel: String) -> DeclaredBound? {
    declaration(subject, kernel: kernel).flatMap { DeclaredBound($0) }
  }

  /// The first declaration of a kernel that is about a subject.
  func declaration(_ subject: Subject, kernel: String) -> mrd_op_info? {
    let declarations = try? declarations(kernel: kernel, operation: subject.operation)
    return declarations?.map(\.pointee).first { subject.fits($0) }
  }
}
