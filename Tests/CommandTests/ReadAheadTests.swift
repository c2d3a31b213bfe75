// SPDX-License-Identifier: Apache-2.0
import CPlatform
import Meridian
import MeridianIO
import Testing

@testable import MeridianJobs

/// Batches that were read on another thread come as they would have come without it.
@Suite struct ReadAheadTests {
  /// Gives `batches` batches of one null row, then ends, or fails; counts how often it was asked.
  private final class Counting: FeatureReader, @unchecked Sendable {
    let file = "counting"
    let layer = Layer()
    private(set) var warnings: [String] = []
    private(set) var fractionRead: Double?
    private let batches: Int
    private let failure: FormatError?
    private let asked = Guarded(0)
    var calls: Int { asked.withLock { $0 } }

    init(batches: Int, failure: FormatError? = nil) {
      self.batches = batches
      self.failure = failure
    }

    func next(_ limit: BatchLimit) throws(FormatError) -> FeatureBatch? {
      let number = asked.withLock { (count: inout Int) -> Int in
        count += 1
        return count - 1
      }
      guard number < batches else {
        warnings.append("the end was met")
        if let failure { throw failure }
        return nil
      }
      fractionRead = Double(number + 1) / Double(batches)
      if number == 3 { warnings.append("row 3 has something") }
      do {
        var builder = GeometryBuilder()
        try builder.null()
        return FeatureBatch(geometries: try builder.finish(), firstRow: number, attributes: [Attributes()])
      } catch {
        throw FormatError(file: file, reason: error.message)
      }
    }
  }

  @Test func batchesComeInOrderWithWhatWasSaidByThen() throws {
    let ahead = try #require(ReadAhead(Counting(batches: 100), BatchLimit()))
    for number in 0..<100 {
      let item = try ahead.next()
      #expect(try item.batch.get()?.firstRow == number)
      #expect(item.fractionRead == Double(number + 1) / 100 && !item.isLast)
      #expect(item.warnings.count == (number < 3 ? 0 : 1))
    }
    let last = try ahead.next()
    #expect(try last.batch.get() == nil && last.isLast && last.warnings.count == 2)
  }

  @Test func anErrorComesBehindTheRowsBeforeIt() throws {
    let failure = FormatError(file: "counting", reason: "the file is cut off")
    let ahead = try #require(ReadAhead(Counting(batches: 2, failure: failure), BatchLimit()))
    for number in 0..<2 { #expect(try ahead.next().batch.get()?.firstRow == number) }
    let last = try ahead.next()
    #expect(last.isLast)
    #expect(throws: FormatError.self) { try last.batch.get() }
  }

  /// Memory is that of a few batches, however slow the work is; and whoever stops reads no more.
  @Test func notMoreIsReadThanCanWait() throws {
    let reader = Counting(batches: 1000)
    let ahead = try #require(ReadAhead(reader, BatchLimit()))
    _ = try ahead.next()
    for _ in 0..<100 where reader.calls < 3 { usleep(10_000) }
    usleep(50_000)
    #expect(reader.calls == 3, "one was taken and two wait")
    ahead.stop()
    usleep(50_000)
    #expect(reader.calls == 3)
  }
}
