//===- CopyCrew.h - Threads that copy large pageable arrays -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves large arrays between pageable host memory and the device through pinned
// buffers that several threads fill or empty.
//
//===----------------------------------------------------------------------===//
//
// One thread cannot fill pinned memory as fast as the bus takes it. Each member
// of a crew has a stream and two pinned buffers, takes the next chunk of the
// array, and copies into one buffer while the other is on its way:
//
//   member 0   |fill 0|fill 3|....        bus  |0|1|2|3|...
//   member 1   |fill 1|fill 4|....
//   member 2   |fill 2|fill 5|....
//
// Member 0 is the calling thread, which begins at once; the others join as they
// wake up, if anything is left by then.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_COPYCREW_H
#define ACCX_PLUGIN_CUDA_COPYCREW_H

#include "DriverTypes.h"
#include "Status.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace accx::cuda {

class Device;

/// One direction of one device. Thread-safe; arrays go one after the other.
class CopyCrew {
public:
  explicit CopyCrew(Device &D) : D(D) {}
  ~CopyCrew() { stop(); }

  /// Copies \p Size bytes after what is on \p Stream and before what comes
  /// next. Returns when \p Host is read or written. The context is current.
  accx_status copy(CUstream Stream, bool FromDevice, CUdeviceptr OnDevice,
                   char *Host, size_t Size);
  /// Ends the threads; the context is current.
  void stop();

private:
  static constexpr size_t BufferBytes = size_t(4) << 20;
  static constexpr size_t MinChunk = size_t(256) << 10;

  struct Job {
    bool FromDevice = false;
    CUdeviceptr OnDevice = 0;
    char *Host = nullptr;
    size_t Size = 0;
    size_t Chunk = 0;
    CUevent Start = nullptr;
    std::atomic<size_t> NextByte{0};
    std::atomic<int> Error{CUDA_SUCCESS};
  };
  struct Buffer {
    char *Memory = nullptr;
    CUevent Done = nullptr;
    /// From the device: what the buffer is to be emptied into.
    char *Host = nullptr;
    size_t Size = 0;
  };
  struct Member {
    CUstream Stream = nullptr;
    CUevent End = nullptr;
    Buffer Buffers[2];
    /// Has copies of the job on its stream.
    bool Took = false;
    std::thread Thread; ///< Not of member 0.
  };

  accx_status start();
  accx_status prepare(Member &M);
  void run(Member &M);
  void takePart(Member &M);
  CUresult work(Member &M);
  CUresult empty(Buffer &B);
  CUresult await(const Buffer &B) const;

  Device &D;
  /// Held for a whole copy.
  std::mutex CopyLock;
  std::vector<std::unique_ptr<Member>> Members;
  Job Now;

  /// Counts jobs; what idle members sleep on.
  std::atomic<uint32_t> Generation{0};
  /// Members at work on the job, plus Open while more may join.
  std::atomic<uint32_t> Working{0};
  static constexpr uint32_t Open = 1u << 31;
  std::atomic<bool> Stop{false};
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_COPYCREW_H
