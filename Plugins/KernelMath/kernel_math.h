/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of <math.h> that kernels use, declared here so that a target without a C library (WebAssembly) needs
 * no headers, only something to link against.                                                                    */
#ifndef MERIDIAN_KERNEL_MATH_H
#define MERIDIAN_KERNEL_MATH_H

double sin(double);
double cos(double);
double atan2(double, double);
double hypot(double, double);

#endif /* MERIDIAN_KERNEL_MATH_H */
