//===- Image.h - Loaded images and their kernels ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module of the driver with what OpenMP's device code expects around it.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_IMAGE_H
#define ACCX_PLUGIN_CUDA_IMAGE_H

#include "Device.h"
#include "ImageKind.h"

#include <map>
#include <string>
#include <unordered_set>

namespace accx::cuda {

/// A kernel; lives as long as its image.
struct Kernel {
  explicit Kernel(Device &D) : D(D) {}

  Device &D;
  /// No other kernel of the process ever has it.
  const uint64_t Id = 1 + NumKernels.fetch_add(1, std::memory_order_relaxed);
  const char *Name = nullptr;
  CUfunction Function = nullptr;
  KernelEnvironment Env = {};
  uint32_t MaxThreads = 0;
  uint32_t StaticSharedBytes = 0;

  /// How many blocks a multiprocessor holds; the last answers are kept.
  uint32_t blocksAtOnce(uint32_t Threads, uint32_t SharedBytes) const;
  /// Allows launches with that much dynamic shared memory.
  accx_status allowShared(uint32_t Bytes) const;

private:
  /// Threads, shared memory and blocks, packed; 0 is none. By the power of two
  /// in the number of threads.
  mutable std::atomic<uint64_t> LastOccupancy[8] = {};
  mutable std::atomic<uint32_t> AllowedShared{0};
  static inline std::atomic<uint64_t> NumKernels{0};
};

/// Thread-safe.
class Image {
  Image(Device &D, CUmodule Module) : D(D), Module(Module) {}

public:
  static accx_status load(Device &D, const void *Data, size_t Size,
                          Image *&Out);
  /// Runs destructors and unloads.
  accx_status unload();

  accx_status global(const char *Name, CUdeviceptr &Address, size_t &Size);
  accx_status kernel(const char *Name, Kernel *&Out);

  Device &D;
  const CUmodule Module;

private:
  friend class Constructors;
  accx_status setDeviceEnvironment();
  /// False: there surely is no such symbol.
  bool mayHave(const char *Name) const {
    return Symbols.empty() || Symbols.count(Name);
  }

  std::mutex Lock;
  std::map<std::string, Kernel> Kernels;
  /// Of a cubin, so that asking for what is optional is no error of the
  /// driver's that tools would report; empty if not known. Never changes.
  std::unordered_set<std::string> Symbols;
  /// Names of constants with the addresses of destructors.
  std::vector<std::string> Destructors;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_IMAGE_H
