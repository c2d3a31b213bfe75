// SPDX-License-Identifier: Apache-2.0
//
// <charconv> converts numbers without looking at the locale: shortest text out, correctly rounded doubles in.
#include "CSimdjson.h"

#include <charconv>
#include <cmath>
#include <limits>

size_t mrdj_format_double(double value, char *text) {
  // JSON readers that know integers would drop the sign of "-0".
  if (value == 0 && std::signbit(value)) {
    text[0] = '-', text[1] = '0', text[2] = '.', text[3] = '0';
    return 4;
  }
  // The shortest digits; as a plain number wherever people would write one so (ECMAScript's bounds).
  const double size = std::fabs(value);
  if (size >= 1e-6 && size < 1e21) return std::to_chars(text, text + 32, value, std::chars_format::fixed).ptr - text;
  return std::to_chars(text, text + 32, value).ptr - text;
}

// Whether a number that does not fit is too small rather than too large. Its exponent is beyond doubt: the sign of the
// decimal exponent, or else the digits before the point, decide.
static bool vanishes(const char *text, const char *end) {
  const char *exponent = text;
  while (exponent < end && *exponent != 'e' && *exponent != 'E') exponent++;
  if (exponent < end) return exponent + 1 < end && exponent[1] == '-';
  if (*text == '-') text++;
  while (text < end && *text == '0') text++;
  return text < end && *text == '.';
}

size_t mrdj_parse_double(const char *text, size_t length, double *value) {
  const char *end = text + length;
  const char *start = text;
  // The sign + is no part of from_chars' grammar.
  if (length > 1 && *text == '+' && text[1] != '-' && text[1] != '+') start++;
  double parsed = 0;
  auto result = std::from_chars(start, end, parsed);
  if (result.ec == std::errc::invalid_argument) return 0;
  if (result.ec == std::errc::result_out_of_range) {
    parsed = vanishes(start, result.ptr) ? 0.0 : std::numeric_limits<double>::infinity();
    if (*start == '-') parsed = -parsed;
  }
  *value = parsed;
  return result.ptr - text;
}
