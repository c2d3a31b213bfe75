/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/host.h: the host ABI, the functions of libmeridian. What an embedder includes (C, Python, Rust, Java, Node).
 *
 * Objects. A session finds, loads and chooses kernels. A set holds rows of any geometry type. A run is one call's
 * surroundings: cancel word, threads, row statuses, and who answered. Results are sets, or result objects whose
 * buffers live until they are released. Every object is released by its own function; NULL is always allowed there.
 *
 * Threads. A session may be used by any number of threads at once after it is created; `mrd_session_use` and
 * `mrd_session_register` are seen by calls that begin later. Sets are immutable once built. Errors go to the caller's
 * mrd_error (may be NULL); its `item` is a row of the set that was passed in.                                    */
#ifndef MERIDIAN_HOST_H
#define MERIDIAN_HOST_H

#include "plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32) && !defined(MRD_BUILDING_LIBRARY)
#  define MRD_API __declspec(dllimport)
#else
#  define MRD_API MRD_EXPORT
#endif

/* ---- versions and names ------------------------------------------------------------------------------------- */

/* "0.1.0". Static storage. [any] */
MRD_API const char *MRD_ABI mrd_version(void);
/* MRD_ABI_VERSION as this library was built with. [any] */
MRD_API uint32_t MRD_ABI mrd_abi_version(void);
/* "MRD_E_ARGUMENT" and the like; NULL for a value that is not known. Static storage. [any] */
MRD_API const char *MRD_ABI mrd_status_name(mrd_status status);
/* "CROSSING" and the like; NULL for a value that is not known. Static storage. [any] */
MRD_API const char *MRD_ABI mrd_problem_name(int32_t code);
/* The standard sentence of a problem code; NULL for a value that is not known. Static storage. [any] */
MRD_API const char *MRD_ABI mrd_problem_message(int32_t code);

/* ---- session --------------------------------------------------------------------------------------------------- */

typedef struct mrd_session mrd_session;

/* mrd_session_options.flags */
#define MRD_SESSION_NO_DISCOVERY 0x1u   /* only `paths` and registered tables; no environment, no directories */
#define MRD_SESSION_NO_ENVIRONMENT 0x2u /* the MERIDIAN_* variables are not read */

typedef struct mrd_session_options {
  uint32_t struct_size;
  uint32_t flags;           /* MRD_SESSION_* */
  const char *const *paths; /* absolute directories or manifest files searched before all others */
  uint32_t n_paths;
  uint32_t threads;         /* workers of the host; 0 = one a core */
  const char *cpu_level;    /* "baseline", "x86-64-v3", "x86-64-v4", "arm64": forces a level; NULL = the best */
  const char *config_file;  /* preferences, in the syntax of `mrd_session_use`, one a line; NULL = none */
  /* Lines of log from the host and from kernels; NULL = none. Runs on any thread. [any] */
  void(MRD_ABI *log)(void *context, int32_t level, const char *message);
  void *log_context;
} mrd_session_options;

/* Finds kernels; loads none. `options` NULL = defaults. Damaged or refused plug-ins are diagnostics, not errors. [any] */
MRD_API mrd_status MRD_ABI mrd_session_create(const mrd_session_options *options, mrd_session **out, mrd_error *error);
/* Ends the session when its last call has ended; plug-ins stay loaded. [owner] */
MRD_API void MRD_ABI mrd_session_release(mrd_session *session);
/* Adds a plug-in from a static table, before all that discovery found. The table lives as long as the process. [any] */
MRD_API mrd_status MRD_ABI mrd_session_register(mrd_session *session, const mrd_plugin *plugin, mrd_error *error);
/* Chooses kernels for later calls. One rule or several, separated by semicolons or newlines:
 *   family[.operation]=id          by name, short ids allowed: measure.area=proj
 *   require family[.operation] error<=1e-6 relative, exact, deterministic, all-problems, edges=geodesic
 *   prefer fastest | accurate | id,id,...
 * A later rule wins over an earlier one of the same scope, a narrower scope over a wider. [any] */
MRD_API mrd_status MRD_ABI mrd_session_use(mrd_session *session, const char *rules, mrd_error *error);
/* Adds an observer for all later calls. The struct is copied; `context` must live until the session is released. [any] */
MRD_API mrd_status MRD_ABI mrd_session_observe(mrd_session *session, const mrd_observer *observer, mrd_error *error);

/* One kernel that a session knows. Strings live as long as the session. */
typedef struct mrd_kernel {
  uint32_t struct_size;
  uint32_t operations;      /* how many the manifest names */
  const char *id;           /* "meridian.geos" */
  const char *short_id;     /* "geos" */
  const char *name;
  const char *version;
  const char *license;
  const char *manifest;     /* path, or "" when registered from a table */
  const char *library;      /* path that would be or was loaded, or "" */
  const char *cpu_level;
  int32_t loaded;           /* 1 = its library is in the process */
  uint32_t pad0;
} mrd_kernel;

/* Kernels in order of preference. [any] */
MRD_API int64_t MRD_ABI mrd_session_kernel_count(const mrd_session *session);
MRD_API mrd_status MRD_ABI mrd_session_kernel(const mrd_session *session, int64_t index, mrd_kernel *out,
                                              mrd_error *error);
/* Name of operation number `index` of a kernel ("measure.area"); NULL when there is none. [any] */
MRD_API const char *MRD_ABI mrd_session_kernel_operation(const mrd_session *session, int64_t kernel, uint32_t index);
/* What the kernel declares of an operation ("measure.area"), the first of its declarations; loads its library. NULL and
 * an error when it has none. [any] */
MRD_API const mrd_op_info *MRD_ABI mrd_session_kernel_info(mrd_session *session, int64_t kernel, const char *operation,
                                                           mrd_error *error);

/* One path that discovery or loading looked at, with what came of it. Strings live as long as the session. */
typedef struct mrd_diagnostic {
  uint32_t struct_size;
  int32_t reason;      /* MRD_REASON_* */
  const char *path;
  const char *message; /* the whole reason, dlerror() included */
} mrd_diagnostic;

#define MRD_REASON_ACCEPTED 0
#define MRD_REASON_SHADOWED 1              /* another manifest with this id came first */
#define MRD_REASON_NOT_FOUND 2             /* the directory or file is not there */
#define MRD_REASON_RELATIVE_PATH 3         /* a search entry is relative or empty */
#define MRD_REASON_WRITABLE_BY_OTHERS 4    /* a file or directory on the way may be written by group or others */
#define MRD_REASON_WRONG_OWNER 5           /* ... or belongs to neither root nor the user */
#define MRD_REASON_LINK_LEAVES_ROOT 6      /* a symbolic link leads out of the search root */
#define MRD_REASON_LIBRARY_LEAVES_MANIFEST 7 /* a library path leaves its manifest's directory */
#define MRD_REASON_MALFORMED_MANIFEST 8    /* not the JSON that a manifest is; the message has line and column */
#define MRD_REASON_NEWER_MANIFEST 9        /* manifest_version is higher than this host reads */
#define MRD_REASON_WRONG_PLATFORM 10       /* no library for this system and processor */
#define MRD_REASON_CPU_LEVEL 11            /* no library that this machine, or the forced level, can run */
#define MRD_REASON_WRONG_ABI 12            /* no common ABI version, or the plug-in answered outside the range */
#define MRD_REASON_WRONG_CHECKSUM 13       /* the pin file has another digest for this library, or none */
#define MRD_REASON_PRIVILEGED_PROCESS 14   /* the environment and the user's directories are ignored when set-uid */
#define MRD_REASON_LOAD_FAILED 15          /* dlopen failed: a missing dependency, a wrong file */
#define MRD_REASON_NO_ENTRY 16             /* the entry symbol is not there */
#define MRD_REASON_REFUSED 17              /* the plug-in refused this host; the message is its own */
#define MRD_REASON_BAD_TABLE 18            /* a struct is too small, an id is not the manifest's, a required slot is NULL */
#define MRD_REASON_INIT_FAILED 19          /* init answered an error */
#define MRD_REASON_IO 20                   /* a directory or file could not be read */
#define MRD_REASON_NOT_ABSOLUTE_REGULAR 21 /* the library is no regular file */

/* "WRITABLE_BY_OTHERS" and the like; NULL for a value that is not known. [any] */
MRD_API const char *MRD_ABI mrd_reason_name(int32_t reason);
/* Every path that was looked at, in order. Loading adds to the list. [any] */
MRD_API int64_t MRD_ABI mrd_session_diagnostic_count(const mrd_session *session);
MRD_API mrd_status MRD_ABI mrd_session_diagnostic(const mrd_session *session, int64_t index, mrd_diagnostic *out,
                                                  mrd_error *error);

/* ---- sets ---------------------------------------------------------------------------------------------------- */

typedef struct mrd_set mrd_set;
typedef struct mrd_builder mrd_builder;

/* Wraps an array without copying; its memory must live until the set is released. [any] */
MRD_API mrd_status MRD_ABI mrd_set_wrap(const mrd_geoms *geoms, mrd_set **out, mrd_error *error);
MRD_API void MRD_ABI mrd_set_release(mrd_set *set);
/* Rows, null rows and collections included. [any] */
MRD_API int64_t MRD_ABI mrd_set_length(const mrd_set *set);
/* The arrays that the set consists of, each of one type and one dimension. [any] */
MRD_API int64_t MRD_ABI mrd_set_array_count(const mrd_set *set);
/* Array number `index`; *rows, when not NULL, is set to the row of the set that each geometry belongs to, or to NULL
 * when they are equal. All pointers live as long as the set. [any] */
MRD_API mrd_status MRD_ABI mrd_set_array(const mrd_set *set, int64_t index, mrd_geoms *out, const int64_t **rows,
                                         mrd_error *error);

/* Builds a set row by row. A row is begin, its coordinates and parts, end. [owner] */
MRD_API mrd_status MRD_ABI mrd_builder_create(const mrd_model *model, mrd_builder **out, mrd_error *error);
MRD_API void MRD_ABI mrd_builder_release(mrd_builder *builder);
/* Opens a geometry: a row, or a member of the collection that is open. `type` is MRD_POINT to MRD_MULTIPOLYGON, or
 * MRD_COLLECTION. */
#define MRD_COLLECTION 7
MRD_API mrd_status MRD_ABI mrd_builder_begin(mrd_builder *builder, int32_t type, int32_t dims, mrd_error *error);
/* Opens the next polygon of a multipolygon, and the next ring or line. */
MRD_API mrd_status MRD_ABI mrd_builder_part(mrd_builder *builder, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_builder_ring(mrd_builder *builder, mrd_error *error);
/* Appends `count` coordinates, interleaved with the dimensions that `begin` named. */
MRD_API mrd_status MRD_ABI mrd_builder_coords(mrd_builder *builder, const double *values, int64_t count,
                                              mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_builder_end(mrd_builder *builder, mrd_error *error);
/* Appends a null row. */
MRD_API mrd_status MRD_ABI mrd_builder_null(mrd_builder *builder, mrd_error *error);
/* Hands out the set; the builder is empty again. */
MRD_API mrd_status MRD_ABI mrd_builder_finish(mrd_builder *builder, mrd_set **out, mrd_error *error);

/* ---- run ------------------------------------------------------------------------------------------------------- */

/* One call's surroundings. All-zero after struct_size = defaults. */
typedef struct mrd_run {
  uint32_t struct_size;
  uint32_t threads;             /* at most this many workers; 0 = the session's */
  const uint32_t *cancel;       /* non-zero stops the call; NULL = never */
  const char *rules;            /* rules for this call only, in the syntax of mrd_session_use; NULL = none */
  const mrd_model *model;       /* edge model and metric for this call; NULL = the set's own */
  mrd_item_status *item_status; /* [rows of the set], filled; NULL = not wanted */
  void(MRD_ABI *progress)(void *context, double fraction); /* NULL = nobody listens */
  void *progress_context;
  /* Written by the host: which kernel answered, and why it was chosen ("preferred", "named by rule ...", "fallback:
   * ..."). Valid until the session is released. */
  const char *kernel;
  const char *reason;
} mrd_run;

/* ---- results --------------------------------------------------------------------------------------------------- */

/* Variable-length results: the buffers MRD_BUF_* that the operation documents, rows numbered as in the set. */
typedef struct mrd_result mrd_result;
MRD_API void MRD_ABI mrd_result_release(mrd_result *result);
/* Bytes of a buffer and, in *out, where it is; 0 and NULL for a buffer that the operation does not fill. Lives as long
 * as the result. [any] */
MRD_API int64_t MRD_ABI mrd_result_buffer(const mrd_result *result, uint32_t buffer, const void **out);
/* Step through MRD_BUF_RECORDS; 0 when there are none. [any] */
MRD_API uint32_t MRD_ABI mrd_result_record_size(const mrd_result *result);

/* ---- the families ------------------------------------------------------------------------------------------------
 * Meanings, units and options are those of the headers in families/; `set` stands for the array, and rows are the set's rows.
 * Collections: lengths, areas and counts are summed over members, bounds united, verdicts joined, problems carry the
 * member in `part`, and geometries are put together again. [any]                                                   */

/* LENGTH to INTERPOLATE. */
MRD_API mrd_status MRD_ABI mrd_measure(mrd_session *session, uint32_t op, const mrd_set *set,
                                       const mrd_measure_options *options, const mrd_columns *out, mrd_run *run,
                                       mrd_error *error);
/* INVERSE, DISTANCE, CLOSEST. */
MRD_API mrd_status MRD_ABI mrd_measure_pair(mrd_session *session, uint32_t op, const mrd_set *a, const mrd_set *b,
                                            const mrd_measure_options *options, const mrd_columns *out, mrd_run *run,
                                            mrd_error *error);
/* DIRECT. */
MRD_API mrd_status MRD_ABI mrd_measure_direct(mrd_session *session, const mrd_set *points, const double *azimuth,
                                              const double *distance, const mrd_measure_options *options,
                                              const mrd_columns *out, mrd_run *run, mrd_error *error);
/* DENSIFY. */
MRD_API mrd_status MRD_ABI mrd_measure_build(mrd_session *session, uint32_t op, const mrd_set *set,
                                             const mrd_measure_options *options, mrd_set **out, mrd_run *run,
                                             mrd_error *error);

/* VALID, SIMPLE, LAYER. `verdicts`: [rows] or NULL. *problems holds MRD_BUF_RECORDS (mrd_problem), MRD_BUF_BYTES. */
MRD_API mrd_status MRD_ABI mrd_validate(mrd_session *session, uint32_t op, const mrd_set *set,
                                        const mrd_validate_options *options, uint8_t *verdicts, mrd_result **problems,
                                        mrd_run *run, mrd_error *error);
/* REPAIR. `reports`: [rows] of `report_size` bytes, or NULL. */
MRD_API mrd_status MRD_ABI mrd_repair(mrd_session *session, const mrd_set *set, const mrd_repair_options *options,
                                      mrd_set **out, mrd_repair_report *reports, uint32_t report_size, mrd_run *run,
                                      mrd_error *error);

/* A geometry under edit: PREPARED. */
typedef struct mrd_editor mrd_editor;
MRD_API mrd_status MRD_ABI mrd_editor_create(mrd_session *session, const mrd_set *set, int64_t row,
                                             const mrd_validate_options *options, mrd_editor **out, mrd_run *run,
                                             mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_editor_edit(mrd_editor *editor, const mrd_edit *edits, uint32_t edit_size, int64_t count,
                                           uint8_t *verdict, mrd_result **problems, mrd_run *run, mrd_error *error);
MRD_API void MRD_ABI mrd_editor_release(mrd_editor *editor);

/* All simplify operations. `outcomes`: [rows x tolerances] or NULL. `kept`, when not NULL, receives MRD_BUF_ROWS and
 * MRD_BUF_IDS: for every output vertex of a result row the number of the input vertex inside its row. */
MRD_API mrd_status MRD_ABI mrd_simplify(mrd_session *session, uint32_t op, const mrd_set *set,
                                        const mrd_simplify_options *options, mrd_set **out, int32_t *outcomes,
                                        mrd_result **kept, mrd_run *run, mrd_error *error);

/* PAIR, LAYER, SELF, GRID. */
MRD_API mrd_status MRD_ABI mrd_snap(mrd_session *session, uint32_t op, const mrd_set *set, const mrd_set *targets,
                                    const mrd_snap_options *options, mrd_set **out, int32_t *outcomes, mrd_run *run,
                                    mrd_error *error);

/* Prepared targets: QUERY. The memory of wrapped sets must live until the targets are released. */
typedef struct mrd_targets mrd_targets;
typedef struct mrd_target_layer {
  uint32_t struct_size;
  uint32_t kinds;     /* as mrd_snap_layer.kinds */
  int32_t priority;
  uint32_t pad0;      /* 0 */
  const mrd_set *set;
} mrd_target_layer;
MRD_API mrd_status MRD_ABI mrd_targets_create(mrd_session *session, const mrd_target_layer *const *layers,
                                              uint32_t n_layers, mrd_targets **out, mrd_run *run, mrd_error *error);
/* *hits holds MRD_BUF_ROWS and MRD_BUF_RECORDS (mrd_snap_hit). */
MRD_API mrd_status MRD_ABI mrd_targets_query(const mrd_targets *targets, const mrd_set *points,
                                             const mrd_snap_query_options *options, mrd_result **hits, mrd_run *run,
                                             mrd_error *error);
MRD_API void MRD_ABI mrd_targets_release(mrd_targets *targets);
/* Metres per screen point at a latitude and a zoom: 2 pi 6378137 cos(lat) / (tile x 2^zoom); tile 0 = 512. NaN when the
 * latitude is outside [-90, 90]. [any] */
MRD_API double MRD_ABI mrd_metres_per_point(double latitude, double zoom, double tile);

/* A box index. Row numbers are ids. */
typedef struct mrd_box_index mrd_box_index;
/* From the bounds of a set's rows, measured by the session's measure kernel. */
MRD_API mrd_status MRD_ABI mrd_index_create(mrd_session *session, const mrd_set *set, const mrd_index_options *options,
                                            mrd_box_index **out, mrd_run *run, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_create_boxes(mrd_session *session, const mrd_boxes *boxes,
                                                  const mrd_index_options *options, mrd_box_index **out, mrd_run *run,
                                                  mrd_error *error);
/* From bytes that mrd_index_save made (borrowed until release), or from a file that was built with a path. */
MRD_API mrd_status MRD_ABI mrd_index_open(mrd_session *session, const void *bytes, int64_t size, mrd_box_index **out,
                                          mrd_run *run, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_open_file(mrd_session *session, const char *path, const mrd_index_options *options,
                                               mrd_box_index **out, mrd_run *run, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_describe(const mrd_box_index *index, mrd_index_facts *out, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_window(const mrd_box_index *index, const mrd_boxes *windows,
                                            const mrd_window_options *options, mrd_result **hits, mrd_run *run,
                                            mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_nearest(const mrd_box_index *index, const mrd_boxes *queries,
                                             const mrd_nearest_options *options, mrd_result **hits, mrd_run *run,
                                             mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_join(const mrd_box_index *a, const mrd_box_index *b, mrd_result **pairs,
                                          mrd_run *run, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_insert(mrd_box_index *index, const mrd_boxes *boxes, const int64_t *ids,
                                            mrd_run *run, mrd_error *error);
MRD_API mrd_status MRD_ABI mrd_index_remove(mrd_box_index *index, const int64_t *ids, int64_t count, int64_t *removed,
                                            mrd_run *run, mrd_error *error);
/* *bytes holds MRD_BUF_BYTES. */
MRD_API mrd_status MRD_ABI mrd_index_save(const mrd_box_index *index, mrd_result **bytes, mrd_run *run,
                                          mrd_error *error);
MRD_API void MRD_ABI mrd_index_release(mrd_box_index *index);

#ifdef __cplusplus
}
#endif

#endif /* MERIDIAN_HOST_H */
