// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

nonisolated(unsafe) var validateTable = mrd_family_validate(
  struct_size: UInt32(MemoryLayout<mrd_family_validate>.size), pad0: 0, info: info, check: nil,
  repair: validateRepair, prepare: nil, edit: nil, release: nil)

private func info(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_VALIDATE_REPAIR: address(&repairInfo)
  default: nil
  }
}
