// SPDX-License-Identifier: Apache-2.0
//
// The entry point of a peer. PEER_ID, PEER_VERSION and PEER_BUILD are defined by scripts/peers.
#pragma once

#include "abi.hpp"

namespace peers {

/// A family that a peer has, by its id.
struct Family {
  const char *id;
  const void *table;
};

/// The family of that id, or NULL.
template <size_t count>
const void *find(const Family (&families)[count], const char *id) {
  for (const Family &family : families)
    if (id != nullptr && std::strcmp(family.id, id) == 0) return family.table;
  return nullptr;
}

}  // namespace peers

/// PEER_PLUGIN(name, licence, {MRD_FAMILY_..., &table}, ...): defines the one exported symbol.
#define PEER_PLUGIN(peer_name, peer_license, ...)                                                                     \
  static const void *peer_family(const char *id) {                                                                    \
    static const peers::Family families[] = {__VA_ARGS__};                                                            \
    return peers::find(families, id);                                                                                 \
  }                                                                                                                   \
  extern "C" const mrd_plugin *mrd_plugin_entry_v1(const mrd_host *host, mrd_error *error) {                          \
    static const mrd_plugin plugin = {sizeof(mrd_plugin), MRD_ABI_VERSION, PEER_ID,    peer_name,   "peer",           \
                                      PEER_VERSION,       peer_license,    PEER_BUILD, nullptr,     peer_family,      \
                                      nullptr};                                                                       \
    if (host->abi_min <= MRD_ABI_VERSION && MRD_ABI_VERSION <= host->abi_max) return &plugin;                         \
    mrd_fail(error, MRD_E_ABI, -1, -1, PEER_ID ": the host speaks another ABI");                                      \
    return nullptr;                                                                                                   \
  }
