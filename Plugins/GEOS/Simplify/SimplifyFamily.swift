// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

private let flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT | MRD_OP_KEPT_VERTICES

private nonisolated(unsafe) var douglasPeuckerInfo = declare(
  "GEOS 3.11 Douglas-Peucker; rings split at their first vertex; a polygon that GEOS has to rebuild with new vertices, or a ring lost under KEEP, is withheld; no rings or lines that recurse deeper than 4,096",
  flags: UInt32(flags))

private nonisolated(unsafe) var topologyPreservingInfo = declare(
  "GEOS 3.11 TopologyPreservingSimplifier; a result that GEOS itself calls invalid is withheld; no rings or lines that recurse deeper than 4,096",
  flags: UInt32(flags))

func simplifyInfo(_ op: UInt32) -> UnsafePointer<mrd_op_info>? {
  switch op {
  case MRD_SIMPLIFY_DOUGLAS_PEUCKER: address(&douglasPeuckerInfo)
  case MRD_SIMPLIFY_TOPOLOGY_PRESERVING: address(&topologyPreservingInfo)
  default: nil
  }
}

nonisolated(unsafe) var simplifyFamily = mrd_family_simplify(
  struct_size: UInt32(MemoryLayout<mrd_family_simplify>.size), pad0: 0, info: simplifyInfo, simplify: simplifyRun)
