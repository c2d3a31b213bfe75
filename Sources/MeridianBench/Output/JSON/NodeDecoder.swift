// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// Decodes values from a tree of JSON. Numbers that are not finite stand as the strings "NaN", "Infinity", "-Infinity".
struct NodeDecoder: Decoder {
  let node: JSONNode
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(_ type: T.Type, from node: JSONNode) throws -> T {
    try NodeDecoder(node: node).decoded(type)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = node.content else { throw mismatch(type, "an object") }
    return KeyedDecodingContainer(NodeMembers<Key>(members: members, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .list(let items) = node.content else { throw mismatch([JSONNode].self, "a list") }
    return NodeItems(items: items, decoder: self)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { NodeScalar(decoder: self) }

  func inside(_ node: JSONNode, _ key: any CodingKey) -> NodeDecoder {
    NodeDecoder(node: node, codingPath: codingPath + [key])
  }

  /// The value as `type`: what JSON has a form for here, all else by the type itself.
  func decoded<T: Decodable>(_ type: T.Type) throws -> T {
    if type == Bool.self {
      guard case .bool(let value) = node.content, let result = value as? T else {
        throw mismatch(type, "true or false")
      }
      return result
    }
    if type == String.self {
      guard case .string(let value) = node.content, let result = value as? T else { throw mismatch(type, "a string") }
      return result
    }
    if type == Double.self {
      guard let value = double, let result = value as? T else { throw mismatch(type, "a number") }
      return result
    }
    if let integer = type as? any FixedWidthInteger.Type {
      guard case .number(let text) = node.content, let result = Self.integer(integer, text) as? T else {
        throw mismatch(type, "a whole number of \(integer.bitWidth) bits")
      }
      return result
    }
    return try type.init(from: self)
  }

  private var double: Double? {
    switch node.content {
    case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    default: nil
    }
  }

  private static func integer<I: FixedWidthInteger>(_ type: I.Type, _ text: String) -> I? { I(text) }

  private func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    .typeMismatch(
      type,
      DecodingError.Context(codingPath: codingPath, debugDescription: "\(expected) should be here, not \(node.kind)"))
  }
}

private struct NodeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONNode]
  let decoder: NodeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try member(key).node.content { return true }
    return false
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key).decoded(type) }

  func nestedContainer<K: CodingKey>(keyedBy type: K.Type, forKey key: Key) throws -> KeyedDecodingContainer<K> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }

  private func member(_ key: Key) throws -> NodeDecoder {
    guard let node = members[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key,
        DecodingError.Context(codingPath: codingPath, debugDescription: "the member '\(key.stringValue)' is missing"))
    }
    return decoder.inside(node, key)
  }
}

private struct NodeItems: UnkeyedDecodingContainer {
  let items: [JSONNode]
  let decoder: NodeDecoder
  var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    guard currentIndex < items.count, case .null = items[currentIndex].content else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decoded(type) }

  mutating func nestedContainer<K: CodingKey>(keyedBy type: K.Type) throws -> KeyedDecodingContainer<K> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> NodeDecoder {
    guard currentIndex < items.count else {
      throw DecodingError.valueNotFound(
        JSONNode.self, DecodingError.Context(codingPath: codingPath, debugDescription: "the list is too short"))
    }
    defer { currentIndex += 1 }
    return decoder.inside(items[currentIndex], Position(currentIndex))
  }
}

private struct NodeScalar: SingleValueDecodingContainer {
  let decoder: NodeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    if case .null = decoder.node.content { return true }
    return false
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decoded(type) }
}

/// The place of an item in a list, as a key.
struct Position: CodingKey {
  let index: Int
  init(_ index: Int) { self.index = index }
  init?(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
  var intValue: Int? { index }
  var stringValue: String { String(index) }
}
