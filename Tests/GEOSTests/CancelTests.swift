// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import Testing

/// GEOS's interrupts obey the cancel word of the call that runs on the thread, and of no other.
@Suite(.serialized) struct CancelTests {
  /// A valid wavy ring: each wave is a pair of edges that GEOS must compare with their neighbours.
  private func ring(_ vertices: Int) -> Shape {
    var places = (0..<vertices).map { index -> [Double] in
      let angle = 2 * Double.pi * Double(index) / Double(vertices)
      let radius = 1 + 0.1 * sin(angle * 100)
      return [radius * cos(angle), radius * sin(angle)]
    }
    places.append(places[0])
    return Shape(type: MRD_POLYGON, parts: [[places]])
  }

  @Test func aCancelledCallEndsSoon() {
    let big = TestArray([ring(800_000)])
    let call = TestCall(rows: 1)
    nonisolated(unsafe) let word = call.cancel
    let timer = Thread {
      usleep(20_000)
      word.pointee = 1
    }
    timer.start()
    let start = Date()
    let result = check(big, call: call)
    #expect(result.status == MRD_E_CANCELLED)
    #expect(Date().timeIntervalSince(start) < 5)
  }

  @Test func aWordThatIsSetBeforeEndsAtOnce() {
    let call = TestCall(rows: 1)
    call.cancel.pointee = 1
    #expect(check(TestArray([ring(1000)]), call: call).status == MRD_E_CANCELLED)
    let other = TestCall(rows: 1)
    other.cancel.pointee = 1
    #expect(simplify(TestArray([ring(1000)]), MRD_SIMPLIFY_DOUGLAS_PEUCKER, 1, call: other).status == MRD_E_CANCELLED)
  }

  /// A request for one call must never stop its neighbour: GEOS's own flag belongs to the whole process.
  @Test func otherCallsGoOn() {
    let array = TestArray([ring(20_000)])
    nonisolated(unsafe) let shared = array
    DispatchQueue.concurrentPerform(iterations: 6) { number in
      for _ in 0..<15 {
        let call = TestCall(rows: 1)
        if number % 2 == 0 { call.cancel.pointee = 1 }
        let result = check(shared, call: call)
        #expect(result.status == (number % 2 == 0 ? MRD_E_CANCELLED : MRD_OK))
        #expect(number % 2 == 0 || result.verdicts == [1])
      }
    }
  }
}
