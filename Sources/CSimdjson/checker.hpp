// SPDX-License-Identifier: Apache-2.0
#ifndef MERIDIAN_JSON_CHECKER_HPP
#define MERIDIAN_JSON_CHECKER_HPP

#include <cstddef>
#include <cstdint>

namespace meridian {

// Walks JSON text and says whether its structure is right: brackets, commas, strings with their escapes, numbers, words,
// depth. It does not recurse. simdjson's on-demand parser looks at what is asked for alone; this looks at the rest.
// UTF-8 is checked elsewhere, for whole texts.
class Checker {
 public:
  static constexpr int kMaxDepth = 512;

  Checker(const char *text, size_t length, int max_depth)
      : p_(text), end_(text + length), max_depth_(max_depth < kMaxDepth ? max_depth : kMaxDepth) {}

  // One value with white space around it, and nothing else.
  bool document();
  // `"name":value`, and nothing else.
  bool member();

  const char *reason() const { return reason_; }
  const char *place() const { return p_; }

 private:
  bool value();
  bool scalar();
  bool string();
  bool number();
  bool word(const char *expected);
  bool name();
  bool push(bool object);
  bool finished();
  void space();
  bool digits();
  bool fail(const char *reason) {
    reason_ = reason;
    return false;
  }
  bool at(char c) const { return p_ < end_ && *p_ == c; }

  const char *p_;
  const char *end_;
  int max_depth_;
  int depth_ = 0;
  uint64_t objects_[kMaxDepth / 64] = {};
  const char *reason_ = nullptr;
};

} // namespace meridian

#endif // MERIDIAN_JSON_CHECKER_HPP
