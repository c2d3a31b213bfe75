/* SPDX-License-Identifier: Apache-2.0
 *
 * An embedder as it was written for ABI 0.1, against the headers beside it and no newer ones. Frozen with them: it is
 * only ever built, and linked to libmeridian of today.
 *
 *     host PLUGIN_DIRECTORY KERNEL_ID EXPECTED_AREA        area of a square of side 4                              */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meridian/host.h"

static int fail(const char *what, const mrd_error *error) {
  fprintf(stderr, "frozen host: %s: %s\n", what, error->message);
  return 1;
}

/* A set of one square and one null row; NULL when it cannot be made. */
static mrd_set *squares(mrd_error *error) {
  static const double ring[] = {0, 0, 4, 0, 4, 4, 0, 4, 0, 0};
  mrd_builder *builder = NULL;
  mrd_set *set = NULL;
  if (mrd_builder_create(NULL, &builder, error) == MRD_OK &&
      mrd_builder_begin(builder, MRD_POLYGON, MRD_XY, error) == MRD_OK && mrd_builder_ring(builder, error) == MRD_OK &&
      mrd_builder_coords(builder, ring, 5, error) == MRD_OK && mrd_builder_end(builder, error) == MRD_OK &&
      mrd_builder_null(builder, error) == MRD_OK) {
    (void)mrd_builder_finish(builder, &set, error);
  }
  mrd_builder_release(builder);
  return set;
}

int main(int argc, char **argv) {
  mrd_error error;
  mrd_session_options options;
  mrd_session *session = NULL;
  mrd_run run;
  double areas[2] = {0, 0}, *values[1];
  mrd_columns out;
  mrd_item_status statuses[2] = {0, 0};
  if (argc != 4) return 2;
  memset(&error, 0, sizeof error);
  error.struct_size = sizeof error;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.flags = MRD_SESSION_NO_DISCOVERY | MRD_SESSION_NO_ENVIRONMENT;
  options.paths = (const char *const *)&argv[1];
  options.n_paths = 1;
  if (mrd_session_create(&options, &session, &error) != MRD_OK) return fail("session", &error);
  mrd_set *set = squares(&error);
  if (set == NULL) return fail("set", &error);
  memset(&run, 0, sizeof run);
  run.struct_size = sizeof run;
  run.item_status = statuses;
  values[0] = areas;
  memset(&out, 0, sizeof out);
  out.struct_size = sizeof out;
  out.count = 1;
  out.length = 2;
  out.values = values;
  if (mrd_measure(session, MRD_MEASURE_AREA, set, NULL, &out, &run, &error) != MRD_OK) return fail("measure", &error);
  int right = areas[0] == strtod(argv[3], NULL) && areas[1] != areas[1] && strcmp(run.kernel, argv[2]) == 0 &&
              MRD_ITEM_CODE(statuses[1]) == MRD_ITEM_NULL;
  if (!right) fprintf(stderr, "frozen host: %s answered %g and %g\n", run.kernel, areas[0], areas[1]);
  mrd_set_release(set);
  mrd_session_release(session);
  return right ? 0 : 1;
}
