// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// For operations that promise valid output: adds to another oracle's verdict the rows that came out invalid.
///
/// The judge is the kernel that declares exact predicates, else the first that checks polygons; never the kernel whose
/// output is judged. Where no other is installed, brute force judges a sample of the polygons that it can: those of one
/// ring with up to `BruteForceValidity.limit` vertices.
struct OutputValidity: OracleSource {
  /// Judges everything else.
  let oracle: any Oracle
  /// Brute force can judge rows of this size.
  let isSmall: Bool

  /// - Parameter workload: what the output is made from.
  init(oracle: any Oracle, of workload: SetWorkload) {
    self.oracle = oracle
    isSmall = workload.vertices <= workload.rows * BruteForceValidity.limit
  }

  func name(on host: Host) -> String? {
    let judges = Self.judges(on: host)
    guard let first = judges.first else { return oracle.source + (isSmall ? "; validity by brute force" : "") }
    let second = judges.dropFirst().first?.shortID ?? (isSmall ? "brute force" : "nobody")
    return "\(oracle.source); validity by \(first.shortID), that of \(first.shortID) by \(second)"
  }

  func oracle(for kernel: String, on host: Host) throws(MeridianError) -> (any Oracle)? {
    if let judge = Self.judges(on: host).first(where: { !$0.isNamed(kernel) }) {
      return ValidityByKernel(oracle: oracle, host: host, kernel: judge)
    }
    return isSmall ? ValidityByBruteForce(oracle: oracle) : oracle
  }

  /// The kernels that check polygons, those with exact predicates first.
  private static func judges(on host: Host) -> [Kernel] {
    guard let operation = Operation.find(.validate, MRD_VALIDATE_VALID) else { return [] }
    let able = host.kernels.filter { $0.operations.contains(operation.fullName) }
    let exact = able.filter { kernel in
      (try? host.info(kernel: kernel.id, operation: operation).pointee.flags & MRD_OP_EXACT_PREDICATES) ?? 0 != 0
    }
    return exact + able.filter { !exact.contains($0) }
  }
}

struct ValidityByKernel: Oracle {
  let oracle: any Oracle
  let host: Host
  let kernel: Kernel
  var source: String { "\(oracle.source); validity by \(kernel.shortID)" }

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let accuracy = try oracle.judge(outcome, bound: bound)
    let set = try outcome.required(outcome.set, "geometries")
    var options = ValidateOptions()
    options.mode = .verdict
    let run = Run(rules: "validate=\(kernel.id)", model: .planar)
    // Output that its judge cannot even look at is not valid output.
    guard let validation = try? host.validate(.valid, set, options: options, run: run) else {
      return accuracy.with(invalid: Array(0..<set.count), of: set.count)
    }
    let invalid = validation.verdicts.indices.filter { validation.verdicts[$0] == .invalid }
    return accuracy.with(invalid: invalid, of: set.count)
  }
}

private struct ValidityByBruteForce: Oracle {
  let oracle: any Oracle
  var source: String { "\(oracle.source); validity by brute force" }
  /// Rows: comparing all pairs of edges takes its time.
  private static let limit = 500

  func judge(_ outcome: Outcome, bound: DeclaredBound?) throws(MeridianError) -> Accuracy {
    let accuracy = try oracle.judge(outcome, bound: bound)
    let set = try outcome.required(outcome.set, "geometries")
    let judged = RowSample.spread(set.count, limit: Self.limit).compactMap { row in
      BruteForceValidity.verdict(set, row: row).map { (row: row, isValid: $0) }
    }
    return accuracy.with(invalid: judged.filter { !$0.isValid }.map(\.row), of: judged.count)
  }
}

extension Accuracy {
  /// With rows that are wrong because they are not valid. One that is wrong for two reasons may count twice, but never
  /// more are wrong than were compared.
  fileprivate func with(invalid: [Int], of rows: Int) -> Accuracy {
    var accuracy = self
    accuracy.compared = max(compared, rows)
    accuracy.wrong = min(wrong + invalid.count, accuracy.compared)
    if let row = invalid.first { accuracy.worstRow = row }
    return accuracy
  }
}
