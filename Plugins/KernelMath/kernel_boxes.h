/* SPDX-License-Identifier: Apache-2.0
 *
 * The nodes of trees of boxes, sixteen at once: comparing, taking the answers as bits, distances, the Hilbert curve. Swift's
 * vectors have no cheap form of these.                                                                             */
#ifndef MERIDIAN_KERNEL_BOXES_H
#define MERIDIAN_KERNEL_BOXES_H

typedef __INT32_TYPE__ mrdk_int16 __attribute__((ext_vector_type(16), aligned(4)));
typedef _Bool mrdk_bool16 __attribute__((ext_vector_type(16)));

/* Sixteen answers as bits. */
static inline unsigned mrdk_bits16(mrdk_bool16 answers) {
  __UINT16_TYPE__ bits;
  __builtin_memcpy(&bits, &answers, sizeof bits);
  return bits;
}

/* Sixteen boxes of whole numbers, column by column: xmin, ymin, xmax, ymax. Bit i of the answer is set where box i meets the
 * window [xmin, ymin, xmax, ymax]; touching meets. */
static inline unsigned mrdk_boxes_meeting(const __INT32_TYPE__ *boxes, __INT32_TYPE__ xmin, __INT32_TYPE__ ymin,
                                          __INT32_TYPE__ xmax, __INT32_TYPE__ ymax) {
  const mrdk_int16 *column = (const mrdk_int16 *)(const void *)boxes;
  return mrdk_bits16(__builtin_convertvector(
      (column[0] <= xmax) & (column[1] <= ymax) & (column[2] >= xmin) & (column[3] >= ymin), mrdk_bool16));
}

/* Asks for a line of memory that will be read soon. */
static inline void mrdk_prefetch(const void *address) { __builtin_prefetch(address); }

/* Bit i of the answer is set where box i of `boxes` lies inside the window and does not touch its border. */
static inline unsigned mrdk_boxes_inside(const __INT32_TYPE__ *boxes, __INT32_TYPE__ xmin, __INT32_TYPE__ ymin,
                                         __INT32_TYPE__ xmax, __INT32_TYPE__ ymax) {
  const mrdk_int16 *column = (const mrdk_int16 *)(const void *)boxes;
  return mrdk_bits16(__builtin_convertvector(
      (column[0] > xmin) & (column[1] > ymin) & (column[2] < xmax) & (column[3] < ymax), mrdk_bool16));
}

typedef __UINT32_TYPE__ mrdk_word16 __attribute__((ext_vector_type(16), aligned(4)));

/* Places of sixteen cells on the Hilbert curve through 2^16 x 2^16 cells.
 *
 * From the coarsest bit on, the state says how the curve lies in the square that is reached: whether both axes run backward,
 * and whether they have changed roles. A bit of x and y, seen in that state, is the quarter along the curve; in the first
 * and the last quarter the axes change roles, in the last they run the other way as well. Whole words stand for bits: 0 and
 * all ones; where both bits of a cell are equal a change of roles changes nothing. */
static inline void mrdk_hilbert_places(const __UINT32_TYPE__ x[16], const __UINT32_TYPE__ y[16],
                                       __UINT32_TYPE__ places[16]) {
  mrdk_word16 xs = *(const mrdk_word16 *)(const void *)x << 16, ys = *(const mrdk_word16 *)(const void *)y << 16;
  mrdk_word16 place = 0, backward = 0, swapped = 0;
  for (int bit = 0; bit < 16; bit++, xs <<= 1, ys <<= 1) {
    mrdk_word16 a = (mrdk_word16)((mrdk_int16)xs >> 31);
    mrdk_word16 differs = a ^ (mrdk_word16)((mrdk_int16)ys >> 31);
    mrdk_word16 right = a ^ backward ^ (swapped & differs);
    mrdk_word16 up = right ^ differs;
    place = place << 2 | ((right & 3) ^ (up & 1));
    backward ^= right & ~up;
    swapped ^= ~up;
  }
  *(mrdk_word16 *)(void *)places = place;
}

/* Sixteen places with the numbers from `first` on in the lower halves. */
static inline void mrdk_numbered16(const __UINT32_TYPE__ places[16], unsigned long long first, unsigned long long keys[16]) {
  for (unsigned long long lane = 0; lane < 16; lane++) keys[lane] = (unsigned long long)places[lane] << 32 | (first + lane);
}

typedef double mrdk_ordinate2 __attribute__((ext_vector_type(2), aligned(8)));
typedef __INT32_TYPE__ mrdk_int2 __attribute__((ext_vector_type(2)));

/* (low + high) scale - offset as whole numbers in [0, last], x and y; 0 for NaN. */
static inline void mrdk_middle(const double box[4], double scale, double x_offset, double y_offset, double last,
                               __UINT32_TYPE__ *x, __UINT32_TYPE__ *y) {
  const mrdk_ordinate2 *corner = (const mrdk_ordinate2 *)(const void *)box;
  mrdk_ordinate2 offset = {x_offset, y_offset};
  mrdk_ordinate2 cells = (corner[0] + corner[1]) * scale - offset;
  cells = cells > 0 ? cells : (mrdk_ordinate2)0;
  cells = cells < last ? cells : (mrdk_ordinate2)last;
  mrdk_int2 whole = __builtin_convertvector(cells, mrdk_int2);
  *x = (__UINT32_TYPE__)whole.x;
  *y = (__UINT32_TYPE__)whole.y;
}

/* Vectors wider than the registers of a CPU level cross no call: everything here is inlined. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

#define MRDK_LE 18   /* ordered, quiet */
#define MRDK_GE 29
#define MRDK_ROUND 4 /* as the mode says */

typedef double mrdk_ordinate8 __attribute__((ext_vector_type(8), aligned(8)));
typedef __INT64_TYPE__ mrdk_long8 __attribute__((ext_vector_type(8)));
typedef _Bool mrdk_bool8 __attribute__((ext_vector_type(8)));

/* Eight answers as bits. */
static inline unsigned mrdk_bits8(mrdk_bool8 answers) {
  __UINT8_TYPE__ bits;
  __builtin_memcpy(&bits, &answers, sizeof bits);
  return bits;
}

/* The same for sixteen boxes side by side. */
static inline void mrdk_middles16(const double *boxes, double scale, double x_offset, double y_offset, double last,
                                  __UINT32_TYPE__ x[16], __UINT32_TYPE__ y[16]) {
  typedef __INT32_TYPE__ whole8 __attribute__((ext_vector_type(8)));
  typedef __INT32_TYPE__ whole16 __attribute__((ext_vector_type(16), aligned(4)));
  const mrdk_ordinate8 offset = {x_offset, y_offset, x_offset, y_offset, x_offset, y_offset, x_offset, y_offset};
  whole8 pairs[4];
  for (int four = 0; four < 4; four++) {
    const mrdk_ordinate8 *two = (const mrdk_ordinate8 *)(const void *)(boxes + 16 * four);
    mrdk_ordinate8 low = __builtin_shufflevector(two[0], two[1], 0, 1, 4, 5, 8, 9, 12, 13);
    mrdk_ordinate8 high = __builtin_shufflevector(two[0], two[1], 2, 3, 6, 7, 10, 11, 14, 15);
    mrdk_ordinate8 cells = (low + high) * scale - offset;
    cells = cells > 0 ? cells : (mrdk_ordinate8)0;
    cells = cells < last ? cells : (mrdk_ordinate8)last;
    pairs[four] = __builtin_convertvector(cells, whole8);
  }
  whole16 a = __builtin_shufflevector(pairs[0], pairs[1], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  whole16 b = __builtin_shufflevector(pairs[2], pairs[3], 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  *(whole16 *)(void *)x = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  *(whole16 *)(void *)y = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

/* Whether an even number of boxes side by side (xmin, ymin, xmax, ymax) can all be hit; then `bounds`, which are those of
 * other boxes before, are theirs as well. */
static inline int mrdk_survey_boxes(const double *boxes, __INTPTR_TYPE__ count, double bounds[4]) {
  mrdk_ordinate8 low = {bounds[0], bounds[1], bounds[0], bounds[1], bounds[0], bounds[1], bounds[0], bounds[1]};
  mrdk_ordinate8 high = {bounds[2], bounds[3], bounds[2], bounds[3], bounds[2], bounds[3], bounds[2], bounds[3]};
  const mrdk_long8 upper = {0, 0, -1, -1, 0, 0, -1, -1};
  mrdk_long8 fine = -1;
  for (__INTPTR_TYPE__ box = 0; box < count; box += 2) {
    mrdk_ordinate8 two = *(const mrdk_ordinate8 *)(const void *)(boxes + 4 * box);
    mrdk_ordinate8 turned = __builtin_shufflevector(two, two, 2, 3, 0, 1, 6, 7, 4, 5);
    fine &= (two <= turned) | upper;
    low = two < low ? two : low;
    high = two > high ? two : high;
  }
  bounds[0] = low[0] < low[4] ? low[0] : low[4];
  bounds[1] = low[1] < low[5] ? low[1] : low[5];
  bounds[2] = high[2] > high[6] ? high[2] : high[6];
  bounds[3] = high[3] > high[7] ? high[3] : high[7];
  return mrdk_bits8(__builtin_convertvector(fine, mrdk_bool8)) == 0xff;
}

typedef double mrdk_ordinate4 __attribute__((ext_vector_type(4), aligned(8)));

/* Fills the four columns of a leaf with two opposite corners each of the sixteen things whose numbers are in the lower halves of
 * `keys`: the corners stand at the beginning of things of `stride` doubles. `around` becomes the box around them; no NaN. */
static inline void mrdk_fill_leaf(const double *things, __INTPTR_TYPE__ stride, const unsigned long long *keys, double *leaf,
                                  double around[4]) {
  mrdk_ordinate4 low = (mrdk_ordinate4)__builtin_inf(), high = -low;
  for (int half = 0; half < 2; half++) {
    mrdk_ordinate8 t[4];
    for (int four = 0; four < 2; four++) {
      const unsigned long long *key = keys + 8 * half + 4 * four;
      mrdk_ordinate4 v[4];
      for (int i = 0; i < 4; i++) {
        v[i] = *(const mrdk_ordinate4 *)(const void *)(things + stride * (__INTPTR_TYPE__)(key[i] & 0xffffffff));
        low = v[i] < low ? v[i] : low;
        high = v[i] > high ? v[i] : high;
      }
      mrdk_ordinate8 one = __builtin_shufflevector(v[0], v[1], 0, 1, 2, 3, 4, 5, 6, 7);
      mrdk_ordinate8 two = __builtin_shufflevector(v[2], v[3], 0, 1, 2, 3, 4, 5, 6, 7);
      t[2 * four] = __builtin_shufflevector(one, two, 0, 4, 8, 12, 1, 5, 9, 13);
      t[2 * four + 1] = __builtin_shufflevector(one, two, 2, 6, 10, 14, 3, 7, 11, 15);
    }
    mrdk_ordinate8 *column = (mrdk_ordinate8 *)(void *)(leaf + 8 * half);
    column[0] = __builtin_shufflevector(t[0], t[2], 0, 1, 2, 3, 8, 9, 10, 11);
    column[2] = __builtin_shufflevector(t[0], t[2], 4, 5, 6, 7, 12, 13, 14, 15);
    column[4] = __builtin_shufflevector(t[1], t[3], 0, 1, 2, 3, 8, 9, 10, 11);
    column[6] = __builtin_shufflevector(t[1], t[3], 4, 5, 6, 7, 12, 13, 14, 15);
  }
  around[0] = low[0] < low[2] ? low[0] : low[2];
  around[1] = low[1] < low[3] ? low[1] : low[3];
  around[2] = high[0] > high[2] ? high[0] : high[2];
  around[3] = high[1] > high[3] ? high[1] : high[3];
}

/* A leaf is sixteen boxes, column by column: xmin, ymin, xmax, ymax; 8-byte aligned. Bit i of the answer is set where box i
 * meets the window; touching meets, NaN does not. */
static inline unsigned mrdk_leaf_meeting(const double *leaf, double xmin, double ymin, double xmax, double ymax) {
  unsigned bits = 0;
  for (int half = 0; half < 2; half++) {
    const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)(leaf + 8 * half);
#if defined(__AVX512F__)
    /* Each comparison masks the next: compilers that prefer half vectors piece the masks together one by one. */
    __UINT8_TYPE__ byte = __builtin_ia32_cmppd512_mask(column[0], (mrdk_ordinate8)xmax, MRDK_LE, 0xff, MRDK_ROUND);
    byte = __builtin_ia32_cmppd512_mask(column[2], (mrdk_ordinate8)ymax, MRDK_LE, byte, MRDK_ROUND);
    byte = __builtin_ia32_cmppd512_mask(column[4], (mrdk_ordinate8)xmin, MRDK_GE, byte, MRDK_ROUND);
    byte = __builtin_ia32_cmppd512_mask(column[6], (mrdk_ordinate8)ymin, MRDK_GE, byte, MRDK_ROUND);
#else
    unsigned byte = mrdk_bits8(__builtin_convertvector(
        (column[0] <= xmax) & (column[2] <= ymax) & (column[4] >= xmin) & (column[6] >= ymin), mrdk_bool8));
#endif
    bits |= (unsigned)byte << (8 * half);
  }
  return bits;
}

/* The same where a box with xmin > xmax is two: from xmin on, and up to xmax. */
static inline unsigned mrdk_round_leaf_meeting(const double *leaf, double xmin, double ymin, double xmax, double ymax) {
  unsigned bits = 0;
  for (int half = 0; half < 2; half++) {
    const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)(leaf + 8 * half);
    mrdk_long8 starts = column[0] <= xmax, ends = column[4] >= xmin, is_two = column[0] > column[4];
    unsigned byte = mrdk_bits8(__builtin_convertvector(
        ((starts & ends) | ((starts | ends) & is_two)) & (column[2] <= ymax) & (column[6] >= ymin), mrdk_bool8));
    bits |= byte << (8 * half);
  }
  return bits;
}

/* max(v, 0), 0 for NaN, which equal infinities give. */
static inline mrdk_ordinate8 mrdk_positive(mrdk_ordinate8 v) { return v > 0 ? v : (mrdk_ordinate8)0; }

/* Squares of the distances of two intervals on each axis, fl(dx^2 + dy^2): d* = max(min - qmax, 0, qmin - max). */
static inline mrdk_ordinate8 mrdk_squares(mrdk_ordinate8 xmin, mrdk_ordinate8 ymin, mrdk_ordinate8 xmax,
                                          mrdk_ordinate8 ymax, const double query[4]) {
  mrdk_ordinate8 left = query[0] - xmax, down = query[1] - ymax;
  mrdk_ordinate8 dx = mrdk_positive(xmin - query[2]), dy = mrdk_positive(ymin - query[3]);
  dx = left > dx ? left : dx;
  dy = down > dy ? down : dy;
  return dx * dx + dy * dy;
}

/* Keeps eight squares; bits of those that are not above `most`. */
static inline unsigned mrdk_keep(mrdk_ordinate8 square, double most, double squares[8]) {
  *(mrdk_ordinate8 *)(void *)squares = square;
  return mrdk_bits8(__builtin_convertvector(square <= most, mrdk_bool8));
}

/* Squares of the distances of the boxes of a leaf from the box `query` (xmin, ymin, xmax, ymax). Bit i of the answer is
 * set where the square is not above `most`. */
static inline unsigned mrdk_leaf_near(const double *leaf, const double query[4], double most, double squares[16]) {
  unsigned bits = 0;
  for (int half = 0; half < 2; half++) {
    const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)(leaf + 8 * half);
    mrdk_ordinate8 square = mrdk_squares(column[0], column[2], column[4], column[6], query);
    bits |= mrdk_keep(square, most, squares + 8 * half) << (8 * half);
  }
  return bits;
}

typedef __INT32_TYPE__ mrdk_int8 __attribute__((ext_vector_type(8), aligned(4)));

/* The same for sixteen boxes of whole numbers from a query in their unit. Numbers before 0 and from `side` on stand for
 * infinite ordinates. */
static inline unsigned mrdk_boxes_near(const __INT32_TYPE__ *boxes, double side, const double query[4], double most,
                                       double squares[16]) {
  unsigned bits = 0;
  const double endless = __builtin_inf();
  for (int half = 0; half < 2; half++) {
    const mrdk_int8 *column = (const mrdk_int8 *)(const void *)(boxes + 8 * half);
    mrdk_ordinate8 xmin = __builtin_convertvector(column[0], mrdk_ordinate8);
    mrdk_ordinate8 ymin = __builtin_convertvector(column[2], mrdk_ordinate8);
    mrdk_ordinate8 xmax = __builtin_convertvector(column[4], mrdk_ordinate8);
    mrdk_ordinate8 ymax = __builtin_convertvector(column[6], mrdk_ordinate8);
    xmin = xmin < 0 ? (mrdk_ordinate8)-endless : xmin;
    ymin = ymin < 0 ? (mrdk_ordinate8)-endless : ymin;
    xmax = xmax >= side ? (mrdk_ordinate8)endless : xmax;
    ymax = ymax >= side ? (mrdk_ordinate8)endless : ymax;
    bits |= mrdk_keep(mrdk_squares(xmin, ymin, xmax, ymax, query), most, squares + 8 * half) << (8 * half);
  }
  return bits;
}

/* A leaf is sixteen segments, column by column: the first ends' x and y, the other ends'; 8-byte aligned. Squares of their
 * distances from (x, y), each not above the exact one but for a part in 2^48: rounding of the cross product, which nearly
 * cancels where a long segment passes close by, is taken off. Bit i of the answer is set where the square is not above
 * `most`, never for NaN. For ordinates up to 2^500. */
static inline unsigned mrdk_segments_near(const double *leaf, double x, double y, double most, double squares[16]) {
  unsigned bits = 0;
  for (int half = 0; half < 2; half++) {
    const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)(leaf + 8 * half);
    mrdk_ordinate8 dx = column[4] - column[0], dy = column[6] - column[2];
    mrdk_ordinate8 ax = x - column[0], ay = y - column[2], bx = x - column[4], by = y - column[6];
    /* Each end is asked by itself whether the foot lies before it: from the other, what is near is lost in rounding. */
    mrdk_ordinate8 along = dx * ax + dy * ay, beyond = dx * bx + dy * by, length = dx * dx + dy * dy;
    mrdk_ordinate8 left = dx * ay, right = dy * ax;
    mrdk_ordinate8 rounding = (__builtin_elementwise_abs(left) + __builtin_elementwise_abs(right)) * 0x1p-49;
    mrdk_ordinate8 cross = mrdk_positive(__builtin_elementwise_abs(left - right) - rounding);
    /* Of segments so short that this would overflow, less is said than is true. */
    mrdk_ordinate8 ratio = cross / length;
    ratio = ratio < 0x1p500 ? ratio : (mrdk_ordinate8)0x1p500;
    mrdk_ordinate8 square = along > 0 ? cross * ratio : ax * ax + ay * ay;
    square = beyond < 0 ? square : bx * bx + by * by;
    bits |= mrdk_keep(square, most, squares + 8 * half) << (8 * half);
  }
  return bits;
}

/* Bit i of the answer is set where the box around segment i of such a leaf meets the window. */
static inline unsigned mrdk_segments_meeting(const double *leaf, double xmin, double ymin, double xmax, double ymax) {
  unsigned bits = 0;
  for (int half = 0; half < 2; half++) {
    const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)(leaf + 8 * half);
    unsigned byte = mrdk_bits8(__builtin_convertvector(
        ((column[0] <= xmax) | (column[4] <= xmax)) & ((column[0] >= xmin) | (column[4] >= xmin)) &
            ((column[2] <= ymax) | (column[6] <= ymax)) & ((column[2] >= ymin) | (column[6] >= ymin)),
        mrdk_bool8));
    bits |= byte << (8 * half);
  }
  return bits;
}

/* Writes those of sixteen numbers whose bit is set, in their order, to `out`, which has room for sixteen; what lies behind
 * the last one there is overwritten. Returns how many. */
static inline int mrdk_take(__UINT32_TYPE__ *out, const __UINT32_TYPE__ *numbers, unsigned bits) {
#if defined(__AVX512F__)
  typedef __INT32_TYPE__ int16 __attribute__((__vector_size__(64), aligned(4)));
  int16 all = *(const int16 *)(const void *)numbers;
  *(int16 *)(void *)out = (int16)__builtin_ia32_compresssi512_mask(all, all, (__UINT16_TYPE__)bits);
  return __builtin_popcount(bits);
#else
  int count = 0;
  for (unsigned rest = bits; rest != 0; rest &= rest - 1) out[count++] = numbers[__builtin_ctz(rest)];
  return count;
#endif
}

#pragma clang diagnostic pop

#endif /* MERIDIAN_KERNEL_BOXES_H */
