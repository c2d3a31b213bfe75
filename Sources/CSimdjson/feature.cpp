// SPDX-License-Identifier: Apache-2.0
//
// Features: coordinates straight into flat arrays with simdjson's on-demand parser, everything else as stretches of the
// text, checked for structure.
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <simdjson.h>

#include "CSimdjson.h"
#include "checker.hpp"

namespace od = simdjson::ondemand;
using simdjson::error_code;

namespace {

// A growing array that reports want of memory instead of throwing.
template <typename T> class Column {
 public:
  Column() = default;
  Column(const Column &) = delete;
  Column &operator=(const Column &) = delete;
  ~Column() { free(values_); }

  bool push(T value) {
    if (count_ == capacity_ && !grow(count_ + 1)) return false;
    values_[count_++] = value;
    return true;
  }
  bool fill(T value, size_t count) {
    if (count > capacity_ && !grow(count)) return false;
    while (count_ < count) values_[count_++] = value;
    return true;
  }
  void clear() { count_ = 0; }
  size_t count() const { return count_; }
  const T *data() const { return values_; }
  T &operator[](size_t index) { return values_[index]; }

 private:
  bool grow(size_t least) {
    const size_t wanted = least > 2 * capacity_ ? least + 16 : 2 * capacity_;
    void *fresh = realloc(values_, wanted * sizeof(T));
    if (!fresh) return false;
    values_ = static_cast<T *>(fresh);
    capacity_ = wanted;
    return true;
  }
  T *values_ = nullptr;
  size_t count_ = 0, capacity_ = 0;
};

enum Type { kPoint = 1, kLineString, kPolygon, kMultiPoint, kMultiLineString, kMultiPolygon, kCollection };

// The number of a geometry's name as it stands between quotes, 0 for an unknown one.
int type_named(std::string_view name) {
  constexpr std::string_view names[] = {"Point",           "LineString",   "Polygon",           "MultiPoint",
                                        "MultiLineString", "MultiPolygon", "GeometryCollection"};
  for (int i = 0; i < 7; i++) {
    if (names[i] == name) return i + 1;
  }
  return 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (unsigned char)text.back() <= ' ') text.remove_suffix(1);
  return text;
}

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char *kNoMemory = "there is no memory for its coordinates";

} // namespace

struct mrdj_parser {
 public:
  bool parse(const char *text, size_t length);
  void report(mrdj_feature *feature) const;

 private:
  bool root(od::object object);
  bool feature(od::object object);
  bool geometry_member(od::value value);
  bool properties_member(od::value value);
  bool foreign_member(od::field &field);
  bool member_text(od::field &field, mrdj_span *member);
  bool geometry(od::object object, int depth);
  bool geometry_members(od::object object, int type, int depth);
  bool collection(od::value value, int depth);
  bool coordinates(od::value value, int type);
  bool polygons(od::value value);
  bool rings(od::value value);
  bool positions(od::value value, bool may_be_empty);
  bool position(od::value value, bool may_be_empty);
  bool add(const double *ordinates, int count);

  bool type_member(od::object &object, std::string_view *name);
  bool checked(std::string_view text);
  bool span_of(od::value value, std::string_view *text);

  bool fail(const char *reason, const char *at = nullptr) {
    if (!reason_) reason_ = reason, place_ = at;
    return false;
  }
  // `reason` for a value of the wrong type; simdjson's other errors speak for themselves.
  bool fail(error_code error, const char *reason) {
    switch (error) {
      case simdjson::INCORRECT_TYPE: return fail(reason, here());
      case simdjson::NUMBER_ERROR: return fail("this is no number, or is beyond the range of doubles", here());
      case simdjson::MEMALLOC: return fail(kNoMemory);
      case simdjson::CAPACITY: return fail("it is longer than 4 GB");
      case simdjson::UTF8_ERROR: return fail("the text is not UTF-8");
      default: return fail("the JSON is malformed", here());
    }
  }
  const char *here() {
    const char *place = nullptr;
    if (!started_ || document_.current_location().get(place) != simdjson::SUCCESS) return nullptr;
    return place;
  }

  od::parser json_;
  od::document document_;
  bool started_ = false;
  const char *text_ = nullptr;
  size_t length_ = 0;

  Column<mrdj_piece> pieces_;
  Column<double> x_, y_, z_, m_;
  bool has_z_ = false, has_m_ = false;
  // The most ordinates of a position in the geometry that is open.
  int width_ = 2;
  Column<int64_t> ring_ends_, part_ends_;
  size_t first_ring_ = 0, first_coordinate_ = 0;
  mrdj_span id_{}, properties_{};
  Column<mrdj_span> foreign_;
  uint32_t flags_ = 0;
  const char *reason_ = nullptr;
  const char *place_ = nullptr;
};

// ---- The object around ----

bool mrdj_parser::parse(const char *text, size_t length) {
  pieces_.clear(), x_.clear(), y_.clear(), z_.clear(), m_.clear(), ring_ends_.clear(), part_ends_.clear();
  foreign_.clear();
  has_z_ = has_m_ = started_ = false;
  id_ = properties_ = {};
  flags_ = 0;
  reason_ = place_ = nullptr;
  text_ = text, length_ = length;

  auto document = json_.iterate(text, length, length + MRDJ_PADDING);
  od::object object;
  bool fine = false;
  if (document.error()) {
    fail(document.error(), "");
  } else {
    document_ = std::move(document).value_unsafe();
    started_ = true;
    const error_code error = document_.get_object().get(object);
    fine = error ? fail(error, "it is not a JSON object") : root(object);
  }
  if (!fine) {
    // Broken JSON shows in many ways; the checker names the true reason and place.
    meridian::Checker checker(text, length, MRDJ_MAX_DEPTH);
    if (!checker.document()) reason_ = checker.reason(), place_ = checker.place();
  }
  return fine;
}

bool mrdj_parser::root(od::object object) {
  std::string_view name;
  if (!type_member(object, &name)) return false;
  if (name == "Feature") return feature(object);
  if (type_named(name)) {
    flags_ |= MRDJ_BARE_GEOMETRY;
    return geometry(object, 0);
  }
  if (name == "FeatureCollection") return fail("a FeatureCollection stands where a Feature belongs", name.data());
  return fail("its type is neither Feature nor the name of a geometry", name.data());
}

// The text of the object's type between its quotes; the object is at its start again afterwards.
bool mrdj_parser::type_member(od::object &object, std::string_view *name) {
  od::value value;
  error_code error = object.find_field_unordered("type").get(value);
  if (error == simdjson::NO_SUCH_FIELD) return fail("it has no type member");
  if (error) return fail(error, "it is not an object");
  std::string_view token = trimmed(value.raw_json_token());
  if (token.size() < 2 || token.front() != '"') return fail("its type is not a string", token.data());
  *name = token.substr(1, token.size() - 2);
  const auto again = object.reset();
  return again.error() ? fail(again.error(), "") : true;
}

bool mrdj_parser::feature(od::object object) {
  enum Member { kType = 1, kGeometry = 2, kProperties = 4, kId = 8 };
  unsigned seen = 0;
  for (auto result : object) {
    od::field field;
    if (const error_code error = std::move(result).get(field)) return fail(error, "");
    const od::raw_json_string key = field.key();
    const unsigned member = key.unsafe_is_equal("type")         ? kType
                            : key.unsafe_is_equal("geometry")   ? kGeometry
                            : key.unsafe_is_equal("properties") ? kProperties
                            : key.unsafe_is_equal("id")         ? kId
                                                                : 0;
    if (member & seen) flags_ |= MRDJ_DUPLICATES;
    bool fine = true;
    std::string_view id;
    switch (member & ~seen) {
      case kType: break;
      case kGeometry: fine = geometry_member(field.value()); break;
      case kProperties: fine = properties_member(field.value()); break;
      case kId:
        fine = span_of(field.value(), &id) && checked(id);
        if (fine) id_ = {size_t(id.data() - text_), id.size()};
        break;
      default: fine = foreign_member(field);
    }
    if (!fine) return false;
    seen |= member;
  }
  if (!(seen & kGeometry)) flags_ |= MRDJ_NO_GEOMETRY;
  return true;
}

bool mrdj_parser::geometry_member(od::value value) {
  od::json_type type;
  if (const error_code error = value.type().get(type)) return fail(error, "");
  if (type == od::json_type::null) {
    std::string_view word;
    return span_of(value, &word) && checked(word);
  }
  od::object object;
  if (const error_code error = value.get_object().get(object)) {
    return fail(error, "its geometry is neither an object nor null");
  }
  return geometry(object, 0);
}

bool mrdj_parser::properties_member(od::value value) {
  std::string_view text;
  if (!span_of(value, &text) || !checked(text)) return false;
  if (text.front() != '{' && text.front() != 'n') {
    return fail("its properties are neither an object nor null", text.data());
  }
  properties_ = {size_t(text.data() - text_), text.size()};
  return true;
}

bool mrdj_parser::foreign_member(od::field &field) {
  mrdj_span member;
  return member_text(field, &member) && (foreign_.push(member) || fail(kNoMemory));
}

// `"name":value` as it stands, checked to be JSON.
bool mrdj_parser::member_text(od::field &field, mrdj_span *member) {
  const char *start = field.key().raw() - 1;
  std::string_view value;
  if (!span_of(field.value(), &value)) return false;
  *member = {size_t(start - text_), size_t(value.data() + value.size() - start)};
  meridian::Checker checker(start, member->length, MRDJ_MAX_DEPTH);
  return checker.member() || fail(checker.reason(), checker.place());
}

// The text of a value, which is left behind. It is not checked.
bool mrdj_parser::span_of(od::value value, std::string_view *text) {
  od::json_type type;
  error_code error = value.type().get(type);
  if (!error && type == od::json_type::object) {
    od::object object;
    error = value.get_object().get(object);
    if (!error) error = object.raw_json().get(*text);
  } else if (!error && type == od::json_type::array) {
    od::array array;
    error = value.get_array().get(array);
    if (!error) error = array.raw_json().get(*text);
  } else if (!error) {
    *text = value.raw_json_token();
  }
  if (error) return fail(error, "");
  *text = trimmed(*text);
  return !text->empty() || fail("a value is missing");
}

bool mrdj_parser::checked(std::string_view text) {
  meridian::Checker checker(text.data(), text.size(), MRDJ_MAX_DEPTH);
  return checker.document() || fail(checker.reason(), checker.place());
}

// ---- Geometries ----

bool mrdj_parser::geometry(od::object object, int depth) {
  std::string_view name;
  if (!type_member(object, &name)) return false;
  const int type = type_named(name);
  if (!type) return fail("the type of its geometry is not known", name.data());
  return geometry_members(object, type, depth);
}

bool mrdj_parser::geometry_members(od::object object, int type, int depth) {
  const char *wanted = type == kCollection ? "geometries" : "coordinates";
  bool found = false, type_seen = false;
  for (auto result : object) {
    od::field field;
    if (const error_code error = std::move(result).get(field)) return fail(error, "");
    const od::raw_json_string key = field.key();
    const bool again = key.unsafe_is_equal("type") ? type_seen : found;
    if (key.unsafe_is_equal(wanted) && !found) {
      found = true;
      if (!(type == kCollection ? collection(field.value(), depth) : coordinates(field.value(), type))) return false;
    } else if (key.unsafe_is_equal("type") && !type_seen) {
      type_seen = true;
    } else {
      flags_ |= MRDJ_GEOMETRY_MEMBERS;
      if (again && (key.unsafe_is_equal("type") || key.unsafe_is_equal(wanted))) flags_ |= MRDJ_DUPLICATES;
      mrdj_span member;
      if (!member_text(field, &member)) return false;
    }
  }
  if (found) return true;
  return fail(type == kCollection ? "its geometry has no geometries member" : "its geometry has no coordinates member");
}

bool mrdj_parser::collection(od::value value, int depth) {
  if (depth == MRDJ_MAX_COLLECTIONS) return fail("its collections are nested too deeply", here());
  od::array members;
  if (const error_code error = value.get_array().get(members)) return fail(error, "its geometries are not an array");
  if (!pieces_.push({MRDJ_COLLECTION_BEGIN, kCollection, 1, 0, 0, 0, 0, 0, 0, 0})) return fail(kNoMemory);
  for (auto result : members) {
    od::value member;
    if (const error_code error = std::move(result).get(member)) return fail(error, "");
    od::object object;
    if (const error_code error = member.get_object().get(object)) {
      return fail(error, "a member of its geometries is not an object");
    }
    if (!geometry(object, depth + 1)) return false;
  }
  mrdj_piece end{};
  end.kind = MRDJ_COLLECTION_END, end.type = kCollection, end.dims = 1;
  return pieces_.push(end) || fail(kNoMemory);
}

bool mrdj_parser::coordinates(od::value value, int type) {
  mrdj_piece piece{};
  piece.kind = MRDJ_GEOMETRY, piece.type = type;
  piece.first_coordinate = first_coordinate_ = x_.count();
  piece.first_ring = first_ring_ = ring_ends_.count();
  piece.first_part = part_ends_.count();
  width_ = 2;
  bool fine = false;
  switch (type) {
    case kPoint: fine = position(value, true); break;
    case kLineString: fine = positions(value, false); break;
    case kMultiPoint: fine = positions(value, true); break;
    case kMultiPolygon: fine = polygons(value); break;
    default: fine = rings(value);
  }
  if (!fine) return false;
  piece.coordinates = x_.count() - piece.first_coordinate;
  piece.rings = ring_ends_.count() - piece.first_ring;
  piece.parts = part_ends_.count() - piece.first_part;
  piece.dims = width_ == 2 ? 1 : width_ == 3 ? 2 : 4;
  return pieces_.push(piece) || fail(kNoMemory);
}

bool mrdj_parser::polygons(od::value value) {
  od::array array;
  if (const error_code error = value.get_array().get(array)) return fail(error, "its coordinates are not an array");
  for (auto result : array) {
    od::value polygon;
    if (const error_code error = std::move(result).get(polygon)) return fail(error, "");
    if (!rings(polygon)) return false;
    if (!part_ends_.push(int64_t(ring_ends_.count() - first_ring_))) return fail(kNoMemory);
  }
  return true;
}

bool mrdj_parser::rings(od::value value) {
  od::array array;
  if (const error_code error = value.get_array().get(array)) return fail(error, "an array of rings or lines is missing");
  for (auto result : array) {
    od::value ring;
    if (const error_code error = std::move(result).get(ring)) return fail(error, "");
    if (!positions(ring, false)) return false;
    if (!ring_ends_.push(int64_t(x_.count() - first_coordinate_))) return fail(kNoMemory);
  }
  return true;
}

bool mrdj_parser::positions(od::value value, bool may_be_empty) {
  od::array array;
  if (const error_code error = value.get_array().get(array)) return fail(error, "an array of positions is missing");
  for (auto result : array) {
    od::value element;
    if (const error_code error = std::move(result).get(element)) return fail(error, "");
    const size_t before = x_.count();
    if (!position(element, may_be_empty)) return false;
    // An empty point among points still takes its place.
    const double nothing[2] = {kNaN, kNaN};
    if (x_.count() == before && !add(nothing, 2)) return false;
  }
  return true;
}

bool mrdj_parser::position(od::value value, bool may_be_empty) {
  od::array array;
  if (const error_code error = value.get_array().get(array)) return fail(error, "a position is not an array");
  double ordinates[4];
  int count = 0;
  for (auto element : array) {
    double ordinate;
    if (const error_code error = element.get_double().get(ordinate)) {
      return fail(error, "an element of a position is not a number");
    }
    if (count == 4) {
      flags_ |= MRDJ_EXTRA_ORDINATES;
      continue;
    }
    ordinates[count++] = ordinate;
  }
  if (count >= 2) return add(ordinates, count);
  if (count == 0 && may_be_empty) return true;
  return fail("a position has fewer than two numbers", here());
}

bool mrdj_parser::add(const double *ordinates, int count) {
  if (count > width_) width_ = count;
  const size_t before = x_.count();
  bool fine = x_.push(ordinates[0]) && y_.push(ordinates[1]);
  if (count > 2 && !has_z_) has_z_ = fine = fine && z_.fill(kNaN, before);
  if (count > 3 && !has_m_) has_m_ = fine = fine && m_.fill(kNaN, before);
  if (has_z_) fine = fine && z_.push(count > 2 ? ordinates[2] : kNaN);
  if (has_m_) fine = fine && m_.push(count > 3 ? ordinates[3] : kNaN);
  return fine || fail(kNoMemory);
}

void mrdj_parser::report(mrdj_feature *feature) const {
  *feature = {};
  feature->pieces = pieces_.data(), feature->n_pieces = pieces_.count();
  feature->x = x_.data(), feature->y = y_.data();
  feature->z = has_z_ ? z_.data() : nullptr, feature->m = has_m_ ? m_.data() : nullptr;
  feature->ring_ends = ring_ends_.data(), feature->part_ends = part_ends_.data();
  feature->id = id_, feature->properties = properties_;
  feature->foreign = foreign_.data(), feature->n_foreign = foreign_.count();
  feature->flags = flags_;
  feature->reason = reason_;
  if (reason_ && place_ >= text_ && place_ <= text_ + length_) feature->where = size_t(place_ - text_);
}

// ---- The C face ----

mrdj_parser *mrdj_parser_new(void) { return new (std::nothrow) mrdj_parser(); }

void mrdj_parser_free(mrdj_parser *parser) { delete parser; }

int32_t mrdj_parse_feature(mrdj_parser *parser, const char *text, size_t length, mrdj_feature *feature) {
  const bool fine = parser->parse(text, length);
  parser->report(feature);
  return fine;
}
