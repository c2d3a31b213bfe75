/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/families/snap.h: candidates for a pointer, and geometries that move onto targets or a grid.
 *
 * Tolerances. Screen points become metres by tolerance_m = points x metres per point, where metres per point is
 * 2 pi 6378137 cos(lat) / (tile x 2^zoom); the host does that sum.                                               */
#ifndef MERIDIAN_FAMILIES_SNAP_H
#define MERIDIAN_FAMILIES_SNAP_H

#include "../info.h"

#define MRD_FAMILY_SNAP "meridian.snap/1"

/* The operation of `open` and `query`. */
#define MRD_SNAP_QUERY 1u
/* Operations of `snap`. */
#define MRD_SNAP_PAIR 16u  /* row i to row i of the targets */
#define MRD_SNAP_LAYER 17u /* every row to all targets; equal points have equal images (WHOLE_ARRAY) */
#define MRD_SNAP_SELF 18u  /* the array to itself (WHOLE_ARRAY) */
#define MRD_SNAP_GRID 19u  /* coordinates to k / scale, output valid */

/* Kinds of candidates; as bits (1 << kind) in masks. Rank in this order when priorities are equal.
 *
 * END_POINT is the first or last vertex of a line, a closed one's too; rings and points have none. Such a vertex is one
 * candidate, as END_POINT or as VERTEX, whichever is in reach and ranks first. The vertex that closes a ring is its first
 * one. EDGE is the edge's nearest place; where that is an end of the edge which is a candidate itself, the edge is none.
 * MIDPOINT is the middle of an edge, INTERSECTION the one place where two edges meet, of which neither overlaps the other
 * nor has an end in common with it: that is a vertex. An edge of no length is only its vertices. CENTROID is that of the
 * feature (MRD_MEASURE_CENTROID). AREA is the query point itself, once for each polygon that holds it or has it on its
 * border, the smallest polygon first. PERPENDICULAR is the foot of the perpendicular from the vertex before the pointer to
 * an edge, where it lies inside the edge and is not that vertex; a query without such a vertex has none. */
#define MRD_SNAP_END_POINT 0
#define MRD_SNAP_VERTEX 1
#define MRD_SNAP_INTERSECTION 2
#define MRD_SNAP_MIDPOINT 3
#define MRD_SNAP_PERPENDICULAR 4
#define MRD_SNAP_EDGE 5
#define MRD_SNAP_CENTROID 6
#define MRD_SNAP_AREA 7
#define MRD_SNAP_KINDS 8

/* One layer of targets. */
typedef struct mrd_snap_layer {
  uint32_t struct_size;
  uint32_t kinds;           /* mask of MRD_SNAP_* kinds; 0 = END_POINT, VERTEX and EDGE */
  int32_t priority;         /* smaller ranks first */
  uint32_t pad0;            /* 0 */
  const mrd_geoms *targets; /* borrowed until the snapper is released */
} mrd_snap_layer;

/* A vertex or a feature that is being moved and must not attract itself. */
typedef struct mrd_snap_exclusion {
  int64_t layer;
  int64_t feature;
  int64_t part;   /* -1 = the whole feature */
  int64_t ring;
  int64_t vertex; /* excludes its two edges as well; other features' vertices at that place stay. `ring` matters in
                   * polygons alone; a record that names nothing excludes nothing */
} mrd_snap_exclusion;

typedef struct mrd_snap_query_options {
  uint32_t struct_size;
  uint32_t max_candidates;   /* places a query point, each with all its hits; 0 = 1 */
  double tolerance_coord;    /* reach under MRD_METRIC_COORD, infinity too; exactly one of the two is > 0 */
  double tolerance_m;        /* reach under a metric in metres */
  const double *kind_factor; /* [MRD_SNAP_KINDS], each in [0, 1]: a kind's reach = factor x tolerance; NULL = all 1 */
  const int32_t *kind_priority; /* [MRD_SNAP_KINDS], smaller ranks first; NULL = the order of the kinds */
  const double *screen_metric;  /* [4], the 2 x 2 matrix from coordinate differences to screen points, row by row, for
                                 * a pitched camera; tolerance_coord is then in screen points; NULL = none */
  const mrd_snap_exclusion *exclusions; /* records of exclusion_size bytes; NULL = none */
  int64_t n_exclusions;
  uint32_t exclusion_size;
  uint32_t pad0;             /* 0 */
  const double *previous;    /* [2 x rows of the points], x and y of the vertex before each pointer, for PERPENDICULAR; NaN
                              * = it has none; NULL = none has. Since 0.1 */
} mrd_snap_query_options;

/* One candidate (MRD_BUF_RECORDS; MRD_BUF_ROWS says which query has which). -1 = does not apply. Positions count as in
 * mrd_problem: `part` is the polygon, the line or the point, 0 in a single geometry; `ring` stands in polygons alone; a
 * point's `vertex` is 0.
 *
 * Candidates with the same coordinates are one place with one group: their hits stand together, best first, and the
 * places in the order of their best hits, groups 0, 1, 2 ... */
typedef struct mrd_snap_hit {
  int32_t kind;         /* MRD_SNAP_* kind */
  uint32_t group;       /* hits of one query with one group are the same place: all targets with those coordinates */
  int64_t layer;
  int64_t feature;      /* row of the layer */
  int64_t part;
  int64_t ring;
  int64_t vertex;       /* the vertex, or the start of the edge */
  int64_t other_feature; /* INTERSECTION: the second edge */
  int64_t other_vertex;
  double x;             /* a vertex bit-equal to the target; a foot on the edge */
  double y;
  double z;             /* the target's Z there, NaN without */
  double distance;      /* from the query point to (x, y), in the unit of the tolerance */
  int64_t other_layer;  /* INTERSECTION: the rest of the second edge */
  int64_t other_part;
  int64_t other_ring;
} mrd_snap_hit;

typedef struct mrd_snap_hits_out {
  uint32_t struct_size;
  uint32_t record_size; /* sizeof(mrd_snap_hit) as the kernel knows it */
  int64_t count;        /* records */
} mrd_snap_hits_out;

/* Prepared targets. Opaque; released by its own kernel; queries may run concurrently. */
typedef struct mrd_snapper mrd_snapper;

/* mrd_snap_options.flags */
#define MRD_SNAP_VERTICES_ONLY 0x1u   /* no target edges: vertices move to vertices */
#define MRD_SNAP_END_POINTS_ONLY 0x2u /* only the end points of lines move */
#define MRD_SNAP_INSERT_VERTICES 0x4u /* LAYER, SELF: a target vertex within reach of an edge is inserted in it */
#define MRD_SNAP_KEEP_COLLAPSED 0x8u  /* GRID: a part that collapses stays as its least form; else it is dropped */

typedef struct mrd_snap_options {
  uint32_t struct_size;
  uint32_t flags;         /* MRD_SNAP_* flags */
  double tolerance_coord; /* PAIR, LAYER, SELF: exactly one of the two is > 0 */
  double tolerance_m;
  double grid_scale;      /* GRID: coordinates become nearest(k / scale), scale > 0: 1e7 = seven decimals */
} mrd_snap_options;

/* What happened to a row, one int32 a row. Nothing moves farther than the tolerance, or the row is WITHHELD. */
#define MRD_SNAP_UNCHANGED 0
#define MRD_SNAP_MOVED 1
#define MRD_SNAP_PARTLY 2   /* some of its moves were undone, here and in all rows that share them */
#define MRD_SNAP_WITHHELD 3 /* given unchanged: snapping would make it invalid or move it too far */
#define MRD_SNAP_COLLAPSED 4 /* GRID: nothing of the row's dimension was left */

typedef struct mrd_family_snap {
  uint32_t struct_size;
  uint32_t pad0;

  /* What the kernel declares of `op`; NULL = not offered. For QUERY `dialect_mask` holds the kinds. [any] */
  const mrd_op_info *(MRD_ABI *info)(uint32_t op);

  /* QUERY: prepares targets. `layers`: `n_layers` pointers. [any] */
  mrd_status(MRD_ABI *open)(const mrd_snap_layer *const *layers, uint32_t n_layers, uint32_t pad, mrd_snapper **out,
                            mrd_call *call);

  /* Ranked candidates for each point: MRD_BUF_ROWS and MRD_BUF_RECORDS. A candidate counts when its distance is at most
   * its kind's reach. Rank: layer priority, kind priority, distance, for AREA the area, then layer, feature, part, ring,
   * index. An INTERSECTION of two layers names first the edge that is stored first, and ranks by the better priority.
   * Points that are null, empty, not finite or too large for the kernel have the row status and no hits; so has a
   * target's vertex that is not finite. [any] */
  mrd_status(MRD_ABI *query)(const mrd_snapper *snapper, const mrd_geoms *points, const mrd_snap_query_options *options,
                             mrd_snap_hits_out *out, mrd_call *call);

  /* Frees the handle; NULL is allowed. [owner] */
  void(MRD_ABI *release)(mrd_snapper *snapper);

  /* PAIR, LAYER, SELF, GRID. `targets` is NULL for SELF and GRID. Result: the input's rows and dims; the input's type,
   * or for GRID the multi type, which the host restores as for repair. `outcomes`: [length], the caller's, or NULL.
   * [any] */
  mrd_status(MRD_ABI *snap)(uint32_t op, const mrd_geoms *in, const mrd_geoms *targets, const mrd_snap_options *options,
                            mrd_geoms_out *out, int32_t *outcomes, mrd_call *call);
} mrd_family_snap;

#endif /* MERIDIAN_FAMILIES_SNAP_H */
