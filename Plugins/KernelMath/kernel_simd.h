/* SPDX-License-Identifier: Apache-2.0
 *
 * Arithmetic of vectors. Swift's own takes the lanes one by one and leaves it to the optimiser to find the vector again,
 * which it does not always; here a vector operation is one from the start. MRDK_VECTOR(8) makes mrdk_double8,
 * mrdk_add8(a, b) and so on. Lanes do not see each other, and nothing is fused but by mrdk_fused.                    */
#ifndef MERIDIAN_KERNEL_SIMD_H
#define MERIDIAN_KERNEL_SIMD_H

#define MRDK_INLINE static inline __attribute__((always_inline))

#define MRDK_VECTOR(n)                                                                                              \
  typedef double mrdk_double##n __attribute__((ext_vector_type(n)));                                                \
  MRDK_INLINE mrdk_double##n mrdk_add##n(mrdk_double##n a, mrdk_double##n b) { return a + b; }                      \
  MRDK_INLINE mrdk_double##n mrdk_subtract##n(mrdk_double##n a, mrdk_double##n b) { return a - b; }                 \
  MRDK_INLINE mrdk_double##n mrdk_multiply##n(mrdk_double##n a, mrdk_double##n b) { return a * b; }                 \
  MRDK_INLINE mrdk_double##n mrdk_divide##n(mrdk_double##n a, mrdk_double##n b) { return a / b; }                   \
  MRDK_INLINE mrdk_double##n mrdk_negate##n(mrdk_double##n a) { return -a; }                                        \
  MRDK_INLINE mrdk_double##n mrdk_root##n(mrdk_double##n a) { return __builtin_elementwise_sqrt(a); }               \
  /* a b + c in one rounding. */                                                                                    \
  MRDK_INLINE mrdk_double##n mrdk_fused##n(mrdk_double##n a, mrdk_double##n b, mrdk_double##n c) {                  \
    return __builtin_elementwise_fma(a, b, c);                                                                      \
  }

MRDK_VECTOR(2)
MRDK_VECTOR(4)
MRDK_VECTOR(8)
MRDK_VECTOR(16)

/* The square roots that mrdk_root8 gives, of zeros and of numbers from 2^-900 to 2^960, by multiplications where the processor
 * has an estimate of the inverse root: two steps of Goldschmidt's (1964) and one of Markstein's (1990). Before its last
 * rounding the error is below 2^-104, and no root of a double but an exact one lies that near to the middle of two
 * doubles without being among the cases that Tests/Drivers/root_check.c goes through (after Cornea, Harrison, Tang 2002). */
MRDK_INLINE mrdk_double8 mrdk_iterated_root8(mrdk_double8 a) {
#if defined(__AVX512F__)
  /* An inverse of 0 for zeros makes their roots 0. */
  const unsigned char is_nonzero = (unsigned char)__builtin_ia32_cmppd512_mask(a, (mrdk_double8)(0.0), 4, 0xff, 4);
  const mrdk_double8 inverse = __builtin_ia32_rsqrt14pd512_mask(a, (mrdk_double8)(0.0), is_nonzero);
  mrdk_double8 root = a * inverse, half = 0.5 * inverse;
  for (int step = 0; step < 2; step++) {
    const mrdk_double8 rest = __builtin_elementwise_fma(-root, half, (mrdk_double8)(0.5));
    root = __builtin_elementwise_fma(root, rest, root);
    half = __builtin_elementwise_fma(half, rest, half);
  }
  return __builtin_elementwise_fma(__builtin_elementwise_fma(-root, root, a), half, root);
#else
  return __builtin_elementwise_sqrt(a);
#endif
}

#endif /* MERIDIAN_KERNEL_SIMD_H */
