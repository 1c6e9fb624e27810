//===- Lanes.h - Streams that meet ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One stream, or some of several devices that wait for each other again and
// again, as those of the parts of a loop do.
//
//===----------------------------------------------------------------------===//
//
// Meetings are put off until something comes that needs them: a graph brings
// those between its kernels along. It starts on one stream, the lead, behind
// what is on all of them; what comes on the others has to wait for it.
//
//   lead     a ------> graph --> graph ----> c     no event between graphs
//                ^                       |
//   other    b --'                       '-> d
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_LANES_H
#define ACCX_PLUGIN_CUDA_LANES_H

#include "Driver.h"
#include "Status.h"

#include <cstddef>
#include <vector>

namespace accx::cuda {

class Device;

/// Not thread-safe. Makes contexts current where the driver needs them.
class Lanes {
public:
  struct Lane {
    Device *D;
    CUstream Stream; ///< Null: its queue is gone.
    /// Something is there for which the other streams have not waited.
    bool Touched = true;
  };

  explicit Lanes(std::vector<Lane> All) : All(std::move(All)) {}
  ~Lanes();
  Lanes(const Lanes &) = delete;

  size_t size() const { return All.size(); }
  const Lane &operator[](size_t I) const { return All[I]; }
  /// Nothing more comes on stream \p I.
  accx_status remove(size_t I) {
    const accx_status S = settle();
    All[I].Stream = nullptr;
    return S;
  }

  /// Something goes to stream \p I next.
  accx_status open(size_t I) {
    accx_status S = ACCX_OK;
    if (Meets || (Lead != None && Lead != I))
      S = settle();
    All[I].Touched = true;
    return S;
  }
  /// Later work of each stream is behind what is on all of them.
  void meet() { Meets = size() > 1; }
  /// Tells the driver what was put off.
  accx_status settle();
  /// Starts \p Exec on stream \p I, behind what is on any of them, and ahead of
  /// what comes on any of them. The driver's answer goes to \p Result.
  accx_status launch(CUgraphExec Exec, size_t I, CUresult &Result);

  /// Notes what is on the first stream by now.
  void probe();
  /// Whether that has been over, as far as is known.
  bool hasPassedProbe();

private:
  static constexpr size_t None = ~size_t(0);
  /// So many streams wait for each other directly.
  static constexpr size_t MaxDirect = 3;

  template <typename AheadFn, typename BehindFn>
  accx_status follow(AheadFn Ahead, BehindFn Behind);

  std::vector<Lane> All;
  /// Where the last graph went, which no other stream has waited for.
  size_t Lead = None;
  bool Meets = false;
  CUevent Probe = nullptr;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_LANES_H
