// SPDX-License-Identifier: Apache-2.0
//
// The GEOS inside the shapely wheel, whose libraries have sonames of their own and live beside this one.
#include "../support/index.hpp"
#include "../support/plugin.hpp"
#include "simplify.hpp"
#include "snap.hpp"
#include "validate.hpp"

/// GEOS's factories count their geometries without locks, so every thread that queries has a context. It is never
/// freed: a thread-local of a plug-in has no destructor.
static GEOSContextHandle_t threadContext() {
  static thread_local GEOSContextHandle_t context = nullptr;
  if (context == nullptr) context = GEOS_init_r();
  if (context == nullptr) throw std::bad_alloc();
  return context;
}

class Tree {
 public:
  static constexpr const char *method = "GEOS STR-tree, nodes of 10; neighbours by growing windows";
  static constexpr bool hasNearest = false, takesBoxes = true;

  explicit Tree(const std::vector<peers::Entry> &entries) : tree(GEOSSTRtree_create_r(session.context, 10)) {
    if (tree == nullptr) throw std::bad_alloc();
    for (const peers::Entry &entry : entries) {
      const auto box = session.own(rectangle(session.context, entry.box));
      GEOSSTRtree_insert_r(session.context, tree, box.get(), reinterpret_cast<void *>(entry.id + 1));
    }
    // The first query builds the tree, which must not happen on several threads.
    std::vector<int64_t> none;
    window(entries.front().box, none);
  }
  Tree(const Tree &) = delete;
  ~Tree() { GEOSSTRtree_destroy_r(session.context, tree); }

  void window(const peers::Box &box, std::vector<int64_t> &ids) const {
    const GEOSContextHandle_t context = threadContext();
    GEOSGeometry *window = rectangle(context, box);
    if (window == nullptr) throw std::bad_alloc();
    GEOSSTRtree_query_r(context, tree, window, keep, &ids);
    GEOSGeom_destroy_r(context, window);
  }

 private:
  static GEOSGeometry *rectangle(GEOSContextHandle_t context, const peers::Box &box) {
    return GEOSGeom_createRectangle_r(context, box.xmin, box.ymin, box.xmax, box.ymax);
  }
  static void keep(void *item, void *ids) {
    static_cast<std::vector<int64_t> *>(ids)->push_back(reinterpret_cast<intptr_t>(item) - 1);
  }

  Session session;
  GEOSSTRtree *tree;
};

static const mrd_family_validate validateTable = {
    sizeof(mrd_family_validate), 0, validateInfo, check, repair, nullptr, nullptr, nullptr};
static const mrd_family_snap snapTable = {sizeof(mrd_family_snap), 0, snapInfo, nullptr, nullptr, nullptr, snap};

PEER_PLUGIN("GEOS of the shapely wheel", "Apache-2.0 AND LGPL-2.1-or-later", {MRD_FAMILY_VALIDATE, &validateTable},
            {MRD_FAMILY_SIMPLIFY, &peers::SimplifyFamily<Simplifier>::table}, {MRD_FAMILY_SNAP, &snapTable},
            {MRD_FAMILY_INDEX, &peers::IndexFamily<Tree>::table})
