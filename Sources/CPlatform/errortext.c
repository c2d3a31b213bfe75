/* SPDX-License-Identifier: Apache-2.0 */
#undef _GNU_SOURCE
#include <string.h>

#include "CPlatform.h"

int32_t mrdp_error_text(int32_t code, char *text, size_t size) { return strerror_r(code, text, size); }
