//===- Program.cpp - A hand-made offloading program -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Program.h.
//
//===----------------------------------------------------------------------===//

#include "harness/Program.h"

#include <fstream>
#include <iterator>

using namespace accx;
using namespace harness;

std::vector<char> harness::readFile(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(File), {}};
}

Library::~Library() { unregisterNow(); }

void *Library::kernel(const std::string &Name) {
  void *Id = &Ids.emplace_back();
  Entries.push_back({Id, Names.emplace_back(Name).data(), 0, 0, 0});
  return Id;
}

void Library::global(const std::string &Name, void *Host, size_t Size,
                     int32_t Flags) {
  Entries.push_back({Host, Names.emplace_back(Name).data(), Size, Flags, 0});
}

void Library::requires_(int32_t Bits) {
  Entries.push_back({nullptr, Names.emplace_back("").data(), 0,
                     OffloadEntry::RegisterRequires, Bits});
}

void Library::registerNow() {
  DeviceImage = {Image.data(), Image.data() + Image.size(), Entries.data(),
                 Entries.data() + Entries.size()};
  Desc = {1, &DeviceImage, DeviceImage.EntriesBegin, DeviceImage.EntriesEnd};
  __tgt_register_lib(&Desc);
  Registered = true;
}

void Library::unregisterNow() {
  if (Registered)
    __tgt_unregister_lib(&Desc);
  Registered = false;
}

Arguments &Arguments::item(const void *Base, const void *Begin, int64_t Size,
                           uint64_t Type, const char *Name) {
  Bases.push_back(const_cast<void *>(Base));
  Begins.push_back(const_cast<void *>(Begin));
  Sizes.push_back(Size);
  Types.push_back(static_cast<int64_t>(Type));
  Names.push_back(const_cast<char *>(Name));
  return *this;
}

namespace {

Ident identOf(const char *Source) { return {0, 2, 0, 0, Source}; }

} // namespace

#define HARNESS_CALL(Entry)                                                    \
  Ident Loc = identOf(Source);                                                 \
  Entry(&Loc, Device, static_cast<int32_t>(Begins.size()), Bases.data(),       \
        Begins.data(), Sizes.data(), Types.data(), Names.data(), nullptr)

void Arguments::enter(int Device, const char *Source) {
  HARNESS_CALL(__tgt_target_data_begin_mapper);
}

void Arguments::exit(int Device, const char *Source) {
  HARNESS_CALL(__tgt_target_data_end_mapper);
}

void Arguments::update(int Device, const char *Source) {
  HARNESS_CALL(__tgt_target_data_update_mapper);
}

#undef HARNESS_CALL

int Arguments::target(int Device, void *Region, uint64_t TripCount,
                      const char *Source, int32_t NumTeams,
                      int32_t ThreadLimit) {
  Ident Loc = identOf(Source);
  KernelArgs Args = kernelArgs();
  Args.TripCount = TripCount;
  Args.NumTeams[0] = static_cast<uint32_t>(NumTeams);
  Args.ThreadLimit[0] = static_cast<uint32_t>(ThreadLimit);
  return __tgt_target_kernel(&Loc, Device, NumTeams, ThreadLimit, Region,
                             &Args);
}

int Arguments::late(int Device, void *Region, const char *Source) {
  LateLoc = identOf(Source);
  KernelArgs Args = kernelArgs();
  Args.Flags = KernelArgs::Late;
  return __tgt_target_kernel(&LateLoc, Device, 0, 0, Region, &Args);
}

KernelArgs Arguments::kernelArgs() {
  KernelArgs Args = {};
  Args.Version = KernelArgs::VersionWithEnvironment;
  Args.NumArgs = static_cast<uint32_t>(Begins.size());
  Args.BasePtrs = Bases.data();
  Args.Ptrs = Begins.data();
  Args.Sizes = Sizes.data();
  Args.Types = Types.data();
  Args.Names = Names.data();
  return Args;
}
