/* SPDX-License-Identifier: Apache-2.0
 *
 * SQLite for Swift: macros with casts and variadic functions do not reach Swift, so they get names here.         */
#ifndef MERIDIAN_CSQLITE_SHIM_H
#define MERIDIAN_CSQLITE_SHIM_H

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>
#include <errno.h>

/* SQLITE_TRANSIENT: SQLite copies bound text and blobs before the call returns. */
static inline sqlite3_destructor_type mrdq_transient(void) { return SQLITE_TRANSIENT; }

/* Treats a database that somebody else wrote with distrust: SQL in its schema cannot call functions with side
 * effects, and SQL statements cannot write the shadow tables of virtual tables. */
static inline int mrdq_distrust(sqlite3 *db) {
  int code = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  return code != SQLITE_OK ? code : sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

/* Makes an empty file that must not exist. 0, or an errno. */
static inline int mrdq_create_new_file(const char *path) {
  int descriptor;
  do {
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return errno;
  return close(descriptor) == 0 ? 0 : errno;
}

#endif /* MERIDIAN_CSQLITE_SHIM_H */
