// SPDX-License-Identifier: Apache-2.0
import Foundation
import MeridianABI
import Testing

/// Swift sees the records as the committed dump of this machine's target has them. A record that is new in the headers
/// fails here until it is named in the list.
@Suite struct LayoutTests {
  private struct Layout: Equatable {
    let size: Int
    let alignment: Int
  }

  private static func layout<T>(_ type: T.Type) -> Layout {
    Layout(size: MemoryLayout<T>.size, alignment: MemoryLayout<T>.alignment)
  }

  #if arch(arm64)
    private static let target = "arm64-linux"
  #else
    private static let target = "x86_64-linux"
  #endif

  private static let seenBySwift: [String: Layout] = [
    "mrd_boxes": layout(mrd_boxes.self),
    "mrd_call": layout(mrd_call.self),
    "mrd_columns": layout(mrd_columns.self),
    "mrd_coords": layout(mrd_coords.self),
    "mrd_diagnostic": layout(mrd_diagnostic.self),
    "mrd_edit": layout(mrd_edit.self),
    "mrd_error": layout(mrd_error.self),
    "mrd_ext_functions": layout(mrd_ext_functions.self),
    "mrd_family_index": layout(mrd_family_index.self),
    "mrd_family_measure": layout(mrd_family_measure.self),
    "mrd_family_simplify": layout(mrd_family_simplify.self),
    "mrd_family_snap": layout(mrd_family_snap.self),
    "mrd_family_validate": layout(mrd_family_validate.self),
    "mrd_function": layout(mrd_function.self),
    "mrd_geoms": layout(mrd_geoms.self),
    "mrd_geoms_out": layout(mrd_geoms_out.self),
    "mrd_host": layout(mrd_host.self),
    "mrd_index_facts": layout(mrd_index_facts.self),
    "mrd_index_options": layout(mrd_index_options.self),
    "mrd_kernel": layout(mrd_kernel.self),
    "mrd_measure_options": layout(mrd_measure_options.self),
    "mrd_model": layout(mrd_model.self),
    "mrd_nearest_options": layout(mrd_nearest_options.self),
    "mrd_observation": layout(mrd_observation.self),
    "mrd_observer": layout(mrd_observer.self),
    "mrd_op_info": layout(mrd_op_info.self),
    "mrd_plugin": layout(mrd_plugin.self),
    "mrd_problem": layout(mrd_problem.self),
    "mrd_problems_out": layout(mrd_problems_out.self),
    "mrd_repair_options": layout(mrd_repair_options.self),
    "mrd_repair_report": layout(mrd_repair_report.self),
    "mrd_run": layout(mrd_run.self),
    "mrd_session_options": layout(mrd_session_options.self),
    "mrd_simplify_options": layout(mrd_simplify_options.self),
    "mrd_snap_exclusion": layout(mrd_snap_exclusion.self),
    "mrd_snap_hit": layout(mrd_snap_hit.self),
    "mrd_snap_hits_out": layout(mrd_snap_hits_out.self),
    "mrd_snap_layer": layout(mrd_snap_layer.self),
    "mrd_snap_options": layout(mrd_snap_options.self),
    "mrd_snap_query_options": layout(mrd_snap_query_options.self),
    "mrd_target_layer": layout(mrd_target_layer.self),
    "mrd_validate_options": layout(mrd_validate_options.self),
    "mrd_window_options": layout(mrd_window_options.self),
  ]

  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The lines "record NAME size BYTES align BYTES" of a dump.
  private static func dumped() throws -> [String: Layout] {
    let text = try String(contentsOf: package.appending(path: "abi/current/\(target).txt"), encoding: .utf8)
    var found: [String: Layout] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("record ") {
      let words = line.split(separator: " ")
      let size = try #require(Int(words[3]))
      let alignment = try #require(Int(words[5]))
      found[String(words[1])] = Layout(size: size, alignment: alignment)
    }
    return found
  }

  @Test func everyRecordHasTheSizeOfTheDump() throws {
    let dumped = try Self.dumped()
    #expect(Set(dumped.keys) == Set(Self.seenBySwift.keys))
    for (name, layout) in dumped {
      #expect(Self.seenBySwift[name] == layout, "\(name)")
    }
  }

  /// The sizes that other languages write down by hand.
  @Test func sizesThatAreWrittenElsewhere() {
    #expect(MemoryLayout<mrd_error>.size == 512)
    #expect(MemoryLayout<mrd_geoms>.size == 152)
    #expect(MemoryLayout<mrd_coords>.size == 72)
  }

  /// Constants reach Swift with the types that the host and the kernels count on.
  @Test func constantsImport() {
    let status: mrd_status = MRD_E_UNSUPPORTED
    let buffer: UInt32 = MRD_BUF_RECORDS
    #expect(status == 3)
    #expect(buffer == 9)
    #expect(MRD_ABI_VERSION == 1)
    #expect(MRD_FAMILY_MEASURE == "meridian.measure/1")
    #expect(MRD_ENTRY_NAME == "mrd_plugin_entry_v1")
  }
}
