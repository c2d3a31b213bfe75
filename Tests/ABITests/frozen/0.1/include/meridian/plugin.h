/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian/plugin.h: the entry point of a plug-in. A kernel author includes this header and no other.
 *
 * A plug-in is a shared library with exactly one exported symbol and a manifest beside it. It can be registered from
 * a static table as well, where loading is not allowed (iOS, WebAssembly, tests).                               */
#ifndef MERIDIAN_PLUGIN_H
#define MERIDIAN_PLUGIN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "call.h"
#include "ext/functions.h"
#include "ext/observer.h"
#include "families/index.h"
#include "families/measure.h"
#include "families/simplify.h"
#include "families/snap.h"
#include "families/validate.h"
#include "geometry.h"
#include "info.h"
#include "status.h"

/* What the host tells a plug-in. Valid for the life of the process. */
typedef struct mrd_host {
  uint32_t struct_size;
  uint32_t abi_min; /* lowest and highest MRD_MAKE_ABI version that the host speaks, inclusive */
  uint32_t abi_max;
  uint32_t pad0;
  const char *name;    /* "meridian" */
  const char *version; /* of the host, for messages only */
  /* A host extension by id, or NULL when unknown. Static storage. [any] */
  const void *(MRD_ABI *get_extension)(const char *id);
} mrd_host;

/* What a plug-in tells the host. Static storage: valid for the life of the process, since nothing is ever unloaded. */
typedef struct mrd_plugin {
  uint32_t struct_size;
  uint32_t abi; /* the LOWEST version that the plug-in needs, stamped by its author; inside the host's range */
  const char *id;      /* reverse-domain or dotted, equal to the manifest's: "meridian.native" */
  const char *name;    /* for people */
  const char *vendor;
  const char *version; /* of the plug-in */
  const char *license; /* SPDX expression */
  const char *build;   /* compiler, CPU level and library versions, for reports */

  /* Called before the first family function, perhaps more than once and perhaps by two hosts in one process: it must
   * be idempotent. NULL = nothing to do. [init] */
  mrd_status(MRD_ABI *init)(mrd_error *error);

  /* The table of a family (mrd_family_measure for MRD_FAMILY_MEASURE ...), or NULL when unknown. [any] */
  const void *(MRD_ABI *get_family)(const char *id);

  /* A plug-in extension by id (MRD_EXT_FUNCTIONS), or NULL when unknown. NULL slot = none. [any] */
  const void *(MRD_ABI *get_extension)(const char *id);
} mrd_plugin;

#define MRD_ENTRY_NAME "mrd_plugin_entry_v1"

/* The one exported symbol. Does no work, allocates nothing, prints nothing: it returns a static table. NULL = refused,
 * and *error says why. A plug-in that needs an ABI outside [abi_min, abi_max] refuses with MRD_E_ABI. [init] */
MRD_EXPORT const mrd_plugin *MRD_ABI mrd_plugin_entry_v1(const mrd_host *host, mrd_error *error);

#ifdef __cplusplus
}
#endif

#endif /* MERIDIAN_PLUGIN_H */
