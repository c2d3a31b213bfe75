// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Lists of numbers, one a piece or a row, behind each other.
struct NumberLists {
  /// All lists together have no more members: 1 GiB. Where there are more, `.limit` is thrown.
  static let most = 1 << 28

  private(set) var starts: ScratchList<Int32>
  var values: ScratchList<Int32>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    starts = ScratchList(call)
    values = ScratchList(call)
  }

  mutating func begin() throws(Stop) {
    values.truncate(0)
    starts.truncate(0)
    try starts.push(0)
  }

  /// Ends a list of the values that were pushed since the last one.
  mutating func end() throws(Stop) {
    if values.count > NumberLists.most { throw .limit }
    try starts.push(Int32(truncatingIfNeeded: values.count))
  }

  var count: Int { starts.count - 1 }

  @inline(__always)
  func range(_ list: Int) -> Range<Int> { Int(starts[list])..<Int(starts[list &+ 1]) }

  /// Makes `count` lists of which members are put in by `put`, called twice alike: to count them and to place them.
  mutating func fill(
    _ count: Int, _ put: (_ add: (_ list: Int, _ value: Int) -> Void) throws(Stop) -> Void
  ) throws(Stop) {
    try starts.fill(count &+ 2, 0)
    let starts = starts.start
    var members = 0
    try put { list, _ in
      starts[list &+ 2] &+= 1
      members &+= 1
    }
    if members > NumberLists.most { throw .limit }
    for list in 0..<count { starts[list &+ 2] &+= starts[list &+ 1] }
    try values.resize(members)
    if values.count == 0 { return self.starts.truncate(count &+ 1) }
    let values = values.start
    try put { list, value in
      values[Int(starts[list &+ 1])] = Int32(truncatingIfNeeded: value)
      starts[list &+ 1] &+= 1
    }
    self.starts.truncate(count &+ 1)
  }
}

/// Which rows a piece bounds, or is of.
enum PieceRule {
  /// Rows that have it an odd number of times: their inside, by parity, is on one side of it alone.
  case borders
  /// All rows that have it.
  case members
}

extension LayerEdges {
  /// The rows of each edge in ascending order.
  func rows(_ rule: PieceRule, _ rows: LayerRows, into lists: inout NumberLists, _ poll: inout CancelPoll) throws(Stop)
  {
    try lists.begin()
    for edge in 0..<count {
      let uses = pairs.range(edge)
      // In the order of vertices, and so of rows.
      for use in uses { try lists.values.push(Int32(truncatingIfNeeded: rows.row(of: Int(pairs.items[use].tag)))) }
      try lists.end(rule)
      if poll.tick(uses.count) { throw .cancelled }
    }
  }
}

extension LayerPieces {
  /// The same of each piece, from those of its edges.
  func rows(
    _ rule: PieceRule, _ ofEdges: NumberLists, into lists: inout NumberLists, _ poll: inout CancelPoll
  ) throws(Stop) {
    try lists.begin()
    for piece in 0..<count {
      let first = lists.values.count
      for index in pairs.range(piece) {
        for member in ofEdges.range(Int(pairs.items[index].tag) >> 1) { try lists.values.push(ofEdges.values[member]) }
      }
      let end = lists.values.count
      if pairs.range(piece).count > 1 { lists.values.sort(first..<end) { $0 < $1 } }
      if poll.tick(1 &+ end &- first) { throw .cancelled }
      try lists.end(rule)
    }
  }
}

extension NumberLists {
  /// Ends a list of the values that were pushed since the last one, in ascending order: each stays once, if the rule has it.
  fileprivate mutating func end(_ rule: PieceRule) throws(Stop) {
    let first = Int(starts[starts.count &- 1])
    let end = values.count
    var (kept, index) = (first, first)
    while index < end {
      var next = index &+ 1
      while next < end && values[next] == values[index] { next &+= 1 }
      if rule == .members || (next &- index) & 1 == 1 {
        values[kept] = values[index]
        kept &+= 1
      }
      index = next
    }
    values.truncate(kept)
    try self.end()
  }
}

extension NumberLists {
  /// For each row the members of `lists`, in ascending order, that name it.
  mutating func invert(_ lists: NumberLists, rows: Int) throws(Stop) {
    try fill(rows) { (add: (Int, Int) -> Void) throws(Stop) in
      for list in 0..<lists.count {
        for index in lists.range(list) { add(Int(lists.values[index]), list) }
      }
    }
  }

  /// The same without some values.
  mutating func copy(_ lists: NumberLists, without isOut: (_ value: Int) -> Bool) throws(Stop) {
    try begin()
    for list in 0..<lists.count {
      for index in lists.range(list) where !isOut(Int(lists.values[index])) { try values.push(lists.values[index]) }
      try end()
    }
  }
}

/// Rows that are the same set of points: those whose lists, of numbers in ascending order, are equal.
struct SameRows {
  /// For each row the first one that is the same.
  private(set) var first: ScratchList<Int32>
  private var order: ScratchList<Int32>
  private var hashes: ScratchList<UInt64>

  init(_ call: UnsafeMutablePointer<mrd_call>) {
    first = ScratchList(call)
    order = ScratchList(call)
    hashes = ScratchList(call)
  }

  /// Rows with empty lists are the same as none.
  mutating func find(_ count: Int, _ lists: NumberLists) throws(Stop) {
    try first.resize(count)
    try order.resize(count)
    try hashes.resize(count)
    for row in 0..<count {
      first[row] = Int32(truncatingIfNeeded: row)
      order[row] = first[row]
      hashes[row] = SameRows.hash(lists, lists.range(row))
    }
    let hashes = self.hashes
    order.sort { a, b in
      let (one, other) = (hashes[Int(a)], hashes[Int(b)])
      if one != other { return one < other }
      let order = SameRows.compare(lists, Int(a), Int(b))
      return order != 0 ? order < 0 : a < b
    }
    for index in 1..<max(1, count) {
      let (former, row) = (Int(order[index &- 1]), Int(order[index]))
      if !lists.range(row).isEmpty && hashes[former] == hashes[row] && SameRows.compare(lists, former, row) == 0 {
        first[row] = first[former]
      }
    }
  }

  @inline(__always)
  func isCopy(_ row: Int) -> Bool { Int(first[row]) != row }

  private static func hash(_ lists: NumberLists, _ range: Range<Int>) -> UInt64 {
    var hash = UInt64(range.count)
    for index in range {
      hash = (hash ^ UInt64(UInt32(bitPattern: lists.values[index]))) &* 0x9e37_79b9_7f4a_7c15
      hash ^= hash >> 32
    }
    return hash
  }

  private static func compare(_ lists: NumberLists, _ a: Int, _ b: Int) -> Int {
    let (one, other) = (lists.range(a), lists.range(b))
    if one.count != other.count { return one.count < other.count ? -1 : 1 }
    for step in 0..<one.count {
      let (p, q) = (lists.values[one.lowerBound &+ step], lists.values[other.lowerBound &+ step])
      if p != q { return p < q ? -1 : 1 }
    }
    return 0
  }
}
