// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the runtime: prints what Program.cpp passes to the entry
// points, read through the runtime's own structures, and offloads nothing.

#include "support/Abi.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace accx;

namespace {

struct Component {
  int64_t Size;
  int64_t Type;
};

void printItems(const MapArrays &A) {
  for (int I = 0; I < A.Num; ++I) {
    std::printf("item size=%" PRId64 " type=0x%" PRIx64 " mapper=%d",
                A.Sizes[I], A.type(I), A.mapper(I) != nullptr);
    if (A.type(I) & MapNonContig) {
      // The size is the number of dimensions.
      auto *Dims = static_cast<const NonContigDim *>(A.Ptrs[I]);
      for (int64_t D = 0; D < A.Sizes[I]; ++D)
        std::printf(" (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", Dims[D].Offset,
                    Dims[D].Count, Dims[D].Stride);
    }
    std::printf("\n");
    if (void *Mapper = A.mapper(I)) {
      std::vector<Component> Components;
      using MapperFn =
          void (*)(void *, void *, void *, int64_t, int64_t, const void *);
      reinterpret_cast<MapperFn>(Mapper)(&Components, A.BasePtrs[I], A.Ptrs[I],
                                         A.Sizes[I], A.Types[I], A.name(I));
      for (const Component &C : Components)
        std::printf("component size=%" PRId64 " type=0x%" PRIx64 "\n", C.Size,
                    C.Type);
    }
  }
}

void printData(const char *Name, const MapArrays &A) {
  std::printf("%s items=%d\n", Name, A.Num);
  printItems(A);
}

} // namespace

extern "C" {

void __tgt_register_lib(BinaryDesc *Desc) {
  std::printf("register images=%d\n", Desc->NumDeviceImages);
  for (int I = 0; I < Desc->NumDeviceImages; ++I) {
    const DeviceImage &Image = Desc->DeviceImages[I];
    std::printf("image elf=%d ends=%d own-entries=%d\n",
                std::memcmp(Image.ImageStart, "\177ELF", 4) == 0,
                Image.ImageEnd > Image.ImageStart,
                Image.EntriesBegin == Desc->HostEntriesBegin &&
                    Image.EntriesEnd == Desc->HostEntriesEnd);
  }
  for (OffloadEntry *E = Desc->HostEntriesBegin; E != Desc->HostEntriesEnd; ++E)
    std::printf("entry name=%.21s size=%zu flags=%d data=%d address=%d\n",
                E->Name, E->Size, E->Flags, E->Data, E->Address != nullptr);
}
void __tgt_unregister_lib(BinaryDesc *Desc) {
  std::printf("unregister images=%d\n", Desc->NumDeviceImages);
}

int __tgt_target_kernel(void *, int64_t Device, int32_t NumTeams,
                        int32_t ThreadLimit, void *HostPtr, KernelArgs *A) {
  std::printf("kernel device=%" PRId64 " teams=%d limit=%d version=%u "
              "items=%u trip=%" PRIu64 " flags=%" PRIu64
              " block-teams=%d,%u,%u block-limit=%u,%u,%u shared=%u id=%d\n",
              Device, NumTeams, ThreadLimit, A->Version, A->NumArgs,
              A->TripCount, A->Flags, static_cast<int>(A->NumTeams[0]),
              A->NumTeams[1], A->NumTeams[2], A->ThreadLimit[0],
              A->ThreadLimit[1], A->ThreadLimit[2], A->DynamicSharedBytes,
              HostPtr != nullptr);
  printItems({static_cast<int32_t>(A->NumArgs), A->BasePtrs, A->Ptrs, A->Sizes,
              A->Types, A->Names, A->Mappers});
  return 1;
}

#define DATA(NAME)                                                             \
  void __tgt_target_data_##NAME##_mapper(                                      \
      void *, int64_t, int32_t Num, void **BasePtrs, void **Ptrs,              \
      int64_t *Sizes, int64_t *Types, void **Names, void **Mappers) {          \
    printData(#NAME, {Num, BasePtrs, Ptrs, Sizes, Types, Names, Mappers});     \
  }                                                                            \
  void __tgt_target_data_##NAME##_nowait_mapper(                               \
      void *, int64_t, int32_t Num, void **BasePtrs, void **Ptrs,              \
      int64_t *Sizes, int64_t *Types, void **Names, void **Mappers, int32_t,   \
      void *, int32_t, void *) {                                               \
    printData(#NAME "-nowait",                                                 \
              {Num, BasePtrs, Ptrs, Sizes, Types, Names, Mappers});            \
  }
DATA(begin)
DATA(end)
DATA(update)

int64_t __tgt_mapper_num_components(void *Handle) {
  return static_cast<std::vector<Component> *>(Handle)->size();
}
void __tgt_push_mapper_component(void *Handle, void *, void *, int64_t Size,
                                 int64_t Type, void *) {
  static_cast<std::vector<Component> *>(Handle)->push_back({Size, Type});
}

void __tgt_interop_init(void *, int32_t, void **Object, int32_t Kind,
                        int32_t Device, int32_t NumDeps, void *, int32_t) {
  std::printf("interop-init kind=%d device=%d deps=%d null=%d\n", Kind, Device,
              NumDeps, *Object == nullptr);
  *Object = Object;
}
void __tgt_interop_use(void *, int32_t, void **Object, int32_t, int32_t NumDeps,
                       void *, int32_t) {
  std::printf("interop-use deps=%d same=%d\n", NumDeps, *Object == Object);
}
void __tgt_interop_destroy(void *, int32_t, void **Object, int32_t,
                           int32_t NumDeps, void *, int32_t) {
  std::printf("interop-destroy deps=%d same=%d\n", NumDeps, *Object == Object);
}
}
