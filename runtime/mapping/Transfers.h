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

#include "device/Device.h"
#include "directory/Directory.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace accx {

/// A queue borrowed from a device for one construct, with the host memory its
/// transfers still need. Destruction gives the queue back; finish() first.
class ConstructQueue {
  Device &D;
  accx_queue Queue = nullptr;
  std::vector<std::unique_ptr<char[]>> Staging;
  std::vector<std::function<void()>> AtEnd;

public:
  explicit ConstructQueue(Device &D) : D(D) {}
  ~ConstructQueue() { D.giveQueue(Queue); }
  ConstructQueue(const ConstructQueue &) = delete;
  ConstructQueue &operator=(const ConstructQueue &) = delete;

  /// Borrows the queue; call once before use. A failure has been reported.
  Status open();
  accx_queue handle() const { return Queue; }
  Device &device() const { return D; }

  /// Host memory that lives until finish().
  char *stage(size_t Size);
  /// Runs \p Then in finish(), after everything on the queue went well.
  void then(std::function<void()> Then) { AtEnd.push_back(std::move(Then)); }
  /// Waits for everything queued, also if \p Before says that something could
  /// not be queued: until then the rest still uses the construct's memory. The
  /// first failure of the two.
  Status finish(Status Before = {});
};

/// Queues operation \p Op of \p P, whose vectors must not change before
/// finish(). Failures name the variable.
Status perform(ConstructQueue &Q, const Plan &P, const Operation &Op);

/// Queues all operations of \p P in order.
Status perform(ConstructQueue &Q, const Plan &P);

/// Waits for the operations of \p P, which were queued with the outcome
/// \p Queued. What fails only now names all variables: the queue does not know
/// which it was.
Status finish(ConstructQueue &Q, const Plan &P, Status Queued);

} // namespace accx

#endif // ACCX_MAPPING_TRANSFERS_H
