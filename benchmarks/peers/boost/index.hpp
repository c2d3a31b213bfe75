// SPDX-License-Identifier: Apache-2.0
//
// Boost.Geometry's R-tree, packed.
#pragma once

#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <iterator>

#include "../support/index.hpp"

class Tree {
 public:
  static constexpr const char *method = "Boost.Geometry, packed R-tree, R*, nodes of 16";
  static constexpr bool hasNearest = true, takesBoxes = true;

  explicit Tree(const std::vector<peers::Entry> &entries) {
    std::vector<Value> values;
    values.reserve(entries.size());
    for (const peers::Entry &entry : entries) values.emplace_back(box(entry.box), entry.id);
    tree = RTree(values);
  }

  void window(const peers::Box &window, std::vector<int64_t> &ids) const {
    tree.query(boost::geometry::index::intersects(box(window)), Ids{&ids});
  }

  void nearest(const peers::Box &query, int64_t k, std::vector<int64_t> &ids) const {
    const auto count = static_cast<unsigned>(k);
    if (query.xmin == query.xmax && query.ymin == query.ymax)
      tree.query(boost::geometry::index::nearest(Point(query.xmin, query.ymin), count), Ids{&ids});
    else
      tree.query(boost::geometry::index::nearest(box(query), count), Ids{&ids});
  }

 private:
  using Point = boost::geometry::model::point<double, 2, boost::geometry::cs::cartesian>;
  using RBox = boost::geometry::model::box<Point>;
  using Value = std::pair<RBox, int64_t>;
  using RTree = boost::geometry::index::rtree<Value, boost::geometry::index::rstar<16>>;

  static RBox box(const peers::Box &box) { return {{box.xmin, box.ymin}, {box.xmax, box.ymax}}; }

  /// An output iterator that keeps ids.
  struct Ids {
    using iterator_category = std::output_iterator_tag;
    using value_type = void;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = void;
    std::vector<int64_t> *ids;
    Ids &operator*() { return *this; }
    Ids &operator++() { return *this; }
    Ids operator++(int) { return *this; }
    Ids &operator=(const Value &value) {
      ids->push_back(value.second);
      return *this;
    }
  };

  RTree tree;
};
