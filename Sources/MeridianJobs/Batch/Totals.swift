// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// The totals of several jobs added up: numbers by name, numbers inside of objects, kernels that answered.
///
/// Jobs are added in the order of their files; a sum of doubles is then the same whether it was read back from text or not.
public struct Totals: Sendable {
  private var names: [String] = []
  private var values: [String: Value] = [:]
  private var sums: [String: Sum] = [:]
  private var kernels: [String] = []

  public init() {}

  public mutating func add(_ job: JobTotals) {
    for field in job.fields {
      if values[field.name] == nil { names.append(field.name) }
      values[field.name] = added(values[field.name] ?? .null, field)
    }
    for line in job.kernels where !kernels.contains(line) { kernels.append(line) }
  }

  private mutating func added(_ old: Value, _ field: Field) -> Value {
    switch (old, field.value) {
    case (.integer(let one), .integer(let other)): return .integer(one + other)
    case (.object(let one), .object(let other)): return .object(Self.added(one, other))
    case (.null, .integer), (.null, .object): return field.value
    case (_, .integer(let number)): return summed(field.name, Double(number))
    case (_, .number(let number)): return summed(field.name, number)
    default: return old == .null ? field.value : old
    }
  }

  private mutating func summed(_ name: String, _ number: Double) -> Value {
    var sum = sums[name] ?? Sum()
    if !sum.isUsed, case .integer(let before)? = values[name] { sum.add(Double(before)) }
    sum.add(number)
    sums[name] = sum
    return .number(sum.value)
  }

  /// Counts by name.
  private static func added(_ one: [Field], _ other: [Field]) -> [Field] {
    var sum = one
    for field in other {
      guard let index = sum.firstIndex(where: { $0.name == field.name }) else {
        sum.append(field)
        continue
      }
      guard case .integer(let a) = sum[index].value, case .integer(let b) = field.value else { continue }
      sum[index] = Field(field.name, .integer(a + b))
    }
    return sum
  }

  public var lines: [String] { names.map { "\($0): \((values[$0] ?? .null).cell)" } + kernels }
}

/// What one job says of itself at its end.
public struct JobTotals: Sendable, Equatable {
  public let fields: [Field]
  /// Lines about the kernels that answered.
  public let kernels: [String]

  public init(_ summary: Summary) {
    fields = summary.totals
    kernels = summary.kernelLines
  }

  init(fields: [Field], kernels: [String]) {
    self.fields = fields
    self.kernels = kernels
  }
}
