// SPDX-License-Identifier: Apache-2.0

/// A value of JSON text with the place where it stands.
package struct JSONNode {
  package enum Content {
    case null
    case bool(Bool)
    /// The digits as they were written: whoever asks decides what they must fit.
    case number(String)
    case string(String)
    case list([JSONNode])
    case object([String: JSONNode])
  }

  package let content: Content
  /// Byte of the text at which the value begins.
  package let offset: Int

  /// The member of an object; nil when there is none or this is no object.
  package subscript(_ name: String) -> JSONNode? {
    guard case .object(let members) = content else { return nil }
    return members[name]
  }

  /// What the value is, for messages.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): "the number \(text)"
    case .string: "a string"
    case .list: "a list"
    case .object: "an object"
    }
  }
}
