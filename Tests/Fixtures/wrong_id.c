/* SPDX-License-Identifier: Apache-2.0
 *
 * Its table has another id than its manifest. */
#define FIXTURE_ID "org.example.somebody_else"
#include "fixture.h"
