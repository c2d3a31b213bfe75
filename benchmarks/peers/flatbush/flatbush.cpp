// SPDX-License-Identifier: Apache-2.0
//
// The C++ port of flatbush, from a folder that holds flatbush.h.
#include <flatbush.h>

#include "index.hpp"
#include "plugin.hpp"

class Tree {
 public:
  static constexpr const char *method = "flatbush, Hilbert-packed tree of doubles, nodes of 16; neighbours of points";
  static constexpr bool hasNearest = true, takesBoxes = false;

  explicit Tree(const std::vector<peers::Entry> &entries) : tree(built(entries)) {
    for (const peers::Entry &entry : entries) ids.push_back(entry.id);
  }

  void window(const peers::Box &box, std::vector<int64_t> &hits) const {
    for (size_t hit : tree.search({box.xmin, box.ymin, box.xmax, box.ymax})) hits.push_back(ids[hit]);
  }

  void nearest(const peers::Box &box, int64_t k, std::vector<int64_t> &hits) const {
    for (size_t hit : tree.neighbors({box.xmin, box.ymin}, static_cast<size_t>(k))) hits.push_back(ids[hit]);
  }

 private:
  static flatbush::Flatbush<double> built(const std::vector<peers::Entry> &entries) {
    flatbush::FlatbushBuilder<double> builder(entries.size());
    for (const peers::Entry &entry : entries)
      builder.add({entry.box.xmin, entry.box.ymin, entry.box.xmax, entry.box.ymax});
    return builder.finish();
  }

  flatbush::Flatbush<double> tree;
  std::vector<int64_t> ids;  // flatbush counts the boxes that it was given
};

PEER_PLUGIN("flatbush for C++", "MIT", {MRD_FAMILY_INDEX, &peers::IndexFamily<Tree>::table})
