/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel that does no work: what a call of it costs is the cost of the boundary.                                */
#include "emptykernel.h"

#include <meridian/plugin.h>

static const mrd_op_info declaration = {
    .struct_size = sizeof(mrd_op_info),
    .flags = MRD_OP_DETERMINISTIC | MRD_OP_THREAD_INVARIANT,
    .type_mask = 0x7e,
    .dims_mask = 0x1e,
    .edges_mask = 0x1f,
    .metric_mask = 0x7,
    .dialect_mask = 0xff,
    .method = "nothing: measures the cost of the call",
};

static const mrd_op_info *measure_info(uint32_t op) { return op == MRD_MEASURE_LENGTH ? &declaration : NULL; }
static const mrd_op_info *validate_info(uint32_t op) { return op == MRD_VALIDATE_VALID ? &declaration : NULL; }
static const mrd_op_info *index_info(uint32_t op) {
    return op == MRD_INDEX_BUILD || op == MRD_INDEX_WINDOW ? &declaration : NULL;
}

static mrd_status measure(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options, const mrd_columns *out,
                          mrd_call *call) {
    (void)op, (void)in, (void)options, (void)out, (void)call;
    return MRD_OK;
}

static mrd_status check(uint32_t op, const mrd_geoms *in, const mrd_validate_options *options, mrd_problems_out *out,
                        mrd_call *call) {
    (void)op, (void)in, (void)options, (void)call;
    out->record_size = sizeof(mrd_problem);
    out->count = 0;
    return MRD_OK;
}

/* The handle of every index: there is nothing in it. */
static int32_t nothing;

static mrd_status build(const mrd_boxes *boxes, const mrd_index_options *options, mrd_index **out, mrd_call *call) {
    (void)boxes, (void)options, (void)call;
    *out = (mrd_index *)&nothing;
    return MRD_OK;
}

static void release(mrd_index *index) { (void)index; }

/* No hits. That the rows of the answer have to be written at all is part of the contract, and so of its cost. */
static mrd_status window(const mrd_index *index, const mrd_boxes *windows, const mrd_window_options *options,
                         mrd_call *call) {
    (void)index, (void)options;
    int64_t *rows = call->grow(call, MRD_BUF_ROWS, (windows->length + 1) * (int64_t)sizeof *rows);
    if (rows == NULL || call->grow(call, MRD_BUF_IDS, 0) == NULL) {
        return mrd_fail(call->error, MRD_E_MEMORY, -1, -1, "no memory for the rows of the answer");
    }
    for (int64_t row = 0; row <= windows->length; row++) rows[row] = 0;
    return MRD_OK;
}

static mrd_status facts(const mrd_index *index, mrd_index_facts *out, mrd_error *error) {
    (void)index, (void)error;
    out->flags = 0;
    out->boxes = out->never_hit = out->bytes = 0;
    for (int side = 0; side < 4; side++) out->bounds[side] = 0;
    return MRD_OK;
}

static const mrd_family_measure measure_table = {
    .struct_size = sizeof(mrd_family_measure), .info = measure_info, .measure = measure};
static const mrd_family_validate validate_table = {
    .struct_size = sizeof(mrd_family_validate), .info = validate_info, .check = check};
static const mrd_family_index index_table = {
    .struct_size = sizeof(mrd_family_index), .info = index_info, .build = build, .release = release, .facts = facts,
    .window = window};

static int32_t is_id(const char *id, const char *other) {
    while (*id != 0 && *id == *other) id++, other++;
    return *id == *other;
}

static const void *family(const char *id) {
    if (is_id(id, MRD_FAMILY_MEASURE)) return &measure_table;
    if (is_id(id, MRD_FAMILY_VALIDATE)) return &validate_table;
    if (is_id(id, MRD_FAMILY_INDEX)) return &index_table;
    return NULL;
}

static const mrd_plugin plugin = {
    .struct_size = sizeof(mrd_plugin),
    .abi = MRD_ABI_VERSION,
    .id = "meridian.empty",
    .name = "Empty kernel",
    .vendor = "Meridian",
    .version = "1.0.0",
    .license = "Apache-2.0",
    .build = "",
    .get_family = family,
};

const void *mrdb_empty_plugin(void) { return &plugin; }
