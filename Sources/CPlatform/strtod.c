/* SPDX-License-Identifier: Apache-2.0
 *
 * What Embedded Swift's standard library asks of the C library under names of its own.                          */
#include "CPlatform.h"
