/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/families/validate.h: verdicts, problems with their places, repair, layer rules, live editing.
 *
 * A geometry is valid when it has no problem of severity ERROR (OGC 06-103r4, clause 6.1). Consecutive equal points
 * are one vertex. Order of problems: part, ring, edge, position on the edge, code, other edge.                  */
#ifndef MERIDIAN_FAMILIES_VALIDATE_H
#define MERIDIAN_FAMILIES_VALIDATE_H

#include "../info.h"

#define MRD_FAMILY_VALIDATE "meridian.validate/1"

/* Operations of `check`. */
#define MRD_VALIDATE_VALID 1u  /* each row by the dialect's rules */
#define MRD_VALIDATE_SIMPLE 2u /* each row: does it pass through itself? lines and multipoints too */
#define MRD_VALIDATE_LAYER 3u  /* rows against each other: overlaps, gaps, dangles, duplicates (WHOLE_ARRAY) */
/* The operation of `repair`. */
#define MRD_VALIDATE_REPAIR 16u
/* The operation of `prepare` and `edit`: the verdict VALID, kept up to date while one geometry is edited. */
#define MRD_VALIDATE_PREPARED 24u

/* Dialects. */
#define MRD_DIALECT_OGC 0       /* OGC Simple Features, as JTS and GEOS read it */
#define MRD_DIALECT_ESRI 1      /* a shell may touch itself to enclose a hole, a hole to be two holes */
#define MRD_DIALECT_RFC7946 2   /* OGC, and GeoJSON's closing, range, winding and antimeridian */
#define MRD_DIALECT_SPHERICAL 3 /* edges are great circles on unit vectors; a polygon lies left of its shell */

/* Severity. Only ERROR makes a row invalid. */
#define MRD_SEVERITY_ERROR 1
#define MRD_SEVERITY_WARNING 2
#define MRD_SEVERITY_INFO 3

/* Problem codes: errors of one geometry. */
#define MRD_PROBLEM_NONFINITE 1             /* a coordinate is NaN or infinite */
#define MRD_PROBLEM_RING_NOT_CLOSED 2       /* 6.1.7: first and last point differ */
#define MRD_PROBLEM_TOO_FEW_POINTS 3        /* a ring of under 3 vertices, a line of under 2 */
#define MRD_PROBLEM_CROSSING 4              /* edges cross inside, or curves change sides at a vertex */
#define MRD_PROBLEM_RING_SELF_TOUCH 5       /* 6.1.7 simple: a ring meets itself in a point without crossing */
#define MRD_PROBLEM_EDGE_OVERLAP 6          /* edges share a stretch */
#define MRD_PROBLEM_DUPLICATE_RING 7        /* two rings are the same */
#define MRD_PROBLEM_SPIKE 8                 /* 6.1.11.1 d: an edge runs back over itself */
#define MRD_PROBLEM_HOLE_OUTSIDE_SHELL 9    /* 6.1.11.1 b */
#define MRD_PROBLEM_NESTED_HOLES 10         /* 6.1.11.1 f */
#define MRD_PROBLEM_NESTED_SHELLS 11        /* 6.1.14 a */
#define MRD_PROBLEM_DISCONNECTED_INTERIOR 12 /* 6.1.11.1 e */
#define MRD_PROBLEM_INVALID_OTHER 13        /* the library below calls it invalid in words that have no code here */
/* Not simple (MRD_VALIDATE_SIMPLE). */
#define MRD_PROBLEM_NOT_SIMPLE_CROSSING 32  /* a line passes through itself */
#define MRD_PROBLEM_NOT_SIMPLE_REPEATED 33  /* a multipoint holds a point twice */
/* Dialect RFC 7946. */
#define MRD_PROBLEM_LONGITUDE_RANGE 40      /* outside [-180, 180]; error */
#define MRD_PROBLEM_LATITUDE_RANGE 41       /* outside [-90, 90]; error; of dialect spherical, too */
#define MRD_PROBLEM_WRONG_WINDING 42        /* shell clockwise or hole counter-clockwise; warning (3.1.6) */
#define MRD_PROBLEM_ANTIMERIDIAN_NOT_CUT 43 /* an edge spans more than 180 degrees; warning (3.1.9) */
/* Dialect spherical. */
#define MRD_PROBLEM_ANTIPODAL_EDGE 44       /* an edge joins opposite points: any great circle would; error */
/* Warnings of one geometry. */
#define MRD_PROBLEM_REPEATED_POINT 64       /* consecutive equal points */
#define MRD_PROBLEM_NEAR_REPEATED_POINT 65  /* consecutive points closer than the tolerance */
#define MRD_PROBLEM_EMPTY_PART 66           /* an empty part or ring */
#define MRD_PROBLEM_ZERO_AREA_RING 67
#define MRD_PROBLEM_Z_DIFFERS 68            /* Z differs where XY repeats */
#define MRD_PROBLEM_OVERFLOW 69             /* ordinates so large that areas or lengths overflow */
#define MRD_PROBLEM_SMALL_ANGLE 70
#define MRD_PROBLEM_SHORT_EDGE 71
#define MRD_PROBLEM_SMALL_AREA 72
#define MRD_PROBLEM_SLIVER 73
#define MRD_PROBLEM_LOW_CLEARANCE 74        /* minimum clearance under the threshold */
/* Problems of a layer (MRD_VALIDATE_LAYER). */
#define MRD_PROBLEM_LAYER_OVERLAP 96
#define MRD_PROBLEM_LAYER_GAP 97
#define MRD_PROBLEM_LAYER_UNMATCHED_EDGE 98
#define MRD_PROBLEM_LAYER_DUPLICATE 99
#define MRD_PROBLEM_LAYER_DANGLE 100
#define MRD_PROBLEM_LAYER_PSEUDO_NODE 101

/* One problem (MRD_BUF_RECORDS). Indices count from 0 in storage order inside the row; -1 = does not apply or is not
 * known. For polygons `part` is the polygon and `ring` 0 its shell; for lines `part` is the line. */
typedef struct mrd_problem {
  int32_t code;       /* MRD_PROBLEM_* */
  int32_t severity;   /* MRD_SEVERITY_* */
  int64_t row;        /* row of the call's array */
  int64_t part;
  int64_t ring;
  int64_t vertex;     /* the vertex, or the start of the edge that has the problem */
  int64_t other_row;  /* the second party: row (layer rules), part, ring, start of its edge */
  int64_t other_part;
  int64_t other_ring;
  int64_t other_vertex;
  double x;           /* the place; NaN when there is none */
  double y;
  double value;       /* the number that broke the rule: angle, length, area, latitude; NaN when there is none */
  double threshold;   /* what it was held against; NaN when there is none */
  int32_t jts_code;   /* what JTS and GEOS would say, MRD_JTS_*; a hint */
  uint32_t text_length; /* bytes of the message in MRD_BUF_BYTES; 0 = the standard message of the code */
  int64_t text_offset;
} mrd_problem;

/* mrd_problem.jts_code, the kinds of JTS's TopologyValidationError that GEOS reports. */
#define MRD_JTS_NONE (-1)
#define MRD_JTS_REPEATED_POINT 1
#define MRD_JTS_HOLE_OUTSIDE_SHELL 2
#define MRD_JTS_NESTED_HOLES 3
#define MRD_JTS_DISCONNECTED_INTERIOR 4
#define MRD_JTS_SELF_INTERSECTION 5
#define MRD_JTS_RING_SELF_INTERSECTION 6
#define MRD_JTS_NESTED_SHELLS 7
#define MRD_JTS_DUPLICATE_RINGS 8
#define MRD_JTS_TOO_FEW_POINTS 9
#define MRD_JTS_INVALID_COORDINATE 10
#define MRD_JTS_RING_NOT_CLOSED 11

/* mrd_validate_options.mode */
#define MRD_MODE_ALL 0     /* every problem that the kernel can find; see MRD_OP_ALL_PROBLEMS */
#define MRD_MODE_FIRST 1   /* one problem of the earliest phase that has any, the same one every time */
#define MRD_MODE_VERDICT 2 /* verdicts only, no records */

/* mrd_validate_options.flags */
#define MRD_VALIDATE_WARNINGS 0x1u    /* report warnings as well as errors */
#define MRD_VALIDATE_AT_DECIMALS 0x2u /* judge the coordinates as they will be written with `decimals` decimals */

typedef struct mrd_validate_options {
  uint32_t struct_size;
  uint32_t flags;                /* MRD_VALIDATE_* flags */
  int32_t dialect;               /* MRD_DIALECT_* */
  int32_t mode;                  /* MRD_MODE_* */
  int64_t limit;                 /* problems a row; 0 = no limit; a cut row gets MRD_ITEM_WARN_TRUNCATED */
  int32_t decimals;              /* with AT_DECIMALS: 0 to 17 */
  uint32_t pad0;                 /* 0 */
  double near_repeated_coord;    /* NEAR_REPEATED_POINT when closer than this; 0 = off; likewise below */
  double min_angle_deg;          /* SMALL_ANGLE */
  double min_edge_coord;         /* SHORT_EDGE */
  double min_area_coord;         /* SMALL_AREA, in square coordinate units */
  double min_sliver_ratio;       /* SLIVER when 4 pi area / perimeter^2 is under this */
  double min_clearance_coord;    /* LOW_CLEARANCE */
  double gap_max_area_coord;     /* LAYER_GAP: faces of at most this area; 0 = any */
  double gap_max_width_coord;    /* LAYER_GAP: widest inscribed circle of at most this diameter; 0 = any */
} mrd_validate_options;

/* Verdicts, one byte a row. */
#define MRD_VERDICT_INVALID 0 /* not valid, or not simple */
#define MRD_VERDICT_VALID 1
#define MRD_VERDICT_UNKNOWN 2 /* null row, or the row status says why */

/* What `check` gives back. The caller sets struct_size, verdicts and its length; the kernel the rest. */
typedef struct mrd_problems_out {
  uint32_t struct_size;
  uint32_t record_size; /* sizeof(mrd_problem) as the kernel knows it: the step through MRD_BUF_RECORDS */
  int64_t count;        /* records, in row order and in canonical order inside a row */
  uint8_t *verdicts;    /* [length], MRD_VERDICT_*; the caller's; NULL = not wanted */
} mrd_problems_out;

/* Repair rules. */
#define MRD_REPAIR_STRUCTURE 0 /* rings become regions of non-zero winding; part = shell - holes; parts united */
#define MRD_REPAIR_LINEWORK 1  /* node and dissolve all rings, build areas, peel */
#define MRD_REPAIR_EVEN_ODD 2  /* by parity of all rings */
#define MRD_REPAIR_NONZERO 3   /* by winding of all rings */

typedef struct mrd_repair_options {
  uint32_t struct_size;
  uint32_t flags;   /* 0 */
  int32_t rule;     /* MRD_REPAIR_* */
  int32_t dialect;  /* MRD_DIALECT_* that the result obeys */
} mrd_repair_options;

/* mrd_repair_report.outcome */
#define MRD_REPAIR_UNCHANGED 0   /* the row had no error and comes back bit-equal */
#define MRD_REPAIR_REPAIRED 1
#define MRD_REPAIR_COLLAPSED 2   /* nothing of the row's dimension was left: the result is empty */
#define MRD_REPAIR_WITHHELD 3    /* the row comes back as it was; the row status says why */

/* What repair did to one row; an array of them is the caller's memory. */
typedef struct mrd_repair_report {
  int32_t outcome;         /* MRD_REPAIR_UNCHANGED ... */
  int32_t rule;            /* the rule that ran */
  double area_before;      /* |signed area|, planar, in square coordinate units */
  double area_after;
  int64_t vertices_added;
  int64_t vertices_dropped;
  int64_t parts_before;
  int64_t parts_after;
  int64_t collapsed;       /* pieces of lower dimension that were dropped */
} mrd_repair_report;

/* A prepared geometry for an editor: keeps the structure of one geometry. Opaque; released by its own kernel. */
typedef struct mrd_prepared mrd_prepared;

/* mrd_edit.kind */
#define MRD_EDIT_MOVE 1   /* vertex takes the place x, y; a ring's closing point follows */
#define MRD_EDIT_INSERT 2 /* a new vertex x, y before `vertex` */
#define MRD_EDIT_REMOVE 3 /* vertex goes */

typedef struct mrd_edit {
  int32_t kind; /* MRD_EDIT_* */
  uint32_t pad0; /* 0 */
  int64_t part;
  int64_t ring;
  int64_t vertex;
  double x;
  double y;
} mrd_edit;

typedef struct mrd_family_validate {
  uint32_t struct_size;
  uint32_t pad0;

  /* What the kernel declares of `op`; NULL = not offered. [any] */
  const mrd_op_info *(MRD_ABI *info)(uint32_t op);

  /* VALID, SIMPLE, LAYER. Fills out->verdicts, MRD_BUF_RECORDS and, where messages carry numbers, MRD_BUF_BYTES.
   * A kernel that cannot report all problems serves MRD_MODE_ALL with the first one and does not set
   * MRD_OP_ALL_PROBLEMS. [any] */
  mrd_status(MRD_ABI *check)(uint32_t op, const mrd_geoms *in, const mrd_validate_options *options,
                             mrd_problems_out *out, mrd_call *call);

  /* REPAIR. Polygonal input gives MULTIPOLYGON, lines give MULTILINESTRING, points give MULTIPOINT; the host restores
   * the single type where one part is left and the input had it. `reports`: [length] records of `report_size` bytes,
   * or NULL. A row without errors comes back bit-equal; a null row stays null. [any] */
  mrd_status(MRD_ABI *repair)(const mrd_geoms *in, const mrd_repair_options *options, mrd_geoms_out *out,
                              mrd_repair_report *reports, uint32_t report_size, mrd_call *call);

  /* PREPARED: takes a copy of row 0 of `in`. *out is released with `release`. [any] */
  mrd_status(MRD_ABI *prepare)(const mrd_geoms *in, const mrd_validate_options *options, mrd_prepared **out,
                               mrd_call *call);

  /* Applies the edits in order, then reports all problems as `check` does for one row. When an edit is refused
   * (MRD_E_ARGUMENT or MRD_E_MEMORY, item = its number) none is applied. After any other error (MRD_E_CANCELLED; MRD_E_MEMORY
   * without an item) they are applied, and a call without edits reports. `edit_size` is the step through the edits. [owner] */
  mrd_status(MRD_ABI *edit)(mrd_prepared *prepared, const mrd_edit *edits, uint32_t edit_size, uint32_t pad,
                            int64_t count, mrd_problems_out *out, mrd_call *call);

  /* Frees the handle; NULL is allowed. [owner] */
  void(MRD_ABI *release)(mrd_prepared *prepared);
} mrd_family_validate;

#endif /* MERIDIAN_FAMILIES_VALIDATE_H */
