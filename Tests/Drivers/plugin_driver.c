/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls a measure kernel without a host: loads the library, plays the host's part with malloc, checks an area and a
 * length. It needs no Swift, so it runs wherever the C library does (arm64 under qemu).
 *
 *     plugin_driver LIBRARY                                                                                      */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meridian/plugin.h"

static void *MRD_ABI scratch(mrd_call *call, int64_t bytes, uint32_t align) {
  (void)call;
  (void)align;
  return calloc(1, bytes > 0 ? (size_t)bytes : 1); /* lives until the process ends, which is soon */
}

static void *buffers[MRD_BUF_COUNT];

static void *MRD_ABI grow(mrd_call *call, uint32_t buffer, int64_t bytes) {
  (void)call;
  if (buffer >= MRD_BUF_COUNT) return NULL;
  void *fresh = realloc(buffers[buffer], bytes > 0 ? (size_t)bytes : 1);
  if (fresh != NULL) buffers[buffer] = fresh;
  return fresh;
}

static const mrd_plugin *load(const char *path, mrd_error *error) {
  static const mrd_host host = {sizeof(mrd_host), MRD_ABI_VERSION, MRD_ABI_VERSION, 0, "driver", "0", NULL};
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "plugin_driver: %s\n", dlerror());
    return NULL;
  }
  const mrd_plugin *(MRD_ABI *entry)(const mrd_host *, mrd_error *);
  void *symbol = dlsym(library, MRD_ENTRY_NAME);
  memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from object to function pointer */
  const mrd_plugin *plugin = symbol != NULL ? entry(&host, error) : NULL;
  if (plugin != NULL && plugin->init != NULL && plugin->init(error) != MRD_OK) return NULL;
  return plugin;
}

/* Measures one polygon or line of `count` interleaved coordinates; -1 when the kernel answers an error. */
static double measure(const mrd_family_measure *family, uint32_t op, int32_t type, const double *xy, int64_t count) {
  mrd_error error = {sizeof(mrd_error), 0, 0, 0, ""};
  const int64_t rows[] = {0, type == MRD_POLYGON ? 1 : count}, rings[] = {0, count};
  double value = 0, *values[] = {&value};
  mrd_geoms geoms;
  mrd_call call;
  mrd_columns out = {sizeof(mrd_columns), 1, 1, values};
  memset(&geoms, 0, sizeof geoms);
  geoms.struct_size = sizeof geoms;
  geoms.type = type;
  geoms.dims = MRD_XY;
  geoms.offset_bits = 64;
  geoms.n_offsets = type == MRD_POLYGON ? 2 : 1;
  geoms.length = 1;
  geoms.offsets[0] = rows;
  geoms.offsets[1] = type == MRD_POLYGON ? rings : NULL;
  geoms.coords.v[0] = xy;
  geoms.coords.v[1] = xy + 1;
  geoms.coords.stride[0] = geoms.coords.stride[1] = 16;
  geoms.coords.count = count;
  memset(&call, 0, sizeof call);
  call.struct_size = sizeof call;
  call.thread_budget = 1;
  call.scratch = scratch;
  call.grow = grow;
  call.error = &error;
  if (family->measure(op, &geoms, NULL, &out, &call) == MRD_OK) return value;
  fprintf(stderr, "plugin_driver: %s\n", error.message);
  return -1;
}

int main(int argc, char **argv) {
  static const double ring[] = {0, 0, 4, 0, 4, 4, 0, 4, 0, 0}, line[] = {0, 0, 3, 4};
  mrd_error error = {sizeof(mrd_error), 0, 0, 0, ""};
  const mrd_plugin *plugin = argc == 2 ? load(argv[1], &error) : NULL;
  const mrd_family_measure *family = plugin != NULL ? plugin->get_family(MRD_FAMILY_MEASURE) : NULL;
  if (family == NULL) {
    fprintf(stderr, "plugin_driver: no plug-in with measures: %s\n", error.message);
    return 1;
  }
  double area = measure(family, MRD_MEASURE_AREA, MRD_POLYGON, ring, 5);
  double length = measure(family, MRD_MEASURE_LENGTH, MRD_LINESTRING, line, 2);
  printf("plugin_driver: %s: area %g, length %g\n", plugin->id, area, length);
  return area == 16 && length == 5 ? 0 : 1;
}
