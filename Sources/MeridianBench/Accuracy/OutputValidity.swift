// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// For operations that promise valid output: adds to another oracle's verdict the rows that came out invalid, as a kernel
/// with exact verdicts says.
struct OutputValidity: OracleSource {
  /// Judges everything else.
  let oracle: any Oracle
  /// Verdicts come from the kernel that declares exact predicates, else the first that checks polygons.
  private static func judge(on host: Host) -> Kernel? {
    guard let operation = Operation.find(.validate, MRD_VALIDATE_VALID) else { return nil }
    let able = host.kernels.filter { $0.operations.contains(operation.fullName) }
    return able.first { kernel in
      (try? host.info(kernel: kernel.id, operation: operation).pointee.flags & MRD_OP_EXACT_PREDICATES) ?? 0 != 0
    } ?? able.first
  }

  func name(on host: Host) -> String? {
    Self.judge(on: host).map { "\(oracle.source); validity by \($0.shortID)" } ?? oracle.source
  }

  func oracle(for kernel: String, on host: Host) throws(MeridianError) -> (any Oracle)? {
    guard let judge = Self.judge(on: host) else { return oracle }
    return Judge(oracle: oracle, host: host, kernel: judge.id, source: name(on: host) ?? oracle.source)
  }

  private struct Judge: Oracle {
    let oracle: any Oracle
    let host: Host
    let kernel: String
    let source: String

    func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
      var accuracy = oracle.judge(outcome, bound: bound)
      guard let set = outcome.set else { return accuracy }
      var options = ValidateOptions()
      options.mode = .verdict
      let run = Run(rules: "validate=\(kernel)", model: .planar)
      guard let validation = try? host.validate(.valid, set, options: options, run: run) else { return accuracy }
      accuracy.wrong += validation.invalidCount
      if let row = validation.verdicts.firstIndex(of: .invalid) { accuracy.worstRow = row }
      return accuracy
    }
  }
}

/// How the area of polygons changed in repair: the error of a row is the change as a share of its area before. Rows that
/// have no geometry any more, or lost or won more than half of their area, are wrong.
struct RepairOracle: Oracle {
  let source = "area"
  let input: Lazily<GeometrySet>
  static let largestChange = 0.5

  func judge(_ outcome: Outcome, bound: DeclaredBound?) -> Accuracy {
    guard let input = try? input.value(), let output = outcome.set else {
      return Accuracy(unit: "relative", [], wrong: outcome.statuses.count)
    }
    var comparisons: [Accuracy.Comparison] = []
    var wrong = 0
    for row in 0..<input.count {
      guard let before = input.location(ofRow: row) else { continue }
      let area = PlanarTruth.area(before.array, before.index).magnitude.high
      guard area > 0 else { continue }
      guard row < output.count, let after = output.location(ofRow: row) else {
        wrong += 1
        continue
      }
      let change = abs(PlanarTruth.area(after.array, after.index).high - area) / area
      if change <= Self.largestChange {
        comparisons.append(
          Accuracy.Comparison(row: row, error: change, exact: 0, vertices: input.vertices(ofRow: row)))
      } else {
        wrong += 1
      }
    }
    return Accuracy(unit: "relative", comparisons, wrong: wrong)
  }
}
