//===- BlockedSignals.h - Threads without signals ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals belong to the program's own threads.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_BLOCKEDSIGNALS_H
#define ACCX_SUPPORT_BLOCKEDSIGNALS_H

#include <signal.h>

namespace accx {

/// Threads that the calling one starts while this lives take no signals.
class BlockedSignals {
  sigset_t Before;

public:
  BlockedSignals() {
    sigset_t All;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &Before, nullptr); }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;
};

} // namespace accx

#endif // ACCX_SUPPORT_BLOCKEDSIGNALS_H
