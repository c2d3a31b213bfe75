/* SPDX-License-Identifier: Apache-2.0
 *
 * Effective areas of eight vertices at a time, and the least of many keys. Nothing is fused: areas decide.          */
#ifndef MERIDIAN_KERNEL_AREAS_H
#define MERIDIAN_KERNEL_AREAS_H

#include "kernel_boxes.h"
#include "kernel_simd.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"

/* Areas of the triangles of each of eight successive vertices and the ones before and behind it; `x` and `y` are those of
 * the vertex before the first one. Bits of those that rounding may have spoilt: less than `sliver` of what was subtracted. */
MRDK_INLINE unsigned mrdk_areas8(const double *x, const double *y, double sliver, double areas[8]) {
  mrdk_ordinate8 bx = *(const mrdk_ordinate8 *)(const void *)(x + 1), by = *(const mrdk_ordinate8 *)(const void *)(y + 1);
  mrdk_ordinate8 left = (*(const mrdk_ordinate8 *)(const void *)x - bx) *
                        (*(const mrdk_ordinate8 *)(const void *)(y + 2) - by);
  mrdk_ordinate8 right = (*(const mrdk_ordinate8 *)(const void *)y - by) *
                         (*(const mrdk_ordinate8 *)(const void *)(x + 2) - bx);
  mrdk_ordinate8 twice = __builtin_elementwise_abs(left - right);
  mrdk_ordinate8 size = __builtin_elementwise_abs(left) + __builtin_elementwise_abs(right);
  *(mrdk_ordinate8 *)(void *)areas = 0.5 * twice;
  return 0xffu & ~mrdk_bits8(__builtin_convertvector(twice > sliver * size, mrdk_bool8));
}

/* Keys in rows of eight, a list in each column: the least key of each column, and in `found` the number of its row plus 2^32
 * for each row that has it; the number means something where that is one. `rows` is a multiple of four and not 0. */
MRDK_INLINE void mrdk_least_rows8(const double *keys, __SIZE_TYPE__ rows, double least[8], long long found[8]) {
  const mrdk_ordinate8 *row = (const mrdk_ordinate8 *)(const void *)keys;
  mrdk_ordinate8 a = row[0], b = row[1], c = row[2], d = row[3];
  for (__SIZE_TYPE__ at = 4; at < rows; at += 4) {
    a = row[at] < a ? row[at] : a, b = row[at + 1] < b ? row[at + 1] : b;
    c = row[at + 2] < c ? row[at + 2] : c, d = row[at + 3] < d ? row[at + 3] : d;
  }
  a = b < a ? b : a, c = d < c ? d : c, a = c < a ? c : a;
  const mrdk_long8 none = 0;
  mrdk_long8 number = (mrdk_long8)((__INT64_TYPE__)1 << 32), even = none, odd = none;
  for (__SIZE_TYPE__ at = 0; at < rows; at += 2) {
    even += row[at] == a ? number : none;
    odd += row[at + 1] == a ? number + 1 : none;
    number += 2;
  }
  *(mrdk_ordinate8 *)(void *)least = a;
  even += odd;
  __builtin_memcpy(found, &even, sizeof even);
}

#pragma clang diagnostic pop

#endif /* MERIDIAN_KERNEL_AREAS_H */
