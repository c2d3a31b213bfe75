/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds the native kernel's geodesics to facts of Tests/NativeTests/Data, on machines that the tests do not run on: linked with
 * the kernel's objects into a program (arm64 under qemu) or into a WebAssembly module, which a script calls. It plays the host's
 * part with malloc and needs no C library but for printing. "facts.h" comes from facts_header.py.                            */
#include "facts.h"
#include "meridian/plugin.h"

#if __STDC_HOSTED__
#include <stdio.h>
#include <stdlib.h>
#define VISIBLE
#else
void *malloc(__SIZE_TYPE__);
void free(void *);
#define VISIBLE __attribute__((visibility("default")))
#endif

extern const mrd_plugin *MRD_ABI mrd_plugin_entry_v1(const mrd_host *, mrd_error *);

enum { DISTANCES, DIRECTS, AREAS, CLOSEST_PLACES, KINDS };
static int checked[KINDS], failed[KINDS];
static double worst[KINDS]; /* error over its bound */

static void *blocks[16];
static int block_count;

static void *MRD_ABI scratch(mrd_call *call, int64_t bytes, uint32_t align) {
  (void)call;
  if (block_count == 16) return NULL;
  char *block = malloc((__SIZE_TYPE__)bytes + align);
  if (block == NULL) return NULL;
  blocks[block_count++] = block;
  return block + (align - (__UINTPTR_TYPE__)block % align) % align;
}

static void *MRD_ABI grow(mrd_call *call, uint32_t buffer, int64_t bytes) {
  (void)call, (void)buffer, (void)bytes;
  return NULL; /* nothing here makes geometries */
}

static mrd_error error;
static mrd_item_status status;

static mrd_call begin(void) {
  mrd_call call = {0};
  error.struct_size = sizeof error;
  call.struct_size = sizeof call;
  call.thread_budget = 1;
  call.scratch = scratch;
  call.grow = grow;
  call.item_status = &status;
  call.error = &error;
  status = 0;
  return call;
}

static void end(void) {
  while (block_count > 0) free(blocks[--block_count]);
}

/* One row of interleaved lon, lat; `model` and `offsets` must live as long. */
static mrd_geoms row(int32_t type, const double *xy, int64_t count, const mrd_model *model, const int64_t offsets[4]) {
  mrd_geoms geoms = {0};
  geoms.struct_size = sizeof geoms;
  geoms.type = type;
  geoms.dims = MRD_XY;
  geoms.offset_bits = 64;
  geoms.n_offsets = type == MRD_POINT ? 0 : type == MRD_LINESTRING ? 1 : 2;
  geoms.length = 1;
  geoms.offsets[0] = type == MRD_LINESTRING ? offsets + 2 : offsets;
  geoms.offsets[1] = offsets + 2;
  geoms.coords.v[0] = xy;
  geoms.coords.v[1] = xy + 1;
  geoms.coords.stride[0] = geoms.coords.stride[1] = 16;
  geoms.coords.count = count;
  geoms.model = model;
  return geoms;
}

static double size(double x) { return x < 0 ? -x : x; }

static void hold(int kind, double difference, double bound) {
  double share = size(difference) / bound;
  ++checked[kind];
  if (!(share <= 1)) ++failed[kind];
  if (share > worst[kind]) worst[kind] = share;
}

static double distance(const mrd_family_measure *family, const mrd_geoms *a, const mrd_geoms *b, uint32_t op) {
  double value = -1, *values[] = {&value};
  mrd_columns out = {sizeof out, 1, 1, values};
  mrd_call call = begin();
  if (family->pair(op, a, b, NULL, &out, &call) != MRD_OK) value = -1;
  end();
  return value;
}

static mrd_model ellipsoid(double flattening) {
  mrd_model model = {sizeof model, MRD_EDGES_GEODESIC, MRD_METRIC_ELLIPSOID, 0, 6378137, flattening};
  return model;
}

static void check_pairs(const mrd_family_measure *family) {
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
    const struct pair_fact *fact = &pairs[i];
    const mrd_model model = ellipsoid(fact->flattening);
    const double bound = size(fact->flattening) <= 1.0 / 150 ? 15e-9 : 30e-9;
    mrd_geoms a = row(MRD_POINT, fact->a, 1, &model, NULL), b = row(MRD_POINT, fact->b, 1, &model, NULL);
    hold(DISTANCES, distance(family, &a, &b, MRD_MEASURE_DISTANCE) - fact->distance - fact->rest, bound);
    /* The azimuth is a rounded double, the end as well. */
    double end_place[2], azimuth = fact->azimuth, way = fact->distance + fact->rest;
    double *values[] = {&end_place[0], &end_place[1]};
    mrd_columns out = {sizeof out, 2, 1, values};
    mrd_call call = begin();
    int fine = family->direct(&a, &azimuth, &way, NULL, &out, &call) == MRD_OK;
    end();
    mrd_geoms found = row(MRD_POINT, end_place, 1, &model, NULL);
    hold(DIRECTS, fine ? distance(family, &found, &b, MRD_MEASURE_DISTANCE) : 1,
         bound + 5e-16 * size(fact->reduced) + 4e-9);
  }
}

static void check_rings(const mrd_family_measure *family) {
  const double *vertices = ring_vertices;
  for (unsigned i = 0; i < sizeof rings / sizeof *rings; ++i) {
    const struct ring_fact *fact = &rings[i];
    const mrd_model model = ellipsoid(fact->flattening);
    const int64_t offsets[] = {0, 1, 0, fact->vertices};
    mrd_geoms ring = row(MRD_POLYGON, vertices, fact->vertices, &model, offsets);
    double value = 0, *values[] = {&value};
    mrd_columns out = {sizeof out, 1, 1, values};
    mrd_call call = begin();
    int fine = family->measure(MRD_MEASURE_AREA_SIGNED, &ring, NULL, &out, &call) == MRD_OK;
    end();
    hold(AREAS, fine ? value - fact->area : 1e300,
         (fact->compact ? 1e-4 : 0.1) * (double)fact->vertices + 5e-14 * size(fact->area));
    vertices += 2 * fact->vertices;
  }
}

static void check_closest(const mrd_family_measure *family) {
  for (unsigned i = 0; i < sizeof closest / sizeof *closest; ++i) {
    const struct closest_fact *fact = &closest[i];
    const mrd_model model = ellipsoid(fact->flattening);
    const int64_t offsets[] = {0, 1, 0, 2};
    mrd_geoms point = row(MRD_POINT, fact->point, 1, &model, NULL);
    mrd_geoms line = row(MRD_LINESTRING, fact->edge, 2, &model, offsets);
    hold(CLOSEST_PLACES, distance(family, &point, &line, MRD_MEASURE_CLOSEST) - fact->distance - fact->rest,
         size(fact->flattening) <= 1.0 / 150 ? 15e-9 : 30e-9);
  }
}

/* Runs all facts; how many failed, or -1 when the kernel does not load. */
VISIBLE int run_facts(void) {
  static const mrd_host host = {sizeof host, MRD_ABI_VERSION, MRD_ABI_VERSION, 0, "facts", "0", NULL};
  error.struct_size = sizeof error;
  const mrd_plugin *plugin = mrd_plugin_entry_v1(&host, &error);
  const mrd_family_measure *family = plugin != NULL ? plugin->get_family(MRD_FAMILY_MEASURE) : NULL;
  if (family == NULL) return -1;
  check_pairs(family);
  check_rings(family);
  check_closest(family);
  int sum = 0;
  for (int kind = 0; kind < KINDS; ++kind) sum += failed[kind];
  return sum;
}

/* Of distances, directs, areas and closest places: how many were checked, and the largest error over its bound. */
VISIBLE int facts_checked(int kind) { return checked[kind]; }
VISIBLE double worst_share(int kind) { return worst[kind]; }

#if __STDC_HOSTED__
int main(void) {
  static const char *names[] = {"distances", "ends", "areas", "closest places"};
  int failures = run_facts();
  for (int kind = 0; kind < KINDS; ++kind)
    printf("fact_driver: %d %s, the worst at %.2f of its bound\n", checked[kind], names[kind], worst[kind]);
  return failures != 0;
}
#endif
