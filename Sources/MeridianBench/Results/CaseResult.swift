// SPDX-License-Identifier: Apache-2.0

/// One operation over one workload, by several kernels in the same rounds.
public struct CaseResult: Codable, Equatable, Sendable {
  /// "measure.area/G2/planar": unique in a report.
  public var name: String
  public var suite: Suite
  /// "measure.area"
  public var operation: String
  /// "G2", or the name of the user's file.
  public var workload: String
  /// Edges and metric, tolerance and other choices, in words: "planar", "geodesic", "tolerance 0.0001".
  public var setting: String
  /// What times are divided by.
  public var unit: WorkUnit
  /// Units of one run.
  public var units: Int
  /// Rows of one run.
  public var rows: Int
  public var kernels: [KernelResult] = []
  public var ratios: [RatioResult] = []
  /// Where the right answers come from, "proj", "brute force", "exact by construction"; nil = no oracle.
  public var oracle: String?

  public init(
    name: String, suite: Suite, operation: String, workload: String, setting: String, unit: WorkUnit, units: Int,
    rows: Int
  ) {
    self.name = name
    self.suite = suite
    self.operation = operation
    self.workload = workload
    self.setting = setting
    self.unit = unit
    self.units = units
    self.rows = rows
  }
}

/// The groups that `meridian bench` runs and enforces.
public enum Suite: String, Codable, CaseIterable, Sendable {
  case abi, measure, validate, simplify, snap, index, jobs, interactive
}

/// What a time is divided by.
public enum WorkUnit: String, Codable, Sendable {
  case row, vertex, pair, point, box, query, call, byte
}

/// How one kernel did.
public struct KernelResult: Codable, Equatable, Sendable {
  /// The short id, "native".
  public var kernel: String
  /// Why it did not answer; all that follows is empty then.
  public var refusal: String?
  /// Nanoseconds of every round in the order of the rounds, outliers included.
  public var times: [Double] = []
  public var time: Spread?
  /// Rounds whose time is beyond 3 interquartile ranges of the quartiles. They are kept in all figures.
  public var outliers: [Int] = []
  public var cyclesPerUnit: Double?
  public var instructionsPerUnit: Double?
  public var memory: MemoryUse?
  public var latency: Latency?
  public var accuracy: Accuracy?

  public init(kernel: String, refusal: String? = nil) {
    self.kernel = kernel
    self.refusal = refusal
  }
}

/// A sample of one figure in short; for times in nanoseconds a run.
public struct Spread: Codable, Equatable, Sendable {
  public var median: Double
  public var smallest: Double
  public var largest: Double
  /// Half of the distance of the quartiles, divided by the median.
  public var relativeSpread: Double
  /// Bootstrap interval of the median, 95%.
  public var low: Double
  public var high: Double

  public init(
    median: Double, smallest: Double, largest: Double, relativeSpread: Double, low: Double, high: Double
  ) {
    self.median = median
    self.smallest = smallest
    self.largest = largest
    self.relativeSpread = relativeSpread
    self.low = low
    self.high = high
  }
}

/// Time of one kernel over that of another in the same rounds: the main figure.
public struct RatioResult: Codable, Equatable, Sendable {
  /// The kernel above the line.
  public var kernel: String
  /// The kernel below the line: a ratio under 1 means that `kernel` is faster.
  public var reference: String
  /// Median over the rounds of (time of `kernel`) / (time of `reference`).
  public var ratio: Double
  /// Bootstrap interval of that median.
  public var low: Double
  public var high: Double
  /// Of the interval, 0.95 or 0.99.
  public var confidence: Double
  public var rounds: Int

  /// True when the interval does not hold 1.
  public var isDifferent: Bool { high < 1 || low > 1 }

  public init(
    kernel: String, reference: String, ratio: Double, low: Double, high: Double, confidence: Double, rounds: Int
  ) {
    self.kernel = kernel
    self.reference = reference
    self.ratio = ratio
    self.low = low
    self.high = high
    self.confidence = confidence
    self.rounds = rounds
  }
}

/// Memory of one run, in bytes.
public struct MemoryUse: Codable, Equatable, Sendable {
  /// The largest resident size during the run less that before it.
  public var peak: Int64?
  /// What the kernel's result keeps: the bytes of an index that was built.
  public var kept: Int64?
  /// Calls of malloc and its relatives, and bytes that they were asked for; nil when they were not counted.
  public var allocations: Int64?
  public var allocated: Int64?

  public init(peak: Int64? = nil, kept: Int64? = nil, allocations: Int64? = nil, allocated: Int64? = nil) {
    self.peak = peak
    self.kept = kept
    self.allocations = allocations
    self.allocated = allocated
  }
}

/// Nanoseconds of single calls, the host's part included.
public struct Latency: Codable, Equatable, Sendable {
  public var calls: Int
  public var p50: Double
  public var p99: Double
  public var p999: Double
  public var largest: Double

  public init(calls: Int, p50: Double, p99: Double, p999: Double, largest: Double) {
    self.calls = calls
    self.p50 = p50
    self.p99 = p99
    self.p999 = p999
    self.largest = largest
  }
}

/// How far answers are from the oracle's.
public struct Accuracy: Codable, Equatable, Sendable {
  /// "m", "m2", "deg", "coord", "relative", "verdict", "vertex", "hit": of the figures below.
  public var unit: String
  /// Answers that were compared.
  public var compared: Int
  public var largest: Double
  public var mean: Double
  public var rootMeanSquare: Double
  public var p99: Double
  /// Row of the largest error.
  public var worstRow: Int?
  /// Largest error divided by the exact value.
  public var largestRelative: Double?
  /// Answers that are absent, or wrong where there is no more or less: verdicts, hits.
  public var wrong: Int
  /// Rows beyond the bound that the kernel declares; nil when it declares none.
  public var violations: Int?
  /// The bound in words.
  public var bound: String?

  public init(
    unit: String, compared: Int, largest: Double, mean: Double, rootMeanSquare: Double, p99: Double,
    worstRow: Int? = nil,
    largestRelative: Double? = nil, wrong: Int = 0, violations: Int? = nil, bound: String? = nil
  ) {
    self.unit = unit
    self.compared = compared
    self.largest = largest
    self.mean = mean
    self.rootMeanSquare = rootMeanSquare
    self.p99 = p99
    self.worstRow = worstRow
    self.largestRelative = largestRelative
    self.wrong = wrong
    self.violations = violations
    self.bound = bound
  }
}
