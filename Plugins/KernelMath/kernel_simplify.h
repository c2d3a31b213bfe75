/* SPDX-License-Identifier: Apache-2.0
 *
 * Distances of vertices from a chord, eight at a time, with what they may be wrong by: a filter before exact arithmetic. It
 * may use fused products, since nothing is decided here that rounding could change.                                */
#ifndef MERIDIAN_KERNEL_SIMPLIFY_H
#define MERIDIAN_KERNEL_SIMPLIFY_H

#include "kernel_boxes.h"
#include "kernel_simd.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

/* The closed segment that replaces a run. Squares below are squared distances from it, times `scale`. */
typedef struct mrdk_chord {
  double ax, ay;
  double dx, dy;  /* the direction; (1, 0) where the ends are one point */
  double length2; /* of the chord, 0 for a point */
  double scale;   /* length2, 1 for a point */
} mrdk_chord;

static inline mrdk_chord mrdk_make_chord(double ax, double ay, double bx, double by) {
  mrdk_chord chord = {ax, ay, bx - ax, by - ay, 0, 1};
  int is_point = chord.dx == 0 && chord.dy == 0;
  chord.length2 = chord.dx * chord.dx + chord.dy * chord.dy;
  chord.scale = is_point ? 1 : chord.length2;
  chord.dx = is_point ? 1 : chord.dx;
  return chord;
}

/* a b + c d, rounded in any way. */
static inline mrdk_ordinate8 mrdk_two_products(mrdk_ordinate8 a, mrdk_ordinate8 b, mrdk_ordinate8 c, mrdk_ordinate8 d) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_elementwise_fma(a, b, c * d);
#else
  return a * b + c * d;
#endif
}

/* cross^2 + beyond^2, `beyond` being how far the foot of the perpendicular lies outside of the chord, times its length. */
static inline mrdk_ordinate8 mrdk_squares_of8(mrdk_ordinate8 x, mrdk_ordinate8 y, mrdk_chord chord) {
  mrdk_ordinate8 px = x - chord.ax, py = y - chord.ay;
  mrdk_ordinate8 dx = (mrdk_ordinate8)chord.dx, dy = (mrdk_ordinate8)chord.dy;
  mrdk_ordinate8 along = mrdk_two_products(px, dx, py, dy);
  mrdk_ordinate8 cross = mrdk_two_products(px, dy, -py, dx);
  mrdk_ordinate8 inside = mrdk_positive(along);
  inside = inside < chord.length2 ? inside : (mrdk_ordinate8)chord.length2;
  mrdk_ordinate8 beyond = along - inside;
  return mrdk_two_products(cross, cross, beyond, beyond);
}

static inline mrdk_ordinate8 mrdk_chord_squares8(const double *x, const double *y, mrdk_chord chord) {
  return mrdk_squares_of8(*(const mrdk_ordinate8 *)(const void *)x, *(const mrdk_ordinate8 *)(const void *)y, chord);
}

typedef double mrdk_ordinate4 __attribute__((ext_vector_type(4), aligned(8)));

static inline double mrdk_largest8(mrdk_ordinate8 v) {
  mrdk_ordinate4 low = __builtin_shufflevector(v, v, 0, 1, 2, 3), high = __builtin_shufflevector(v, v, 4, 5, 6, 7);
  mrdk_ordinate4 four = low > high ? low : high;
  mrdk_ordinate2 two = {four.x > four.z ? four.x : four.z, four.y > four.w ? four.y : four.w};
  return two.x > two.y ? two.x : two.y;
}

/* The first `count` lanes; -1 in the others. */
static inline mrdk_ordinate8 mrdk_first_lanes(mrdk_ordinate8 v, int count) {
  const mrdk_int8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
  mrdk_long8 used = __builtin_convertvector(lanes < count, mrdk_long8);
  return used ? v : (mrdk_ordinate8)-1.0;
}

/* How far a square may be off when it is not above `most`; infinite where the arithmetic could leave the normal numbers.
 *
 * With u = 2^-53, l the chord's length and s = sqrt(most): cross and along are off by at most 4 u l |p - a|, the latter's
 * clamping by 4 u l^2 more, and l |p - a| <= l^2 + s. So both are off by less than d = 10 u (l^2 + s), and the square by less
 * than 2.83 s d + 2 d^2 + 3 u s^2 < 4 d (s + d). */
static inline double mrdk_square_error(double most, mrdk_chord chord) {
  double root = __builtin_sqrt(most > 0 ? most : 0);
  double off = 0x1.4p-50 * (chord.length2 + root);
  double error = 4 * off * (root + off) + 0x1p-640;
  int is_normal = (chord.scale >= 0x1p-400) & (chord.scale <= 0x1p400) & (most <= 0x1p800);
  return is_normal ? error : __builtin_inf();
}

/* A share of the tolerance's square that covers its rounding. */
#define MRDK_LIMIT_SLACK 0x1p-49

/* values[at[0]], values[at[2]], ... */
static inline mrdk_ordinate8 mrdk_even_gather(const double *values, const __INT32_TYPE__ at[16]) {
  return (mrdk_ordinate8){values[at[0]], values[at[2]],  values[at[4]],  values[at[6]],
                          values[at[8]], values[at[10]], values[at[12]], values[at[14]]};
}

/* The largest lane of each of eight vectors. */
static inline mrdk_ordinate8 mrdk_largest_of_each(const mrdk_ordinate8 v[8]) {
#define MRDK_LARGER(a, b) ((a) > (b) ? (a) : (b))
  mrdk_ordinate8 pairs[4], fours[2];
  for (int i = 0; i < 4; i++)
    pairs[i] = MRDK_LARGER(__builtin_shufflevector(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14),
                           __builtin_shufflevector(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15));
  for (int i = 0; i < 2; i++)
    fours[i] = MRDK_LARGER(__builtin_shufflevector(pairs[2 * i], pairs[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13),
                           __builtin_shufflevector(pairs[2 * i], pairs[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15));
  return MRDK_LARGER(__builtin_shufflevector(fours[0], fours[1], 0, 1, 2, 3, 8, 9, 10, 11),
                     __builtin_shufflevector(fours[0], fours[1], 4, 5, 6, 7, 12, 13, 14, 15));
#undef MRDK_LARGER
}

/* Where a vector is few registers; elsewhere the code would only grow. */
#if defined(__AVX2__)
#define MRDK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define MRDK_UNROLL _Pragma("clang loop unroll(disable)")
#endif

/* Finds where eight runs split, whose ends, low and high by turns, have between them 1 to 8 `vectors` vertices. An offset is
 * that of the farthest vertex from the low end when it is beyond the tolerance for sure, 0 when none is, -1 when exact
 * arithmetic has to tell. What is computed once a run is computed for all eight together, and nothing branches: whether a run
 * splits can hardly be foreseen. Reads up to 8 `vectors` vertices behind the low ends. */
static inline __attribute__((always_inline)) void mrdk_split_eight(const double *x, const double *y,
                                                                   const __INT32_TYPE__ *ends, double square,
                                                                   __INT32_TYPE__ offsets[8], const int vectors) {
  mrdk_ordinate8 ax = mrdk_even_gather(x, ends), ay = mrdk_even_gather(y, ends);
  mrdk_ordinate8 dx = mrdk_even_gather(x, ends + 1) - ax, dy = mrdk_even_gather(y, ends + 1) - ay;
  mrdk_ordinate8 length2 = dx * dx + dy * dy, one = (mrdk_ordinate8)1.0, zero = (mrdk_ordinate8)0.0;
  mrdk_ordinate8 turn = dy == zero ? one : zero;
  turn = dx == zero ? turn : zero;
  mrdk_ordinate8 scale = turn > zero ? one : length2;
  dx = turn > zero ? one : dx;
  mrdk_ordinate8 squares[8 * 8], largest[8];
  MRDK_UNROLL
  for (int run = 0; run < 8; run++) {
    mrdk_chord chord = {ax[run], ay[run], dx[run], dy[run], length2[run], 0};
    int first = ends[2 * run] + 1, count = ends[2 * run + 1] - first;
    mrdk_ordinate8 most = (mrdk_ordinate8)-1.0;
  MRDK_UNROLL
    for (int part = 0; part < vectors; part++) {
      mrdk_ordinate8 eight = mrdk_chord_squares8(x + first + 8 * part, y + first + 8 * part, chord);
      eight = mrdk_first_lanes(eight, count - 8 * part);
      squares[vectors * run + part] = eight;
      most = eight > most ? eight : most;
    }
    largest[run] = most;
  }
  mrdk_ordinate8 most = mrdk_largest_of_each(largest);
  mrdk_ordinate8 root = __builtin_elementwise_sqrt(mrdk_positive(most));
  mrdk_ordinate8 off = 0x1.4p-50 * (length2 + root), error = 4 * off * (root + off) + 0x1p-640;
  mrdk_ordinate8 wild = (mrdk_ordinate8)__builtin_inf();
  error = scale >= 0x1p-400 ? error : wild;
  error = scale <= 0x1p400 ? error : wild;
  error = most <= 0x1p800 ? error : wild;
  mrdk_ordinate8 limit = square * scale, least = most - 2 * error;
  unsigned is_near = mrdk_bits8(__builtin_convertvector(most + error < limit * (1 - MRDK_LIMIT_SLACK), mrdk_bool8));
  unsigned is_far = mrdk_bits8(__builtin_convertvector(most - error > limit * (1 + MRDK_LIMIT_SLACK), mrdk_bool8));
  MRDK_UNROLL
  for (int run = 0; run < 8; run++) {
    __UINT64_TYPE__ near = 0;
  MRDK_UNROLL
    for (int part = 0; part < vectors; part++)
      near |= (__UINT64_TYPE__)mrdk_bits8(
                  __builtin_convertvector(squares[vectors * run + part] >= least[run], mrdk_bool8))
              << (8 * part);
    int far = (int)(is_far >> run & 1) & ((near & (near - 1)) == 0);
    int offset = 1 + __builtin_ctzll(near | 0x8000000000000000u);
    offsets[run] = (offset & -far) | (((int)(is_near >> run & 1) | far) - 1);
  }
}

/* Classes of runs by their inner vertices: up to 8, 16, 32, 64. */
#define MRDK_RUN_CLASSES 4

static inline void mrdk_split_class(const double *x, const double *y, const __INT32_TYPE__ *ends, double square,
                                    __INT32_TYPE__ *offsets, int run_class) {
  switch (run_class) {
    case 0: mrdk_split_eight(x, y, ends, square, offsets, 1); break;
    case 1: mrdk_split_eight(x, y, ends, square, offsets, 2); break;
    case 2: mrdk_split_eight(x, y, ends, square, offsets, 4); break;
    default: mrdk_split_eight(x, y, ends, square, offsets, 8); break;
  }
}

/* Squares of `count` vertices from a chord; those up to a multiple of eight become -1. Returns the largest, -1 for none. */
static inline double mrdk_chord_squares(const double *x, const double *y, __SIZE_TYPE__ count, mrdk_chord chord,
                                        double *squares) {
  mrdk_ordinate8 most = (mrdk_ordinate8)-1.0;
  __SIZE_TYPE__ at = 0;
  for (; at + 8 <= count; at += 8) {
    mrdk_ordinate8 square = mrdk_chord_squares8(x + at, y + at, chord);
    *(mrdk_ordinate8 *)(void *)(squares + at) = square;
    most = square > most ? square : most;
  }
  if (at < count) {
    mrdk_ordinate8 square = mrdk_first_lanes(mrdk_chord_squares8(x + at, y + at, chord), (int)(count - at));
    *(mrdk_ordinate8 *)(void *)(squares + at) = square;
    most = square > most ? square : most;
  }
  return mrdk_largest8(most);
}

/* The first of `count` values that is not below `least`, from `start` on; `count` rounded up to eight when there is none. */
static inline __SIZE_TYPE__ mrdk_find_large(const double *values, __SIZE_TYPE__ start, __SIZE_TYPE__ count, double least) {
  for (__SIZE_TYPE__ at = start & ~(__SIZE_TYPE__)7; at < count; at += 8) {
    mrdk_ordinate8 all = *(const mrdk_ordinate8 *)(const void *)(values + at);
    unsigned bits = mrdk_bits8(__builtin_convertvector(all >= least, mrdk_bool8));
    if (at < start) bits &= 0xffu << (start - at);
    if (bits != 0) return at + (__SIZE_TYPE__)__builtin_ctz(bits);
  }
  return (count + 7) & ~(__SIZE_TYPE__)7;
}

/* Boxes as middles and halves of their sides, eight in columns: x, y, half width, half height. Upper bounds of the squares
 * of what lies in them, with an error like that of the squares themselves. */
static inline void mrdk_box_reaches(const double *boxes, mrdk_chord chord, double reaches[8]) {
  const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)boxes;
  mrdk_ordinate8 px = column[0] - chord.ax, py = column[1] - chord.ay;
  mrdk_ordinate8 dx = (mrdk_ordinate8)chord.dx, dy = (mrdk_ordinate8)chord.dy;
  mrdk_ordinate8 wide = __builtin_elementwise_abs(dx), high = __builtin_elementwise_abs(dy);
  mrdk_ordinate8 cross = __builtin_elementwise_abs(mrdk_two_products(px, dy, -py, dx));
  cross += mrdk_two_products(column[2], high, column[3], wide);
  mrdk_ordinate8 along = mrdk_two_products(px, dx, py, dy);
  mrdk_ordinate8 half = mrdk_two_products(column[2], wide, column[3], high);
  mrdk_ordinate8 before = mrdk_positive(half - along), behind = along + half - chord.length2;
  mrdk_ordinate8 beyond = behind > before ? behind : before;
  *(mrdk_ordinate8 *)(void *)reaches = mrdk_two_products(cross, cross, beyond, beyond);
}

/* Sets the middle and the half sides, rounded outward, of a box by its bounds; in columns eight apart. */
static inline void mrdk_box_middle(double *box) {
  double xmin = box[32], ymin = box[40], xmax = box[48], ymax = box[56];
  double mx = xmin / 2 + xmax / 2, my = ymin / 2 + ymax / 2;
  double w = xmax - mx > mx - xmin ? xmax - mx : mx - xmin, h = ymax - my > my - ymin ? ymax - my : my - ymin;
  box[0] = mx, box[8] = my, box[16] = w * (1 + 0x1p-50), box[24] = h * (1 + 0x1p-50);
}

/* Sets a box around `count` >= 1 vertices. */
static inline void mrdk_box_around(const double *x, const double *y, __SIZE_TYPE__ count, double *box) {
  double xmin = x[0], xmax = x[0], ymin = y[0], ymax = y[0];
  __SIZE_TYPE__ at = 0;
  if (count >= 8) {
    const double endless = __builtin_inf();
    mrdk_ordinate8 left = (mrdk_ordinate8)endless, right = -left, down = left, up = right;
    for (; at < count; at += 8) {
      __SIZE_TYPE__ first = at + 8 <= count ? at : count - 8;
      mrdk_ordinate8 xs = *(const mrdk_ordinate8 *)(const void *)(x + first);
      mrdk_ordinate8 ys = *(const mrdk_ordinate8 *)(const void *)(y + first);
      left = xs < left ? xs : left, right = xs > right ? xs : right;
      down = ys < down ? ys : down, up = ys > up ? ys : up;
    }
    xmin = -mrdk_largest8(-left), xmax = mrdk_largest8(right), ymin = -mrdk_largest8(-down), ymax = mrdk_largest8(up);
  } else {
    for (; at < count; at++) {
      xmin = x[at] < xmin ? x[at] : xmin, xmax = x[at] > xmax ? x[at] : xmax;
      ymin = y[at] < ymin ? y[at] : ymin, ymax = y[at] > ymax ? y[at] : ymax;
    }
  }
  box[32] = xmin, box[40] = ymin, box[48] = xmax, box[56] = ymax;
  mrdk_box_middle(box);
}

/* The number of the least of `count` >= 1 places, by x, then y; the first of equals. */
static inline __SIZE_TYPE__ mrdk_least_place(const double *x, const double *y, __SIZE_TYPE__ count) {
  double least = x[0];
  __SIZE_TYPE__ at = 0;
  if (count >= 8) {
    mrdk_ordinate8 left = *(const mrdk_ordinate8 *)(const void *)x;
    for (; at < count; at += 8) {
      mrdk_ordinate8 xs = *(const mrdk_ordinate8 *)(const void *)(x + (at + 8 <= count ? at : count - 8));
      left = xs < left ? xs : left;
    }
    least = -mrdk_largest8(-left);
  } else {
    for (; at < count; at++) least = x[at] < least ? x[at] : least;
  }
  __SIZE_TYPE__ best = count;
  for (at = 0; at < count; at++)
    if (x[at] == least && (best == count || y[at] < y[best])) best = at;
  return best;
}

typedef char mrdk_byte8 __attribute__((ext_vector_type(8), aligned(1)));

/* A mark says on how many levels its vertex stays; this bit says that it is one of a least form. */
#define MRDK_LEAST_FORM 0x80

/* Bit i is set where mark i is above the level, or has a bit of `flags`. */
static inline unsigned mrdk_kept8(const __UINT8_TYPE__ *marks, int level, int flags) {
  mrdk_byte8 all = *(const mrdk_byte8 *)(const void *)marks;
  mrdk_byte8 number = all & (char)0x7f, flagged = all & (char)flags;
  return mrdk_bits8(__builtin_convertvector((number > (char)level) | (flagged != (char)0), mrdk_bool8));
}

/* How many of `count` marks are above the level, or have a bit of `flags`. */
static inline __SIZE_TYPE__ mrdk_count_kept(const __UINT8_TYPE__ *marks, __SIZE_TYPE__ count, int level, int flags) {
  __SIZE_TYPE__ kept = 0, at = 0;
  for (; at + 8 <= count; at += 8) kept += (__SIZE_TYPE__)__builtin_popcount(mrdk_kept8(marks + at, level, flags));
  for (; at < count; at++) kept += (marks[at] & 0x7f) > level || (marks[at] & flags) != 0;
  return kept;
}

/* Writes those of `count` values, `stride` bytes apart (negative = backwards), that are kept, in their order; what lies up to eight behind the last
 * one is overwritten. Returns how many. */
static inline __SIZE_TYPE__ mrdk_take_kept(double *out, const void *values, __INTPTR_TYPE__ stride,
                                           const __UINT8_TYPE__ *marks, __SIZE_TYPE__ count, int level, int flags) {
  __SIZE_TYPE__ kept = 0, at = 0;
  const char *next = (const char *)values;
#if defined(__AVX512F__)
  if (stride == sizeof(double))
    for (; at + 8 <= count; at += 8, next += 64) {
      mrdk_ordinate8 all = *(const mrdk_ordinate8 *)(const void *)next;
      unsigned bits = mrdk_kept8(marks + at, level, flags);
      typedef double double8 __attribute__((__vector_size__(64)));
      *(mrdk_ordinate8 *)(void *)(out + kept) =
          __builtin_ia32_compressdf512_mask((double8)all, (double8)all, (__UINT8_TYPE__)bits);
      kept += (__SIZE_TYPE__)__builtin_popcount(bits);
    }
#endif
  for (; at < count; at++, next += stride) {
    out[kept] = *(const double *)(const void *)next;
    kept += (marks[at] & 0x7f) > level || (marks[at] & flags) != 0;
  }
  return kept;
}

/* Squared distances from the chord (a, b) in the metric of each vertex, where a unit of x and y is as long as `wide` and
 * `high` say. No fused products: these values decide. */
static inline mrdk_ordinate8 mrdk_metric_squares8(const double *x, const double *y, const double *wide,
                                                  const double *high, double ax, double ay, double bx,
                                                  double by) {
  mrdk_ordinate8 sx = *(const mrdk_ordinate8 *)(const void *)wide, sy = *(const mrdk_ordinate8 *)(const void *)high;
  mrdk_ordinate8 px = sx * (*(const mrdk_ordinate8 *)(const void *)x - ax);
  mrdk_ordinate8 py = sy * (*(const mrdk_ordinate8 *)(const void *)y - ay);
  mrdk_ordinate8 dx = sx * (bx - ax), dy = sy * (by - ay);
  mrdk_ordinate8 length2 = dx * dx + dy * dy;
  mrdk_ordinate8 along = px * dx + py * dy, cross = px * dy - py * dx;
  mrdk_ordinate8 inside = mrdk_positive(along);
  inside = inside < length2 ? inside : length2;
  mrdk_ordinate8 beyond = along - inside;
  mrdk_ordinate8 square = (cross * cross + beyond * beyond) / (length2 > 0 ? length2 : (mrdk_ordinate8)1.0);
  return length2 > 0 ? square : px * px + py * py;
}

/* The same of `count` vertices; those up to a multiple of eight become -1. Returns the largest, -1 for none. */
static inline double mrdk_metric_squares(const double *x, const double *y, const double *wide, const double *high,
                                         __SIZE_TYPE__ count, double ax, double ay, double bx, double by,
                                         double *squares) {
  mrdk_ordinate8 most = (mrdk_ordinate8)-1.0;
  for (__SIZE_TYPE__ at = 0; at < count; at += 8) {
    mrdk_ordinate8 square = mrdk_metric_squares8(x + at, y + at, wide + at, high + at, ax, ay, bx, by);
    if (at + 8 > count) square = mrdk_first_lanes(square, (int)(count - at));
    *(mrdk_ordinate8 *)(void *)(squares + at) = square;
    most = square > most ? square : most;
  }
  return mrdk_largest8(most);
}

/* Eight boxes in columns, xmin, ymin, xmax, ymax: bits of those that meet the window; touching meets. */
MRDK_INLINE unsigned mrdk_meeting8(mrdk_ordinate8 left, mrdk_ordinate8 down, mrdk_ordinate8 right, mrdk_ordinate8 up,
                                  const double window[4]) {
  return mrdk_bits8(__builtin_convertvector(
      (left <= window[2]) & (down <= window[3]) & (right >= window[0]) & (up >= window[1]), mrdk_bool8));
}

static inline unsigned mrdk_boxes8_meeting(const double *boxes, const double window[4]) {
  const mrdk_ordinate8 *column = (const mrdk_ordinate8 *)(const void *)boxes;
  return mrdk_meeting8(column[0], column[1], column[2], column[3], window);
}

/* The same for the edges from each of eight vertices to the next one. */
static inline unsigned mrdk_edges8_meeting(const double *x, const double *y, const double window[4]) {
  mrdk_ordinate8 ax = *(const mrdk_ordinate8 *)(const void *)x, bx = *(const mrdk_ordinate8 *)(const void *)(x + 1);
  mrdk_ordinate8 ay = *(const mrdk_ordinate8 *)(const void *)y, by = *(const mrdk_ordinate8 *)(const void *)(y + 1);
  return mrdk_meeting8(ax < bx ? ax : bx, ay < by ? ay : by, ax > bx ? ax : bx, ay > by ? ay : by, window);
}

/* Bits of those of eight places that lie in the window or on its border. */
static inline unsigned mrdk_places8_in(const double *x, const double *y, const double window[4]) {
  mrdk_ordinate8 px = *(const mrdk_ordinate8 *)(const void *)x, py = *(const mrdk_ordinate8 *)(const void *)y;
  return mrdk_bits8(__builtin_convertvector(
      (px <= window[2]) & (py <= window[3]) & (px >= window[0]) & (py >= window[1]), mrdk_bool8));
}

/* Sets the window around `count` >= 1 vertices, and returns the largest of their squares from a chord. */
static inline double mrdk_window_around(const double *x, const double *y, __SIZE_TYPE__ count, mrdk_chord chord,
                                        double window[4]) {
  const double endless = __builtin_inf();
  mrdk_ordinate8 left = (mrdk_ordinate8)endless, right = -left, down = left, up = right, most = (mrdk_ordinate8)-1.0;
  for (__SIZE_TYPE__ at = 0; at < count; at += 8) {
    mrdk_ordinate8 xs = *(const mrdk_ordinate8 *)(const void *)(x + at);
    mrdk_ordinate8 ys = *(const mrdk_ordinate8 *)(const void *)(y + at);
    if (at + 8 > count) {
      const mrdk_int8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
      mrdk_long8 used = __builtin_convertvector(lanes < (int)(count - at), mrdk_long8);
      xs = used ? xs : (mrdk_ordinate8)x[0], ys = used ? ys : (mrdk_ordinate8)y[0];
    }
    left = xs < left ? xs : left, right = xs > right ? xs : right;
    down = ys < down ? ys : down, up = ys > up ? ys : up;
    mrdk_ordinate8 square = mrdk_squares_of8(xs, ys, chord);
    most = square > most ? square : most;
  }
  window[0] = -mrdk_largest8(-left), window[1] = -mrdk_largest8(-down);
  window[2] = mrdk_largest8(right), window[3] = mrdk_largest8(up);
  return mrdk_largest8(most);
}

/* Of eight places bits of those in the window whose squares from a chord are not above `reach`. */
static inline unsigned mrdk_places8_near(const double *x, const double *y, const double window[4], mrdk_chord chord,
                                         double reach) {
  unsigned bits = mrdk_places8_in(x, y, window);
  if (bits == 0) return 0;
  double squares[8];
  mrdk_chord_squares(x, y, 8, chord, squares);
  mrdk_ordinate8 square = *(const mrdk_ordinate8 *)(const void *)squares;
  return bits & ~mrdk_bits8(__builtin_convertvector(square > reach, mrdk_bool8));
}

#pragma clang diagnostic pop

#endif /* MERIDIAN_KERNEL_SIMPLIFY_H */
