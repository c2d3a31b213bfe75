// SPDX-License-Identifier: Apache-2.0
import CPlatform
import MeridianIO

/// Reads reports of the harness that were written as JSON. Members that this version does not know are passed over.
package enum ReportReader {
  /// Larger files are no reports.
  private static let largestFile = 1 << 30

  /// - Parameter file: a path; "-" = standard input.
  /// - Throws: with the file, the line and the byte, and the member that is wrong.
  package static func read(_ file: String) throws(FormatError) -> BenchReport {
    try decode(try bytes(of: file), file: file)
  }

  /// - Parameter file: the name for errors.
  package static func decode(_ text: [UInt8], file: String) throws(FormatError) -> BenchReport {
    let root: JSONNode
    do throws(JSONFault) {
      root = try JSONParser.parse(text)
    } catch {
      throw Self.error(file, text, at: error.offset, "not JSON: \(error.reason)")
    }
    try checkSchema(root, file, text)
    do {
      return try NodeDecoder.decode(BenchReport.self, from: root)
    } catch let error as DecodingError {
      let (path, reason) = Self.words(error)
      throw Self.error(file, text, at: node(at: path, in: root).offset, Self.name(path) + reason)
    } catch {
      throw FormatError(file: file, reason: String(describing: error))
    }
  }

  private static func checkSchema(_ root: JSONNode, _ file: String, _ text: [UInt8]) throws(FormatError) {
    let known = BenchReport.currentSchema
    guard case .object = root.content else {
      throw error(file, text, at: root.offset, "a report is an object, not \(root.kind)")
    }
    guard let schema = root["schema"] else {
      let hint = root["benchmarks"] == nil ? "" : "; this seems to be in the form of Google Benchmark"
      throw error(file, text, at: root.offset, "the member 'schema' of a report is missing" + hint)
    }
    guard case .number(let number) = schema.content, number == String(known) else {
      throw error(file, text, at: schema.offset, "schema: this version reads schema \(known), not \(schema.kind)")
    }
  }

  // MARK: - Errors

  private static func error(_ file: String, _ text: [UInt8], at offset: Int, _ reason: String) -> FormatError {
    let line = text[..<min(offset, text.count)].count { $0 == 0x0a } + 1
    return FormatError(file: file, byte: offset, line: line, reason: reason)
  }

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

  // MARK: - Bytes

  static func bytes(of file: String) throws(FormatError) -> [UInt8] {
    let descriptor = file == "-" ? 0 : mrdp_open(file, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw FormatError(file: file, reason: systemMessage(mrdp_errno())) }
    defer { if descriptor != 0 { close(descriptor) } }
    var bytes: [UInt8] = []
    var window = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = CPlatform.read(descriptor, &window, window.count)
      if count < 0 && mrdp_errno() == EINTR { continue }
      guard count >= 0 else { throw FormatError(file: file, reason: "reading failed: " + systemMessage(mrdp_errno())) }
      if count == 0 { return bytes }
      bytes += window[..<count]
      guard bytes.count <= largestFile else { throw FormatError(file: file, reason: "too large for a report") }
    }
  }
}
