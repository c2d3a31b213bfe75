// SPDX-License-Identifier: Apache-2.0
import MeridianABI

/// What a call is about, as far as choosing a kernel goes.
struct CallShape: Equatable, Sendable {
  var type: GeometryType?
  var dimensions: Dimensions?
  var model: GeometryModel
  /// Dialect of validate, rule of repair, mask bit numbers of snap kinds; nil = not relevant.
  var dialect: Int32?
  /// `MRD_TOLERANCE_*` of simplify; nil = not relevant.
  var toleranceUnit: Int32?
  /// `MRD_OP_*` flags that the kernel must declare, because the call asks for what not every kernel of the operation
  /// can: an index in a file, the numbers of kept vertices.
  var abilities: UInt32 = 0
}

/// The kernel that will answer a call, and why.
struct Choice {
  let plugin: LoadedPlugin
  let info: UnsafePointer<mrd_op_info>
  /// "named by measure.area=proj", "by default", "fallback: proj does not offer measure.bounds".
  let reason: String
  /// Set when a rule names other kernels than the one that answers.
  var unmet: UnmetRule?
}
extension Choice: @unchecked Sendable {}
