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

#endif /* MERIDIAN_KERNEL_SIMD_H */
