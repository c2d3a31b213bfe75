// SPDX-License-Identifier: Apache-2.0
import MeridianJobs

/// Encodes values as the JSON values of reports, members in the order of their declaration. JSON has no form for numbers
/// that are not finite: they become the strings "NaN", "Infinity", "-Infinity".
struct ValueEncoder: Encoder {
  private let slot: Slot
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func encode(_ value: some Encodable) throws -> Value {
    let slot = Slot()
    try slot.encode(value, [])
    return slot.value
  }

  fileprivate init(_ slot: Slot, _ codingPath: [any CodingKey]) {
    self.slot = slot
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.becomeObject()
    return KeyedEncodingContainer(SlotMembers<Key>(slot: slot, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.becomeList()
    return SlotItems(slot: slot, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SlotScalar(slot: slot, codingPath: codingPath) }
}

/// A value that is being put together.
private final class Slot {
  private enum Kind { case scalar, list, object }

  private var kind = Kind.scalar
  private var scalar = Value.null
  /// Of a list or an object; items of a list have no names.
  private var parts: [(name: String, slot: Slot)] = []

  var value: Value {
    switch kind {
    case .scalar: scalar
    case .list: .list(parts.map(\.slot.value))
    case .object: .object(parts.map { Field($0.name, $0.slot.value) })
    }
  }

  var count: Int { parts.count }

  func becomeObject() { kind = .object }
  func becomeList() { kind = .list }
  func setNull() { scalar = .null }
  func item() -> Slot { part("") }
  func member(_ key: any CodingKey) -> Slot { part(key.stringValue) }

  private func part(_ name: String) -> Slot {
    let slot = Slot()
    parts.append((name, slot))
    return slot
  }

  func encode(_ value: some Encodable, _ path: [any CodingKey]) throws {
    switch value {
    case let value as Bool: scalar = .bool(value)
    case let value as String: scalar = .text(value)
    case let value as Double: scalar = Self.number(value)
    // Sequences of numbers are most of a report: no slot for each.
    case let value as [Double]: scalar = .list(value.map(Self.number))
    case let value as any FixedWidthInteger: scalar = .json(Array(String(describing: value).utf8))
    default: try value.encode(to: ValueEncoder(self, path))
    }
  }

  private static func number(_ value: Double) -> Value {
    if value.isNaN { return .text("NaN") }
    return value.isFinite ? .number(value) : .text(value < 0 ? "-Infinity" : "Infinity")
  }
}

private struct SlotMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let slot: Slot
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { slot.member(key).setNull() }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try slot.member(key).encode(value, codingPath + [key])
  }

  func nestedContainer<K: CodingKey>(keyedBy type: K.Type, forKey key: Key) -> KeyedEncodingContainer<K> {
    ValueEncoder(slot.member(key), codingPath + [key]).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ValueEncoder(slot.member(key), codingPath + [key]).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { ValueEncoder(slot, codingPath) }
  func superEncoder(forKey key: Key) -> any Encoder { ValueEncoder(slot.member(key), codingPath + [key]) }
}

private struct SlotItems: UnkeyedEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  var count: Int { slot.count }

  func encodeNil() { slot.item().setNull() }

  func encode<T: Encodable>(_ value: T) throws {
    let path = codingPath + [Position(count)]
    try slot.item().encode(value, path)
  }

  func nestedContainer<K: CodingKey>(keyedBy type: K.Type) -> KeyedEncodingContainer<K> {
    ValueEncoder(slot.item(), codingPath).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ValueEncoder(slot.item(), codingPath).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { ValueEncoder(slot.item(), codingPath) }
}

private struct SlotScalar: SingleValueEncodingContainer {
  let slot: Slot
  let codingPath: [any CodingKey]
  func encodeNil() { slot.setNull() }
  func encode<T: Encodable>(_ value: T) throws { try slot.encode(value, codingPath) }
}
