// SPDX-License-Identifier: Apache-2.0
import MeridianIO
import MeridianJobs

/// JSON that people can read and tools can compare line by line: a member a line, lists of plain values on one line.
enum JSONLayout {
  static func text(_ value: Value) -> [UInt8] {
    var out: [UInt8] = []
    append(value, indent: 0, to: &out)
    out.append(UInt8(ascii: "\n"))
    return out
  }

  private static func append(_ value: Value, indent: Int, to out: inout [UInt8]) {
    switch value {
    case .object(let fields) where !fields.isEmpty:
      appendLines("{", "}", fields, indent, to: &out) { field, out in
        StrictJSON.appendString(Array(field.name.utf8), to: &out)
        out += ": ".utf8
        append(field.value, indent: indent + 1, to: &out)
      }
    case .list(let items) where items.contains(where: isNested):
      appendLines("[", "]", items, indent, to: &out) { append($0, indent: indent + 1, to: &$1) }
    case .list(let items):
      out += "[".utf8
      for (index, item) in items.enumerated() {
        if index > 0 { out += ", ".utf8 }
        item.appendJSON(to: &out)
      }
      out += "]".utf8
    default: value.appendJSON(to: &out)
    }
  }

  private static func appendLines<T>(
    _ open: String, _ close: String, _ items: [T], _ indent: Int, to out: inout [UInt8],
    _ body: (T, inout [UInt8]) -> Void
  ) {
    out += open.utf8
    for (index, item) in items.enumerated() {
      out += (index > 0 ? ",\n" : "\n").utf8
      out += repeatElement(0x20, count: 2 * (indent + 1))
      body(item, &out)
    }
    out += "\n".utf8
    out += repeatElement(0x20, count: 2 * indent)
    out += close.utf8
  }

  private static func isNested(_ value: Value) -> Bool {
    switch value {
    case .list, .object: true
    default: false
    }
  }
}
