/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/geometry.h: geometry and box arrays, borrowed from whoever owns the bytes.
 *
 * The meaning is that of GeoArrow 0.2 with strided coordinates, so a GeoArrow, numpy or host-owned buffer crosses
 * without a copy. An array holds N geometries of ONE type. All arrays are immutable during a call and are not kept
 * after it, except where a contract says "borrowed until release".                                                */
#ifndef MERIDIAN_GEOMETRY_H
#define MERIDIAN_GEOMETRY_H

#include "status.h"

/* Geometry types; the values are WKB's. Collections never cross: the host takes them apart. */
#define MRD_POINT 1
#define MRD_LINESTRING 2
#define MRD_POLYGON 3
#define MRD_MULTIPOINT 4
#define MRD_MULTILINESTRING 5
#define MRD_MULTIPOLYGON 6

/* Dimensions. Kernels work in XY and carry Z and M. */
#define MRD_XY 1
#define MRD_XYZ 2
#define MRD_XYM 3
#define MRD_XYZM 4

/* Edge model: what joins two vertices. */
#define MRD_EDGES_PLANAR 0       /* straight in stored x, y */
#define MRD_EDGES_GREAT_CIRCLE 1 /* the shorter great circle on the sphere */
#define MRD_EDGES_GEODESIC 2     /* the shortest geodesic on the ellipsoid */
#define MRD_EDGES_PLATE_CARREE 3 /* straight in lon, lat, laid on the sphere or ellipsoid (RFC 7946, section 3.1.1) */
#define MRD_EDGES_RHUMB 4        /* constant azimuth; reserved: no version-0 operation is defined on it */

/* Metric: what a distance or an area is measured in. */
#define MRD_METRIC_COORD 0     /* coordinate units, Euclidean */
#define MRD_METRIC_SPHERE 1    /* metres on the sphere of radius `semi_major` */
#define MRD_METRIC_ELLIPSOID 2 /* metres on the ellipsoid `semi_major`, `flattening` */

/* Edge model and metric are separate choices: straight lon/lat edges may be measured in metres (edges PLANAR or
 * PLATE_CARREE, metric ELLIPSOID). A kernel that lacks a pair answers MRD_E_UNSUPPORTED; it never falls back. */
typedef struct mrd_model {
  uint32_t struct_size;
  int32_t edges;     /* MRD_EDGES_* */
  int32_t metric;    /* MRD_METRIC_* */
  uint32_t pad0;     /* 0 */
  double semi_major; /* metres, > 0; ignored when neither edges nor metric need it */
  double flattening; /* |f| <= 1/50; 0 for a sphere */
} mrd_model;

/* Facts that the caller vouches for, so that a kernel may skip the check. */
#define MRD_IN_FINITE 0x1u /* every ordinate in x and y is finite, but for the NaN NaN of empty points */
#define MRD_IN_VALID 0x2u  /* every row is valid in the sense of OGC Simple Features */
#define MRD_IN_SORTED 0x4u /* rows follow a space-filling curve */

/* Coordinates. Separated: stride 8. Interleaved XY: stride 16, v[1] = v[0] + 1. A stride may be negative. The two
 * usual layouts are the fast paths; all layouts give bit-equal results. */
typedef struct mrd_coords {
  const double *v[4]; /* x, y, z, m; each 8-byte aligned; NULL for an absent dimension and when count = 0 */
  int64_t stride[4];  /* bytes from one value to the next, a multiple of 8; ignored where v is NULL */
  int64_t count;      /* coordinates that may be read */
} mrd_coords;

/* N geometries of one type.
 *
 *   type             n_offsets  offsets[0]        offsets[1]      offsets[2]
 *   POINT            0          (one coordinate a row, row i = coordinate first + i)
 *   LINESTRING       1          row -> coordinate
 *   MULTIPOINT       1          row -> coordinate
 *   POLYGON          2          row -> ring       ring -> coordinate
 *   MULTILINESTRING  2          row -> line       line -> coordinate
 *   MULTIPOLYGON     3          row -> polygon    polygon -> ring  ring -> coordinate
 *
 * Offsets are monotone and one longer than what they index; row i spans offsets[0][first + i] to [first + i + 1].
 * `offsets` may be NULL when length = 0. An empty point is NaN NaN; every other empty geometry has no parts.
 * A ring is closed: its last coordinate repeats its first. Rows whose validity bit is 0 are null, whatever their
 * offsets say. */
typedef struct mrd_geoms {
  uint32_t struct_size;
  uint32_t flags;          /* MRD_IN_* */
  int32_t type;            /* MRD_POINT ... MRD_MULTIPOLYGON */
  int32_t dims;            /* MRD_XY ... MRD_XYZM */
  uint32_t offset_bits;    /* 32 or 64; int32_t or int64_t, all levels alike */
  uint32_t n_offsets;      /* as in the table above */
  int64_t length;          /* rows */
  int64_t first;           /* where row 0 starts in `validity` and offsets[0] (Arrow's `offset`) */
  const uint8_t *validity; /* bit 1 = present, least significant bit first; NULL = all present */
  const void *offsets[3];  /* outermost first */
  mrd_coords coords;
  const mrd_model *model;  /* NULL = planar edges, coordinate metric */
} mrd_geoms;

/* N boxes [xmin, ymin, xmax, ymax]. Closed: touching meets. Empty is (+inf, +inf, -inf, -inf). xmin > xmax crosses
 * the antimeridian where edges are not planar, and is an empty box where they are. */
typedef struct mrd_boxes {
  uint32_t struct_size;
  uint32_t flags;         /* MRD_IN_SORTED or 0 */
  int64_t length;
  const double *v[4];     /* xmin, ymin, xmax, ymax; 8-byte aligned; NULL only when length = 0 */
  int64_t stride[4];      /* bytes from one box to the next, a multiple of 8: 32 when interleaved, 8 when separated */
  const mrd_model *model; /* NULL = planar edges, coordinate metric */
} mrd_boxes;

/* What a kernel that makes geometries says of its result. The buffers come from `mrd_call.grow`: MRD_BUF_OFFSETS0 to
 * 2 (always int64_t, starting at 0), MRD_BUF_X, Y, Z, M (separated), MRD_BUF_VALIDITY (never grown = all present).
 * The caller sets `struct_size`; the kernel fills the rest before it returns MRD_OK. */
typedef struct mrd_geoms_out {
  uint32_t struct_size;
  int32_t type; /* MRD_POINT ... MRD_MULTIPOLYGON */
  int32_t dims; /* MRD_XY ... MRD_XYZM; the input's, unless the contract says otherwise */
  uint32_t pad0;
  int64_t length;
} mrd_geoms_out;

/* Columns of doubles in the caller's memory, one value a row. NULL = this column is not wanted. */
typedef struct mrd_columns {
  uint32_t struct_size;
  uint32_t count;        /* columns; fewer than the operation has means the later ones are not wanted */
  int64_t length;        /* rows; equals the input's length */
  double *const *values; /* [count], each NULL or [length] */
} mrd_columns;

#endif /* MERIDIAN_GEOMETRY_H */
