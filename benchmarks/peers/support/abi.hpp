// SPDX-License-Identifier: Apache-2.0
//
// What every peer needs of the ABI: refusals, exceptions kept inside, cancellation, options, declarations.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <new>

#include "meridian/plugin.h"

namespace peers {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Ends a call with this status. The message is a literal.
struct Refusal {
  mrd_status status;
  const char *message;
};

[[noreturn]] inline void unsupported(const char *message) { throw Refusal{MRD_E_UNSUPPORTED, message}; }

/// Runs the body of a family function; whatever it or the library below throws becomes a status.
template <class Body>
mrd_status guarded(mrd_call *call, Body body) noexcept {
  if (call == nullptr) return MRD_E_ARGUMENT;
  try {
    body();
    return MRD_OK;
  } catch (const Refusal &refusal) {
    return mrd_fail(call->error, refusal.status, -1, -1, refusal.message);
  } catch (const std::bad_alloc &) {
    return mrd_fail(call->error, MRD_E_MEMORY, -1, -1, "no memory");
  } catch (const std::exception &error) {
    return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, error.what());
  } catch (...) {
    return mrd_fail(call->error, MRD_E_INTERNAL, -1, -1, "the library threw something unknown");
  }
}

/// Ends the call when the caller wants it to stop.
inline void poll(const mrd_call *call) {
  if (mrd_cancelled(call)) throw Refusal{MRD_E_CANCELLED, "cancelled"};
}

inline void setStatus(mrd_call *call, int64_t row, mrd_item_status status) {
  if (call->item_status != nullptr) call->item_status[row] = status;
}

/// The words of a library for a row that it failed on; the call itself goes on.
inline mrd_item_status failedRow(mrd_call *call, int64_t row, const char *words) {
  mrd_fail(call->error, MRD_E_INTERNAL, row, -1, words);
  return MRD_ITEM_FAILED;
}

/// A copy of options: members that the writer did not know are 0, a tail that we do not know must be.
template <class Options>
Options readOptions(const Options *options) {
  Options known{};
  if (options == nullptr) return known;
  const auto *bytes = reinterpret_cast<const unsigned char *>(options);
  const size_t size = options->struct_size;
  for (size_t at = sizeof(Options); at < size; at++)
    if (bytes[at] != 0) unsupported("options of a newer version are not known");
  std::memcpy(static_cast<void *>(&known), bytes, std::min(size, sizeof(Options)));
  return known;
}

/// Refuses a record of the caller that is missing or too small.
template <class Record>
Record &need(Record *record) {
  if (record == nullptr || record->struct_size < sizeof(Record))
    throw Refusal{MRD_E_ABI, "a record is missing or its struct_size is too small"};
  return *record;
}

// ---- declarations --------------------------------------------------------------------------------------------------

constexpr uint32_t bit(int32_t value) { return 1u << value; }

constexpr uint32_t points = bit(MRD_POINT);
constexpr uint32_t lines = bit(MRD_LINESTRING) | bit(MRD_MULTILINESTRING);
constexpr uint32_t polygons = bit(MRD_POLYGON) | bit(MRD_MULTIPOLYGON);
constexpr uint32_t everyType = points | bit(MRD_MULTIPOINT) | lines | polygons;
constexpr uint32_t everyDimension = bit(MRD_XY) | bit(MRD_XYZ) | bit(MRD_XYM) | bit(MRD_XYZM);
constexpr uint32_t everyMetric = bit(MRD_METRIC_COORD) | bit(MRD_METRIC_SPHERE) | bit(MRD_METRIC_ELLIPSOID);
/// What holds for a plain loop over rows.
constexpr uint32_t steady = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT;

/// What a peer answers on planar edges, without a bound.
constexpr mrd_op_info planar(const char *method, uint32_t flags, uint32_t types, uint32_t metrics) {
  return {.struct_size = sizeof(mrd_op_info), .flags = flags, .type_mask = types,
          .dims_mask = types == 0 ? 0 : everyDimension, .edges_mask = bit(MRD_EDGES_PLANAR), .metric_mask = metrics,
          .method = method};
}

}  // namespace peers
