// SPDX-License-Identifier: Apache-2.0
#include "CGEOS.h"

#include <atomic>
#include <stdexcept>

namespace {

// Plain thread-local storage: no constructor, no destructor, nothing to run when a thread ends.
thread_local const uint32_t *cancel_word = nullptr;

std::atomic<GEOSInterruptCallback *> former_callback{nullptr};

// GEOS calls this from its long loops, on the thread that runs the operation. The exception passes through GEOS alone:
// its C functions catch every std::exception and answer with their error value.
void poll() {
  if (GEOSInterruptCallback *former = former_callback.load(std::memory_order_acquire)) former();
  const uint32_t *word = cancel_word;
  if (word != nullptr && *static_cast<const volatile uint32_t *>(word) != 0) throw std::runtime_error("cancelled");
}

}  // namespace

extern "C" void mrd_geos_install_interrupt(void) {
  static std::atomic_flag installed = ATOMIC_FLAG_INIT;
  if (installed.test_and_set()) return;
  former_callback.store(GEOS_interruptRegisterCallback(poll), std::memory_order_release);
}

extern "C" const uint32_t *mrd_geos_set_cancel(const uint32_t *cancel) {
  const uint32_t *former = cancel_word;
  cancel_word = cancel;
  return former;
}
