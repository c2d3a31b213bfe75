// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

private nonisolated(unsafe) var validInfo = declare(
  "GEOS 3.11 IsValidOp: first problem only; Esri dialect without its rule of ring direction",
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS,
  dialects: Takes.bit(MRD_DIALECT_OGC) | Takes.bit(MRD_DIALECT_ESRI))

private nonisolated(unsafe) var simpleInfo = declare(
  "GEOS 3.11 IsSimpleOp: verdict without a place",
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS,
  dialects: Takes.bit(MRD_DIALECT_OGC) | Takes.bit(MRD_DIALECT_ESRI))

private nonisolated(unsafe) var repairInfo = declare(
  "GEOS 3.11 MakeValid, structure or linework: a row with an error is rebuilt whole, starts and directions included",
  flags: MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_CANCELS, dims: Takes.withoutM,
  dialects: Takes.bit(MRD_REPAIR_STRUCTURE) | Takes.bit(MRD_REPAIR_LINEWORK))

func validateInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_VALIDATE_VALID: address(&validInfo)
  case MRD_VALIDATE_SIMPLE: address(&simpleInfo)
  case MRD_VALIDATE_REPAIR: address(&repairInfo)
  default: nil
  }
}

nonisolated(unsafe) var validateFamily = mrd_family_validate(
  struct_size: UInt32(MemoryLayout<mrd_family_validate>.size), pad0: 0, info: validateInfo, check: validateCheck,
  repair: validateRepair, prepare: nil, edit: nil, release: nil)
