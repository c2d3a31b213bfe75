/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/families/index.h: box indexes: window, nearest, join; saved, mapped, changed.
 *
 * Ids are the numbers of the boxes that the index was built from (row numbers), or those given at insertion. Boxes
 * are closed: touching hits. Boxes with NaN, with ymin > ymax, or with xmin > xmax on planar edges are counted and
 * never hit; infinite bounds are legal. On curved edges xmin > xmax is two boxes with one id, reported once.
 * Answers are exact for the given doubles, whatever a kernel stores.                                             */
#ifndef MERIDIAN_FAMILIES_INDEX_H
#define MERIDIAN_FAMILIES_INDEX_H

#include "../info.h"

#define MRD_FAMILY_INDEX "meridian.index/1"

/* Operations, for `info`; each function below names its own. */
#define MRD_INDEX_BUILD 1u
#define MRD_INDEX_WINDOW 2u
#define MRD_INDEX_NEAREST 3u
#define MRD_INDEX_JOIN 4u
#define MRD_INDEX_INSERT 5u
#define MRD_INDEX_REMOVE 6u
#define MRD_INDEX_SAVE 7u
#define MRD_INDEX_OPEN 8u

/* An index. Opaque; released by its own kernel. Queries may run concurrently with each other, never with insert,
 * remove or release. */
typedef struct mrd_index mrd_index;

/* mrd_index_options.flags */
#define MRD_INDEX_BORROW_BOXES 0x1u /* the boxes stay alive and unchanged until release; the kernel need not copy */
#define MRD_INDEX_READ_ONLY 0x2u    /* open_file: insert and remove will not be called */

typedef struct mrd_index_options {
  uint32_t struct_size;
  uint32_t flags;   /* MRD_INDEX_* flags */
  const char *path; /* the index lives in this file, which must not exist; NULL = in memory. Needs MRD_OP_PERSISTS */
} mrd_index_options;

/* mrd_window_options.mode */
#define MRD_WINDOW_IDS 0   /* MRD_BUF_ROWS and MRD_BUF_IDS */
#define MRD_WINDOW_COUNT 1 /* MRD_BUF_IDS: one number of hits a window */
#define MRD_WINDOW_FIRST 2 /* MRD_BUF_IDS: the lowest id that hits, or -1, one a window */

/* mrd_window_options.flags */
#define MRD_WINDOW_ASCENDING 0x1u /* ids ascend inside a window; without it they come in the index's own fixed order */

/* Called for one hit in MRD_WINDOW_IDS when given: non-zero ends this window early. Runs on the calling thread. */
typedef int32_t(MRD_ABI *mrd_window_visitor)(void *context, int64_t window, int64_t id);

typedef struct mrd_window_options {
  uint32_t struct_size;
  uint32_t flags;             /* MRD_WINDOW_* flags */
  int32_t mode;               /* MRD_WINDOW_* */
  uint32_t pad0;              /* 0 */
  int64_t limit;              /* hits a window; 0 = no limit; a cut window gets MRD_ITEM_WARN_TRUNCATED */
  mrd_window_visitor visitor; /* NULL = fill the buffers */
  void *visitor_context;
} mrd_window_options;

/* mrd_nearest_options.ties: what is done with equals of the k-th neighbour. */
#define MRD_TIES_LOWEST_ID 0 /* exactly k rows, ordered by (distance, id) */
#define MRD_TIES_ALL 1       /* all equals of the k-th, so perhaps more than k */

typedef struct mrd_nearest_options {
  uint32_t struct_size;
  int32_t ties;               /* MRD_TIES_* */
  int64_t k;                  /* neighbours a query; 0 = 1 */
  double max_distance_coord;  /* closed bound under MRD_METRIC_COORD; 0 = none */
  double max_distance_m;      /* closed bound under a metric in metres; 0 = none */
  const int64_t *exclude;     /* one id a query that is not reported (a row itself), -1 = none; NULL = none */
} mrd_nearest_options;

/* Facts of an index. The caller sets struct_size. */
typedef struct mrd_index_facts {
  uint32_t struct_size;
  uint32_t flags;     /* MRD_OP_INSERT_REMOVE, SERIALISES, PERSISTS as they hold for this handle */
  int64_t boxes;      /* how many it was given, the next line included */
  int64_t never_hit;  /* null, empty, NaN and inverted ones among them */
  int64_t bytes;      /* memory that it holds, borrowed boxes left out; -1 = not known */
  double bounds[4];   /* of all boxes that can hit; empty = (+inf, +inf, -inf, -inf) */
} mrd_index_facts;

typedef struct mrd_family_index {
  uint32_t struct_size;
  uint32_t pad0;

  /* What the kernel declares of `op`; NULL = not offered. [any] */
  const mrd_op_info *(MRD_ABI *info)(uint32_t op);

  /* BUILD from boxes; box i has id i. [any] */
  mrd_status(MRD_ABI *build)(const mrd_boxes *boxes, const mrd_index_options *options, mrd_index **out, mrd_call *call);

  /* Frees the handle; NULL is allowed. A file stays. [owner] */
  void(MRD_ABI *release)(mrd_index *index);

  /* Facts, at once. [any] */
  mrd_status(MRD_ABI *facts)(const mrd_index *index, mrd_index_facts *out, mrd_error *error);

  /* WINDOW: boxes that meet each window. [any] */
  mrd_status(MRD_ABI *window)(const mrd_index *index, const mrd_boxes *windows, const mrd_window_options *options,
                              mrd_call *call);

  /* NEAREST: the k boxes nearest to each query box (a point is a box without extent), ordered by (d, id), where
   * d^2 = fl(dx^2 + dy^2) without fused operations, dx = max(xmin - qx_max, 0, qx_min - xmax) and likewise dy. Fills
   * MRD_BUF_ROWS, MRD_BUF_IDS and MRD_BUF_VALUES (distances). [any] */
  mrd_status(MRD_ABI *nearest)(const mrd_index *index, const mrd_boxes *queries, const mrd_nearest_options *options,
                               mrd_call *call);

  /* JOIN: pairs of boxes that meet, as two ids each in MRD_BUF_IDS, ascending; `b` NULL = self-join, pairs i < j.
   * Both handles are this kernel's. [any] */
  mrd_status(MRD_ABI *join)(const mrd_index *a, const mrd_index *b, mrd_call *call);

  /* INSERT: `ids` NULL = the next numbers. An id that is there already is MRD_E_ARGUMENT and nothing is inserted.
   * [owner] */
  mrd_status(MRD_ABI *insert)(mrd_index *index, const mrd_boxes *boxes, const int64_t *ids, mrd_call *call);

  /* REMOVE: *removed = how many of the ids were there. [owner] */
  mrd_status(MRD_ABI *remove)(mrd_index *index, const int64_t *ids, int64_t count, int64_t *removed, mrd_call *call);

  /* SAVE: the index as relocatable bytes (magic, version, endianness, checksum) in MRD_BUF_BYTES. [any] */
  mrd_status(MRD_ABI *save)(const mrd_index *index, mrd_call *call);

  /* OPEN from bytes that `save` made, 8-byte aligned, borrowed until release; damaged bytes are refused with a
   * reason and never read out of bounds. [any] */
  mrd_status(MRD_ABI *open)(const void *bytes, int64_t size, mrd_index **out, mrd_call *call);

  /* OPEN a file that BUILD made with a path. Needs MRD_OP_PERSISTS. [any] */
  mrd_status(MRD_ABI *open_file)(const char *path, const mrd_index_options *options, mrd_index **out, mrd_call *call);
} mrd_family_index;

#endif /* MERIDIAN_FAMILIES_INDEX_H */
