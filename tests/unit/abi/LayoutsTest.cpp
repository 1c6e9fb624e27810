//===- LayoutsTest.cpp - Structures against clang's types -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a program with clang and compares the types and declarations in its
// IR, and in the IR of the linker wrapper, with the runtime's.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "IrType.h"
#include "abi/HelperTask.h"
#include "support/Abi.h"

#include <catch2/catch.hpp>

using namespace accx;

namespace {

constexpr const char *Compile =
    ACCX_CLANGXX " -O1 -g1 -w -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu ";

/// The host's half of Inputs/Program.cpp.
const IrModule &program() {
  static const IrModule Module(
      linesOf(std::string(Compile) +
              "--offload-host-only -Xclang -disable-llvm-passes -S "
              "-emit-llvm -o - " +
              ACCX_INPUTS "/Program.cpp"));
  return Module;
}

/// What the linker wrapper adds to a program: images and their registration.
IrModule wrapper() {
  TemporaryFolder Folder;
  linesOf("cd " + Folder.path() + " && " + Compile +
          "-save-temps -o program " ACCX_INPUTS "/Program.cpp 2>&1");
  return IrModule(linesOf(ACCX_LLVM_DIS " -o - " + Folder.path() +
                          "/program.openmp.image.wrapper.bc"));
}

} // namespace

TEST_CASE("kernel arguments lie where clang puts them") {
  IrLayout L = program().layout("struct.__tgt_kernel_arguments");
  CHECK(L.Size == sizeof(KernelArgs));
  CHECK(L.Alignment == alignof(KernelArgs));
  CHECK(L.Offsets ==
        std::vector<size_t>{
            offsetof(KernelArgs, Version), offsetof(KernelArgs, NumArgs),
            offsetof(KernelArgs, BasePtrs), offsetof(KernelArgs, Ptrs),
            offsetof(KernelArgs, Sizes), offsetof(KernelArgs, Types),
            offsetof(KernelArgs, Names), offsetof(KernelArgs, Mappers),
            offsetof(KernelArgs, TripCount), offsetof(KernelArgs, Flags),
            offsetof(KernelArgs, NumTeams), offsetof(KernelArgs, ThreadLimit),
            offsetof(KernelArgs, DynamicSharedBytes)});
}

TEST_CASE("offload entries lie where clang puts them") {
  IrLayout L = program().layout("struct.__tgt_offload_entry");
  CHECK(L.Size == sizeof(OffloadEntry));
  CHECK(L.Offsets == std::vector<size_t>{offsetof(OffloadEntry, Address),
                                         offsetof(OffloadEntry, Name),
                                         offsetof(OffloadEntry, Size),
                                         offsetof(OffloadEntry, Flags),
                                         offsetof(OffloadEntry, Data)});
}

TEST_CASE("images and descriptors lie where the linker wrapper puts them") {
  IrModule Module = wrapper();
  IrLayout Image = Module.layout("__tgt_device_image");
  CHECK(Image.Size == sizeof(DeviceImage));
  CHECK(Image.Offsets ==
        std::vector<size_t>{offsetof(DeviceImage, ImageStart),
                            offsetof(DeviceImage, ImageEnd),
                            offsetof(DeviceImage, EntriesBegin),
                            offsetof(DeviceImage, EntriesEnd)});
  IrLayout Desc = Module.layout("__tgt_bin_desc");
  CHECK(Desc.Size == sizeof(BinaryDesc));
  CHECK(Desc.Offsets ==
        std::vector<size_t>{offsetof(BinaryDesc, NumDeviceImages),
                            offsetof(BinaryDesc, DeviceImages),
                            offsetof(BinaryDesc, HostEntriesBegin),
                            offsetof(BinaryDesc, HostEntriesEnd)});
  CHECK(Module.layout("struct.__tgt_offload_entry").Size ==
        sizeof(OffloadEntry));
  CHECK(Module.signature("__tgt_register_lib") == "void (ptr)");
  CHECK(Module.signature("__tgt_unregister_lib") == "void (ptr)");
}

TEST_CASE("dimensions of strided updates lie where clang puts them") {
  IrLayout L = program().layout("struct.descriptor_dim");
  CHECK(L.Size == sizeof(NonContigDim));
  CHECK(L.Offsets == std::vector<size_t>{offsetof(NonContigDim, Offset),
                                         offsetof(NonContigDim, Count),
                                         offsetof(NonContigDim, Stride)});
}

TEST_CASE("locations lie where clang puts them") {
  IrLayout L = program().layout("struct.ident_t");
  CHECK(L.Size == sizeof(Ident));
  REQUIRE(L.Offsets.size() == 5);
  CHECK(L.Offsets[4] == offsetof(Ident, Source));
}

TEST_CASE("tasks and dependences lie where clang puts them") {
  IrLayout Task = program().layout("struct.kmp_task_t");
  CHECK(Task.Size == sizeof(KmpTask));
  REQUIRE(Task.Offsets.size() == 5);
  CHECK(Task.Offsets[0] == offsetof(KmpTask, Shareds));
  CHECK(Task.Offsets[1] == offsetof(KmpTask, Routine));
  CHECK(Task.Offsets[2] == offsetof(KmpTask, PartId));
  IrLayout Dependence = program().layout("struct.kmp_depend_info");
  CHECK(Dependence.Size == sizeof(KmpDependInfo));
  CHECK(Dependence.Offsets ==
        std::vector<size_t>{offsetof(KmpDependInfo, BaseAddress),
                            offsetof(KmpDependInfo, Length),
                            offsetof(KmpDependInfo, Flags)});
}

TEST_CASE("clang calls entry points with the arguments they take") {
  const std::string Data = "void (ptr, i64, i32, ptr, ptr, ptr, ptr, ptr, ptr)";
  const std::string DataNowait = "void (ptr, i64, i32, ptr, ptr, ptr, ptr, "
                                 "ptr, ptr, i32, ptr, i32, ptr)";
  const std::vector<std::pair<std::string, std::string>> Calls = {
      {"__tgt_target_kernel", "i32 (ptr, i64, i32, i32, ptr, ptr)"},
      {"__tgt_target_data_begin_mapper", Data},
      {"__tgt_target_data_end_mapper", Data},
      {"__tgt_target_data_update_mapper", Data},
      {"__tgt_target_data_begin_nowait_mapper", DataNowait},
      {"__tgt_target_data_end_nowait_mapper", DataNowait},
      {"__tgt_target_data_update_nowait_mapper", DataNowait},
      {"__tgt_mapper_num_components", "i64 (ptr)"},
      {"__tgt_push_mapper_component", "void (ptr, ptr, ptr, i64, i64, ptr)"},
      {"__tgt_interop_init", "void (ptr, i32, ptr, i32, i32, i32, ptr, i32)"},
      {"__tgt_interop_use", "void (ptr, i32, ptr, i32, i32, ptr, i32)"},
      {"__tgt_interop_destroy", "void (ptr, i32, ptr, i32, i32, ptr, i32)"}};
  for (const auto &[Name, Signature] : Calls) {
    INFO(Name);
    CHECK(program().signature(Name) == Signature);
  }
}
