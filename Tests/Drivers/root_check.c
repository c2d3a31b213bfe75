/* SPDX-License-Identifier: Apache-2.0
 *
 * Holds mrdk_iterated_root8 to the processor's own square root. What that function has before its last rounding errs by less
 * than 2^-104 of itself, so only roots that lie nearer than that to the middle of two doubles could be rounded to the wrong
 * side. With M the middle as an odd whole number of 54 bits, such a double x has M^2 = x 2^s + k with a small k; all of them
 * with |k| < 2^11, which is 2^-96 away, are found here by lifting square roots of k modulo powers of 2 (Cornea, Harrison,
 * Tang 2002), and tried at many exponents. Then random numbers, squares and their neighbours.                            */
#include "kernel_simd.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef unsigned __int128 wide;

static long tried, wrong;

static void try8(mrdk_double8 a) {
  const mrdk_double8 found = mrdk_iterated_root8(a);
  for (int lane = 0; lane < 8; lane++) {
    const double right = sqrt(a[lane]);
    ++tried;
    if (memcmp(&right, (double[]){found[lane]}, sizeof right) == 0) continue;
    if (wrong++ < 5) printf("root_check: the root of %a is %a, not %a\n", a[lane], right, found[lane]);
  }
}

/* At eight even exponents that a square of a length may have. */
static void try_everywhere(double x) {
  mrdk_double8 a;
  for (int lane = 0; lane < 8; lane++) a[lane] = ldexp(x, 2 * (-450 + 132 * lane));
  try8(a);
}

/* The doubles in [1, 4) whose roots lie nearest to a middle: M^2 = k modulo 2^bits, 54 for those below 2 and 55 for the others. */
static void try_hard_cases(int bits) {
  const wide modulus = (wide)1 << bits;
  for (long k = -2047; k <= 2047; k++) {
    if (((k % 8) + 8) % 8 != 1) continue; /* no other odd number has a root modulo 8 */
    const wide residue = (modulus + (wide)k) & (modulus - 1);
    wide root = 1;
    for (int i = 3; i < bits; i++) {
      const wide mask = ((wide)1 << (i + 1)) - 1;
      if (((root * root - residue) & mask) != 0) root += (wide)1 << (i - 1);
    }
    const wide half = modulus >> 1;
    const wide roots[] = {root, modulus - root, root + half, modulus - root + half};
    for (int r = 0; r < 4; r++) {
      const wide middle = roots[r] & (modulus - 1);
      const wide x = (middle * middle - (wide)k) >> bits;
      if (middle >> 53 != 1 || x >> 52 != 1) continue;
      if ((x << bits) + (wide)k != middle * middle) continue;
      try_everywhere(ldexp((double)(uint64_t)x, bits == 54 ? -52 : -51));
    }
  }
}

static uint64_t state = 88172645463325252u;

static double random_in_1_to_4(void) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  const uint64_t bits = (state & 0xfffffffffffffu) | ((1023 + (state >> 62) % 2) << 52);
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

int main(void) {
  try_hard_cases(54);
  try_hard_cases(55);
  const long hard = tried;
  for (long i = 0; i < 1000000; i++) {
    mrdk_double8 a;
    for (int lane = 0; lane < 8; lane++) a[lane] = random_in_1_to_4();
    try8(a);
    const double square = a[0] * a[0];
    try8((mrdk_double8){square, nextafter(square, 0), nextafter(square, 99), 0, nextafter(1, 2), nextafter(4, 0),
                        ldexp(a[1], -900), ldexp(a[2], 958)});
  }
  printf("root_check: %ld of %ld roots are wrong (%ld of them hard ones)\n", wrong, tried, hard);
  return wrong != 0 || hard < 1000;
}
