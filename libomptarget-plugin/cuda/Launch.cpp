//===- Launch.cpp - Launching kernels -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Launch.h.
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include <cstring>

using namespace accx;
using namespace accx::cuda;

accx_status cuda::launch(Queue &Q, const Kernel &K, const accx_launch &L) {
  const bool Reduces =
      L.has_environment && L.num_args && K.Env.needsReductionBuffer();
  const bool Replay = L.may_wait && !Reduces && Q.D.Env.GraphAfter;
  if (!Replay)
    if (accx_status S = Q.flush())
      return S;
  if (accx_status S = K.allowShared(L.shared_bytes))
    return S;
  const LaunchShape Shape =
      chooseShape(L, K.Env, K.MaxThreads, Q.D.Props.Limits,
                  uint32_t(Q.D.Env.Waves), [&](uint32_t Threads) {
                    return K.blocksAtOnce(Threads, L.shared_bytes);
                  });

  // The driver reads the arguments before it returns.
  void *Few[64];
  std::vector<void *> Many;
  void **Arguments = Few;
  if (L.num_args > std::size(Few)) [[unlikely]] {
    Many.resize(L.num_args);
    Arguments = Many.data();
  }
  if (L.num_args)
    std::memcpy(Arguments, L.args, L.num_args * sizeof(void *));
  if (Reduces) {
    CUdeviceptr Record = 0;
    if (accx_status S = Q.Reductions.take(uint64_t(K.Env.ReductionDataSize) *
                                              K.Env.ReductionBufferLength,
                                          Record))
      return S;
    Arguments[0] = reinterpret_cast<void *>(Record);
  }

  Q.LastKernel = K.Name;
  const ReadyLaunch Ready = {
      &K, Shape, L.shared_bytes, {Arguments, L.num_args}};
  return Replay ? Q.launch(Ready) : launchNow(Q.Stream, Ready);
}
