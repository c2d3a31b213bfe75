/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/families/simplify.h: fewer vertices within a tolerance.
 *
 * Output vertices are input vertices, bit-equal, Z and M with them. Tolerance 0 drops exactly collinear vertices
 * only; a negative or NaN tolerance is MRD_E_ARGUMENT; +inf gives the least form.                                */
#ifndef MERIDIAN_FAMILIES_SIMPLIFY_H
#define MERIDIAN_FAMILIES_SIMPLIFY_H

#include "../info.h"

#define MRD_FAMILY_SIMPLIFY "meridian.simplify/1"

/* Operations. */
#define MRD_SIMPLIFY_DOUGLAS_PEUCKER 1u     /* every dropped vertex is within tolerance of the segment replacing it */
#define MRD_SIMPLIFY_VISVALINGAM 2u         /* least effective area first */
#define MRD_SIMPLIFY_TOPOLOGY_PRESERVING 3u /* valid in, valid out, row by row */
#define MRD_SIMPLIFY_COVERAGE 4u            /* borders shared by rows are simplified once (WHOLE_ARRAY) */

/* mrd_simplify_options.unit: what the tolerances are in. */
#define MRD_TOLERANCE_COORD 0  /* coordinate units */
#define MRD_TOLERANCE_METRES 1 /* metres under the model's metric, correct at every latitude */
#define MRD_TOLERANCE_PIXELS 2 /* pixels of the Web Mercator plane at `zoom`, lon/lat input */

/* mrd_simplify_options.measure: what VISVALINGAM and COVERAGE hold against the tolerance. */
#define MRD_SIMPLIFY_BY_LENGTH 0 /* the square root of the effective area, so tolerances compare with DP's */
#define MRD_SIMPLIFY_BY_AREA 1   /* the effective area itself, in square units */

/* mrd_simplify_options.collapse: what becomes of a ring or line that would vanish. */
#define MRD_COLLAPSE_KEEP 0  /* its least form stays: a triangle of non-zero area, a segment */
#define MRD_COLLAPSE_POINT 1 /* one of its points stands for a row that would vanish; see TO_POINT */
#define MRD_COLLAPSE_DROP 2  /* it goes; the row becomes empty */

/* mrd_simplify_options.flags */
#define MRD_SIMPLIFY_WEIGHTED 0x1u       /* VISVALINGAM: area x (1 - 0.7 cos angle) */
#define MRD_SIMPLIFY_NO_CROSSING 0x2u    /* VISVALINGAM: no removal that makes edges of the row cross */
#define MRD_SIMPLIFY_FIXED_BOUNDARY 0x4u /* COVERAGE: edges of one row only are not simplified */
#define MRD_SIMPLIFY_WANT_KEPT 0x8u      /* fill MRD_BUF_IDS with the kept vertices' numbers */

typedef struct mrd_simplify_options {
  uint32_t struct_size;
  uint32_t flags;             /* MRD_SIMPLIFY_* flags */
  int32_t unit;               /* MRD_TOLERANCE_* */
  int32_t measure;            /* MRD_SIMPLIFY_BY_* */
  int32_t collapse;           /* MRD_COLLAPSE_* */
  uint32_t n_tolerances;      /* at least 1, unless target_count or target_share is given */
  const double *tolerances;   /* ascending; several make a pyramid: result row = level * length + row, kept sets nested */
  int64_t target_count;       /* VISVALINGAM: vertices to keep a row; 0 = by tolerance */
  double target_share;        /* VISVALINGAM: share of vertices to keep, (0, 1]; 0 = by tolerance */
  double zoom;                /* PIXELS: zoom level, may be fractional */
  double tile_size;           /* PIXELS: pixels a tile; 0 = 512 */
  double pixel_factor;        /* PIXELS: tolerance = pixels x this; 0 = 1 */
  double max_distance;        /* COVERAGE: bound on the distance too, in `unit`; 0 = none */
  const uint8_t *protected_vertices; /* bit per coordinate of the input's coords, 1 = never dropped; NULL = none */
} mrd_simplify_options;

/* What happened to a row, one int32 a row of the result. */
#define MRD_SIMPLIFY_UNCHANGED 0
#define MRD_SIMPLIFY_REDUCED 1
#define MRD_SIMPLIFY_LEAST_FORM 2 /* a ring or line was held at its least form */
#define MRD_SIMPLIFY_TO_POINT 3   /* the row is empty here, MRD_BUF_VALUES has its point, the host makes it a point */
#define MRD_SIMPLIFY_DROPPED 4
#define MRD_SIMPLIFY_WITHHELD 5   /* given unchanged; the row status says why */

typedef struct mrd_family_simplify {
  uint32_t struct_size;
  uint32_t pad0;

  /* What the kernel declares of `op`; NULL = not offered. [any] */
  const mrd_op_info *(MRD_ABI *info)(uint32_t op);

  /* Geometries of the input's type, dims and, times the number of tolerances, its rows. `outcomes`: [rows of the
   * result], the caller's, or NULL. COLLAPSE_POINT: MRD_BUF_VALUES holds x, y for every row of the result, NaN NaN
   * where the outcome is not TO_POINT. WANT_KEPT: MRD_BUF_IDS holds, for every output coordinate, the number of the
   * input coordinate that it is. [any] */
  mrd_status(MRD_ABI *simplify)(uint32_t op, const mrd_geoms *in, const mrd_simplify_options *options,
                                mrd_geoms_out *out, int32_t *outcomes, mrd_call *call);
} mrd_family_simplify;

#endif /* MERIDIAN_FAMILIES_SIMPLIFY_H */
