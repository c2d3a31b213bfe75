// SPDX-License-Identifier: Apache-2.0
import CBench
import Meridian
import MeridianABI

/// What a call costs when the kernel does nothing: through the host ("empty"), and by its table alone ("direct").
///
/// The ratio of the two is the host's part of the price; `direct` is what no host can go below. Calls of one row are what
/// an editor pays, batches of many rows what a job pays.
///
/// The calls go to a host of their own that knows the empty kernel alone, so that no rules have to be read in each call,
/// and no other case is ever answered by a kernel that does nothing.
package enum ABICases {
  /// The contestants, the reference first: names that these cases take, and no others.
  package static let contestants = ["direct", "empty"]

  /// - Parameters:
  ///   - rows: of a batch.
  ///   - calls: of one row, in one run; a thousand are enough that the clock does not count.
  package static func all(rows: Int = 1_000_000, calls: Int = 1000) -> [BenchCase] {
    let sizes = Sizes(rows: max(1, rows), calls: max(1, calls))
    return measureLength(sizes) + validateValid(sizes) + indexWindow(sizes)
  }

  private struct Sizes {
    let rows: Int
    let calls: Int
  }

  // MARK: - Families

  private static func measureLength(_ sizes: Sizes) -> [BenchCase] {
    cases("measure.length", sizes) { (contestant, lines) throws(MeridianError) in
      if contestant == .host {
        let host = try emptyHost()
        return { () throws(MeridianError) in
          Outcome(try host.measure(.length, lines.set, run: oneThread))
        }
      }
      let call = DirectCall(rows: lines.set.count)
      let table = try DirectCall.table(MRD_FAMILY_MEASURE, mrd_family_measure.self)
      return { () throws(MeridianError) in try call.measureLength(table, lines.array) }
    }
  }

  private static func validateValid(_ sizes: Sizes) -> [BenchCase] {
    cases("validate.valid", sizes) { (contestant, lines) throws(MeridianError) in
      if contestant == .host {
        let host = try emptyHost()
        return { () throws(MeridianError) in
          Outcome(verdicts: try host.validate(.valid, lines.set, run: oneThread).verdicts)
        }
      }
      let call = DirectCall(rows: lines.set.count)
      let table = try DirectCall.table(MRD_FAMILY_VALIDATE, mrd_family_validate.self)
      return { () throws(MeridianError) in try call.validate(table, lines.array) }
    }
  }

  private static func indexWindow(_ sizes: Sizes) -> [BenchCase] {
    cases("index.window", sizes) { (contestant, lines) throws(MeridianError) in
      let windows = lines.boxes
      if contestant == .host {
        let host = try emptyHost()
        var one = Boxes()
        one.append(point: 0, 0)
        let index = try BoxIndex(host: host, boxes: one, run: oneThread)
        return { () throws(MeridianError) in
          Outcome(hits: try index.window(windows, run: oneThread))
        }
      }
      let call = DirectCall(rows: windows.count)
      let table = try DirectCall.table(MRD_FAMILY_INDEX, mrd_family_index.self)
      return { () throws(MeridianError) in try call.window(table, windows) }
    }
  }

  /// Knows the empty kernel and no other.
  private static func emptyHost() throws(MeridianError) -> Host {
    var options = Runner.hostOptions()
    options.discovers = false
    options.readsEnvironment = false
    let host = try Host(options)
    try host.register(mrdb_empty_plugin().assumingMemoryBound(to: mrd_plugin.self))
    return host
  }

  // MARK: - The two cases of an operation

  private enum Contestant: String {
    case direct
    case host = "empty"
  }

  /// One call over the rows of `lines`.
  private typealias Prepare =
    @Sendable (
      _ contestant: Contestant, _ lines: ShortLines
    ) throws(MeridianError) -> () throws(MeridianError) -> Outcome

  private static func cases(_ operation: String, _ sizes: Sizes, _ prepare: @escaping Prepare) -> [BenchCase] {
    let (rows, calls) = (sizes.rows, sizes.calls)
    let one = CaseResult(
      name: "abi.\(operation)/one row", suite: .abi, operation: operation, workload: "one line of two vertices",
      setting: "empty kernel", unit: .call, units: calls, rows: calls)
    let batch = CaseResult(
      name: "abi.\(operation)/batch", suite: .abi, operation: operation, workload: "\(rows) lines of two vertices",
      setting: "empty kernel", unit: .row, units: rows, rows: rows)
    let single = BenchCase(one) { (_, kernel) throws(MeridianError) in
      let call = try prepare(try contestant(kernel), try ShortLines(1))
      var run = PreparedRun { () throws(MeridianError) in
        for _ in 1..<calls { _ = try call() }
        return try call()
      }
      run.singles = calls
      run.single = { (_) throws(MeridianError) in _ = try call() }
      return run
    }
    let many = BenchCase(batch) { (_, kernel) throws(MeridianError) in
      PreparedRun(try prepare(try contestant(kernel), try ShortLines(rows)))
    }
    return [single, many]
  }

  private static func contestant(_ name: String) throws(MeridianError) -> Contestant {
    if let known = Contestant(rawValue: name) { return known }
    throw MeridianError(.unsupported, "the cost of the boundary is that of \(contestants.joined(separator: " and "))")
  }

  private static var oneThread: Run { Run(threads: 1) }
}

/// Lines of two vertices, as geometries and as boxes.
private struct ShortLines: Sendable {
  let array: GeometryArray
  let set: GeometrySet

  init(_ count: Int) throws(MeridianError) {
    let (offsets, x, y) = (Buffer(), Buffer(), Buffer())
    guard offsets.resize((count + 1) * 8), x.resize(count * 16), y.resize(count * 16) else {
      throw MeridianError(.memory, "no memory for \(count) lines")
    }
    for row in 0...count { offsets.values(Int64.self)[row] = Int64(2 * row) }
    for vertex in 0..<2 * count {
      x.values(Double.self)[vertex] = Double(vertex)
      y.values(Double.self)[vertex] = Double(vertex % 2)
    }
    array = GeometryArray(
      type: .lineString, dimensions: .xy, count: count, offsets: [offsets], ordinates: [x, y],
      flags: UInt32(MRD_IN_FINITE))
    set = GeometrySet(array)
  }

  var boxes: Boxes {
    var boxes = Boxes()
    for row in 0..<array.count { boxes.append(Double(2 * row), 0, Double(2 * row + 1), 1) }
    return boxes
  }
}
