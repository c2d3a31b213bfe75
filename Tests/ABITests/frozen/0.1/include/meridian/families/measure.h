/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/families/measure.h: lengths, areas, bounds, centroids, distances, directions.
 *
 * Meanings. Signed area is positive counter-clockwise seen from above: the integral of the winding number. Unsigned
 * area of a polygon is |shell| - sum |hole| whatever the winding; a multipolygon is the sum of its parts. Perimeter
 * includes holes. Measuring does not validate. A latitude beyond [-90, 90] is the row status DOMAIN wherever edges
 * or metric are not planar; longitudes are equal modulo 360 there.
 *
 * Units. Metres and square metres under MRD_METRIC_SPHERE and MRD_METRIC_ELLIPSOID, coordinate units and their
 * square under MRD_METRIC_COORD.                                                                                 */
#ifndef MERIDIAN_FAMILIES_MEASURE_H
#define MERIDIAN_FAMILIES_MEASURE_H

#include "../info.h"

#define MRD_FAMILY_MEASURE "meridian.measure/1"

/* Operations of `measure`, one array in.      columns out */
#define MRD_MEASURE_LENGTH 1u         /* length of lines; 0 for points, 0 for polygons */
#define MRD_MEASURE_PERIMETER 2u      /* length of all rings; 0 for points and lines */
#define MRD_MEASURE_AREA 3u           /* unsigned area; 0 for points and lines */
#define MRD_MEASURE_AREA_SIGNED 4u    /* sum of the rings' signed areas; a hole wound the other way subtracts */
#define MRD_MEASURE_PERIMETER_AREA 5u /* perimeter, unsigned area; in one pass */
#define MRD_MEASURE_BOUNDS 6u         /* xmin, ymin, xmax, ymax; holds every point of every edge, rounded outward */
#define MRD_MEASURE_CENTROID 7u       /* x, y; of the highest dimension that has measure (area, length, points) */
#define MRD_MEASURE_COUNTS 8u         /* parts, rings, vertices as stored; exact */
#define MRD_MEASURE_INTERPOLATE 9u    /* x, y, azimuth; the place at `at_fraction` or `at_distance` along a line */
/* Operations of `pair`: row i of the first array with row i of the second. */
#define MRD_MEASURE_INVERSE 16u  /* distance, azimuth at a, azimuth at b (forward, both in (-180, 180]); points */
#define MRD_MEASURE_DISTANCE 17u /* smallest distance between two geometries; 0 where they meet */
#define MRD_MEASURE_CLOSEST 18u  /* point to geometry: distance, x, y, edge, distance along, kind (MRD_CLOSEST_*) */
/* The operation of `direct`. */
#define MRD_MEASURE_DIRECT 24u /* x2, y2, azimuth at 2 */
/* Operations of `build`: geometries out. */
#define MRD_MEASURE_DENSIFY 32u /* each edge in ceil(s / L) equal pieces; input vertices stay bit-equal */

/* Column 5 of CLOSEST: the closest place is the edge's start, its interior, its end, or anywhere in an area. Ties go
 * to the smaller edge, then to the smaller distance along. `edge` counts the row's edges from 0 in storage order. */
#define MRD_CLOSEST_START 0
#define MRD_CLOSEST_INTERIOR 1
#define MRD_CLOSEST_END 2
#define MRD_CLOSEST_INSIDE 3 /* the point is inside a polygon: distance 0, place = the point, edge = -1 */

/* mrd_measure_options.side: which side of a ring is inside on the globe; A0 = area of the whole surface. */
#define MRD_SIDE_SMALLER 0 /* a ring's signed area is in (-A0/2, A0/2] */
#define MRD_SIDE_LEFT 1    /* inside is left of the ring: its area is in [0, A0) */

/* mrd_measure_options.flags */
#define MRD_MEASURE_BROADCAST_B 0x1u /* `pair`: the second array has one row, used for every row of the first */

typedef struct mrd_measure_options {
  uint32_t struct_size;
  uint32_t flags;            /* MRD_MEASURE_* flags */
  int32_t side;              /* AREA, AREA_SIGNED, PERIMETER_AREA, CENTROID: MRD_SIDE_* */
  uint32_t pad0;             /* 0 */
  double max_edge_m;         /* DENSIFY under a metric in metres: largest edge, > 0 */
  double max_edge_coord;     /* DENSIFY under MRD_METRIC_COORD: largest edge, > 0 */
  const double *at_fraction; /* INTERPOLATE: share of the length, [0, 1], one a row; NULL when at_distance is given */
  const double *at_distance; /* INTERPOLATE: distance from the start in the metric's unit, one a row; or NULL */
} mrd_measure_options;

/* Every function may be NULL when the kernel has none of its operations. All: [any]. */
typedef struct mrd_family_measure {
  uint32_t struct_size;
  uint32_t pad0;

  /* What the kernel declares of `op`; NULL = not offered. Does no work. [any] */
  const mrd_op_info *(MRD_ABI *info)(uint32_t op);

  /* LENGTH to INTERPOLATE: fills the columns listed above. `options` may be NULL (all defaults). [any] */
  mrd_status(MRD_ABI *measure)(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options,
                               const mrd_columns *out, mrd_call *call);

  /* INVERSE to CLOSEST. Both arrays have one length and one model, or `b` has one row and BROADCAST_B is set. [any] */
  mrd_status(MRD_ABI *pair)(uint32_t op, const mrd_geoms *a, const mrd_geoms *b, const mrd_measure_options *options,
                            const mrd_columns *out, mrd_call *call);

  /* DIRECT: from each point along `azimuth[i]` degrees for `distance[i]` metres (coordinate units under
   * MRD_METRIC_COORD); a negative distance goes backward. [any] */
  mrd_status(MRD_ABI *direct)(const mrd_geoms *points, const double *azimuth, const double *distance,
                              const mrd_measure_options *options, const mrd_columns *out, mrd_call *call);

  /* DENSIFY: geometries of the input's type, dims and rows; Z and M interpolated linearly along each edge. [any] */
  mrd_status(MRD_ABI *build)(uint32_t op, const mrd_geoms *in, const mrd_measure_options *options, mrd_geoms_out *out,
                             mrd_call *call);
} mrd_family_measure;

#endif /* MERIDIAN_FAMILIES_MEASURE_H */
