/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers and JSON for the readers: C++ underneath (simdjson, <charconv>), plain C to call.                      */
#ifndef MERIDIAN_CSIMDJSON_H
#define MERIDIAN_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the shortest decimal text that reads back as the same double, bit by bit, into `text` (32 bytes), without a
 * terminator: "1", "-0.0", "0.1", "5e-324", "nan", "-inf". Returns its length. A JSON number if the value is finite. */
size_t mrdj_format_double(double value, char text[32]);

/* Reads the number that `text` begins with, correctly rounded, whatever the locale: decimal digits with point and
 * exponent, a sign, "inf", "infinity" or "nan" in any case. Returns how many bytes it has, 0 when there is no number.
 * A number beyond the range of doubles gives an infinity, one below it a zero.                                      */
size_t mrdj_parse_double(const char *text, size_t length, double *value);

#ifdef __cplusplus
}
#endif

#endif /* MERIDIAN_CSIMDJSON_H */
