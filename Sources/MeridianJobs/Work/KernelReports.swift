// SPDX-License-Identifier: Apache-2.0
import Meridian
import MeridianABI

/// One kernel of the list.
public struct KernelRow: ReportRow {
  let kernel: Kernel
  /// Its line of the table; the first has the header above it.
  public let lines: [String]

  public static let columns = [
    "id", "short_id", "name", "version", "license", "families", "operations", "cpu_level", "loaded", "library",
    "manifest",
  ]

  public var fields: [Field] {
    let values: [Value] = [
      .text(kernel.id), .text(kernel.shortID), .text(kernel.name), .text(kernel.version), .text(kernel.license),
      .list(Self.families(of: kernel).map { .text($0) }), .list(kernel.operations.map { .text($0) }),
      .text(kernel.cpuLevel), .bool(kernel.isLoaded), .text(kernel.library), .text(kernel.manifest),
    ]
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  static func families(of kernel: Kernel) -> [String] {
    Family.allCases.map(\.name).filter { family in kernel.operations.contains { $0.hasPrefix(family + ".") } }
  }
}

/// The kernels as a table whose columns are as wide as they need to be.
public struct KernelTable {
  public let rows: [KernelRow]

  public init(_ kernels: [Kernel]) {
    let header = ["ID", "VERSION", "FAMILIES", "CPU LEVEL", "LOADED", "LIBRARY"]
    let cells = kernels.map { kernel in
      [
        kernel.shortID, kernel.version, KernelRow.families(of: kernel).joined(separator: ","), kernel.cpuLevel,
        kernel.isLoaded ? "yes" : "no", kernel.library,
      ]
    }
    let lines = aligned([header] + cells)
    rows = kernels.indices.map { index in
      KernelRow(kernel: kernels[index], lines: index == 0 ? Array(lines[0...1]) : [lines[index + 1]])
    }
  }
}

/// One path that discovery looked at.
public struct DiagnosticRow: ReportRow {
  let diagnostic: Diagnostic
  public init(_ diagnostic: Diagnostic) { self.diagnostic = diagnostic }

  public static let columns = ["reason", "path", "message"]

  public var fields: [Field] {
    [
      Field("reason", .text(diagnostic.reason.name)), Field("path", .text(diagnostic.path)),
      Field("message", .text(diagnostic.message)),
    ]
  }

  public var lines: [String] { ["\(diagnostic.path): \(diagnostic.reason.name): \(diagnostic.message)"] }
}

/// One declaration of a kernel: an operation, for some types and models.
public struct OperationRow: ReportRow {
  let kernel: Kernel
  let operation: Operation
  let info: mrd_op_info
  /// Copied: the declaration's own text belongs to the library.
  let method: String
  let isFirst: Bool

  public static let columns = [
    "kernel", "operation", "types", "edges", "metrics", "flags", "error", "max_flattening", "method",
  ]

  /// Loads the kernel. An operation that only the manifest names is told and left out.
  public static func rows(of kernel: Kernel, _ context: JobContext) throws(JobError) -> [OperationRow] {
    var rows: [OperationRow] = []
    for operation in Operation.all where kernel.operations.contains(operation.fullName) {
      do {
        for info in try context.host.declarations(kernel: kernel.id, operation: operation) {
          let method = info.pointee.method.map { String(cString: $0) } ?? ""
          rows.append(
            OperationRow(
              kernel: kernel, operation: operation, info: info.pointee, method: method, isFirst: rows.isEmpty))
        }
      } catch {
        context.messages.error(error.message)
        context.failedFiles += 1
      }
    }
    guard !rows.isEmpty else { throw .failed("\(kernel.shortID) offers no operation") }
    return rows
  }

  private static let types = [
    "", "Point", "LineString", "Polygon", "MultiPoint", "MultiLineString", "MultiPolygon",
  ]
  private static let metrics = ["coord", "sphere", "ellipsoid"]
  private static let flags = [
    "deterministic", "thread_invariant", "exact_predicates", "cancels", "parallel", "whole_array", "all_problems",
    "kept_vertices", "insert_remove", "serialises", "persists",
  ]
  private static let units = ["", "m", "degree", "coord", "ulp"]

  private static func names(_ mask: UInt32, _ names: [String]) -> [String] {
    names.indices.filter { mask >> UInt32($0) & 1 == 1 && !names[$0].isEmpty }.map { names[$0] }
  }

  /// "1e-08 m + 1e-12 x result + 1e-4 m x vertices", or "none declared".
  private var error: String {
    let known = Int(info.error_unit)
    guard known > 0 else { return "none declared" }
    let name = known < Self.units.count ? Self.units[known] : "unit \(known)"
    // The bound of an area is in the square of the unit.
    let isLength = info.error_unit == MRD_UNIT_METRE || info.error_unit == MRD_UNIT_COORD
    let unit = operation.givesArea && isLength ? name + "2" : name
    var parts: [String] = []
    if info.error_absolute > 0 { parts.append("\(info.error_absolute) \(unit)") }
    if info.error_per_vertex > 0 { parts.append("\(info.error_per_vertex) \(unit) x vertices") }
    if info.error_relative > 0 { parts.append("\(info.error_relative) x result") }
    return parts.isEmpty ? "exact" : parts.joined(separator: " + ")
  }

  /// The ellipsoids for which the bound holds, which may be all that distinguishes two declarations; empty without.
  private var flattening: String {
    info.max_flattening > 0 && info.max_flattening < 1 ? "at most \(info.max_flattening)" : ""
  }

  public var fields: [Field] {
    func list(_ mask: UInt32, _ names: [String]) -> Value { .list(Self.names(mask, names).map { .text($0) }) }
    let values: [Value] = [
      .text(kernel.id), .text(operation.fullName), list(info.type_mask, Self.types),
      list(info.edges_mask, EdgeNames.all), list(info.metric_mask, Self.metrics), list(info.flags, Self.flags),
      .text(error), .number(info.max_flattening),
      .text(method),
    ]
    return zip(Self.columns, values).map { Field($0, $1) }
  }

  public var lines: [String] {
    let head = [
      "\(kernel.name) \(kernel.version) (\(kernel.id)), licence \(kernel.license)", "library: \(kernel.library)",
    ]
    func line(_ name: String, _ text: String) -> [String] { text.isEmpty ? [] : ["  \(name): \(text)"] }
    return (isFirst ? head : []) + [operation.fullName] + line("method", method)
      + line("types", Self.names(info.type_mask, Self.types).joined(separator: ", "))
      + line("edges", Self.names(info.edges_mask, EdgeNames.all).joined(separator: ", "))
      + line("metrics", Self.names(info.metric_mask, Self.metrics).joined(separator: ", "))
      + line("error", error) + line("flattening", flattening)
      + line("is", Self.names(info.flags, Self.flags).joined(separator: ", "))
  }
}

/// Rows of cells with two spaces between columns.
func aligned(_ rows: [[String]]) -> [String] {
  let count = rows.map(\.count).max() ?? 0
  let widths = (0..<count).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
  return rows.map { row in
    var line = ""
    for (column, cell) in row.enumerated() {
      line += cell
      if column + 1 < row.count { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
    }
    return line
  }
}
