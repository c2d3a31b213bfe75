/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives every family through libmeridian's C functions, as an embedder would:
 *
 *     driver PLUGIN_DIRECTORY
 *
 * Expected values are worked out by hand from small shapes. A family that no kernel in the directory offers is skipped
 * and said so, because a build may leave adapters out; measure is always there. Ends with 1 when a check fails.     */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "meridian/host.h"

static int failures = 0;
static int checks = 0;

/* Counts a check and prints what failed, with the error's words. */
static void check(int holds, const char *what, int line, const mrd_error *error) {
  checks++;
  if (holds) return;
  failures++;
  fprintf(stderr, "driver.c:%d: %s%s%s\n", line, what, error != NULL && error->message[0] ? ": " : "",
          error != NULL ? error->message : "");
}
#define CHECK(holds) check((holds) != 0, #holds, __LINE__, NULL)
#define OK(call) check((call) == MRD_OK, #call, __LINE__, &error)

static mrd_error fresh_error(void) {
  mrd_error error;
  memset(&error, 0, sizeof error);
  error.struct_size = sizeof error;
  return error;
}

static mrd_run fresh_run(void) {
  mrd_run run;
  memset(&run, 0, sizeof run);
  run.struct_size = sizeof run;
  return run;
}

/* True when some kernel of the session names the operation. */
static int offers(const mrd_session *session, const char *operation) {
  for (int64_t kernel = 0; kernel < mrd_session_kernel_count(session); kernel++) {
    const char *name;
    for (uint32_t index = 0; (name = mrd_session_kernel_operation(session, kernel, index)) != NULL; index++) {
      if (strcmp(name, operation) == 0) return 1;
    }
  }
  printf("driver: skipped %s: no kernel offers it\n", operation);
  return 0;
}

/* ---- sets ---- */

static void add_ring(mrd_builder *builder, const double *values, int64_t count) {
  mrd_error error = fresh_error();
  OK(mrd_builder_ring(builder, &error));
  OK(mrd_builder_coords(builder, values, count, &error));
}

/* A set of one line or point. */
static mrd_set *simple_set(int32_t type, const double *values, int64_t count) {
  mrd_error error = fresh_error();
  mrd_builder *builder = NULL;
  mrd_set *set = NULL;
  OK(mrd_builder_create(NULL, &builder, &error));
  OK(mrd_builder_begin(builder, type, MRD_XY, &error));
  OK(mrd_builder_coords(builder, values, count, &error));
  OK(mrd_builder_end(builder, &error));
  OK(mrd_builder_finish(builder, &set, &error));
  mrd_builder_release(builder);
  return set;
}

static mrd_set *polygon_set(const double *values, int64_t count) {
  mrd_error error = fresh_error();
  mrd_builder *builder = NULL;
  mrd_set *set = NULL;
  OK(mrd_builder_create(NULL, &builder, &error));
  OK(mrd_builder_begin(builder, MRD_POLYGON, MRD_XY, &error));
  add_ring(builder, values, count);
  OK(mrd_builder_end(builder, &error));
  OK(mrd_builder_finish(builder, &set, &error));
  mrd_builder_release(builder);
  return set;
}

static const double square4[] = {0, 0, 4, 0, 4, 4, 0, 4, 0, 0};
static const double hole2[] = {1, 1, 1, 3, 3, 3, 3, 1, 1, 1};
static const double bow_tie[] = {0, 0, 2, 2, 2, 0, 0, 2, 0, 0};
static const double line345[] = {0, 0, 3, 4};

/* Rows: a square of 4 x 4 with a hole of 2 x 2; a line of length 5; null; a collection of both. */
static mrd_set *mixed_set(void) {
  mrd_error error = fresh_error();
  mrd_builder *builder = NULL;
  mrd_set *set = NULL;
  OK(mrd_builder_create(NULL, &builder, &error));
  for (int collection = 0; collection < 2; collection++) {
    if (collection) OK(mrd_builder_begin(builder, MRD_COLLECTION, MRD_XY, &error));
    OK(mrd_builder_begin(builder, MRD_POLYGON, MRD_XY, &error));
    add_ring(builder, square4, 5);
    add_ring(builder, hole2, 5);
    OK(mrd_builder_end(builder, &error));
    OK(mrd_builder_begin(builder, MRD_LINESTRING, MRD_XY, &error));
    OK(mrd_builder_coords(builder, line345, 2, &error));
    OK(mrd_builder_end(builder, &error));
    if (collection) OK(mrd_builder_end(builder, &error));
    if (!collection) OK(mrd_builder_null(builder, &error));
  }
  CHECK(mrd_builder_ring(builder, &error) == MRD_E_ARGUMENT); /* nothing is open */
  OK(mrd_builder_finish(builder, &set, &error));
  CHECK(mrd_set_length(set) == 4);
  mrd_builder_release(builder);
  return set;
}

/* ---- measure ---- */

static mrd_columns columns_of(double **values, uint32_t count, int64_t length) {
  mrd_columns columns;
  memset(&columns, 0, sizeof columns);
  columns.struct_size = sizeof columns;
  columns.count = count;
  columns.length = length;
  columns.values = values;
  return columns;
}

static void measure_mixed(mrd_session *session) {
  mrd_error error = fresh_error();
  mrd_run run = fresh_run();
  mrd_set *set = mixed_set();
  double area[4], length[4];
  double *one[1] = {area};
  mrd_item_status statuses[4] = {0};
  mrd_columns out = columns_of(one, 1, 4);
  run.item_status = statuses;
  OK(mrd_measure(session, MRD_MEASURE_AREA, set, NULL, &out, &run, &error));
  CHECK(area[0] == 12 && area[1] == 0 && isnan(area[2]) && area[3] == 12);
  CHECK(MRD_ITEM_CODE(statuses[2]) == MRD_ITEM_NULL && MRD_ITEM_CODE(statuses[0]) == MRD_ITEM_OK);
  CHECK(run.kernel != NULL && run.reason != NULL);
  one[0] = length;
  OK(mrd_measure(session, MRD_MEASURE_LENGTH, set, NULL, &out, NULL, &error));
  CHECK(length[0] == 0 && length[1] == 5 && length[3] == 5);
  CHECK(mrd_measure(session, 9999, set, NULL, &out, NULL, &error) != MRD_OK);
  CHECK(error.code != MRD_OK && error.message[0] != 0);
  mrd_set_release(set);
}

static void measure_cancelled(mrd_session *session) {
  mrd_error error = fresh_error();
  mrd_run run = fresh_run();
  mrd_set *set = mixed_set();
  double area[4];
  double *one[1] = {area};
  mrd_columns out = columns_of(one, 1, 4);
  const uint32_t stop = 1;
  run.cancel = &stop;
  CHECK(mrd_measure(session, MRD_MEASURE_AREA, set, NULL, &out, &run, &error) == MRD_E_CANCELLED);
  mrd_set_release(set);
}

/* Memory of our own, wrapped: interleaved points with a null among them. */
static void measure_wrapped(mrd_session *session) {
  mrd_error error = fresh_error();
  const double xy[] = {1, 2, 3, 4, 5, 6};
  const uint8_t validity[] = {0x5};
  mrd_geoms geoms;
  mrd_set *set = NULL;
  double x[3], y[3];
  double *two[2] = {x, y};
  mrd_columns out = columns_of(two, 2, 3);
  memset(&geoms, 0, sizeof geoms);
  geoms.struct_size = sizeof geoms;
  geoms.type = MRD_POINT;
  geoms.dims = MRD_XY;
  geoms.offset_bits = 32;
  geoms.length = 3;
  geoms.validity = validity;
  geoms.coords.v[0] = xy;
  geoms.coords.v[1] = xy + 1;
  geoms.coords.stride[0] = geoms.coords.stride[1] = 16;
  geoms.coords.count = 3;
  OK(mrd_set_wrap(&geoms, &set, &error));
  CHECK(mrd_set_length(set) == 3 && mrd_set_array_count(set) == 1);
  OK(mrd_measure(session, MRD_MEASURE_CENTROID, set, NULL, &out, NULL, &error));
  CHECK(x[0] == 1 && y[0] == 2 && isnan(x[1]) && x[2] == 5 && y[2] == 6);
  mrd_set_release(set);
}

/* ---- fork ---- */

#define MANY 100000

/* Perimeters of the rows of `set`, by several threads. */
static mrd_status perimeters(mrd_session *session, const mrd_set *set, double values[MANY]) {
  mrd_error error = fresh_error();
  double *one[1] = {values};
  mrd_columns out = columns_of(one, 1, MANY);
  return mrd_measure(session, MRD_MEASURE_PERIMETER, set, NULL, &out, NULL, &error);
}

static int threads_of_this_process(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (const struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) count += task->d_name[0] != '.';
  if (tasks != NULL) closedir(tasks);
  return count;
}

/* Status of a child that ended within 30 s; -1, and it is killed, when it did not. */
static int end_of(pid_t child) {
  const struct timespec pause = {0, 10000000};
  for (int turn = 0; turn < 3000; turn++) {
    int status;
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    nanosleep(&pause, NULL);
  }
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  return -1;
}

/* A child after a fork has none of its parent's threads, as in a pool of Python processes: it makes its own. */
static void measure_forked(mrd_session *session) {
  static double before[MANY], after[MANY];
  mrd_error error = fresh_error();
  mrd_builder *builder = NULL;
  mrd_set *set = NULL;
  pid_t child;
  OK(mrd_builder_create(NULL, &builder, &error));
  for (int row = 0; row < MANY; row++) {
    const double corners[] = {0, 0, 1, 0, 1, row, 0, row, 0, 0};
    mrd_builder_begin(builder, MRD_POLYGON, MRD_XY, &error);
    mrd_builder_ring(builder, &error);
    mrd_builder_coords(builder, corners, 5, &error);
    mrd_builder_end(builder, &error);
  }
  OK(mrd_builder_finish(builder, &set, &error));
  mrd_builder_release(builder);
  CHECK(perimeters(session, set, before) == MRD_OK && before[2] == 6);
  fflush(NULL);
  child = fork();
  if (child == 0) {
    const int alone = threads_of_this_process() == 1;
    const int right = perimeters(session, set, after) == MRD_OK && memcmp(before, after, sizeof before) == 0;
    _exit(alone && right && threads_of_this_process() > 1 ? 0 : 3);
  }
  CHECK(child > 0 && end_of(child) == 0);
  CHECK(perimeters(session, set, after) == MRD_OK && memcmp(before, after, sizeof before) == 0);
  mrd_set_release(set);
}

static void measure_pairs(mrd_session *session) {
  mrd_error error = fresh_error();
  const double a[] = {0, 0}, b[] = {3, 4};
  mrd_set *from = simple_set(MRD_POINT, a, 1), *to = simple_set(MRD_POINT, b, 1);
  double distance, azimuth_a, azimuth_b, x, y, azimuth;
  double *inverse[3] = {&distance, &azimuth_a, &azimuth_b}, *direct[3] = {&x, &y, &azimuth};
  mrd_columns out = columns_of(inverse, 3, 1);
  if (offers(session, "measure.inverse")) {
    OK(mrd_measure_pair(session, MRD_MEASURE_INVERSE, from, to, NULL, &out, NULL, &error));
    CHECK(fabs(distance - 5) < 1e-12);
  }
  if (offers(session, "measure.direct")) {
    const double heading = 90, far = 2;
    out = columns_of(direct, 3, 1);
    OK(mrd_measure_direct(session, from, &heading, &far, NULL, &out, NULL, &error));
    CHECK(fabs(x - 2) < 1e-12 && fabs(y) < 1e-12);
  }
  mrd_set_release(from);
  mrd_set_release(to);
}

static void measure_densified(mrd_session *session) {
  mrd_error error = fresh_error();
  mrd_measure_options options;
  mrd_set *line = simple_set(MRD_LINESTRING, line345, 2), *dense = NULL;
  mrd_geoms geoms;
  memset(&geoms, 0, sizeof geoms);
  geoms.struct_size = sizeof geoms;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.max_edge_coord = 1;
  if (offers(session, "measure.densify")) {
    OK(mrd_measure_build(session, MRD_MEASURE_DENSIFY, line, &options, &dense, NULL, &error));
    OK(mrd_set_array(dense, 0, &geoms, NULL, &error));
    CHECK(geoms.coords.count == 6); /* five edges of length 1 */
  }
  mrd_set_release(dense);
  mrd_set_release(line);
}

/* ---- validate ---- */

static mrd_validate_options all_problems(void) {
  mrd_validate_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  return options;
}

static void validate(mrd_session *session) {
  mrd_error error = fresh_error();
  mrd_validate_options options = all_problems();
  mrd_set *set = polygon_set(bow_tie, 5);
  mrd_result *problems = NULL;
  uint8_t verdict = MRD_VERDICT_UNKNOWN;
  if (offers(session, "validate.valid")) {
    const void *records = NULL;
    OK(mrd_validate(session, MRD_VALIDATE_VALID, set, &options, &verdict, &problems, NULL, &error));
    CHECK(verdict == MRD_VERDICT_INVALID);
    CHECK(mrd_result_buffer(problems, MRD_BUF_RECORDS, &records) >= (int64_t)sizeof(mrd_problem));
    CHECK(mrd_result_record_size(problems) >= sizeof(mrd_problem));
    if (records != NULL) {
      const mrd_problem *first = records;
      CHECK(first->row == 0 && first->severity == MRD_SEVERITY_ERROR && first->x == 1 && first->y == 1);
      CHECK(mrd_problem_name(first->code) != NULL && mrd_problem_message(first->code) != NULL);
    }
  }
  mrd_result_release(problems);
  mrd_set_release(set);
}

static void repair(mrd_session *session) {
  mrd_error error = fresh_error();
  mrd_repair_options options;
  mrd_repair_report report;
  mrd_set *set = polygon_set(bow_tie, 5), *repaired = NULL;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.rule = MRD_REPAIR_LINEWORK;
  memset(&report, 0, sizeof report);
  if (offers(session, "validate.repair")) {
    double area;
    double *one[1] = {&area};
    mrd_columns out = columns_of(one, 1, 1);
    OK(mrd_repair(session, set, &options, &repaired, &report, sizeof report, NULL, &error));
    CHECK(report.outcome == MRD_REPAIR_REPAIRED);
    OK(mrd_measure(session, MRD_MEASURE_AREA, repaired, NULL, &out, NULL, &error));
    CHECK(fabs(area - 2) < 1e-12); /* two triangles of area 1 */
  }
  mrd_set_release(repaired);
  mrd_set_release(set);
}

/* ---- simplify, snap ---- */

static void simplify(mrd_session *session) {
  mrd_error error = fresh_error();
  const double bent[] = {0, 0, 1, 0.01, 2, 0, 3, 5};
  const double tolerance = 0.1;
  mrd_simplify_options options;
  mrd_set *set = simple_set(MRD_LINESTRING, bent, 4), *less = NULL;
  int32_t outcome = -1;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.tolerances = &tolerance;
  options.n_tolerances = 1;
  if (offers(session, "simplify.douglas_peucker")) {
    mrd_geoms geoms;
    memset(&geoms, 0, sizeof geoms);
    geoms.struct_size = sizeof geoms;
    OK(mrd_simplify(session, MRD_SIMPLIFY_DOUGLAS_PEUCKER, set, &options, &less, &outcome, NULL, NULL, &error));
    CHECK(outcome == MRD_SIMPLIFY_REDUCED);
    OK(mrd_set_array(less, 0, &geoms, NULL, &error));
    CHECK(geoms.coords.count == 3);
    options.n_tolerances = 1;
    options.tolerances = &(const double){-1};
    mrd_set_release(less);
    less = NULL;
    CHECK(mrd_simplify(session, MRD_SIMPLIFY_DOUGLAS_PEUCKER, set, &options, &less, NULL, NULL, NULL, &error) ==
          MRD_E_ARGUMENT);
    CHECK(less == NULL);
  }
  mrd_set_release(less);
  mrd_set_release(set);
}

static void snap(mrd_session *session) {
  mrd_error error = fresh_error();
  const double loose[] = {0.04, 0, 1.06, 0, 1, 1.01, 0.04, 0};
  mrd_snap_options options;
  mrd_set *set = polygon_set(loose, 4), *snapped = NULL;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.grid_scale = 10;
  if (offers(session, "snap.grid")) {
    double bounds[4];
    double *four[4] = {&bounds[0], &bounds[1], &bounds[2], &bounds[3]};
    mrd_columns out = columns_of(four, 4, 1);
    OK(mrd_snap(session, MRD_SNAP_GRID, set, NULL, &options, &snapped, NULL, NULL, &error));
    OK(mrd_measure(session, MRD_MEASURE_BOUNDS, snapped, NULL, &out, NULL, &error));
    CHECK(fabs(bounds[0]) < 1e-9 && fabs(bounds[2] - 1.1) < 1e-9 && fabs(bounds[3] - 1) < 1e-9);
  }
  mrd_set_release(snapped);
  mrd_set_release(set);
}

static void snap_query(mrd_session *session) {
  mrd_error error = fresh_error();
  const double near_corner[] = {3.9, 4.05};
  mrd_set *targets = polygon_set(square4, 5), *pointer = simple_set(MRD_POINT, near_corner, 1);
  mrd_target_layer layer;
  const mrd_target_layer *layers[1] = {&layer};
  mrd_targets *prepared = NULL;
  mrd_result *hits = NULL;
  mrd_snap_query_options options;
  memset(&layer, 0, sizeof layer);
  layer.struct_size = sizeof layer;
  layer.kinds = 1u << MRD_SNAP_VERTEX;
  layer.set = targets;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.tolerance_coord = 0.5;
  if (offers(session, "snap.query")) {
    const void *records = NULL;
    OK(mrd_targets_create(session, layers, 1, &prepared, NULL, &error));
    OK(mrd_targets_query(prepared, pointer, &options, &hits, NULL, &error));
    CHECK(mrd_result_buffer(hits, MRD_BUF_RECORDS, &records) >= (int64_t)sizeof(mrd_snap_hit));
    if (records != NULL) {
      const mrd_snap_hit *hit = records;
      CHECK(hit->kind == MRD_SNAP_VERTEX && hit->vertex == 2 && hit->x == 4 && hit->y == 4);
    }
  }
  mrd_result_release(hits);
  mrd_targets_release(prepared);
  mrd_set_release(pointer);
  mrd_set_release(targets);
}

/* ---- index ---- */

static mrd_boxes boxes_of(const double *values, int64_t length) {
  mrd_boxes boxes;
  memset(&boxes, 0, sizeof boxes);
  boxes.struct_size = sizeof boxes;
  boxes.length = length;
  for (int side = 0; side < 4; side++) {
    boxes.v[side] = values + side;
    boxes.stride[side] = 32;
  }
  return boxes;
}

/* Compares a buffer of ids with what is expected. */
static int ids_are(const mrd_result *result, const int64_t *expected, int64_t count) {
  const void *ids = NULL;
  int64_t bytes = mrd_result_buffer(result, MRD_BUF_IDS, &ids);
  return bytes == count * 8 && (count == 0 || memcmp(ids, expected, (size_t)bytes) == 0);
}

static void index_queries(const mrd_box_index *index) {
  mrd_error error = fresh_error();
  const double window[] = {2, 2, 11, 11}, corner[] = {12, 12, 12, 12};
  const int64_t window_ids[] = {1, 2}, nearest_ids[] = {2, 1};
  mrd_boxes windows = boxes_of(window, 1), corners = boxes_of(corner, 1);
  mrd_window_options ascending;
  mrd_nearest_options two;
  mrd_result *hits = NULL;
  memset(&ascending, 0, sizeof ascending);
  ascending.struct_size = sizeof ascending;
  ascending.flags = MRD_WINDOW_ASCENDING;
  OK(mrd_index_window(index, &windows, &ascending, &hits, NULL, &error));
  CHECK(ids_are(hits, window_ids, 2));
  mrd_result_release(hits);
  hits = NULL;
  memset(&two, 0, sizeof two);
  two.struct_size = sizeof two;
  two.k = 2;
  OK(mrd_index_nearest(index, &corners, &two, &hits, NULL, &error));
  CHECK(ids_are(hits, nearest_ids, 2));
  mrd_result_release(hits);
}

static void index_changes(mrd_box_index *index) {
  mrd_error error = fresh_error();
  const double fresh[] = {12, 12, 13, 13};
  const int64_t gone[] = {2};
  mrd_boxes boxes = boxes_of(fresh, 1);
  mrd_index_facts facts;
  int64_t removed = 0;
  OK(mrd_index_insert(index, &boxes, NULL, NULL, &error));
  OK(mrd_index_remove(index, gone, 1, &removed, NULL, &error));
  CHECK(removed == 1);
  memset(&facts, 0, sizeof facts);
  facts.struct_size = sizeof facts;
  OK(mrd_index_describe(index, &facts, &error));
  CHECK(facts.bounds[2] == 13 && facts.bounds[3] == 13);
}

static void index_family(mrd_session *session) {
  mrd_error error = fresh_error();
  const double values[] = {0, 0, 1, 1, 2, 2, 3, 3, 10, 10, 11, 11, NAN, 0, 1, 1};
  mrd_boxes boxes = boxes_of(values, 4);
  mrd_index_facts facts;
  mrd_box_index *index = NULL;
  if (!offers(session, "index.build")) return;
  OK(mrd_index_create_boxes(session, &boxes, NULL, &index, NULL, &error));
  memset(&facts, 0, sizeof facts);
  facts.struct_size = sizeof facts;
  OK(mrd_index_describe(index, &facts, &error));
  CHECK(facts.boxes == 4 && facts.never_hit == 1 && facts.bounds[2] == 11);
  if (index != NULL) index_queries(index);
  if (index != NULL && (facts.flags & MRD_OP_INSERT_REMOVE) != 0) index_changes(index);
  mrd_index_release(index);
}

/* ---- session ---- */

static void names(void) {
  CHECK(strcmp(mrd_status_name(MRD_E_ARGUMENT), "MRD_E_ARGUMENT") == 0);
  CHECK(mrd_status_name(4711) == NULL);
  CHECK(strcmp(mrd_problem_name(MRD_PROBLEM_CROSSING), "CROSSING") == 0);
  CHECK(strcmp(mrd_reason_name(MRD_REASON_WRONG_ABI), "WRONG_ABI") == 0);
  CHECK(mrd_abi_version() == MRD_ABI_VERSION && mrd_version() != NULL);
  CHECK(fabs(mrd_metres_per_point(0, 0, 0) - 78271.51696402048) < 1e-6);
  CHECK(isnan(mrd_metres_per_point(91, 0, 0)));
}

static void list_kernels(mrd_session *session) {
  mrd_error error = fresh_error();
  mrd_kernel kernel;
  CHECK(mrd_session_kernel_count(session) > 0);
  CHECK(mrd_session_diagnostic_count(session) > 0);
  for (int64_t at = 0; at < mrd_session_kernel_count(session); at++) {
    memset(&kernel, 0, sizeof kernel);
    kernel.struct_size = sizeof kernel;
    OK(mrd_session_kernel(session, at, &kernel, &error));
    printf("driver: %s %s, %u operations\n", kernel.id, kernel.version, kernel.operations);
  }
  CHECK(mrd_session_kernel(session, -1, &kernel, &error) != MRD_OK);
}

static void rules(mrd_session *session) {
  mrd_error error = fresh_error();
  OK(mrd_session_use(session, "measure.area=native", &error));
  CHECK(mrd_session_use(session, "no rule at all", &error) == MRD_E_ARGUMENT);
  CHECK(error.message[0] != 0);
}

int main(int argc, char **argv) {
  mrd_error error = fresh_error();
  mrd_session_options options;
  mrd_session *session = NULL;
  const char *paths[1];
  if (argc != 2) {
    fprintf(stderr, "usage: driver PLUGIN_DIRECTORY\n");
    return 2;
  }
  paths[0] = argv[1];
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.flags = MRD_SESSION_NO_DISCOVERY | MRD_SESSION_NO_ENVIRONMENT;
  options.paths = paths;
  options.n_paths = 1;
  options.threads = 4; /* whatever the machine has */
  names();
  OK(mrd_session_create(&options, &session, &error));
  if (session == NULL) return 1;
  list_kernels(session);
  rules(session);
  measure_mixed(session);
  measure_cancelled(session);
  measure_wrapped(session);
  measure_forked(session);
  measure_pairs(session);
  measure_densified(session);
  validate(session);
  repair(session);
  simplify(session);
  snap(session);
  snap_query(session);
  index_family(session);
  mrd_session_release(session);
  mrd_session_release(NULL);
  printf("driver: %d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
