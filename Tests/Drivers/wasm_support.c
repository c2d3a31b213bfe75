/* SPDX-License-Identifier: Apache-2.0
 *
 * What the native kernel calls of a C library, for a WebAssembly module that has none. Sine, cosine and arc tangent are the
 * three functions that the embedder brings; the rest is here.                                                              */
#include <stddef.h>
#include <stdint.h>

extern unsigned char __heap_base;

/* Memory is given back only when the module ends: a run of facts needs a few megabytes. */
static unsigned char *next;

static void *take(size_t bytes, size_t align) {
  if (next == NULL) next = &__heap_base;
  uintptr_t start = ((uintptr_t)next + align - 1) / align * align;
  uintptr_t end = start + bytes;
  uintptr_t have = (uintptr_t)__builtin_wasm_memory_size(0) * 65536;
  if (end > have && __builtin_wasm_memory_grow(0, (end - have + 65535) / 65536) == SIZE_MAX) return NULL;
  next = (unsigned char *)end;
  return (void *)start;
}

void *malloc(size_t bytes) { return take(bytes, 16); }
void free(void *memory) { (void)memory; }
int posix_memalign(void **memory, size_t align, size_t bytes) {
  *memory = take(bytes, align);
  return *memory == NULL ? 12 : 0;
}

/* The seed of hashes, which kernels have none of. */
void arc4random_buf(void *memory, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char *)memory)[i] = 0;
}

double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}

/* Exact, with the tie to even, by taking multiples of the divisor off in powers of two. */
double remainder(double x, double y) {
  double rest = __builtin_fabs(x), unit = __builtin_fabs(y);
  if (!(rest <= 1.7976931348623157e308) || !(unit > 0)) return (x * y) / (x * y);
  double step = unit;
  while (step <= rest / 4) step *= 2;
  /* At each step the rest is less than twice the step; an even multiple of the unit goes off. */
  for (; step > unit; step /= 2)
    while (rest >= step) rest -= step;
  while (rest >= 2 * unit) rest -= 2 * unit;
  int odd = 0;
  if (rest >= unit) rest -= unit, odd = 1;
  if (rest > unit - rest || (rest == unit - rest && odd)) rest -= unit;
  return x < 0 ? -rest : rest;
}

double hypot(double x, double y) {
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  double large = a > b ? a : b, small = a > b ? b : a;
  if (large == 0 || small == 0) return large;
  /* A power of two near the larger one keeps the squares inside the normal numbers. */
  double scale = large > 0x1p500 ? 0x1p-600 : large < 0x1p-500 ? 0x1p600 : 1;
  large *= scale, small *= scale;
  return __builtin_sqrt(large * large + small * small) / scale;
}

/* The product of two 128-bit numbers, which compilers call for. */
void __multi3(uint64_t *result, uint64_t aLow, uint64_t aHigh, uint64_t bLow, uint64_t bHigh) {
  uint64_t mask = 0xffffffff;
  uint64_t a0 = aLow & mask, a1 = aLow >> 32, b0 = bLow & mask, b1 = bLow >> 32;
  uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & mask);
  result[0] = (other << 32) | (low & mask);
  result[1] = a1 * b1 + (middle >> 32) + (other >> 32) + aLow * bHigh + aHigh * bLow;
}
