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
  if (accx_status S = Q.Small.flush())
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
  if (L.has_environment && L.num_args && K.Env.needsReductionBuffer()) {
    CUdeviceptr Record = 0;
    if (accx_status S = Q.Reductions.take(uint64_t(K.Env.ReductionDataSize) *
                                              K.Env.ReductionBufferLength,
                                          Record))
      return S;
    Arguments[0] = reinterpret_cast<void *>(Record);
  }

  size_t Bytes = L.num_args * sizeof(void *);
  void *Extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, Arguments,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &Bytes, CU_LAUNCH_PARAM_END};
  // Blocks may start while the kernel before ends; theirs is to wait. Without
  // it the device is idle between kernels, and a launch takes the host longer.
  CUlaunchAttribute MayStart = {};
  MayStart.Id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  MayStart.Value.Number = 1;
  const CUlaunchConfig Config = {
      {Shape.Grid[0], Shape.Grid[1], Shape.Grid[2]},
      {Shape.Block[0], Shape.Block[1], Shape.Block[2]},
      L.shared_bytes,
      Q.Stream,
      &MayStart,
      K.Env.Waits == 1 ? 1u : 0u};
  Q.LastKernel = K.Name;
  if (CUresult R = Cu.LaunchKernelEx(&Config, K.Function, nullptr, Extra))
    return Q.D.failure(R,
                       "launch of %u x %u x %u blocks of %u x %u x %u "
                       "threads with %u bytes of shared memory",
                       Shape.Grid[0], Shape.Grid[1], Shape.Grid[2],
                       Shape.Block[0], Shape.Block[1], Shape.Block[2],
                       L.shared_bytes);
  return ACCX_OK;
}
