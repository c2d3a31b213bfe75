/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds a native index of any boxes, saves it, changes bytes of what was saved, puts the checksum right as a forger would,
 * and opens it. What opens must answer queries like a plain loop over the boxes that the bytes hold, and must be saved as
 * the same bytes again. Linked with the plug-in itself; the part of the host is played with malloc.
 *
 * The input: how many changes (one byte); for each change an offset (two bytes), a mask (one byte) that is applied to the
 * byte there; the rest are boxes, four doubles each.                                                                  */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "meridian/families/index.h"
#include "meridian/plugin.h"

/* How the plug-in lays out its bytes; see TreeHeader.swift and TreeShape.swift. */
typedef struct {
  uint64_t magic;
  uint32_t version, byte_order;
  uint64_t checksum;
  int64_t given, count;
  double bounds[4], frame[3];
  uint64_t reserved[4];
} tree_header;
#define LEAF_BYTES (16 * (4 * 8 + 4))

typedef struct {
  double xmin, ymin, xmax, ymax;
} leaf;

static void require(int holds) {
  if (!holds) abort();
}

typedef struct {
  void *data;
  int64_t bytes;
} buffer;
static buffer buffers[MRD_BUF_COUNT];
#define MAX_SCRATCH 64
static void *scratches[MAX_SCRATCH];
static size_t n_scratches;

static void *MRD_ABI scratch(mrd_call *call, int64_t bytes, uint32_t align) {
  (void)call;
  require(bytes >= 0 && align > 0 && align <= 4096);
  if (n_scratches == MAX_SCRATCH) return NULL;
  size_t size = ((size_t)bytes + align - 1) / align * align;
  void *memory = aligned_alloc(align < 16 ? 16 : align, size > 0 ? (size + 15) / 16 * 16 : 16);
  if (memory != NULL) scratches[n_scratches++] = memory;
  return memory;
}

static void *MRD_ABI grow(mrd_call *call, uint32_t number, int64_t bytes) {
  (void)call;
  require(number < MRD_BUF_COUNT && bytes >= 0);
  void *memory = realloc(buffers[number].data, bytes > 0 ? (size_t)bytes : 1);
  if (memory == NULL) return NULL;
  buffers[number] = (buffer){memory, bytes};
  return memory;
}

static void start(mrd_call *call, mrd_error *error, mrd_item_status *statuses) {
  memset(call, 0, sizeof *call);
  memset(error, 0, sizeof *error);
  error->struct_size = sizeof *error;
  call->struct_size = sizeof *call;
  call->thread_budget = 1;
  call->scratch = scratch;
  call->grow = grow;
  call->item_status = statuses;
  call->error = error;
}

static void finish(void) {
  while (n_scratches > 0) free(scratches[--n_scratches]);
  for (size_t number = 0; number < MRD_BUF_COUNT; number++) {
    free(buffers[number].data);
    buffers[number] = (buffer){NULL, 0};
  }
}

/* The checksum as `save` would write it. */
static void put_right(unsigned char *bytes, size_t size) {
  uint64_t lanes[8], hash = 0;
  if (size < sizeof(tree_header)) return;
  for (int lane = 0; lane < 8; lane++) lanes[lane] = UINT64_C(0xcbf29ce484222325) + (uint64_t)lane;
  for (size_t at = 0; at + 8 <= size; at += 8) {
    uint64_t word, *lane = &lanes[at / 8 % 8];
    memcpy(&word, bytes + at, 8);
    *lane = (*lane ^ (at < 24 ? 0 : word)) * UINT64_C(0x100000001b3);
    *lane ^= *lane >> 29;
  }
  for (int lane = 0; lane < 8; lane++) hash = (hash ^ lanes[lane]) * UINT64_C(0x100000001b3);
  hash ^= hash >> 32;
  memcpy(bytes + offsetof(tree_header, checksum), &hash, 8);
}

/* The boxes in the leaves of an index, which are at the end of its bytes. */
static leaf *leaves_of(const unsigned char *bytes, size_t size, size_t count) {
  leaf *leaves = malloc((count + 1) * sizeof(leaf));
  const size_t blocks = (count + 15) / 16;
  if (leaves == NULL) return NULL;
  for (size_t at = 0; at < count; at++) {
    double values[4];
    const unsigned char *block = bytes + size - blocks * LEAF_BYTES + at / 16 * LEAF_BYTES;
    for (size_t column = 0; column < 4; column++) memcpy(&values[column], block + (column * 16 + at % 16) * 8, 8);
    leaves[at] = (leaf){values[0], values[1], values[2], values[3]};
  }
  return leaves;
}

static int meets(const leaf *a, const leaf *b) {
  return a->xmin <= b->xmax && b->xmin <= a->xmax && a->ymin <= b->ymax && b->ymin <= a->ymax;
}

static mrd_boxes one_box(const leaf *box) {
  mrd_boxes boxes = {sizeof(mrd_boxes), 0, 1, {&box->xmin, &box->ymin, &box->xmax, &box->ymax}, {32, 32, 32, 32}, NULL};
  return boxes;
}

/* Each hit is of a leaf that meets the window, and all of them are there. */
static void ask_window(const mrd_family_index *family, const mrd_index *index, const leaf *leaves, size_t count) {
  mrd_call call;
  mrd_error error;
  mrd_item_status status = 0;
  mrd_boxes windows = one_box(&leaves[0]);
  mrd_window_options options = {sizeof options, MRD_WINDOW_ASCENDING, MRD_WINDOW_IDS, 0, 0, NULL, NULL};
  start(&call, &error, &status);
  require(family->window(index, &windows, &options, &call) == MRD_OK);
  const int64_t *ids = buffers[MRD_BUF_IDS].data;
  size_t hits = (size_t)buffers[MRD_BUF_IDS].bytes / 8, expected = 0;
  for (size_t at = 0; at < count; at++) expected += (size_t)meets(&leaves[at], &leaves[0]);
  require(hits == expected);
  for (size_t hit = 1; hit < hits; hit++) require(ids[hit - 1] < ids[hit]);
  finish();
}

static void ask_nearest(const mrd_family_index *family, const mrd_index *index, const leaf *leaves, size_t count) {
  mrd_call call;
  mrd_error error;
  mrd_item_status status = 0;
  mrd_boxes queries = one_box(&leaves[count - 1]);
  mrd_nearest_options options = {sizeof options, MRD_TIES_LOWEST_ID, 3, 0, 0, NULL};
  start(&call, &error, &status);
  require(family->nearest(index, &queries, &options, &call) == MRD_OK);
  require(buffers[MRD_BUF_IDS].bytes == 8 * (int64_t)(count < 3 ? count : 3));
  require(buffers[MRD_BUF_VALUES].bytes == buffers[MRD_BUF_IDS].bytes);
  finish();
}

static void ask_join(const mrd_family_index *family, const mrd_index *index, const leaf *leaves, size_t count) {
  mrd_call call;
  mrd_error error;
  start(&call, &error, NULL);
  require(family->join(index, NULL, &call) == MRD_OK);
  int64_t pairs = 0;
  for (size_t a = 0; a < count; a++)
    for (size_t b = a + 1; b < count; b++) pairs += meets(&leaves[a], &leaves[b]);
  require(buffers[MRD_BUF_IDS].bytes == 16 * pairs);
  finish();
}

static void ask_save(const mrd_family_index *family, const mrd_index *index, const void *bytes, size_t size) {
  mrd_call call;
  mrd_error error;
  start(&call, &error, NULL);
  require(family->save(index, &call) == MRD_OK);
  require(buffers[MRD_BUF_BYTES].bytes == (int64_t)size);
  require(memcmp(buffers[MRD_BUF_BYTES].data, bytes, size) == 0);
  finish();
}

/* The bytes of an index of the boxes; NULL without memory. */
static unsigned char *saved(const mrd_family_index *family, const double *values, size_t count, size_t *size) {
  mrd_call call;
  mrd_error error;
  mrd_index *index = NULL;
  const mrd_boxes boxes = {
      sizeof boxes, 0, (int64_t)count, {values, values + 1, values + 2, values + 3}, {32, 32, 32, 32}, NULL};
  start(&call, &error, NULL);
  require(family->build(&boxes, NULL, &index, &call) == MRD_OK);
  require(family->save(index, &call) == MRD_OK);
  family->release(index);
  *size = (size_t)buffers[MRD_BUF_BYTES].bytes;
  unsigned char *bytes = malloc(*size);
  if (bytes != NULL) memcpy(bytes, buffers[MRD_BUF_BYTES].data, *size);
  finish();
  return bytes;
}

static void ask_all(const mrd_family_index *family, const mrd_index *index, const unsigned char *bytes, size_t size) {
  mrd_error error = {.struct_size = sizeof error};
  mrd_index_facts facts = {.struct_size = sizeof facts};
  require(family->facts(index, &facts, &error) == MRD_OK);
  const size_t count = (size_t)(facts.boxes - facts.never_hit);
  leaf *leaves = leaves_of(bytes, size, count);
  if (leaves == NULL) return;
  if (count > 0) {
    ask_window(family, index, leaves, count);
    ask_nearest(family, index, leaves, count);
  }
  ask_join(family, index, leaves, count);
  ask_save(family, index, bytes, size);
  free(leaves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const mrd_host host = {sizeof(mrd_host), MRD_ABI_VERSION, MRD_ABI_VERSION, 0, "fuzz", "0", NULL};
  mrd_call call;
  mrd_error error;
  start(&call, &error, NULL);
  const mrd_plugin *plugin = mrd_plugin_entry_v1(&host, &error);
  require(plugin != NULL);
  const mrd_family_index *family = plugin->get_family(MRD_FAMILY_INDEX);
  require(family != NULL);

  const size_t changes = size > 0 ? data[0] : 0, begin = 1 + 3 * changes;
  const size_t count = size > begin ? (size - begin) / 32 : 0;
  double *values = malloc((count + 1) * 32);
  if (values == NULL) return 0;
  if (count > 0) memcpy(values, data + begin, count * 32);
  size_t length = 0;
  unsigned char *bytes = saved(family, values, count, &length);
  free(values);
  if (bytes == NULL) return 0;
  for (size_t change = 0; change < changes && 3 * change + 3 < size; change++) {
    const uint8_t *at = data + 1 + 3 * change;
    bytes[(size_t)(at[0] | at[1] << 8) % length] ^= at[2];
  }
  put_right(bytes, length);

  mrd_index *index = NULL;
  mrd_status status = family->open(bytes, (int64_t)length, &index, &call);
  require((status == MRD_OK) == (index != NULL));
  require(status == MRD_OK || error.message[0] != 0);
  require(status == MRD_OK || changes > 0);
  if (index != NULL) ask_all(family, index, bytes, length);
  family->release(index);
  finish();
  free(bytes);
  return 0;
}
