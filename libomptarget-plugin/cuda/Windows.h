//===- Windows.h - Reserved addresses of a GPU ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Address windows: reserved at once, given memory part by part.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_WINDOWS_H
#define ACCX_PLUGIN_CUDA_WINDOWS_H

#include "Driver.h"

#include <map>
#include <mutex>
#include <vector>

namespace accx::cuda {

class Device;

/// The reservations of one device. Thread-safe.
///
/// The driver maps and unmaps whole allocations only, and mapping costs about
/// as much for 2 MiB as for 1 GiB. So a commit becomes one chunk (or a few, if
/// it is large), and a chunk keeps its memory until the last of its pages is
/// decommitted; until then decommitted pages can be committed again for
/// nothing.
///
///   window  |..........[chunk][  chunk  ]........[chunk].......|
///   pages               1 1 1  1 0 0 1 1           1            live or not
class Windows {
public:
  explicit Windows(Device &D) : D(D) {}

  /// Memory of \p Device; other processes can map it if it is \p Exportable.
  static CUmemAllocationProp property(CUdevice Device, bool Exportable);

  accx_status reserve(size_t Size, void *Hint, void **Address);
  accx_status release(void *Address, size_t Size);
  accx_status commit(void *Address, size_t Size);
  accx_status decommit(void *Address, size_t Size);

  /// Memory of its own addresses that other processes can map, unlike
  /// cuMemAlloc's; free() tells whether \p Address was such memory.
  accx_status allocate(size_t Size, void **Address);
  bool free(void *Address);

  enum class Found { Elsewhere, Dead, Live };
  /// Whether the byte at \p Address is in a reservation, and then whether all
  /// \p Size bytes are in pages that have memory.
  Found lookUp(const void *Address, size_t Size);
  /// The chunk at \p Address for other processes; see accx_plugin.
  accx_status exportAt(const void *Address, accx_exported &Out);

  /// Lets device \p Peer use what is and what will be committed.
  void grant(CUdevice Peer);
  /// Gives everything back; the context is current.
  void releaseAll();

private:
  struct Chunk {
    CUdeviceptr End;
    CUmemHandle Memory;
    std::vector<bool> Live; ///< By page.
    size_t NumLive;
    bool Exportable;
    int Descriptor = -1; ///< Of other processes; made when one is asked for.
    uint64_t Id = 0;     ///< With the descriptor.
  };
  struct Window {
    CUdeviceptr End;
    std::map<CUdeviceptr, Chunk> Chunks; ///< By start; disjoint.
    bool IsAllocation = false;           ///< Of allocate().
  };
  struct Range {
    CUdeviceptr Begin, End;
  };

  accx_status checkRange(const char *What, const void *Address, size_t Size,
                         Range &R) const;
  Window *find(Range R);
  /// The chunk that holds \p Address, or the end.
  static std::map<CUdeviceptr, Chunk>::iterator chunkAt(Window &W,
                                                        CUdeviceptr Address);
  /// Whether a page of \p R is live; whether all are.
  bool anyLive(Window &W, Range R) const;
  bool allLive(Window &W, Range R) const;
  void setLive(Chunk &C, CUdeviceptr ChunkBegin, Range R, bool Live) const;
  CUresult createMemory(CUmemHandle &Memory, size_t Size, bool &Exportable);
  accx_status addChunk(Window &W, Range R);
  accx_status makeDescriptor(Chunk &C);
  void kill(Window &W, Range R);
  void unmap(CUdeviceptr Begin, const Chunk &C);
  accx_status access(CUdeviceptr Begin, CUdeviceptr End);

  Device &D;
  std::mutex Lock;
  std::map<CUdeviceptr, Window> Reserved;
  std::vector<CUdevice> Peers;
  /// The driver refused memory for other processes.
  bool RefusesExport = false;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_WINDOWS_H
