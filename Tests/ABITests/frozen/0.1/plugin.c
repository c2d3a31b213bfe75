/* SPDX-License-Identifier: Apache-2.0
 *
 * A plug-in as an author of ABI 0.1 wrote it, against the headers beside it and no newer ones. Frozen with them: it is
 * only ever built, and run by the host of today. measure.area gives 7 for every row that is there.                 */
#include <math.h>
#include <string.h>

#include "meridian/plugin.h"

static mrd_status measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options, const mrd_columns *out,
                          mrd_call *call) {
  (void)options;
  if (op != MRD_MEASURE_AREA) return mrd_fail(call->error, MRD_E_UNSUPPORTED, -1, -1, "frozen: areas only");
  for (int64_t row = 0; row < in->length; row++) {
    int64_t bit = in->first + row;
    int present = in->validity == NULL || (in->validity[bit >> 3] >> (bit & 7) & 1) != 0;
    if (out->count > 0 && out->values[0] != NULL) out->values[0][row] = present ? 7 : NAN;
    if (call->item_status != NULL) call->item_status[row] = present ? MRD_ITEM_OK : MRD_ITEM_NULL;
  }
  return MRD_OK;
}

static const mrd_op_info area = {
    .struct_size = sizeof(mrd_op_info), .flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT, .type_mask = 0x7e,
    .dims_mask = 0x1e, .edges_mask = 1u << MRD_EDGES_PLANAR, .metric_mask = 1u << MRD_METRIC_COORD,
    .error_unit = MRD_UNIT_NONE, .method = "a constant"};

static const mrd_op_info *info(uint32_t op) { return op == MRD_MEASURE_AREA ? &area : NULL; }

static const mrd_family_measure family = {.struct_size = sizeof(mrd_family_measure), .info = info, .measure = measure};

static const void *get_family(const char *id) { return strcmp(id, MRD_FAMILY_MEASURE) == 0 ? &family : NULL; }

static const mrd_plugin plugin = {
    .struct_size = sizeof(mrd_plugin), .abi = MRD_MAKE_ABI(0, 1), .id = "org.example.frozen", .name = "Frozen at 0.1",
    .vendor = "Meridian's tests", .version = "1.0.0", .license = "Apache-2.0", .build = "C11",
    .get_family = get_family};

const mrd_plugin *mrd_plugin_entry_v1(const mrd_host *host, mrd_error *error) {
  if (host->abi_min <= plugin.abi && plugin.abi <= host->abi_max) return &plugin;
  mrd_fail(error, MRD_E_ABI, -1, -1, "frozen: needs ABI 0.1");
  return NULL;
}
