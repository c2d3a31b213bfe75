// SPDX-License-Identifier: Apache-2.0

/// How often each name came, in the order of their first coming.
struct Counts: Sendable {
  private var list: [(name: String, count: Int)] = []

  mutating func add(_ name: String) {
    if let index = list.firstIndex(where: { $0.name == name }) {
      list[index].count += 1
    } else {
      list.append((name, 1))
    }
  }

  subscript(_ name: String) -> Int { list.first { $0.name == name }?.count ?? 0 }
  var isEmpty: Bool { list.isEmpty }
  var value: Value { .object(list.map { Field($0.name, .integer($0.count)) }) }
}
