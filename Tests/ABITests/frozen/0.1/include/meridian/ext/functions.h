/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/ext/functions.h: typed custom functions, an extension of a plug-in (mrd_plugin.get_extension).
 *
 * A signature is "i32(" then up to 12 of these, comma-joined, then ")":
 *   i32 u32 i64 u64 f64      a value
 *   pf64 pi64 pi32 pu8       a pointer to an array of the caller's
 *   pv                       an opaque pointer
 *   pcall                    the mrd_call of this call
 * A function always returns mrd_status, so foreign-function libraries map it one to one.                        */
#ifndef MERIDIAN_EXT_FUNCTIONS_H
#define MERIDIAN_EXT_FUNCTIONS_H

#include "../call.h"

#define MRD_EXT_FUNCTIONS "meridian.functions/1"

typedef void(MRD_ABI *mrd_raw_fn)(void);

typedef struct mrd_function {
  uint32_t struct_size;
  uint32_t flags;        /* 0 */
  const char *name;      /* [a-z][a-z0-9_]*, unique in the plug-in */
  const char *signature; /* in the grammar above */
  const char *doc;       /* one paragraph: meaning, units, domain */
  mrd_raw_fn raw;        /* cast to the signature's type before a call. [any] */
} mrd_function;

typedef struct mrd_ext_functions {
  uint32_t struct_size;
  uint32_t count;
  /* Function number `index`, static storage; NULL when index >= count. [any] */
  const mrd_function *(MRD_ABI *at)(uint32_t index);
} mrd_ext_functions;

#endif /* MERIDIAN_EXT_FUNCTIONS_H */
