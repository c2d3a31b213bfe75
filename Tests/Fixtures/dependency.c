/* SPDX-License-Identifier: Apache-2.0
 *
 * The library that missing_dependency needs. */
__attribute__((visibility("default"))) int dependency_answer(void) { return 1; }
