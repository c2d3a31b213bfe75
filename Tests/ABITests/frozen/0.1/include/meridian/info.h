/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/info.h: what a kernel declares of one operation: capability, accuracy, cost.
 *
 * The host chooses kernels by these declarations, the conformance suite tests the bounds and flags, and the
 * benchmark harness enforces the cost. A declaration that is not kept is a defect of the kernel.                 */
#ifndef MERIDIAN_INFO_H
#define MERIDIAN_INFO_H

#include "call.h"

/* mrd_op_info.flags */
#define MRD_OP_DETERMINISTIC 0x1u     /* the same input gives the same bits on one CPU level */
#define MRD_OP_THREAD_INVARIANT 0x2u  /* ... whatever the thread budget and the split into batches */
#define MRD_OP_EXACT_PREDICATES 0x4u  /* every decision is that of exact arithmetic on the given doubles */
#define MRD_OP_CANCELS 0x8u           /* polls the cancel word as mrd_call asks */
#define MRD_OP_PARALLEL 0x10u         /* uses parallel_for inside one call */
#define MRD_OP_WHOLE_ARRAY 0x20u      /* a row's result depends on the other rows: the host never splits the array */
#define MRD_OP_ALL_PROBLEMS 0x40u     /* validate: reports every problem of a row, not the first one */
#define MRD_OP_KEPT_VERTICES 0x80u    /* simplify: can give the numbers of the kept vertices */
#define MRD_OP_INSERT_REMOVE 0x100u   /* index: boxes can be inserted and removed after the build */
#define MRD_OP_SERIALISES 0x200u      /* index, snap: a handle can be written to and opened from bytes */
#define MRD_OP_PERSISTS 0x400u        /* index: a handle can live in a file */

/* mrd_op_info.error_unit: the unit of error_absolute and error_per_vertex. */
#define MRD_UNIT_NONE 0   /* the operation gives no number, or declares no bound */
#define MRD_UNIT_METRE 1  /* metres, or square metres for an area */
#define MRD_UNIT_DEGREE 2 /* degrees of azimuth, longitude or latitude */
#define MRD_UNIT_COORD 3  /* coordinate units, or their square for an area */
#define MRD_UNIT_ULP 4    /* units in the last place of the exact result */

/* |error| <= error_absolute + error_per_vertex * vertices + error_relative * |exact result|
 *
 * for inputs inside the declared domain, the given doubles taken as exact. Masks have bit k set for the value k of
 * the enumeration. Static storage of the plug-in: valid for the life of the process. */
typedef struct mrd_op_info {
  uint32_t struct_size;
  uint32_t flags;         /* MRD_OP_* */
  uint32_t type_mask;     /* MRD_POINT ... that the first array may have; 0 when the operation takes no geometry */
  uint32_t dims_mask;     /* MRD_XY ... */
  uint32_t edges_mask;    /* MRD_EDGES_* */
  uint32_t metric_mask;   /* MRD_METRIC_* */
  uint32_t dialect_mask;  /* validate: MRD_DIALECT_*; repair: MRD_REPAIR_*; snap: MRD_SNAP_* kinds; simplify:
                           * MRD_TOLERANCE_*, 0 = coordinates alone; else 0 */
  int32_t error_unit;     /* MRD_UNIT_* */
  double error_absolute;  /* >= 0 */
  double error_relative;  /* >= 0 */
  double error_per_vertex; /* >= 0 */
  double max_flattening;  /* largest |f| for which the bound holds; 0 when spherical or planar only */
  double ns_per_coord;    /* cost that the plug-in accepts to be held to on the reference machine; 0 = none */
  const char *method;     /* "Karney 2013, series of order 6"; never NULL */

  /* Another declaration of the same operation, for other types or models and with a bound of its own: a kernel that is
   * exact on the plane and less so on the sphere says both. The host takes the first that fits a call. NULL = none. */
  const struct mrd_op_info *next;
} mrd_op_info;

#endif /* MERIDIAN_INFO_H */
