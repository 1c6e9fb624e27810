//===- Abi.h - Layouts shared with clang's output ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structures and bits that clang 19 emits into offloading programs, as
// LLVM 19.1's runtime defines them. tests/ compare them with real output.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_SUPPORT_ABI_H
#define ACCX_SUPPORT_ABI_H

#include <cstddef>
#include <cstdint>

namespace accx {

/// Bits of a map item's type.
enum MapBits : uint64_t {
  MapTo = 0x001,
  MapFrom = 0x002,
  MapAlways = 0x004,
  MapDelete = 0x008,
  MapPtrAndObj = 0x010,
  MapTargetParam = 0x020,
  MapReturnParam = 0x040,
  MapPrivate = 0x080,
  MapLiteral = 0x100,
  MapImplicit = 0x200,
  MapClose = 0x400,
  MapPresent = 0x1000,
  MapOmpxHold = 0x2000,
  MapNonContig = 0x100000000000,
  MapMemberOf = 0xffff000000000000
};

/// Index of the item this one is a member of, or -1.
inline int memberOf(uint64_t Type) {
  return static_cast<int>((Type & MapMemberOf) >> 48) - 1;
}

/// One row of the table "omp_offloading_entries".
struct OffloadEntry {
  void *Address; ///< Host address of the function or variable.
  char *Name;    ///< Name of its counterpart in the image.
  size_t Size;   ///< 0 for functions.
  int32_t Flags;
  int32_t Data;

  enum FlagBits : int32_t {
    Link = 0x01,
    Indirect = 0x08,
    RegisterRequires = 0x10
  };
};
static_assert(sizeof(OffloadEntry) == 32);
static_assert(offsetof(OffloadEntry, Flags) == 24);

/// Bits of OffloadEntry::Data in a RegisterRequires row.
enum RequiresBits : int32_t {
  RequiresNone = 0x001,
  RequiresReverseOffload = 0x002,
  RequiresUnifiedAddress = 0x004,
  RequiresUnifiedSharedMemory = 0x008,
  RequiresDynamicAllocators = 0x010
};

struct DeviceImage {
  void *ImageStart;
  void *ImageEnd;
  OffloadEntry *EntriesBegin;
  OffloadEntry *EntriesEnd;
};
static_assert(sizeof(DeviceImage) == 32);

/// What a program or shared object registers.
struct BinaryDesc {
  int32_t NumDeviceImages;
  DeviceImage *DeviceImages;
  OffloadEntry *HostEntriesBegin;
  OffloadEntry *HostEntriesEnd;
};
static_assert(sizeof(BinaryDesc) == 32);
static_assert(offsetof(BinaryDesc, DeviceImages) == 8);

/// Argument block of __tgt_target_kernel.
struct KernelArgs {
  uint32_t Version;
  uint32_t NumArgs;
  void **BasePtrs;
  void **Ptrs;
  int64_t *Sizes;
  int64_t *Types;
  void **Names;
  void **Mappers;
  uint64_t TripCount;
  uint64_t Flags; ///< NoWait, Late.
  uint32_t NumTeams[3];
  uint32_t ThreadLimit[3];
  uint32_t DynamicSharedBytes;

  static constexpr uint64_t NoWait = 1;
  /// Set by a pass of ours; see accx/late.h.
  static constexpr uint64_t Late = uint64_t(1) << 32;
  /// From this version on kernels take the launch environment first.
  static constexpr uint32_t VersionWithEnvironment = 3;
  /// From this version on Flags, NumTeams and ThreadLimit are there.
  static constexpr uint32_t VersionWithFlags = 2;
};
static_assert(sizeof(KernelArgs) == 104);
static_assert(offsetof(KernelArgs, TripCount) == 56);
static_assert(offsetof(KernelArgs, NumTeams) == 72);
static_assert(offsetof(KernelArgs, DynamicSharedBytes) == 96);

/// One dimension of a non-contiguous update.
struct NonContigDim {
  uint64_t Offset;
  uint64_t Count;
  uint64_t Stride;
};
static_assert(sizeof(NonContigDim) == 24);

/// Arrays that describe the map items of one construct; \p Num of each. Names
/// and Mappers may be null.
struct MapArrays {
  int32_t Num = 0;
  void **BasePtrs = nullptr;
  void **Ptrs = nullptr;
  int64_t *Sizes = nullptr;
  int64_t *Types = nullptr;
  void **Names = nullptr;
  void **Mappers = nullptr;

  uint64_t type(int I) const { return static_cast<uint64_t>(Types[I]); }
  const void *name(int I) const { return Names ? Names[I] : nullptr; }
  void *mapper(int I) const { return Mappers ? Mappers[I] : nullptr; }
};

} // namespace accx

#endif // ACCX_SUPPORT_ABI_H
