// SPDX-License-Identifier: Apache-2.0
import MeridianIO

/// Reads reports of the harness that were written as JSON. Members that this version does not know are passed over.
package enum ReportReader {
  /// - Parameter file: a path; "-" = standard input.
  /// - Throws: with the file, the line and the byte, and the member that is wrong.
  package static func read(_ file: String) throws(FormatError) -> BenchReport {
    try decode(try readWholeFile(file), file: file)
  }

  /// - Parameter file: the name for errors.
  package static func decode(_ text: [UInt8], file: String) throws(FormatError) -> BenchReport {
    let source = JSONSource(text: text, file: file)
    let root = try source.parsed()
    try checkSchema(root, source)
    do {
      return try NodeDecoder.decode(BenchReport.self, from: root)
    } catch let error as DecodingError {
      let (path, reason) = Self.words(error)
      throw source.error(at: node(at: path, in: root), Self.name(path) + reason)
    } catch {
      throw FormatError(file: file, reason: String(describing: error))
    }
  }

  private static func checkSchema(_ root: JSONNode, _ source: JSONSource) throws(FormatError) {
    let known = BenchReport.currentSchema
    guard case .object = root.content else {
      throw source.error(at: root, "a report is an object, not \(root.kind)")
    }
    guard let schema = root["schema"] else {
      let hint = root["benchmarks"] == nil ? "" : "; this seems to be in the form of Google Benchmark"
      throw source.error(at: root, "the member 'schema' of a report is missing" + hint)
    }
    guard case .number(let number) = schema.content, number == String(known) else {
      throw source.error(at: schema, "schema: this version reads schema \(known), not \(schema.kind)")
    }
  }

  // MARK: - Errors

  private static func words(_ error: DecodingError) -> (path: [any CodingKey], reason: String) {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      (context.codingPath, context.debugDescription)
    @unknown default: ([], String(describing: error))
    }
  }

  /// "cases[3].kernels[0].kernel: "
  private static func name(_ path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text.isEmpty ? "" : text + ": "
  }

  private static func node(at path: [any CodingKey], in root: JSONNode) -> JSONNode {
    var node = root
    for key in path {
      if let index = key.intValue, case .list(let items) = node.content, items.indices.contains(index) {
        node = items[index]
      } else if let member = node[key.stringValue] {
        node = member
      }
    }
    return node
  }
}
