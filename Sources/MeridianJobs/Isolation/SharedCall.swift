// SPDX-License-Identifier: Apache-2.0
import Meridian

/// Calls in shared memory. Both processes are one executable, so that options go over as they lie in memory: they
/// hold no references, but for lists and text, which are written by themselves.
extension SharedBlock {
  /// - Parameter ignoresRules: as in `Run`.
  func put(
    _ call: KernelCall, _ set: GeometrySet, _ targets: GeometrySet?, _ run: Run
  ) throws(MeridianError) {
    switch call {
    case .validate(let operation, let options):
      try put(head: .validate, operation.rawValue, options)
    case .repair(let options): try put(head: .repair, 0, options)
    case .simplify(let operation, let options):
      var plain = options
      (plain.tolerances, plain.protectedVertices) = ([], nil)
      try put(array: [CallKind.simplify.rawValue, operation.rawValue])
      try put(array: options.tolerances)
      try put(array: plain.numbers)
    case .snap(let operation, let options): try put(head: .snap, operation.rawValue, options)
    case .measure(let operation): try put(array: [CallKind.measure.rawValue, operation.rawValue])
    }
    try put(optional: run.rules)
    try put(UInt8(run.ignoresRules ? 1 : 0))
    try put(UInt8(run.model == nil ? 0 : 1))
    if let model = run.model { try put(model) }
    try put(UInt8(targets == nil ? 0 : 1))
    if let targets { try put(targets) }
    try put(set)
  }

  private func put<T>(head kind: CallKind, _ operation: UInt32, _ options: T) throws(MeridianError) {
    try put(array: [kind.rawValue, operation])
    try withUnsafeBytes(of: options) { (bytes) throws(MeridianError) in
      try put(bytes: bytes.baseAddress, count: bytes.count)
    }
  }
}

private enum CallKind: UInt32 {
  case validate = 1
  case repair, simplify, snap, measure
}

extension SimplifyOptions {
  /// All options but the lists, as numbers.
  fileprivate var numbers: [Double] {
    [
      Double(unit.rawValue), Double(measure.rawValue), Double(collapse.rawValue), weighted ? 1 : 0,
      noCrossing ? 1 : 0,
      fixedBoundary ? 1 : 0, Double(targetCount), targetShare, zoom, tileSize, pixelFactor,
      maxDistance,
    ]
  }

  fileprivate init?(_ tolerances: [Double], _ numbers: [Double]) {
    guard numbers.count == 12, let unit = Unit(rawValue: Int32(numbers[0])),
      let measure = Measure(rawValue: Int32(numbers[1])),
      let collapse = Collapse(rawValue: Int32(numbers[2]))
    else { return nil }
    self.init(tolerances: tolerances)
    (self.unit, self.measure, self.collapse) = (unit, measure, collapse)
    (weighted, noCrossing, fixedBoundary) = (numbers[3] == 1, numbers[4] == 1, numbers[5] == 1)
    (targetCount, targetShare) = (Int(numbers[6]), numbers[7])
    (zoom, tileSize, pixelFactor, maxDistance) = (numbers[8], numbers[9], numbers[10], numbers[11])
  }
}

extension SharedReader {
  /// A call with its set, which lies in the shared memory, its targets and what its run says.
  mutating func call() throws(MeridianError) -> (
    call: KernelCall, set: GeometrySet, targets: GeometrySet?, run: Run
  ) {
    let call = try kernelCall()
    var run = Run(rules: try optionalText())
    run.ignoresRules = try get(UInt8.self) == 1
    if try get(UInt8.self) == 1 { run.model = try model() }
    let targets = try get(UInt8.self) == 1 ? set(copies: false) : nil
    return (call, try set(copies: false), targets, run)
  }

  private mutating func kernelCall() throws(MeridianError) -> KernelCall {
    let head = try array(of: UInt32.self)
    guard head.count == 2, let kind = CallKind(rawValue: head[0]) else { throw Self.unknown }
    switch kind {
    case .validate:
      guard let operation = ValidateOperation(rawValue: head[1]) else { throw Self.unknown }
      return .validate(operation, try options(ValidateOptions()))
    case .repair: return .repair(try options(RepairOptions()))
    case .simplify:
      let (tolerances, numbers) = (try array(of: Double.self), try array(of: Double.self))
      guard let operation = SimplifyOperation(rawValue: head[1]),
        let options = SimplifyOptions(tolerances, numbers)
      else { throw Self.unknown }
      return .simplify(operation, options)
    case .snap:
      guard let operation = SnapOperation(rawValue: head[1]) else { throw Self.unknown }
      return .snap(operation, try options(SnapOptions()))
    case .measure:
      guard let operation = MeasureOperation(rawValue: head[1]) else { throw Self.unknown }
      return .measure(operation)
    }
  }

  private static var unknown: MeridianError {
    MeridianError(.internalError, "a call that is not known")
  }

  private mutating func options<T>(_ blank: T) throws(MeridianError) -> T {
    var options = blank
    let bytes = try bytes()
    guard bytes.count == MemoryLayout<T>.size else { throw Self.unknown }
    withUnsafeMutableBytes(of: &options) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
    return options
  }
}
