// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// Right numbers from the best kernel that is installed: for geodesics, whose exact values need more than double-double
/// sums. A kernel is not held against itself.
struct ReferenceKernel: OracleSource {
  let subject: Subject
  let unit: String
  let columns: [String]
  let difference: ExactValues.Difference
  /// Rows that are compared: the few thousand that suffice.
  let rows: Lazily<[Int]>
  let vertices: @Sendable (_ row: Int) throws(MeridianError) -> Int
  /// Answers of a kernel that the run's rules name, for the rows alone.
  let answer: @Sendable (Host, Run, _ rows: [Int]) throws(MeridianError) -> Outcome
  /// By kernel: one case is judged for one host.
  private let known = Guarded<[String: ExactValues]>([:])

  init(
    _ subject: Subject, unit: String, columns: [String], difference: ExactValues.Difference = .largest,
    rows: Lazily<[Int]>, vertices: @escaping @Sendable (_ row: Int) throws(MeridianError) -> Int,
    answer: @escaping @Sendable (Host, Run, _ rows: [Int]) throws(MeridianError) -> Outcome
  ) {
    self.subject = subject
    self.unit = unit
    self.columns = columns
    self.difference = difference
    self.rows = rows
    self.vertices = vertices
    self.answer = answer
  }

  func name(on host: Host) -> String? { host.reference(for: subject)?.shortID }

  func oracle(for kernel: String, on host: Host) throws(MeridianError) -> (any Oracle)? {
    guard let reference = host.reference(for: subject), !reference.isNamed(kernel) else {
      return nil
    }
    return try known.withLock { (known: inout [String: ExactValues]) throws(MeridianError) -> ExactValues in
      if let values = known[reference.id] { return values }
      let values = try values(of: reference, on: host)
      known[reference.id] = values
      return values
    }
  }

  private func values(of reference: Kernel, on host: Host) throws(MeridianError) -> ExactValues {
    let rows = try rows.value()
    let run = Run(rules: Naming.rules(subject.operation, reference.id), model: subject.model)
    let outcome = try answer(host, run, rows)
    let found = columns.compactMap { outcome.column($0) }
    var vertices: [Int] = []
    for row in rows { vertices.append(try self.vertices(row)) }
    let values = ExactValues.Values(
      rows: rows, vertices: vertices, exact: rows.indices.map { row in found.map { DoubleDouble($0[row]) } })
    return ExactValues(
      source: reference.shortID, unit: unit, columns: columns, difference: difference,
      slack: host.declaredBound(subject, kernel: reference.id), values: Lazily { values })
  }
}

extension Host {
  /// The kernel whose answers are taken as right: the exact series-free ones of GeographicLib, else PROJ, else the one
  /// that declares the smallest error; nil when there is none.
  func reference(for subject: Subject) -> Kernel? {
    let able = kernels.filter { kernel in
      kernel.operations.contains(subject.operation.fullName) && declaration(subject, kernel: kernel.id) != nil
    }
    if let exact = able.first(where: { Self.isExact($0.id) }) { return exact }
    let bounded = able.filter { declaredBound(subject, kernel: $0.id) != nil }
    if let proj = bounded.first(where: { $0.isNamed("proj") }) { return proj }
    return bounded.min { nominalError($0, subject) < nominalError($1, subject) }
  }

  /// GeographicLib's GeodesicExact, whichever way the plug-in is called.
  private static func isExact(_ id: String) -> Bool {
    id.hasSuffix("geographiclib.exact") || id.hasSuffix("geographiclib-exact")
  }

  /// The error of a result of one million units with a hundred vertices.
  private func nominalError(_ kernel: Kernel, _ subject: Subject) -> Double {
    guard let bound = declaredBound(subject, kernel: kernel.id) else { return .infinity }
    if bound.unit == "ulp" { return bound.absolute * 1e6.ulp + bound.relative * 1e6 }
    return bound.absolute + bound.perVertex * 100 + bound.relative * 1e6
  }
}
