// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What a call is about, as far as choosing a kernel goes.
struct CallShape: Equatable, Sendable {
  var type: GeometryType?
  var dimensions: Dimensions?
  var model: GeometryModel
  /// Dialect of validate, rule of repair, mask bit numbers of snap kinds; nil = not relevant.
  var dialect: Int32?
}

/// A plug-in whose library is in the process and whose tables were checked. Never unloaded.
final class LoadedPlugin: @unchecked Sendable {
  let plugin: UnsafePointer<mrd_plugin>
  /// "meridian.geos"
  let id: String
  private let families: [UnsafeRawPointer?]

  /// `families`: one table or nil for each case of `Family`, in order.
  init(plugin: UnsafePointer<mrd_plugin>, id: String, families: [UnsafeRawPointer?]) {
    self.plugin = plugin
    self.id = id
    self.families = families
  }

  var measure: UnsafePointer<mrd_family_measure>? { table(.measure)?.assumingMemoryBound(to: mrd_family_measure.self) }
  var validate: UnsafePointer<mrd_family_validate>? {
    table(.validate)?.assumingMemoryBound(to: mrd_family_validate.self)
  }
  var simplify: UnsafePointer<mrd_family_simplify>? {
    table(.simplify)?.assumingMemoryBound(to: mrd_family_simplify.self)
  }
  var snap: UnsafePointer<mrd_family_snap>? { table(.snap)?.assumingMemoryBound(to: mrd_family_snap.self) }
  var index: UnsafePointer<mrd_family_index>? { table(.index)?.assumingMemoryBound(to: mrd_family_index.self) }

  func table(_ family: Family) -> UnsafeRawPointer? { families[family.rawValue] }

  /// What the plug-in declares of an operation, nil = not offered.
  func info(_ operation: Operation) -> UnsafePointer<mrd_op_info>? {
    switch operation.family {
    case .measure: measure?.pointee.info(operation.number)
    case .validate: validate?.pointee.info(operation.number)
    case .simplify: simplify?.pointee.info(operation.number)
    case .snap: snap?.pointee.info(operation.number)
    case .index: index?.pointee.info(operation.number)
    }
  }
}

/// The kernel that will answer a call, and why.
struct Choice {
  let plugin: LoadedPlugin
  let info: UnsafePointer<mrd_op_info>
  /// "named by measure.area=proj", "preferred", "fallback: proj does not offer measure.bounds".
  let reason: String
}
extension Choice: @unchecked Sendable {}
