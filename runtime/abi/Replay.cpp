//===- Replay.cpp - Replaying recorded kernels ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two entry points of llvm-omp-kernel-replay.
//
//===----------------------------------------------------------------------===//
//
// A recording holds the bytes of the device memory a kernel saw and the address
// they lay at. To replay it the tool
//   1. activates replay: one block of device memory is set aside, and the tool
//      is told how far it lies from the recorded address, so that it can move
//      the recorded pointers;
//   2. launches the kernel: the recorded bytes go to the start of that block.
// Without the first step the bytes go to memory of their own and the arguments
// are taken as they are. Recordings are made by LLVM's own runtime only.
//
//===----------------------------------------------------------------------===//

#include "abi/Policy.h"
#include "image/Registry.h"
#include "mapping/Constructs.h"
#include "mapping/Phases.h"
#include "mapping/Transfers.h"
#include "report/Ompt.h"
#include "report/Report.h"

#include <cinttypes>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <vector>

using namespace accx;

namespace {

constexpr int Success = 0;
constexpr int Failure = -1;

/// The launch environment that stands for none.
void *const NoEnvironment = reinterpret_cast<void *>(~uintptr_t(0));

/// The block of a device whose replay is active.
struct ReplayBlock {
  void *Address = nullptr;
  uint64_t Size = 0;
  bool SaveOutput = false;
};

struct ReplayState {
  std::mutex Mutex;
  std::map<Device *, ReplayBlock> Blocks;
};

ReplayState &state() {
  static ReplayState *State = new ReplayState;
  return *State;
}

Status transfer(Device &D, const accx_copy &Copy) {
  ConstructQueue Queue(D);
  if (Status S = Queue.open(); S.failed())
    return S;
  return Queue.finish(D.copy(Queue.handle(), Copy));
}

/// Writes the block's first \p Size bytes to <kernel>.replay.output, which the
/// tool compares with the recorded output.
Status saveOutput(Device &D, const ReplayBlock &Block, size_t Size,
                  const void *HostPtr) {
  const Kernel *K = Registry::findKernel(D, HostPtr);
  const std::string Path = std::string(K ? K->name() : "") + ".replay.output";
  std::vector<char> Bytes(Size);
  if (Status S = transfer(D, {ACCX_FROM_DEVICE, Bytes.data(), Block.Address,
                              Size, 1, 0, 0, nullptr});
      S.failed())
    return S;
  std::FILE *File = std::fopen(Path.c_str(), "wb");
  if (!File)
    return Status(ErrorCode::Unknown, "cannot write " + Path);
  const bool Written = std::fwrite(Bytes.data(), 1, Size, File) == Size;
  if (std::fclose(File) != 0 || !Written)
    return Status(ErrorCode::Unknown, "cannot write " + Path);
  return Status();
}

Status replay(Construct C, const void *HostPtr, void *Memory,
              int64_t MemorySize, void **DeviceArgs, const ptrdiff_t *Offsets,
              KernelArgs &Args) {
  ReplayBlock Block;
  {
    std::lock_guard Lock(state().Mutex);
    if (auto It = state().Blocks.find(&C.D); It != state().Blocks.end())
      Block = It->second;
  }
  const int32_t NumArgs = static_cast<int32_t>(Args.NumArgs);
  const size_t Size = MemorySize > 0 ? static_cast<size_t>(MemorySize) : 0;
  if (!Block.Address) {
    // Arguments of the caller's own: the launch environment comes first.
    Args.Version = KernelArgs::VersionWithEnvironment;
    std::vector<void *> All = {NoEnvironment};
    All.insert(All.end(), DeviceArgs, DeviceArgs + NumArgs);
    std::vector<ptrdiff_t> AllOffsets = {0};
    AllOffsets.insert(AllOffsets.end(), Offsets, Offsets + NumArgs);
    return replayRegion(C, HostPtr, Memory, MemorySize, All.data(),
                        AllOffsets.data(), NumArgs + 1, Args);
  }
  // Recorded arguments begin with the launch environment of their time.
  Args.Version = KernelArgs::VersionWithFlags;
  if (Size > Block.Size)
    return Status(ErrorCode::Invalid,
                  "the recording has " + std::to_string(Size) +
                      " bytes, but replay was activated for " +
                      std::to_string(Block.Size));
  if (Size)
    if (Status S = transfer(C.D, {ACCX_TO_DEVICE, Block.Address, Memory, Size,
                                  1, 0, 0, nullptr});
        S.failed())
      return S;
  if (Status S = replayRegion(C, HostPtr, nullptr, 0, DeviceArgs, Offsets,
                              NumArgs, Args);
      S.failed())
    return S;
  return Block.SaveOutput && Size ? saveOutput(C.D, Block, Size, HostPtr)
                                  : Status();
}

} // namespace

/// \p Address is where the recorded memory began. \p Offset tells how far
/// recorded pointers have to be moved down.
ACCX_ABI int __tgt_activate_record_replay(int64_t DeviceId, uint64_t MemorySize,
                                          void *Address, bool IsRecord,
                                          bool SaveOutput, uint64_t *Offset) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device &D = routineDevice(DeviceId);
  if (IsRecord) {
    // As with LLVM's runtime on devices that cannot record, the program runs.
    error("Recording kernels is not supported: device %d will not record",
          D.id());
    return Success;
  }
  ReplayBlock Block = {nullptr, MemorySize, SaveOutput};
  if (MemorySize) {
    Expected<void *> Memory = withMemory(D, Holding::Nothing, [&] {
      return D.allocate(MemorySize, ACCX_MEMORY_DEVICE);
    });
    if (!Memory.ok()) {
      error("Replay on device %d: no memory for %" PRIu64 " bytes: %s", D.id(),
            MemorySize, Memory.takeStatus().text().c_str());
      return Failure;
    }
    Block.Address = *Memory;
  }
  if (Address && Block.Address)
    *Offset = reinterpret_cast<uintptr_t>(Address) -
              reinterpret_cast<uintptr_t>(Block.Address);
  else
    *Offset = 0;
  {
    std::lock_guard Lock(state().Mutex);
    std::swap(state().Blocks[&D], Block);
  }
  if (Block.Address)
    if (Status S = D.release(Block.Address, ACCX_MEMORY_DEVICE); S.failed())
      error("Replay on device %d: %s", D.id(), S.text().c_str());
  return Success;
}

ACCX_ABI int __tgt_target_kernel_replay(Ident *Loc, int64_t DeviceId,
                                        void *HostPtr, void *Memory,
                                        int64_t MemorySize, void **DeviceArgs,
                                        ptrdiff_t *Offsets, int32_t NumArgs,
                                        int32_t NumTeams, int32_t ThreadLimit,
                                        uint64_t TripCount) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  Device *D = constructDevice(DeviceId, Loc);
  if (!D)
    return Failure;
  KernelArgs Args = {};
  Args.NumArgs = static_cast<uint32_t>(NumArgs);
  Args.TripCount = TripCount;
  Args.NumTeams[0] = static_cast<uint32_t>(NumTeams);
  Args.ThreadLimit[0] = static_cast<uint32_t>(ThreadLimit);
  ompt::RegionScope Region(ompt_target, D->id());
  Status S =
      replay({*D, Loc}, HostPtr, Memory, MemorySize, DeviceArgs, Offsets, Args);
  if (S.failed())
    error("Replay on device %d: %s", D->id(), S.text().c_str());
  handleOutcome(S, Loc);
  return Success;
}
