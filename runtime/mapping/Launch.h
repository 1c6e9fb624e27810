//===- Launch.h - Launching a kernel with its descriptor --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a construct's clauses and the kernel's descriptor into launches:
// geometry, workspace, chain of sub-kernels.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_LAUNCH_H
#define ACCX_MAPPING_LAUNCH_H

#include "image/Kernel.h"
#include "mapping/Transfers.h"
#include "report/Source.h"

#include <span>
#include <utility>

namespace accx {

/// What a construct asks of a launch.
struct LaunchRequest {
  const Ident *Loc = nullptr;
  uint32_t NumTeams = 0;
  uint32_t ThreadLimit = 0;
  uint64_t TripCount = 0;
  uint32_t DynamicSharedBytes = 0;
  /// The kernel takes the launch environment first.
  bool HasEnvironment = false;
  /// As in accx_launch.
  bool MayWait = false;
};

/// While it lives the calling thread's launches are parts of one loop, which
/// run at the same time on \p NumDevices devices; see accx_launch::num_parts.
class PartsScope {
  static thread_local constinit unsigned Current
      [[gnu::tls_model("initial-exec")]];
  const unsigned Before;

public:
  explicit PartsScope(unsigned NumDevices)
      : Before(std::exchange(Current, NumDevices)) {}
  ~PartsScope() { Current = Before; }
  PartsScope(const PartsScope &) = delete;
  PartsScope &operator=(const PartsScope &) = delete;

  static unsigned current() { return Current; }
};

/// Device memory and host records of one launch; must live until the queue was
/// waited for.
class LaunchResources {
  Device &D;
  ScratchBlock Workspace;
  /// Of a kernel that is one, and of each of a chain's.
  accx_kernel_geometry Geometry;
  std::vector<accx_kernel_geometry> Geometries;

public:
  explicit LaunchResources(Device &D) : D(D) {}
  ~LaunchResources() { D.scratch().give(Workspace); }
  LaunchResources(const LaunchResources &) = delete;
  LaunchResources &operator=(const LaunchResources &) = delete;

  bool hasWorkspace() const { return Workspace.Address; }

  /// Queues the launch. \p Args are the kernel's own arguments; with
  /// HasEnvironment the first slot is the environment's. Room for more
  /// arguments is added at the end and taken away again.
  Status launch(ConstructQueue &Q, Kernel &K, std::vector<void *> &Args,
                const LaunchRequest &Request);

private:
  /// Whether \p Step is to run all iterations at once; sets Geometry.
  bool coversAll(const Kernel::Step &Step, std::span<void *const> Args,
                 const LaunchRequest &Request);
  Status launchStep(ConstructQueue &Q, const Kernel::Step &Step,
                    std::vector<void *> &Args, const LaunchRequest &Request,
                    accx_kernel_geometry *Shape);
  Status takeWorkspace(ConstructQueue &Q, const Descriptor &Desc,
                       uint64_t Bytes);
};

} // namespace accx

#endif // ACCX_MAPPING_LAUNCH_H
