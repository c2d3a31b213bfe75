/* SPDX-License-Identifier: Apache-2.0
 *
 * Edges of chains of vertices, sixteen at once: which of them may meet. Edge k runs from vertex k to vertex k + 1.
 *
 * Vertices are seen in a frame: offsets from one vertex, rounded to float. Rounding never changes the order of two numbers,
 * so boxes of edges that meet have boxes in the frame that meet, without widening. What the frame cannot tell is left to
 * exact arithmetic on the doubles: a bit that is not set is proof that the edges are apart.                            */
#ifndef MERIDIAN_KERNEL_EDGES_H
#define MERIDIAN_KERNEL_EDGES_H

#include "kernel_boxes.h"

typedef float mrdk_float16 __attribute__((ext_vector_type(16), aligned(4)));
typedef double mrdk_wide8 __attribute__((ext_vector_type(8), aligned(8)));
typedef __INT64_TYPE__ mrdk_long8 __attribute__((ext_vector_type(8)));
typedef float mrdk_float8 __attribute__((ext_vector_type(8), aligned(4)));

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

static inline mrdk_float16 mrdk_load16(const float *values) { return *(const mrdk_float16 *)(const void *)values; }

static inline unsigned mrdk_yes16(mrdk_int16 answers) {
  return mrdk_bits16(__builtin_convertvector(answers, mrdk_bool16));
}

/* Offsets (values[i] - origin) scale of `count` ordinates as floats in `out`, which has room for `count` rounded up to
 * eights and 24 more; behind the last one it is repeated 24 times. Ordinates are `stride` bytes apart. Returns the greatest
 * magnitude, and infinity as soon as an offset is none or beyond 2^60. */
static inline float mrdk_offsets(const void *values, __INTPTR_TYPE__ stride, __INTPTR_TYPE__ count, double origin,
                                 double scale, float *out) {
  mrdk_float8 most = 0;
  mrdk_long8 fine = -1;
  const char *base = (const char *)values;
  __INTPTR_TYPE__ index = 0;
  if (stride == 8) {
    for (; index + 8 <= count; index += 8) {
      mrdk_wide8 offset = (*(const mrdk_wide8 *)(const void *)(base + 8 * index) - origin) * scale;
      fine &= __builtin_elementwise_abs(offset) <= 0x1p60;
      mrdk_float8 narrow = __builtin_convertvector(offset, mrdk_float8);
      mrdk_float8 narrowSize = __builtin_elementwise_abs(narrow);
      most = narrowSize > most ? narrowSize : most;
      *(mrdk_float8 *)(void *)(out + index) = narrow;
    }
  }
  float greatest = __builtin_reduce_max(most);
  unsigned isFine = mrdk_bits8(__builtin_convertvector(fine, mrdk_bool8)) == 0xff;
  for (; index < count; index++) {
    double offset = (*(const double *)(const void *)(base + stride * index) - origin) * scale;
    double size = __builtin_fabs(offset);
    if (!(size <= 0x1p60)) isFine = 0;
    out[index] = (float)offset;
    greatest = (float)size > greatest ? (float)size : greatest;
  }
  float last = count > 0 ? out[count - 1] : 0;
  *(mrdk_float16 *)(void *)(out + count) = last;
  *(mrdk_float8 *)(void *)(out + count + 16) = last;
  return isFine ? greatest : __builtin_inff();
}

/* The sixteen edges from vertex `first` of a frame on. box: xmin, ymin, xmax, ymax of the edges whose bit is set in `valid`.
 * *still: edges that may have no length. *turns: edges that may run straight back along the one before, which is their
 * neighbour in the frame. */
static inline void mrdk_edge_block(const float *x, const float *y, unsigned valid, float box[4], unsigned *still,
                                   unsigned *turns) {
  mrdk_float16 x0 = mrdk_load16(x), x1 = mrdk_load16(x + 1), y0 = mrdk_load16(y), y1 = mrdk_load16(y + 1);
  mrdk_float16 dx = x1 - x0, dy = y1 - y0;
  mrdk_float16 nx = mrdk_load16(x + 2) - x1, ny = mrdk_load16(y + 2) - y1;
  *still = valid & mrdk_yes16((dx == 0) & (dy == 0));
  *turns = valid & mrdk_yes16(~(dx * nx > 0) & ~(dy * ny > 0));
  mrdk_float16 xmin = __builtin_elementwise_min(x0, x1), xmax = __builtin_elementwise_max(x0, x1);
  mrdk_float16 ymin = __builtin_elementwise_min(y0, y1), ymax = __builtin_elementwise_max(y0, y1);
  if (valid != 0xffff) {
    const float endless = __builtin_inff();
    mrdk_bool16 lanes;
    __UINT16_TYPE__ bits = (__UINT16_TYPE__)valid;
    __builtin_memcpy(&lanes, &bits, sizeof lanes);
    mrdk_int16 keep = -__builtin_convertvector(lanes, mrdk_int16);
    xmin = keep ? xmin : (mrdk_float16)endless;
    ymin = keep ? ymin : (mrdk_float16)endless;
    xmax = keep ? xmax : (mrdk_float16)-endless;
    ymax = keep ? ymax : (mrdk_float16)-endless;
  }
  box[0] = __builtin_reduce_min(xmin);
  box[1] = __builtin_reduce_min(ymin);
  box[2] = __builtin_reduce_max(xmax);
  box[3] = __builtin_reduce_max(ymax);
}

/* Sixteen boxes column by column (xmin, ymin, xmax, ymax): bit i is set where box i meets the window. */
static inline unsigned mrdk_frames_meeting(const float *boxes, const float window[4]) {
  return mrdk_yes16((mrdk_load16(boxes) <= window[2]) & (mrdk_load16(boxes + 16) <= window[3]) &
                    (mrdk_load16(boxes + 32) >= window[0]) & (mrdk_load16(boxes + 48) >= window[1]));
}

/* Sixteen boxes as before become one. */
static inline void mrdk_frames_union(const float *boxes, float box[4]) {
  box[0] = __builtin_reduce_min(mrdk_load16(boxes));
  box[1] = __builtin_reduce_min(mrdk_load16(boxes + 16));
  box[2] = __builtin_reduce_max(mrdk_load16(boxes + 32));
  box[3] = __builtin_reduce_max(mrdk_load16(boxes + 48));
}

/* A frame's float rounds its double by at most 2^-24 of the greatest offset; `slip` is a little more than that. For edges
 * whose boxes meet, |difference of any two of their ends| <= the sum of their lengths |dx| + |dy|; with those lengths l of
 * the edge whose line it is and m of the other, the side of an end is right to
 *   2 slip (2 l + m) + 8 slip^2 + 2^-22 l (l + m)
 * where the last term covers four roundings. Constants are a little larger. */
#define MRDK_SLIP 2.25f
#define MRDK_SLIP_SQUARED 9.0f
#define MRDK_ROUNDINGS 0x1.1p-22f

/* Which of the edges of block `b` may meet each edge of block `a`: found[i] gets the bits of edge i. Blocks are given by
 * their first vertices in the frame; `va`, `vb` say which edges exist. `same`: a and b are one block, and edge i is held
 * against those behind it only; neighbours in the frame are never held against each other. Edges of `a` outside of the box
 * of `b` are left out. Returns the edges of `a` that found any. */
static inline unsigned mrdk_blocks_meeting(const float *ax, const float *ay, unsigned va, const float *bx, const float *by,
                                           unsigned vb, const float b_box[4], int same, int follows, float slip,
                                           __UINT16_TYPE__ found[16]) {
  mrdk_float16 x0 = mrdk_load16(bx), x1 = mrdk_load16(bx + 1), y0 = mrdk_load16(by), y1 = mrdk_load16(by + 1);
  mrdk_float16 xmin = __builtin_elementwise_min(x0, x1), xmax = __builtin_elementwise_max(x0, x1);
  mrdk_float16 ymin = __builtin_elementwise_min(y0, y1), ymax = __builtin_elementwise_max(y0, y1);
  mrdk_float16 dx = x1 - x0, dy = y1 - y0;
  mrdk_float16 length = __builtin_elementwise_abs(dx) + __builtin_elementwise_abs(dy);
  unsigned wanted = va;
  if (!same) {
    mrdk_float16 p = mrdk_load16(ax), q = mrdk_load16(ax + 1), r = mrdk_load16(ay), s = mrdk_load16(ay + 1);
    wanted &= mrdk_yes16((__builtin_elementwise_min(p, q) <= b_box[2]) & (__builtin_elementwise_max(p, q) >= b_box[0]) &
                         (__builtin_elementwise_min(r, s) <= b_box[3]) & (__builtin_elementwise_max(r, s) >= b_box[1]));
  }
  unsigned any = 0;
  for (unsigned rest = wanted; rest != 0; rest &= rest - 1) {
    int i = __builtin_ctz(rest);
    float px = ax[i], py = ay[i], qx = ax[i + 1], qy = ay[i + 1];
    float left = px < qx ? px : qx, right = px < qx ? qx : px, low = py < qy ? py : qy, high = py < qy ? qy : py;
    unsigned bits = vb;
    if (same) bits &= ~0u << (i + 2);
    if (follows && i == 15) bits &= ~1u;
    bits &= mrdk_yes16((xmin <= right) & (xmax >= left) & (ymin <= high) & (ymax >= low));
    if (bits == 0) continue;
    float ex = qx - px, ey = qy - py;
    float reach = __builtin_fabsf(ex) + __builtin_fabsf(ey);
    float square = MRDK_SLIP_SQUARED * slip * slip;
    mrdk_float16 doubt = length * (MRDK_SLIP * slip + MRDK_ROUNDINGS * reach) +
                         (2 * MRDK_SLIP * slip * reach + square + MRDK_ROUNDINGS * reach * reach);
    mrdk_float16 side0 = ex * (y0 - py) - ey * (x0 - px), side1 = ex * (y1 - py) - ey * (x1 - px);
    bits &= ~mrdk_yes16(((side0 > doubt) & (side1 > doubt)) | ((side0 < -doubt) & (side1 < -doubt)));
    if (bits == 0) continue;
    doubt = length * (2 * MRDK_SLIP * slip + MRDK_ROUNDINGS * (length + reach)) + (MRDK_SLIP * slip * reach + square);
    side0 = dx * (py - y0) - dy * (px - x0);
    side1 = dx * (qy - y0) - dy * (qx - x0);
    bits &= ~mrdk_yes16(((side0 > doubt) & (side1 > doubt)) | ((side0 < -doubt) & (side1 < -doubt)));
    if (bits == 0) continue;
    found[i] = (__UINT16_TYPE__)bits;
    any |= 1u << i;
  }
  return any;
}

#pragma clang diagnostic pop

#endif /* MERIDIAN_KERNEL_EDGES_H */
