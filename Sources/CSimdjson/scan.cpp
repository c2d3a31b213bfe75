// SPDX-License-Identifier: Apache-2.0
//
// Finds where a JSON value ends, 64 bytes at a time, by brackets and quotes alone.
#include "CSimdjson.h"

#include <cstring>
#include <simdjson.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace {

constexpr size_t kBlock = 64;

// One bit a byte of a block.
struct Marks {
  uint64_t quotes, backslashes, opening, closing;
};

#if defined(__SSE2__)
uint64_t equal(const __m128i *lanes, char wanted) {
  const __m128i pattern = _mm_set1_epi8(wanted);
  uint64_t bits = 0;
  for (int lane = 0; lane < 4; lane++) {
    bits |= uint64_t(uint32_t(_mm_movemask_epi8(_mm_cmpeq_epi8(lanes[lane], pattern)))) << (16 * lane);
  }
  return bits;
}

Marks mark(const char *block, char open, char close) {
  __m128i lanes[4];
  for (int lane = 0; lane < 4; lane++) lanes[lane] = _mm_loadu_si128((const __m128i *)block + lane);
  return {equal(lanes, '"'), equal(lanes, '\\'), equal(lanes, open), equal(lanes, close)};
}
#else
Marks mark(const char *block, char open, char close) {
  Marks marks{};
  for (size_t i = 0; i < kBlock; i++) {
    marks.quotes |= uint64_t(block[i] == '"') << i;
    marks.backslashes |= uint64_t(block[i] == '\\') << i;
    marks.opening |= uint64_t(block[i] == open) << i;
    marks.closing |= uint64_t(block[i] == close) << i;
  }
  return marks;
}
#endif

// The bytes that a backslash before them escapes. `carry`: whether the block before ended in an escaping backslash.
uint64_t escaped_bytes(uint64_t backslashes, uint64_t &carry) {
  uint64_t escaped = carry;
  uint64_t rest = backslashes & ~escaped;
  carry = 0;
  while (rest) {
    const int at = __builtin_ctzll(rest);
    if (at == 63) {
      carry = 1;
      break;
    }
    escaped |= uint64_t(2) << at;
    rest &= ~(uint64_t(3) << at);
  }
  return escaped;
}

// Bit i of the result: an odd number of bits is set in 0...i.
uint64_t prefix_xor(uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

size_t bracketed_length(const char *text, size_t length, char open, char close) {
  uint64_t in_string = 0, carry = 0;
  int64_t depth = 0;
  char last[kBlock];
  for (size_t start = 0; start < length; start += kBlock) {
    const char *block = text + start;
    if (length - start < kBlock) {
      memset(last, 0, kBlock);
      memcpy(last, block, length - start);
      block = last;
    }
    Marks marks = mark(block, open, close);
    if (marks.backslashes | carry) marks.quotes &= ~escaped_bytes(marks.backslashes, carry);
    const uint64_t inside = prefix_xor(marks.quotes) ^ in_string;
    in_string = uint64_t(int64_t(inside) >> 63);
    uint64_t opening = marks.opening & ~inside, closing = marks.closing & ~inside;
    const int closings = __builtin_popcountll(closing);
    if (closings < depth) {
      depth += __builtin_popcountll(opening) - closings;
      continue;
    }
    for (uint64_t both = opening | closing; both; both &= both - 1) {
      depth += (opening & both & -both) ? 1 : -1;
      if (depth == 0) return start + __builtin_ctzll(both) + 1;
    }
  }
  return 0;
}

size_t string_length(const char *text, size_t length) {
  for (size_t at = 1; at < length; at++) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\') at++;
  }
  return 0;
}

bool ends_scalar(char c) {
  return c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '[' || (unsigned char)c <= ' ';
}

} // namespace

size_t mrdj_value_length(const char *text, size_t length, int32_t complete) {
  if (length == 0) return 0;
  switch (text[0]) {
    case '{': return bracketed_length(text, length, '{', '}');
    case '[': return bracketed_length(text, length, '[', ']');
    case '"': return string_length(text, length);
    default: break;
  }
  size_t at = 1;
  while (at < length && !ends_scalar(text[at])) at++;
  return at < length || complete ? at : 0;
}

size_t mrdj_count_newlines(const char *text, size_t length) {
  size_t newlines = 0, start = 0;
  // Sums of single bytes, which vectors add up without widening, for as long as they cannot overflow.
  for (; length - start >= 128; start += 128) {
    unsigned char block = 0;
    for (size_t i = 0; i < 128; i++) block += text[start + i] == '\n';
    newlines += block;
  }
  for (; start < length; start++) newlines += text[start] == '\n';
  return newlines;
}

int32_t mrdj_is_utf8(const char *text, size_t length) { return simdjson::validate_utf8(text, length); }
