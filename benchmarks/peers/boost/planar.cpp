// SPDX-License-Identifier: Apache-2.0
//
// Boost.Geometry on the plane.
#include "index.hpp"
#include "plugin.hpp"

PEER_PLUGIN("Boost.Geometry", "BSL-1.0", {MRD_FAMILY_INDEX, &peers::IndexFamily<Tree>::table})
