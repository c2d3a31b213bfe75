// SPDX-License-Identifier: Apache-2.0
import KernelKit

/// Copies paths into the chains of an `EdgeSet`, without consecutive equal vertices.
struct ChainLoader {
  let x: UnsafeMutablePointer<Double>
  let y: UnsafeMutablePointer<Double>
  let numbers: UnsafeMutablePointer<Int32>
  let chains: UnsafeMutablePointer<EdgeChain>
  private var count = 0
  private var chainCount = 0

  init(
    x: UnsafeMutablePointer<Double>, y: UnsafeMutablePointer<Double>, numbers: UnsafeMutablePointer<Int32>,
    chains: UnsafeMutablePointer<EdgeChain>
  ) {
    self.x = x
    self.y = y
    self.numbers = numbers
    self.chains = chains
  }

  /// A path of one place alone makes no chain.
  mutating func add(_ geoms: Geoms, _ path: Range<Int>, part: Int, ring: Int) {
    let first = count
    for index in path {
      let place = geoms.place(index)
      if count > first && x[count &- 1] == place.x && y[count &- 1] == place.y { continue }
      (x[count], y[count]) = (place.x, place.y)
      numbers[count] = Int32(truncatingIfNeeded: index &- path.lowerBound)
      count &+= 1
    }
    if count &- first < 2 {
      count = first
      return
    }
    chains[chainCount] = EdgeChain(
      first: Int32(truncatingIfNeeded: first), last: Int32(truncatingIfNeeded: count &- 1),
      part: Int32(truncatingIfNeeded: part), ring: Int32(truncatingIfNeeded: ring),
      isClosed: x[first] == x[count &- 1] && y[first] == y[count &- 1])
    chainCount &+= 1
  }

  var edges: EdgeSet { EdgeSet(x: x, y: y, count: count, chains: chains, chainCount: chainCount, numbers: numbers) }
}
