/* SPDX-License-Identifier: Apache-2.0
 *
 * Needs a library that the test removes after linking. */
extern int dependency_answer(void);
#define FIXTURE_ENTRY(host, error) ((void)(host), (void)(error), dependency_answer() ? &fixture_plugin : 0)
#include "fixture.h"
