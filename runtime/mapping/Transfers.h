//===- Transfers.h - Carrying out plans -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Performs the operations of a directory's plan on a device: copies around
// attached pointers, attachments, moves of fused blocks.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_TRANSFERS_H
#define ACCX_MAPPING_TRANSFERS_H

#include "device/AsyncQueue.h"
#include "device/Device.h"
#include "directory/Directory.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace accx {

struct ConstructTail;

/// A queue borrowed from a device for one construct, with the host memory its
/// transfers still need. Destruction gives the queue back; finish() first. An
/// asynchronous queue is not waited for: it keeps what the construct needs.
class ConstructQueue {
  Device &D;
  accx_queue Queue = nullptr;
  AsyncQueue *Async = nullptr;
  ConstructTail *Tail = nullptr; ///< Owned.
  bool IsShared = false;
  std::vector<std::unique_ptr<char[]>> Staging;
  std::vector<std::function<void()>> AtEnd;

public:
  explicit ConstructQueue(Device &D) : D(D) {}
  ~ConstructQueue() {
    if (Async) [[unlikely]]
      leave();
    else if (!IsShared)
      D.giveQueue(Queue);
  }
  ConstructQueue(const ConstructQueue &) = delete;
  ConstructQueue &operator=(const ConstructQueue &) = delete;

  /// Borrows the queue; call once before use. A failure has been reported.
  Status open();
  /// Like open(), on the asynchronous queue of the calling thread if it is in
  /// an asynchronous construct, whose place is \p Loc.
  Status openFor(const Ident *Loc) {
    if (asyncScope::current() != asyncScope::None) [[unlikely]]
      return openAsync(Loc);
    return open();
  }
  /// Uses \p Other, which the caller keeps, for a construct that ends after
  /// the program's.
  void share(accx_queue Other) {
    Queue = Other;
    IsShared = true;
  }
  accx_queue handle() const { return Queue; }
  Device &device() const { return D; }
  /// Null if the construct is waited for.
  AsyncQueue *async() const { return Async; }
  /// What outlives the construct; null if it is waited for.
  ConstructTail *tail() const { return Tail; }
  /// Whether the program goes on while what was queued may be under way: the
  /// memory of its variables must not be read then.
  bool isLeft() const { return Tail || IsShared; }

  /// Host memory that lives until finish(), or until the queue has passed.
  char *stage(size_t Size);
  /// Runs \p Then in finish(), after everything on the queue went well, or when
  /// the queue gets there. Must need nothing of the caller's.
  void then(std::function<void()> Then) { AtEnd.push_back(std::move(Then)); }
  /// Waits for everything queued, also if \p Before says that something could
  /// not be queued: until then the rest still uses the construct's memory. The
  /// first failure of the two.
  Status finish(Status Before = {});
  /// Waits, also on an asynchronous queue.
  Status wait() { return D.wait(Queue); }
  /// Whether everything on the plugin's queue is over.
  bool passed() const {
    return D.plugin().api().queue_query(Queue) != ACCX_NOT_READY;
  }

private:
  [[gnu::cold]] Status openAsync(const Ident *Loc);
  [[gnu::cold]] Status deferEnd(Status Before);
  [[gnu::cold]] void leave();
};

/// Queues operation \p Op of \p P, whose vectors must not change before
/// finish(). Failures name the variable.
Status perform(ConstructQueue &Q, const Plan &P, const Operation &Op);

/// Queues all operations of \p P in order.
Status perform(ConstructQueue &Q, const Plan &P);

/// The same for copies that the construct of \p Source need not wait for, where
/// canTrail().
Status performTrailing(Device &D, const Plan &P, const char *Source);
bool canTrail(const Device &D, const Plan &P);

/// Adds the item name record \p Name to a list such as "'a', 'b'".
void addName(std::string &Names, const void *Name);

/// "'a', 'b'": the variables that \p P copies.
std::string namesOf(const Plan &P);

/// Waits for the operations of \p P, which were queued with the outcome
/// \p Queued. What fails only now names all variables: the queue does not know
/// which it was.
Status finish(ConstructQueue &Q, const Plan &P, Status Queued);

} // namespace accx

#endif // ACCX_MAPPING_TRANSFERS_H
