// SPDX-License-Identifier: Apache-2.0

/// Text of JSON that people wrote, and errors that say where.
package struct JSONSource {
  private let text: [UInt8]
  private let file: String

  /// - Parameter file: the name for errors.
  package init(text: [UInt8], file: String) {
    self.text = text
    self.file = file
  }

  package func parsed() throws(FormatError) -> JSONNode {
    do {
      return try JSONParser.parse(text)
    } catch {
      throw self.error(at: error.offset, "not JSON: \(error.reason)")
    }
  }

  /// An error that names the file, the line and the byte.
  package func error(at node: JSONNode, _ reason: String) -> FormatError { error(at: node.offset, reason) }

  private func error(at offset: Int, _ reason: String) -> FormatError {
    FormatError(file: file, byte: offset, line: line(offset), reason: reason)
  }

  /// The members of an object; a member that is not known is an error, since a slip would pass for nothing.
  package func object(_ node: JSONNode, _ what: String, known: [String]) throws(FormatError) -> [String: JSONNode] {
    guard case .object(let members) = node.content else {
      throw error(at: node, "\(what) must be an object, not \(node.kind)")
    }
    for (name, member) in members.sorted(by: { $0.value.offset < $1.value.offset }) where !known.contains(name) {
      throw error(at: member, "\(what) has no member '\(name)'; there are \(known.joined(separator: ", "))")
    }
    return members
  }

  private func line(_ offset: Int) -> Int { text[..<min(offset, text.count)].count { $0 == 0x0a } + 1 }
}
