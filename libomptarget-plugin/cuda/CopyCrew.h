//===- CopyCrew.h - Threads that copy large pageable arrays -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moves large arrays between pageable host memory and the device through pinned
// buffers that helpers fill or empty.
//
//===----------------------------------------------------------------------===//
//
// Each member of a crew has a stream and two pinned buffers, takes the next
// chunk of the array, and copies into one buffer while the other is on its way:
//
//   member 0   |fill 0|fill 3|....        bus  |0|1|2|3|...
//   member 1   |fill 1|fill 4|....
//   member 2   |fill 2|fill 5|....
//
// Smaller ones go through the queue's own blocks (Pieces.h), which the same
// threads fill or empty.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_COPYCREW_H
#define ACCX_PLUGIN_CUDA_COPYCREW_H

#include "DriverTypes.h"
#include "Helpers.h"
#include "Status.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace accx::cuda {

class Device;

/// One direction of one device. Thread-safe; arrays go one after the other.
class CopyCrew {
public:
  CopyCrew(Device &D, Helpers &Hands) : D(D), Hands(Hands) {}
  ~CopyCrew() { release(); }

  /// Copies \p Size bytes after what is on \p Stream and before what comes
  /// next. Returns when \p Host is read or written. The context is current.
  accx_status copy(CUstream Stream, bool FromDevice, CUdeviceptr OnDevice,
                   char *Host, size_t Size);
  /// Gives back what the driver has lent; the context is current.
  void release();

private:
  static constexpr size_t BufferBytes = size_t(4) << 20;
  static constexpr size_t MinChunk = size_t(256) << 10;

  struct Transfer final : Helpers::Job {
    CopyCrew &Crew;
    const bool FromDevice;
    const CUdeviceptr OnDevice;
    char *const Host;
    const size_t Size, Chunk;
    const CUevent Start;
    std::atomic<size_t> NextByte{0};
    std::atomic<int> Error{CUDA_SUCCESS};

    Transfer(CopyCrew &Crew, bool FromDevice, CUdeviceptr OnDevice, char *Host,
             size_t Size, size_t Chunk, CUevent Start)
        : Crew(Crew), FromDevice(FromDevice), OnDevice(OnDevice), Host(Host),
          Size(Size), Chunk(Chunk), Start(Start) {}
    void takePart(unsigned Member) override;
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
  };

  accx_status start();
  accx_status prepare(Member &M);
  CUresult work(Transfer &T, Member &M);
  CUresult empty(Buffer &B);
  CUresult await(const Buffer &B) const;

  Device &D;
  Helpers &Hands;
  /// Held for a whole copy.
  std::mutex CopyLock;
  std::vector<std::unique_ptr<Member>> Members;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_COPYCREW_H
