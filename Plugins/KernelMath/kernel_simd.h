/* SPDX-License-Identifier: Apache-2.0
 *
 * What Swift's vectors have no cheap form of: roots and fused products of eight at once.                            */
#ifndef MERIDIAN_KERNEL_SIMD_H
#define MERIDIAN_KERNEL_SIMD_H

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
