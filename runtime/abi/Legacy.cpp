//===- Legacy.cpp - Entry points of older compilers -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entry points that clang 19 does not call any more, in terms of those it does.
//
//===----------------------------------------------------------------------===//
//
// The nowait forms run at once: compilers put the call into a task that has the
// dependences, so the lists passed here say nothing new.
//
//===----------------------------------------------------------------------===//

#include "abi/Policy.h"
#include "report/Ompt.h"
#include "support/Abi.h"

using namespace accx;

extern "C" {
void __tgt_target_data_begin_mapper(Ident *Loc, int64_t DeviceId,
                                    int32_t NumArgs, void **BasePtrs,
                                    void **Ptrs, int64_t *Sizes, int64_t *Types,
                                    void **Names, void **Mappers);
void __tgt_target_data_end_mapper(Ident *Loc, int64_t DeviceId, int32_t NumArgs,
                                  void **BasePtrs, void **Ptrs, int64_t *Sizes,
                                  int64_t *Types, void **Names, void **Mappers);
void __tgt_target_data_update_mapper(Ident *Loc, int64_t DeviceId,
                                     int32_t NumArgs, void **BasePtrs,
                                     void **Ptrs, int64_t *Sizes,
                                     int64_t *Types, void **Names,
                                     void **Mappers);
int __tgt_target_kernel(Ident *Loc, int64_t DeviceId, int32_t NumTeams,
                        int32_t ThreadLimit, void *HostPtr, KernelArgs *Args);
}

namespace {

/// A region that is not a teams region has one team.
constexpr int32_t NoTeams = -1;

int launch(Ident *Loc, int64_t DeviceId, void *HostPtr, int32_t NumArgs,
           void **BasePtrs, void **Ptrs, int64_t *Sizes, int64_t *Types,
           void **Names, void **Mappers, int32_t NumTeams,
           int32_t ThreadLimit) {
  KernelArgs Args = {};
  // Kernels of these compilers take no launch environment.
  Args.Version = KernelArgs::VersionWithFlags;
  Args.NumArgs = static_cast<uint32_t>(NumArgs);
  Args.BasePtrs = BasePtrs;
  Args.Ptrs = Ptrs;
  Args.Sizes = Sizes;
  Args.Types = Types;
  Args.Names = Names;
  Args.Mappers = Mappers;
  Args.NumTeams[0] = NumTeams == NoTeams ? 1 : static_cast<uint32_t>(NumTeams);
  Args.ThreadLimit[0] = static_cast<uint32_t>(ThreadLimit);
  return __tgt_target_kernel(Loc, DeviceId, NumTeams, ThreadLimit, HostPtr,
                             &Args);
}

} // namespace

//===----------------------------------------------------------------------===//
// Data
//===----------------------------------------------------------------------===//

ACCX_ABI void __tgt_target_data_begin(int64_t DeviceId, int32_t NumArgs,
                                      void **BasePtrs, void **Ptrs,
                                      int64_t *Sizes, int64_t *Types) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  __tgt_target_data_begin_mapper(nullptr, DeviceId, NumArgs, BasePtrs, Ptrs,
                                 Sizes, Types, nullptr, nullptr);
}

ACCX_ABI void __tgt_target_data_begin_nowait(int64_t DeviceId, int32_t NumArgs,
                                             void **BasePtrs, void **Ptrs,
                                             int64_t *Sizes, int64_t *Types,
                                             int32_t, void *, int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  __tgt_target_data_begin_mapper(nullptr, DeviceId, NumArgs, BasePtrs, Ptrs,
                                 Sizes, Types, nullptr, nullptr);
}

ACCX_ABI void __tgt_target_data_end(int64_t DeviceId, int32_t NumArgs,
                                    void **BasePtrs, void **Ptrs,
                                    int64_t *Sizes, int64_t *Types) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  __tgt_target_data_end_mapper(nullptr, DeviceId, NumArgs, BasePtrs, Ptrs,
                               Sizes, Types, nullptr, nullptr);
}

ACCX_ABI void __tgt_target_data_end_nowait(int64_t DeviceId, int32_t NumArgs,
                                           void **BasePtrs, void **Ptrs,
                                           int64_t *Sizes, int64_t *Types,
                                           int32_t, void *, int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  __tgt_target_data_end_mapper(nullptr, DeviceId, NumArgs, BasePtrs, Ptrs,
                               Sizes, Types, nullptr, nullptr);
}

ACCX_ABI void __tgt_target_data_update(int64_t DeviceId, int32_t NumArgs,
                                       void **BasePtrs, void **Ptrs,
                                       int64_t *Sizes, int64_t *Types) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  __tgt_target_data_update_mapper(nullptr, DeviceId, NumArgs, BasePtrs, Ptrs,
                                  Sizes, Types, nullptr, nullptr);
}

ACCX_ABI void __tgt_target_data_update_nowait(int64_t DeviceId, int32_t NumArgs,
                                              void **BasePtrs, void **Ptrs,
                                              int64_t *Sizes, int64_t *Types,
                                              int32_t, void *, int32_t,
                                              void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  __tgt_target_data_update_mapper(nullptr, DeviceId, NumArgs, BasePtrs, Ptrs,
                                  Sizes, Types, nullptr, nullptr);
}

//===----------------------------------------------------------------------===//
// Target regions
//===----------------------------------------------------------------------===//

ACCX_ABI int __tgt_target_mapper(Ident *Loc, int64_t DeviceId, void *HostPtr,
                                 int32_t NumArgs, void **BasePtrs, void **Ptrs,
                                 int64_t *Sizes, int64_t *Types, void **Names,
                                 void **Mappers) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(Loc, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes, Types,
                Names, Mappers, NoTeams, 0);
}

ACCX_ABI int __tgt_target(int64_t DeviceId, void *HostPtr, int32_t NumArgs,
                          void **BasePtrs, void **Ptrs, int64_t *Sizes,
                          int64_t *Types) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(nullptr, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes,
                Types, nullptr, nullptr, NoTeams, 0);
}

ACCX_ABI int __tgt_target_nowait(int64_t DeviceId, void *HostPtr,
                                 int32_t NumArgs, void **BasePtrs, void **Ptrs,
                                 int64_t *Sizes, int64_t *Types, int32_t,
                                 void *, int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(nullptr, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes,
                Types, nullptr, nullptr, NoTeams, 0);
}

ACCX_ABI int __tgt_target_nowait_mapper(Ident *Loc, int64_t DeviceId,
                                        void *HostPtr, int32_t NumArgs,
                                        void **BasePtrs, void **Ptrs,
                                        int64_t *Sizes, int64_t *Types,
                                        void **Names, void **Mappers, int32_t,
                                        void *, int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(Loc, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes, Types,
                Names, Mappers, NoTeams, 0);
}

ACCX_ABI int __tgt_target_teams_mapper(Ident *Loc, int64_t DeviceId,
                                       void *HostPtr, int32_t NumArgs,
                                       void **BasePtrs, void **Ptrs,
                                       int64_t *Sizes, int64_t *Types,
                                       void **Names, void **Mappers,
                                       int32_t NumTeams, int32_t ThreadLimit) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(Loc, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes, Types,
                Names, Mappers, NumTeams, ThreadLimit);
}

ACCX_ABI int __tgt_target_teams(int64_t DeviceId, void *HostPtr,
                                int32_t NumArgs, void **BasePtrs, void **Ptrs,
                                int64_t *Sizes, int64_t *Types,
                                int32_t NumTeams, int32_t ThreadLimit) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(nullptr, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes,
                Types, nullptr, nullptr, NumTeams, ThreadLimit);
}

ACCX_ABI int __tgt_target_teams_nowait(int64_t DeviceId, void *HostPtr,
                                       int32_t NumArgs, void **BasePtrs,
                                       void **Ptrs, int64_t *Sizes,
                                       int64_t *Types, int32_t NumTeams,
                                       int32_t ThreadLimit, int32_t, void *,
                                       int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(nullptr, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes,
                Types, nullptr, nullptr, NumTeams, ThreadLimit);
}

ACCX_ABI int __tgt_target_teams_nowait_mapper(
    Ident *Loc, int64_t DeviceId, void *HostPtr, int32_t NumArgs,
    void **BasePtrs, void **Ptrs, int64_t *Sizes, int64_t *Types, void **Names,
    void **Mappers, int32_t NumTeams, int32_t ThreadLimit, int32_t, void *,
    int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return launch(Loc, DeviceId, HostPtr, NumArgs, BasePtrs, Ptrs, Sizes, Types,
                Names, Mappers, NumTeams, ThreadLimit);
}

ACCX_ABI int __tgt_target_kernel_nowait(Ident *Loc, int64_t DeviceId,
                                        int32_t NumTeams, int32_t ThreadLimit,
                                        void *HostPtr, KernelArgs *Args,
                                        int32_t, void *, int32_t, void *) {
  ompt::ReturnAddressScope Here(__builtin_return_address(0));
  return __tgt_target_kernel(Loc, DeviceId, NumTeams, ThreadLimit, HostPtr,
                             Args);
}

//===----------------------------------------------------------------------===//
// Trip counts, which kernels' argument blocks have long carried themselves
//===----------------------------------------------------------------------===//

ACCX_ABI void __kmpc_push_target_tripcount(int64_t, uint64_t) {}

ACCX_ABI void __kmpc_push_target_tripcount_mapper(Ident *, int64_t, uint64_t) {}
