/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers and JSON for the readers: C++ underneath (simdjson, <charconv>), plain C to call. No function throws, keeps a
 * pointer to its input, or uses global state; all are safe from any thread, a parser from one at a time.          */
#ifndef MERIDIAN_CSIMDJSON_H
#define MERIDIAN_CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Numbers ---------------------------------------------------------------------------------------------------- */

/* Writes the shortest decimal text that reads back as the same double, bit by bit, into `text` (32 bytes), without a
 * terminator: "1", "-0.0", "0.1", "5e-324", "nan", "-inf". Returns its length. A JSON number if the value is finite. */
size_t mrdj_format_double(double value, char *text);

/* Reads the number that `text` begins with, correctly rounded, whatever the locale: decimal digits with point and
 * exponent, a sign, "inf", "infinity" or "nan" in any case. Returns how many bytes it has, 0 when there is no number.
 * A number beyond the range of doubles gives an infinity, one below it a zero.                                      */
size_t mrdj_parse_double(const char *text, size_t length, double *value);

/* ---- Text ------------------------------------------------------------------------------------------------------- */

/* How many newlines there are. */
size_t mrdj_count_newlines(const char *text, size_t length);

/* Whether the text is UTF-8. */
int32_t mrdj_is_utf8(const char *text, size_t length);

/* Length of the JSON value that begins at text[0], looking at brackets and quotes alone; 0 when the value does not end
 * within `length`. A number or word ends before the next delimiter; with `complete` 0, one that reaches the end of the
 * text may go on behind it and gives 0.                                                                             */
size_t mrdj_value_length(const char *text, size_t length, int32_t complete);

/* Checks that the text is one JSON value (RFC 8259) in UTF-8, white space around it allowed, nested at most `max_depth`
 * (512 at most). NULL = it is; otherwise the reason, with its place in `where`.                                      */
const char *mrdj_check(const char *text, size_t length, int32_t max_depth, size_t *where);

/* ---- Features --------------------------------------------------------------------------------------------------- */

/* Bytes behind a text that mrdj_parse_feature may read, whatever they hold. */
#define MRDJ_PADDING 64

/* Nested geometry collections that are followed. */
#define MRDJ_MAX_COLLECTIONS 64

/* Nested arrays and objects in properties and other members. */
#define MRDJ_MAX_DEPTH 512

typedef enum mrdj_flag {
  MRDJ_EXTRA_ORDINATES = 1,  /* a position has more than four numbers; the first four were kept */
  MRDJ_DUPLICATES = 2,       /* a member occurs again; the first counts, the others are among `foreign` */
  MRDJ_GEOMETRY_MEMBERS = 4, /* a geometry has members beside type, coordinates and geometries; they were left out */
  MRDJ_NO_GEOMETRY = 8,      /* a feature without a geometry member */
  MRDJ_BARE_GEOMETRY = 16    /* the text is a geometry, not a feature */
} mrdj_flag;

typedef enum mrdj_piece_kind { MRDJ_GEOMETRY = 0, MRDJ_COLLECTION_BEGIN = 1, MRDJ_COLLECTION_END = 2 } mrdj_piece_kind;

/* A geometry, or a bracket of a collection. `type` is WKB's number, `dims` the ABI's; the ranges are within the arrays of
 * the feature. Entries of ring_ends and part_ends count from the piece's own start: coordinates and rings.            */
typedef struct mrdj_piece {
  int32_t kind;
  int32_t type;
  int32_t dims;
  int32_t pad0;
  size_t first_coordinate;
  size_t coordinates;
  size_t first_ring;
  size_t rings;
  size_t first_part;
  size_t parts;
} mrdj_piece;

/* A stretch of the text. */
typedef struct mrdj_span {
  size_t start;
  size_t length;
} mrdj_span;

/* A parsed feature. The arrays belong to the parser and are valid until its next call; z and m are NULL when no position
 * has them. No pieces = null geometry. An absent id or properties has length 0.                                     */
typedef struct mrdj_feature {
  const mrdj_piece *pieces;
  size_t n_pieces;
  const double *x, *y, *z, *m;
  const int64_t *ring_ends;
  const int64_t *part_ends;
  mrdj_span id;
  mrdj_span properties;
  const mrdj_span *foreign; /* each `"name":value` as it stands */
  size_t n_foreign;
  uint32_t flags;
  uint32_t pad0;
  const char *reason; /* why it is no feature; static text */
  size_t where;       /* place of that in the text */
} mrdj_feature;

typedef struct mrdj_parser mrdj_parser;

/* NULL = no memory. */
mrdj_parser *mrdj_parser_new(void);
void mrdj_parser_free(mrdj_parser *parser);

/* Parses a feature or a bare geometry, one JSON object that fills the text; MRDJ_PADDING bytes behind it are readable.
 * What is copied and what is skipped is checked to be JSON. 0 and `reason` when it is not a feature.                 */
int32_t mrdj_parse_feature(mrdj_parser *parser, const char *text, size_t length, mrdj_feature *feature);

#ifdef __cplusplus
}
#endif

#endif /* MERIDIAN_CSIMDJSON_H */
