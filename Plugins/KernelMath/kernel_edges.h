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
typedef float mrdk_float8 __attribute__((ext_vector_type(8), aligned(4)));
typedef float mrdk_float4 __attribute__((ext_vector_type(4)));

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

static inline mrdk_float16 mrdk_load16(const float *values) { return *(const mrdk_float16 *)(const void *)values; }

/* The lesser and the greater of two numbers, lane by lane, none of which is NaN; the functions of the C library, which say
 * what NaN gives, would be calls or three instructions. */
static inline mrdk_float16 mrdk_lesser(mrdk_float16 a, mrdk_float16 b) { return a < b ? a : b; }
static inline mrdk_float16 mrdk_greater(mrdk_float16 a, mrdk_float16 b) { return a > b ? a : b; }

/* The least and the greatest of sixteen numbers. */
static inline float mrdk_least(mrdk_float16 v) {
  mrdk_float8 a = v.lo < v.hi ? v.lo : v.hi;
  mrdk_float4 b = a.lo < a.hi ? a.lo : a.hi;
  float one = b.x < b.y ? b.x : b.y, other = b.z < b.w ? b.z : b.w;
  return one < other ? one : other;
}
static inline float mrdk_greatest(mrdk_float16 v) { return -mrdk_least(-v); }

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
      mrdk_ordinate8 offset = (*(const mrdk_ordinate8 *)(const void *)(base + 8 * index) - origin) * scale;
      fine &= __builtin_elementwise_abs(offset) <= 0x1p60;
      mrdk_float8 narrow = __builtin_convertvector(offset, mrdk_float8);
      mrdk_float8 narrowSize = __builtin_elementwise_abs(narrow);
      most = narrowSize > most ? narrowSize : most;
      *(mrdk_float8 *)(void *)(out + index) = narrow;
    }
  }
  float greatest = 0;
  for (int lane = 0; lane < 8; lane++) greatest = most[lane] > greatest ? most[lane] : greatest;
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

/* A frame's float rounds its double by at most 2^-24 of the greatest offset; `slip` is a little more than that. For edges
 * whose boxes meet, |difference of any two of their ends| <= the sum of their lengths |dx| + |dy|; with those lengths l of
 * the edge whose line it is and m of the other, the side of an end is right to
 *   2 slip (2 l + m) + 8 slip^2 + 2^-22 l (l + m)
 * where the last term covers four roundings. Constants are a little larger. */
#define MRDK_SLIP 2.25f
#define MRDK_SLIP_SQUARED 9.0f
#define MRDK_ROUNDINGS 0x1.1p-22f

/* The sixteen edges from vertex `first` of a frame on. box: xmin, ymin, xmax, ymax of the edges whose bit is set in `valid`.
 * *still: edges that may have no length. *turns: edges over which the next one in the frame may run straight back. `slip`:
 * see below. */
static inline void mrdk_edge_block(const float *x, const float *y, unsigned valid, float slip, float box[4],
                                   unsigned *still, unsigned *turns) {
  mrdk_float16 x0 = mrdk_load16(x), x1 = mrdk_load16(x + 1), y0 = mrdk_load16(y), y1 = mrdk_load16(y + 1);
  mrdk_float16 dx = x1 - x0, dy = y1 - y0;
  mrdk_float16 nx = mrdk_load16(x + 2) - x1, ny = mrdk_load16(y + 2) - y1;
  *still = valid & mrdk_yes16((dx == 0) & (dy == 0));
  mrdk_float16 reach = __builtin_elementwise_abs(dx) + __builtin_elementwise_abs(dy);
  mrdk_float16 nextReach = __builtin_elementwise_abs(nx) + __builtin_elementwise_abs(ny);
  mrdk_float16 doubt = (reach + nextReach) * (MRDK_SLIP * slip) + MRDK_SLIP_SQUARED * slip * slip +
                       MRDK_ROUNDINGS * reach * nextReach;
  *turns = valid & mrdk_yes16(~(__builtin_elementwise_abs(dx * ny - dy * nx) > doubt) & ~(dx * nx > 0) & ~(dy * ny > 0));
  mrdk_float16 xmin = mrdk_lesser(x0, x1), xmax = mrdk_greater(x0, x1);
  mrdk_float16 ymin = mrdk_lesser(y0, y1), ymax = mrdk_greater(y0, y1);
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
  box[0] = mrdk_least(xmin);
  box[1] = mrdk_least(ymin);
  box[2] = mrdk_greatest(xmax);
  box[3] = mrdk_greatest(ymax);
}

/* Sixteen boxes column by column (xmin, ymin, xmax, ymax): bit i is set where box i meets the window. */
static inline unsigned mrdk_frames_meeting(const float *boxes, const float window[4]) {
  return mrdk_yes16((mrdk_load16(boxes) <= window[2]) & (mrdk_load16(boxes + 16) <= window[3]) &
                    (mrdk_load16(boxes + 32) >= window[0]) & (mrdk_load16(boxes + 48) >= window[1]));
}

/* Sixteen boxes as before become one. */
static inline void mrdk_frames_union(const float *boxes, float box[4]) {
  box[0] = mrdk_least(mrdk_load16(boxes));
  box[1] = mrdk_least(mrdk_load16(boxes + 16));
  box[2] = mrdk_greatest(mrdk_load16(boxes + 32));
  box[3] = mrdk_greatest(mrdk_load16(boxes + 48));
}

/* Edges of blocks that meet: the frame's own places, for edges of different blocks.
 *
 * Which of the edges of block `b` may meet each edge of block `a`: found[i] gets the bits of edge i of `a`. Blocks are given
 * by their first vertices in the frame; `va`, `vb` say which edges exist. `follows`: b is behind a, so that the last edge of
 * a and the first of b are neighbours. Edges outside of the other block's box are left out. Returns the edges of `a` that
 * found any. */
static inline unsigned mrdk_blocks_meeting(const float *ax, const float *ay, unsigned va, const float a_box[4],
                                           const float *bx, const float *by, unsigned vb, const float b_box[4], int follows,
                                           float slip, __UINT16_TYPE__ found[16]) {
  mrdk_float16 p0 = mrdk_load16(ax), p1 = mrdk_load16(ax + 1), q0 = mrdk_load16(ay), q1 = mrdk_load16(ay + 1);
  unsigned rows = va & mrdk_yes16((mrdk_lesser(p0, p1) <= b_box[2]) &
                                  (mrdk_greater(p0, p1) >= b_box[0]) &
                                  (mrdk_lesser(q0, q1) <= b_box[3]) &
                                  (mrdk_greater(q0, q1) >= b_box[1]));
  if (rows == 0) return 0;
  mrdk_float16 x0 = mrdk_load16(bx), x1 = mrdk_load16(bx + 1), y0 = mrdk_load16(by), y1 = mrdk_load16(by + 1);
  mrdk_float16 xmin = mrdk_lesser(x0, x1), xmax = mrdk_greater(x0, x1);
  mrdk_float16 ymin = mrdk_lesser(y0, y1), ymax = mrdk_greater(y0, y1);
  unsigned lanes = vb & mrdk_yes16((xmin <= a_box[2]) & (xmax >= a_box[0]) & (ymin <= a_box[3]) & (ymax >= a_box[1]));
  if (lanes == 0 || (follows && rows == 0x8000 && lanes == 1)) return 0;
  mrdk_float16 dx = x1 - x0, dy = y1 - y0;
  mrdk_float16 length = __builtin_elementwise_abs(dx) + __builtin_elementwise_abs(dy);
  unsigned any = 0;
  for (unsigned rest = rows; rest != 0; rest &= rest - 1) {
    int i = __builtin_ctz(rest);
    float px = ax[i], py = ay[i], qx = ax[i + 1], qy = ay[i + 1];
    float left = px < qx ? px : qx, right = px < qx ? qx : px, low = py < qy ? py : qy, high = py < qy ? qy : py;
    unsigned bits = lanes;
    if (follows && i == 15) bits &= ~1u;
    bits &= mrdk_yes16((xmin <= right) & (xmax >= left) & (ymin <= high) & (ymax >= low));
    if (bits == 0) continue;
    float ex = qx - px, ey = qy - py;
    float reach = __builtin_fabsf(ex) + __builtin_fabsf(ey);
    float square = MRDK_SLIP_SQUARED * slip * slip;
    mrdk_float16 doubt = length * (MRDK_SLIP * slip + MRDK_ROUNDINGS * reach) +
                         (2 * MRDK_SLIP * slip * reach + square + MRDK_ROUNDINGS * reach * reach);
    mrdk_float16 side0 = ex * (y0 - py) - ey * (x0 - px), side1 = ex * (y1 - py) - ey * (x1 - px);
    bits &= ~mrdk_yes16((mrdk_lesser(side0, side1) > doubt) |
                        (mrdk_greater(side0, side1) < -doubt));
    if (bits == 0) continue;
    doubt = length * (2 * MRDK_SLIP * slip + MRDK_ROUNDINGS * (length + reach)) + (MRDK_SLIP * slip * reach + square);
    side0 = dx * (py - y0) - dy * (px - x0);
    side1 = dx * (qy - y0) - dy * (qx - x0);
    bits &= ~mrdk_yes16((mrdk_lesser(side0, side1) > doubt) |
                        (mrdk_greater(side0, side1) < -doubt));
    if (bits == 0) continue;
    found[i] = (__UINT16_TYPE__)bits;
    any |= 1u << i;
  }
  return any;
}

/* Up to sixteen edges held against each other: rotation by `step` brings edge (i + step) mod `count` before edge i, so that
 * half of the count in steps sees every pair. */
typedef struct mrdk_ring16 {
  mrdk_float16 x, y, dx, dy;
#if defined(__AVX512F__)
  mrdk_int16 lanes;
  int count;
#else
  float memory[4][32];
#endif
} mrdk_ring16;

static inline void mrdk_ring_start(mrdk_ring16 *ring, int count) {
#if defined(__AVX512F__)
  ring->lanes = (mrdk_int16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  ring->count = count;
#else
  const mrdk_float16 *columns[4] = {&ring->x, &ring->y, &ring->dx, &ring->dy};
  for (int column = 0; column < 4; column++) {
    *(mrdk_float16 *)(void *)ring->memory[column] = *columns[column];
    *(mrdk_float16 *)(void *)(ring->memory[column] + count) = *columns[column];
  }
#endif
}

/* Bits of the edges i that may meet edge (i + step) mod count. With w the way between their starts and c = d x e for their
 * ways d and e, the sides of one edge's ends seen from the other are d x w and d x w + c, e x w and e x w + c. `doubt`
 * bounds the error of these. */
static inline unsigned mrdk_ring_step(const mrdk_ring16 *ring, int step, float doubt) {
#if defined(__AVX512F__)
  mrdk_int16 index = ring->lanes + step;
  index = index >= ring->count ? index - ring->count : index;
  typedef float plain16 __attribute__((__vector_size__(64)));
  typedef int whole16 __attribute__((__vector_size__(64)));
  mrdk_float16 x = (mrdk_float16)__builtin_ia32_permvarsf512((plain16)ring->x, (whole16)index);
  mrdk_float16 y = (mrdk_float16)__builtin_ia32_permvarsf512((plain16)ring->y, (whole16)index);
  mrdk_float16 ex = (mrdk_float16)__builtin_ia32_permvarsf512((plain16)ring->dx, (whole16)index);
  mrdk_float16 ey = (mrdk_float16)__builtin_ia32_permvarsf512((plain16)ring->dy, (whole16)index);
#else
  mrdk_float16 x = mrdk_load16(ring->memory[0] + step), y = mrdk_load16(ring->memory[1] + step);
  mrdk_float16 ex = mrdk_load16(ring->memory[2] + step), ey = mrdk_load16(ring->memory[3] + step);
#endif
  mrdk_float16 wx = x - ring->x, wy = y - ring->y;
  mrdk_float16 turn = ring->dx * ey - ring->dy * ex;
  mrdk_float16 one = ring->dx * wy - ring->dy * wx, other = ex * wy - ey * wx;
  mrdk_float16 oneEnd = one + turn, otherEnd = other + turn;
  mrdk_int16 apart = (mrdk_lesser(one, oneEnd) > doubt) | (mrdk_greater(one, oneEnd) < -doubt) |
                     (mrdk_lesser(other, otherEnd) > doubt) |
                     (mrdk_greater(other, otherEnd) < -doubt);
  return ~mrdk_yes16(apart) & 0xffff;
}

/* What the sides in `mrdk_ring_step` may be wrong by, for places that are `reach` or less from each other along both axes and
 * were rounded to float from an origin among them: places by 2^-24 reach, differences by three times that, products by seven
 * times that and reach, and of those there are four, and six roundings. 2^-140 is for what lies below the normal numbers. */
static inline float mrdk_ring_doubt(float reach) { return reach * reach * 0x1.8p-19f + 0x1p-140f; }

/* Sixteen ordinates from `values` on and the next one as floats from an origin; the last of those that are there, when they
 * are fewer than seventeen, stands for the rest. */
static inline void mrdk_local16(const double *values, __INTPTR_TYPE__ size, double origin, double scale,
                                mrdk_float16 *start, mrdk_float16 *end) {
  float places[32];
  double copy[17];
  if (size < 17) {
    for (int i = 0; i < 17; i++) copy[i] = values[i < size ? i : size - 1];
    values = copy;
  }
  for (int half = 0; half < 2; half++) {
    mrdk_ordinate8 offset = (*(const mrdk_ordinate8 *)(const void *)(values + 8 * half) - origin) * scale;
    mrdk_ordinate8 next = (*(const mrdk_ordinate8 *)(const void *)(values + 8 * half + 1) - origin) * scale;
    *(mrdk_float8 *)(void *)(places + 8 * half) = __builtin_convertvector(offset, mrdk_float8);
    *(mrdk_float8 *)(void *)(places + 16 + 8 * half) = __builtin_convertvector(next, mrdk_float8);
  }
  *start = mrdk_load16(places);
  *end = mrdk_load16(places + 16);
}

/* Which pairs of edges of one block may meet, but for neighbours: found[s] gets the bits of the edges i that may meet edge
 * (i + s) mod 16, s from 1 to 8. `x` and `y` hold `size` ordinates or more from the block's first vertex on, up to seventeen
 * that are looked at; `box` is the block's in a frame of scale `scale` whose places slip by up to `slip`. Returns a bit for
 * each s that found any. */
static inline unsigned mrdk_block_within(const double *x, const double *y, __INTPTR_TYPE__ size, unsigned valid,
                                         double scale, const float box[4], float slip, __UINT16_TYPE__ found[16]) {
  if (valid == 0) return 0;
  int first = __builtin_ctz(valid); /* a place of the box */
  mrdk_ring16 ring;
  mrdk_float16 x1, y1;
  mrdk_local16(x, size, x[first], scale, &ring.x, &x1);
  mrdk_local16(y, size, y[first], scale, &ring.y, &y1);
  ring.dx = x1 - ring.x;
  ring.dy = y1 - ring.y;
  mrdk_ring_start(&ring, 16);
  float width = box[2] - box[0], height = box[3] - box[1];
  float doubt = mrdk_ring_doubt((width > height ? width : height) + 4 * slip);
  unsigned any = 0;
  for (int step = 1; step <= 8; step++) {
    unsigned other = (valid >> step | valid << (16 - step)) & valid;
    if (step == 1) other &= 0x8000;
    if (step == 8) other &= 0x00ff;
    other &= mrdk_ring_step(&ring, step, doubt);
    found[step] = (__UINT16_TYPE__)other;
    any |= (unsigned)(other != 0) << step;
  }
  return any;
}

/* What a look at a ring of 3 to 15 edges by itself finds. */
typedef struct mrdk_small_ring {
  __UINT32_TYPE__ still; /* edges that may have no length */
  __UINT32_TYPE__ turns; /* edges over which the next one, round the ring, may run straight back */
  __UINT32_TYPE__ steps; /* bit s: found[s] holds edges i that may meet edge (i + s) mod count */
  __UINT16_TYPE__ found[16];
} mrdk_small_ring;

/* Looks at a closed ring of `count` edges, 3 to 15, whose count + 1 vertices lie side by side. 0 = the ring does not fit: an
 * ordinate is no finite number, or the extent is so large or small that floats cannot tell. */
static inline int mrdk_look_at_ring(const double *x, const double *y, int count, mrdk_small_ring *look) {
  mrdk_ring16 ring;
  double xs[16], ys[16];
#if defined(__AVX512F__)
  unsigned all = (2u << count) - 1;
  typedef double plain8 __attribute__((__vector_size__(64), aligned(8)));
  plain8 ox = (plain8)(mrdk_ordinate8)x[0], oy = (plain8)(mrdk_ordinate8)y[0];
  *(plain8 *)(void *)xs = __builtin_ia32_loadupd512_mask((const void *)x, ox, (__UINT8_TYPE__)all);
  *(plain8 *)(void *)ys = __builtin_ia32_loadupd512_mask((const void *)y, oy, (__UINT8_TYPE__)all);
  *(plain8 *)(void *)(xs + 8) =
      __builtin_ia32_loadupd512_mask((const void *)(x + 8), ox, (__UINT8_TYPE__)(all >> 8));
  *(plain8 *)(void *)(ys + 8) =
      __builtin_ia32_loadupd512_mask((const void *)(y + 8), oy, (__UINT8_TYPE__)(all >> 8));
#else
  for (int i = 0; i < 16; i++) {
    xs[i] = x[i <= count ? i : 0];
    ys[i] = y[i <= count ? i : 0];
  }
#endif
  mrdk_long8 fine = -1;
  float fx[16], fy[16];
  for (int half = 0; half < 2; half++) {
    mrdk_ordinate8 dx = *(const mrdk_ordinate8 *)(const void *)(xs + 8 * half) - x[0];
    mrdk_ordinate8 dy = *(const mrdk_ordinate8 *)(const void *)(ys + 8 * half) - y[0];
    fine &= (__builtin_elementwise_abs(dx) <= 0x1p60) & (__builtin_elementwise_abs(dy) <= 0x1p60);
    *(mrdk_float8 *)(void *)(fx + 8 * half) = __builtin_convertvector(dx, mrdk_float8);
    *(mrdk_float8 *)(void *)(fy + 8 * half) = __builtin_convertvector(dy, mrdk_float8);
  }
  ring.x = mrdk_load16(fx);
  ring.y = mrdk_load16(fy);
  mrdk_float16 x1 = __builtin_shufflevector(ring.x, ring.x, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
  mrdk_float16 y1 = __builtin_shufflevector(ring.y, ring.y, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0);
  ring.dx = x1 - ring.x;
  ring.dy = y1 - ring.y;
  float reach =
      mrdk_greatest(mrdk_greater(__builtin_elementwise_abs(ring.x), __builtin_elementwise_abs(ring.y)));
  if (mrdk_bits8(__builtin_convertvector(fine, mrdk_bool8)) != 0xff || !(reach >= 0x1p-40f)) return 0;
  /* Places may lie on both sides of the origin. */
  float doubt = mrdk_ring_doubt(2 * reach);
  unsigned edges = (1u << count) - 1;
  mrdk_ring_start(&ring, count);
  mrdk_float16 nx, ny;
#if defined(__AVX512F__)
  typedef float plain16 __attribute__((__vector_size__(64)));
  typedef int whole16 __attribute__((__vector_size__(64)));
  mrdk_int16 index = ring.lanes + 1;
  index = index >= count ? index - count : index;
  nx = (mrdk_float16)__builtin_ia32_permvarsf512((plain16)ring.dx, (whole16)index);
  ny = (mrdk_float16)__builtin_ia32_permvarsf512((plain16)ring.dy, (whole16)index);
#else
  nx = mrdk_load16(ring.memory[2] + 1);
  ny = mrdk_load16(ring.memory[3] + 1);
#endif
  look->still = edges & mrdk_yes16((ring.dx == 0) & (ring.dy == 0));
  look->turns = edges & mrdk_yes16(~(__builtin_elementwise_abs(ring.dx * ny - ring.dy * nx) > doubt) &
                                   ~(ring.dx * nx > 0) & ~(ring.dy * ny > 0));
  unsigned steps = 0;
  for (int step = 2; 2 * step <= count; step++) {
    unsigned bits = edges & mrdk_ring_step(&ring, step, doubt);
    if (2 * step == count) bits &= (1u << step) - 1;
    look->found[step] = (__UINT16_TYPE__)bits;
    steps |= (unsigned)(bits != 0) << step;
  }
  look->steps = steps;
  return 1;
}

#pragma clang diagnostic pop

#endif /* MERIDIAN_KERNEL_EDGES_H */
