/* SPDX-License-Identifier: Apache-2.0
 *
 * meridian.h: everything. A kernel author includes meridian/plugin.h, an embedder meridian/host.h.             */
#ifndef MERIDIAN_H
#define MERIDIAN_H

#include "meridian/host.h"
#include "meridian/plugin.h"

#endif /* MERIDIAN_H */
