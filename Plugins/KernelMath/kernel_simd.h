/* SPDX-License-Identifier: Apache-2.0
 *
 * What Swift's vectors have no cheap form of: comparing and taking the answers as bits.                            */
#ifndef MERIDIAN_KERNEL_SIMD_H
#define MERIDIAN_KERNEL_SIMD_H

typedef __INT32_TYPE__ mrdk_int16 __attribute__((ext_vector_type(16)));
typedef _Bool mrdk_bool16 __attribute__((ext_vector_type(16)));

/* Sixteen boxes of whole numbers, column by column: xmin, ymin, xmax, ymax; 64-byte aligned. Bit i of the answer is set
 * where box i meets the window [xmin, ymin, xmax, ymax]; touching meets. */
static inline unsigned mrdk_boxes_meeting(const __INT32_TYPE__ *boxes, __INT32_TYPE__ xmin, __INT32_TYPE__ ymin,
                                          __INT32_TYPE__ xmax, __INT32_TYPE__ ymax) {
  const mrdk_int16 *column = (const mrdk_int16 *)(const void *)boxes;
  mrdk_bool16 meets = __builtin_convertvector(
      (column[0] <= xmax) & (column[1] <= ymax) & (column[2] >= xmin) & (column[3] >= ymin), mrdk_bool16);
  __UINT16_TYPE__ bits;
  __builtin_memcpy(&bits, &meets, sizeof bits);
  return bits;
}

typedef double mrdk_double8 __attribute__((ext_vector_type(8)));

/* Eight square roots in place: Swift takes the roots of a vector one by one. */
static inline void mrdk_square_roots(double *values) {
  mrdk_double8 all;
  __builtin_memcpy(&all, values, sizeof all);
  all = __builtin_elementwise_sqrt(all);
  __builtin_memcpy(values, &all, sizeof all);
}

/* tails[i] = a[i] b[i] - heads[i] in one rounding, for eight products whose rounded values are the heads. */
static inline void mrdk_product_tails(const double *a, const double *b, const double *heads, double *tails) {
  mrdk_double8 one, other, product;
  __builtin_memcpy(&one, a, sizeof one);
  __builtin_memcpy(&other, b, sizeof other);
  __builtin_memcpy(&product, heads, sizeof product);
  product = __builtin_elementwise_fma(one, other, -product);
  __builtin_memcpy(tails, &product, sizeof product);
}

#endif /* MERIDIAN_KERNEL_SIMD_H */
