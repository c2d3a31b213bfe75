// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// A plug-in whose library is in the process and whose tables were checked. Never unloaded.
///
/// Its tables and declarations have this host's full size: what an older plug-in wrote shorter was copied, with NULL
/// or zero in the members that it does not know.
final class LoadedPlugin: @unchecked Sendable {
  let plugin: UnsafePointer<mrd_plugin>
  /// "meridian.geos"
  let id: String
  private let families: [UnsafeRawPointer?]
  /// Beside `Operation.all`: every declaration of the operation, in the plug-in's order.
  private let infos: [[UnsafePointer<mrd_op_info>]]

  /// `families`: one full-size table or nil for each case of `Family`, in order.
  init(plugin: UnsafePointer<mrd_plugin>, id: String, families: [UnsafeRawPointer?]) {
    self.plugin = plugin
    self.id = id
    self.families = families
    infos = Operation.all.map { operation in
      guard let table = families[operation.family.rawValue] else { return [] }
      return Self.chain(from: Self.declaration(of: operation, in: table))
    }
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

  /// The first declaration of an operation, nil = not offered.
  func info(_ operation: Operation) -> UnsafePointer<mrd_op_info>? { declarations(of: operation).first }

  /// All declarations of an operation, each for some types and models; empty = not offered.
  func declarations(of operation: Operation) -> [UnsafePointer<mrd_op_info>] {
    guard let at = Operation.all.firstIndex(of: operation) else { return [] }
    return infos[at]
  }

  /// More declarations than any operation has pairs of edge model and metric: a chain that is longer runs in a circle.
  private static let mostDeclarations = 64

  /// A declaration and those behind it, up to the first that is not well formed.
  private static func chain(from first: UnsafePointer<mrd_op_info>?) -> [UnsafePointer<mrd_op_info>] {
    var chain: [UnsafePointer<mrd_op_info>] = []
    var next = fullSizeInfo(first)
    while let info = next, chain.count < mostDeclarations {
      chain.append(info)
      next = fullSizeInfo(info.pointee.next)
    }
    return chain
  }

  /// Asks the plug-in.
  private static func declaration(of operation: Operation, in table: UnsafeRawPointer) -> UnsafePointer<mrd_op_info>? {
    switch operation.family {
    case .measure: table.assumingMemoryBound(to: mrd_family_measure.self).pointee.info?(operation.number)
    case .validate: table.assumingMemoryBound(to: mrd_family_validate.self).pointee.info?(operation.number)
    case .simplify: table.assumingMemoryBound(to: mrd_family_simplify.self).pointee.info?(operation.number)
    case .snap: table.assumingMemoryBound(to: mrd_family_snap.self).pointee.info?(operation.number)
    case .index: table.assumingMemoryBound(to: mrd_family_index.self).pointee.info?(operation.number)
    }
  }
}
