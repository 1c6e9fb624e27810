//===- Futex.h - Sleeping on a word -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits for an atomic word to change: first looking, then asleep.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_FUTEX_H
#define ACCX_PLUGIN_HOST_FUTEX_H

#include "accx/thread_order.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace accx::host {

/// A word that one thread changes and one other waits for. std::atomic's wait
/// has no time limit and looks for waiters in a table shared by the process.
class Futex {
public:
  using Duration = std::chrono::nanoseconds;

  explicit Futex(uint32_t Value) : Word(Value) {}

  uint32_t load() const {
    const uint32_t Value = Word.load(std::memory_order_acquire);
    accx_order_after(this);
    return Value;
  }
  /// Changes the word and wakes the waiter if it sleeps.
  void store(uint32_t Value);
  /// Changes the word where nobody waits for it to become \p Value.
  void storeSilently(uint32_t Value) {
    accx_order_before(this);
    Word.store(Value, std::memory_order_seq_cst);
  }
  bool compareExchange(uint32_t Old, uint32_t New) {
    if (Word.load(std::memory_order_relaxed) != Old ||
        !Word.compare_exchange_strong(Old, New, std::memory_order_seq_cst))
      return false;
    accx_order_after(this);
    return true;
  }

  /// Looks at the word for up to \p Limit while it is \p Old and nobody else
  /// wants the core. Whether it changed.
  bool spinWhile(uint32_t Old, Duration Limit) const;
  /// Sleeps while the word is \p Old, at most \p Limit if that is not 0. May
  /// return early.
  void sleepWhile(uint32_t Old, Duration Limit);

private:
  std::atomic<uint32_t> Word;
  /// How many sleep: one side may still be waking up while the other lies down.
  std::atomic<uint32_t> Asleep{0};
};

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_FUTEX_H
