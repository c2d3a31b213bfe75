/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers from text, whatever the locale of the process.                                                        */
#define _GNU_SOURCE
#include "CPlatform.h"

#include <locale.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;

static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

double mrdp_parse_double(const char *text, const char **end) {
  char *stop = NULL;
  pthread_once(&once, make_locale);
  double value = c_locale ? strtod_l(text, &stop, c_locale) : strtod(text, &stop);
  *end = stop;
  return value;
}
