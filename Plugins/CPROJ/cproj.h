/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MERIDIAN_CPROJ_H
#define MERIDIAN_CPROJ_H

#include <geodesic.h>
#include <proj.h>

#define MERIDIAN_TEXT2(x) #x
#define MERIDIAN_TEXT(x) MERIDIAN_TEXT2(x)

/* What the plug-in was compiled with, as text for reports: "Embedded Swift, PROJ 9.1.1". */
static inline const char *meridian_proj_build(void) {
  return "Embedded Swift, PROJ " MERIDIAN_TEXT(PROJ_VERSION_MAJOR) "." MERIDIAN_TEXT(PROJ_VERSION_MINOR) "." MERIDIAN_TEXT(
      PROJ_VERSION_PATCH);
}

#endif /* MERIDIAN_CPROJ_H */
