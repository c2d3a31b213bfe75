// SPDX-License-Identifier: Apache-2.0
import KernelKit
import MeridianABI

/// Reads a geometry array and refuses what the declaration of the operation leaves out. nil = refused, with the reason
/// in the call's error record and its status in `status`.
func admit(
  _ pointer: UnsafePointer<mrd_geoms>?, _ info: mrd_op_info, _ call: UnsafeMutablePointer<mrd_call>,
  _ status: inout mrd_status
) -> Geoms? {
  guard let geoms = Geoms(pointer, call) else {
    status = call.failure
    return nil
  }
  if let reason = refusal(geoms, info) {
    status = fail(call, MRD_E_UNSUPPORTED, reason)
    return nil
  }
  return geoms
}

private func refusal(_ geoms: Geoms, _ info: mrd_op_info) -> StaticString? {
  let model = geoms.model
  if info.edges_mask & Takes.bit(model.edges) == 0 { return "GEOS knows planar edges only" }
  if info.metric_mask & Takes.bit(model.metric) == 0 { return "GEOS measures in coordinate units only" }
  if info.type_mask & Takes.bit(geoms.type) == 0 { return "this operation does not take this geometry type" }
  if info.dims_mask & Takes.bit(geoms.raw.dims) == 0 { return "GEOS does not carry M" }
  return nil
}
