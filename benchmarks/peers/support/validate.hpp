// SPDX-License-Identifier: Apache-2.0
//
// VALID of the validate family, row by row, over an Engine of a peer that tells one problem a row:
//
//   Engine(const Geoms &, mrd_call *)
//   Verdict judge(int64_t row, bool wantsReason)      a row that is neither null, empty nor faulty
#pragma once

#include <string>

#include "shape.hpp"

namespace peers {

struct Verdict {
  bool isValid = true;
  mrd_item_status status = MRD_ITEM_OK;  // else there is no verdict
  int32_t code = MRD_PROBLEM_INVALID_OTHER;
  int32_t jtsCode = MRD_JTS_NONE;
  double x = nan;
  double y = nan;
  std::string words;
};

/// Refuses what no peer has: other dialects, warnings, thresholds.
inline void checkOptions(const mrd_validate_options &options) {
  const double thresholds[] = {options.near_repeated_coord, options.min_angle_deg,       options.min_edge_coord,
                               options.min_area_coord,      options.min_sliver_ratio,    options.min_clearance_coord,
                               options.gap_max_area_coord,  options.gap_max_width_coord};
  for (double threshold : thresholds)
    if (threshold != 0) unsupported("this peer has no thresholds");
  if (options.dialect != MRD_DIALECT_OGC || options.flags != 0)
    unsupported("this peer knows OGC rules, without warnings");
  if (options.mode < MRD_MODE_ALL || options.mode > MRD_MODE_VERDICT || options.limit < 0)
    throw Refusal{MRD_E_ARGUMENT, "the mode or the limit of problems is outside its domain"};
}

template <class Engine>
mrd_status check(const mrd_op_info *info, const mrd_geoms *in, const mrd_validate_options *options,
                 mrd_problems_out *out, mrd_call *call) {
  return guarded(call, [&] {
    need(out);
    if (info == nullptr) unsupported("this peer has no such check");
    const mrd_validate_options known = readOptions(options);
    checkOptions(known);
    const Geoms geoms(in, info);
    Engine engine(geoms, call);
    Problems problems(call);
    const bool wantsReason = known.mode != MRD_MODE_VERDICT;
    for (int64_t row = 0; row < geoms.count(); row++) {
      poll(call);
      Verdict verdict;
      if (geoms.isNull(row)) {
        verdict.status = MRD_ITEM_NULL;
      } else if (const Fault fault = findFault(geoms, row); fault.code != 0) {
        verdict.isValid = false;
        verdict.code = fault.code;
        verdict.x = geoms.x(fault.at);
        verdict.y = geoms.y(fault.at);
      } else if (!geoms.isEmpty(row)) {
        verdict = engine.judge(row, wantsReason);
      }
      if (verdict.status != MRD_ITEM_OK) setStatus(call, row, verdict.status);
      if (verdict.status == MRD_ITEM_OK && !verdict.isValid && wantsReason)
        problems.append(verdict.code, verdict.jtsCode, row, verdict.x, verdict.y, verdict.words.c_str());
      if (out->verdicts != nullptr)
        out->verdicts[row] = verdict.status != MRD_ITEM_OK ? MRD_VERDICT_UNKNOWN
                             : verdict.isValid             ? MRD_VERDICT_VALID
                                                           : MRD_VERDICT_INVALID;
    }
    problems.finish(*out);
  });
}

}  // namespace peers
