// SPDX-License-Identifier: Apache-2.0
#include "checker.hpp"

#include <cstring>
#include <simdjson.h>

#include "CSimdjson.h"

namespace meridian {

void Checker::space() {
  while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) p_++;
}

bool Checker::document() {
  space();
  return value() && finished();
}

bool Checker::member() { return name() && value() && finished(); }

bool Checker::finished() {
  space();
  return p_ == end_ || fail("there is more text after the value");
}

bool Checker::push(bool object) {
  if (depth_ == max_depth_) return fail("arrays and objects are nested too deeply");
  const uint64_t bit = uint64_t(1) << (depth_ & 63);
  uint64_t &word = objects_[depth_ >> 6];
  word = object ? word | bit : word & ~bit;
  depth_++;
  p_++;
  return true;
}

// A name and its colon.
bool Checker::name() {
  if (!at('"')) return fail("a member name in quotes is missing");
  if (!string()) return false;
  space();
  if (!at(':')) return fail("a colon is missing after a member name");
  p_++;
  space();
  return true;
}

// A value with all that is inside it. Each turn of the loop reads the beginning of a value, then the closing brackets
// and the comma behind it.
bool Checker::value() {
  const int outside = depth_;
  while (true) {
    bool closed = true;
    if (at('{')) {
      if (!push(true)) return false;
      space();
      if (!at('}')) {
        if (!name()) return false;
        continue;
      }
      closed = false;
    } else if (at('[')) {
      if (!push(false)) return false;
      space();
      if (!at(']')) continue;
      closed = false;
    } else if (!scalar()) {
      return false;
    }
    while (depth_ > outside) {
      const bool object = objects_[(depth_ - 1) >> 6] >> ((depth_ - 1) & 63) & 1;
      if (closed) space();
      closed = true;
      if (at(object ? '}' : ']')) {
        p_++;
        depth_--;
        continue;
      }
      if (!at(',')) return fail(object ? "a comma or } is missing" : "a comma or ] is missing");
      p_++;
      space();
      if (object && !name()) return false;
      break;
    }
    if (depth_ == outside) return true;
  }
}

bool Checker::scalar() {
  if (p_ == end_) return fail("a value is missing at the end");
  switch (*p_) {
    case '"': return string();
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: return number();
  }
}

bool Checker::word(const char *expected) {
  const size_t length = strlen(expected);
  if (size_t(end_ - p_) < length || memcmp(p_, expected, length) != 0) return fail("this word is no JSON value");
  p_ += length;
  return true;
}

// 8 bytes at a time while none of them is a quote, a backslash or a control character.
static const char *plain_end(const char *p, const char *end) {
  constexpr uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  while (end - p >= 8) {
    uint64_t bytes;
    memcpy(&bytes, p, 8);
    const uint64_t quote = bytes ^ (ones * '"'), backslash = bytes ^ (ones * '\\');
    const uint64_t control = (bytes - ones * 0x20) & ~bytes;
    if ((((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | control) & highs) break;
    p += 8;
  }
  while (p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= 0x20) p++;
  return p;
}

static bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool Checker::string() {
  p_++;
  while (true) {
    p_ = plain_end(p_, end_);
    if (p_ == end_) return fail("a string is not closed");
    if (*p_ == '"') break;
    if (*p_ != '\\') return fail("a control character stands in a string");
    if (end_ - p_ < 2) return fail("a string is not closed");
    if (p_[1] == 'u') {
      for (int digit = 2; digit < 6; digit++) {
        if (p_ + digit >= end_ || !is_hex(p_[digit])) return fail("\\u needs four hexadecimal digits");
      }
      p_ += 6;
    } else if (memchr("\"\\/bfnrt", p_[1], 8)) {
      p_ += 2;
    } else {
      return fail("this escape does not exist in JSON");
    }
  }
  p_++;
  return true;
}

bool Checker::digits() {
  const char *start = p_;
  while (p_ < end_ && *p_ >= '0' && *p_ <= '9') p_++;
  return p_ > start;
}

bool Checker::number() {
  const char *start = p_;
  if (at('-')) p_++;
  const bool zero = at('0');
  const char *first = p_;
  if (!digits()) return fail(p_ == start ? "a value is missing" : "a number has no digits");
  if (zero && p_ - first > 1) return fail("a number begins with a superfluous 0");
  if (at('.')) {
    p_++;
    if (!digits()) return fail("digits are missing after the point");
  }
  if (at('e') || at('E')) {
    p_++;
    if (at('+') || at('-')) p_++;
    if (!digits()) return fail("a number has an exponent without digits");
  }
  return true;
}

} // namespace meridian

const char *mrdj_check(const char *text, size_t length, int32_t max_depth, size_t *where) {
  meridian::Checker checker(text, length, max_depth);
  if (!checker.document()) {
    *where = size_t(checker.place() - text);
    return checker.reason();
  }
  if (!simdjson::validate_utf8(text, length)) {
    *where = 0;
    return "the text is not UTF-8";
  }
  return nullptr;
}
