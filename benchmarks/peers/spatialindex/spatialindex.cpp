// SPDX-License-Identifier: Apache-2.0
//
// libspatialindex: an R-tree in memory, bulk loaded by sort-tile-recursive.
#include <spatialindex/SpatialIndex.h>

#include <memory>
#include <mutex>

#include "index.hpp"
#include "plugin.hpp"

namespace si = SpatialIndex;

static si::Region region(const peers::Box &box) {
  const double low[] = {box.xmin, box.ymin}, high[] = {box.xmax, box.ymax};
  return si::Region(low, high, 2);
}

/// Hands the boxes out one after the other.
class Stream : public si::IDataStream {
 public:
  explicit Stream(const std::vector<peers::Entry> &entries) : entries(entries) {}
  si::IData *getNext() override {
    if (at == entries.size()) return nullptr;
    const peers::Entry &entry = entries[at++];
    si::Region box = region(entry.box);
    return new si::RTree::Data(0, nullptr, box, entry.id);
  }
  bool hasNext() override { return at < entries.size(); }
  uint32_t size() override { return static_cast<uint32_t>(entries.size()); }
  void rewind() override { at = 0; }

 private:
  const std::vector<peers::Entry> &entries;
  size_t at = 0;
};

class Collector : public si::IVisitor {
 public:
  explicit Collector(std::vector<int64_t> &ids) : ids(ids) {}
  void visitNode(const si::INode &) override {}
  void visitData(const si::IData &data) override { ids.push_back(data.getIdentifier()); }
  void visitData(std::vector<const si::IData *> &all) override {
    for (const si::IData *data : all) visitData(*data);
  }

 private:
  std::vector<int64_t> &ids;
};

class Tree {
 public:
  static constexpr const char *method = "libspatialindex, R-tree in memory, sort-tile-recursive, nodes of 100, fill 0.7";
  static constexpr bool hasNearest = true, takesBoxes = true;

  explicit Tree(const std::vector<peers::Entry> &entries)
      : storage(si::StorageManager::createNewMemoryStorageManager()) {
    Stream stream(entries);
    si::id_type number;
    tree.reset(si::RTree::createAndBulkLoadNewRTree(si::RTree::BLM_STR, stream, *storage, 0.7, 100, 100, 2,
                                                    si::RTree::RV_RSTAR, number));
  }

  void window(const peers::Box &box, std::vector<int64_t> &ids) const {
    const std::lock_guard<std::mutex> guard(lock);
    Collector collector(ids);
    tree->intersectsWithQuery(region(box), collector);
  }

  void nearest(const peers::Box &box, int64_t k, std::vector<int64_t> &ids) const {
    const std::lock_guard<std::mutex> guard(lock);
    Collector collector(ids);
    tree->nearestNeighborQuery(static_cast<uint32_t>(k), region(box), collector);
  }

 private:
  // Queries write counters and pools of the tree.
  mutable std::mutex lock;
  std::unique_ptr<si::IStorageManager> storage;
  std::unique_ptr<si::ISpatialIndex> tree;
};

PEER_PLUGIN("libspatialindex", "MIT", {MRD_FAMILY_INDEX, &peers::IndexFamily<Tree>::table})
