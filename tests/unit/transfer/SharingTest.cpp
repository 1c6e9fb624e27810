//===- SharingTest.cpp - Memory that processes share ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of device memory are given away, and how long what was taken
// stays mapped. Processes play no part in this: what one exports it imports.
//
//===----------------------------------------------------------------------===//

#include "transfer/Exports.h"
#include "transfer/Imports.h"

#include "../../plugins/fault/Control.h"
#include "Machine.h"

#include <cstring>
#include <dlfcn.h>
#include <thread>

using namespace accx;

namespace {

constexpr size_t Page = size_t(2) << 20, Chunk = 2 * Page;

Machine &sharing() {
  static Machine &M = *new Machine("share");
  return M;
}

template <typename Fn> Fn *control(const char *Name) {
  Dl_info Info;
  REQUIRE(dladdr(
      reinterpret_cast<void *>(sharing().Devices[0]->plugin().api().init),
      &Info));
  void *Library = dlopen(Info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(Library);
  return reinterpret_cast<Fn *>(dlsym(Library, Name));
}
unsigned numImports() {
  return control<unsigned()>("accx_fault_num_imports")();
}
void setFaults(const char *List) {
  REQUIRE(control<int(const char *)>("accx_fault_set")(List));
}

/// A window of device 0 with memory, as the directory has it.
class Window {
  size_t Pages;

public:
  char *Base = nullptr;

  explicit Window(size_t Pages) : Pages(Pages) {
    Device &D = *sharing().Devices[0];
    void *Address = nullptr;
    REQUIRE(D.plugin().api().va_reserve(D.handle(), Pages * Page, nullptr,
                                        &Address) == ACCX_OK);
    Base = static_cast<char *>(Address);
    REQUIRE(D.plugin().api().va_commit(D.handle(), Base, Pages * Page) ==
            ACCX_OK);
  }
  ~Window() {
    Device &D = *sharing().Devices[0];
    CHECK(D.plugin().api().va_release(D.handle(), Base, Pages * Page) ==
          ACCX_OK);
  }
};

std::vector<accx_share_part> parts(const std::vector<Section> &Sections) {
  return exportParts(*sharing().Devices[0], Sections);
}

/// One for each page of a window.
std::vector<accx_share_part> partsOf(const Window &W, size_t Count) {
  std::vector<accx_share_part> All;
  for (size_t I = 0; I < Count; ++I) {
    auto P = parts({{W.Base + I * Chunk, Chunk, 1, 0}});
    REQUIRE(P.size() == 1);
    All.push_back(P[0]);
  }
  return All;
}

ErrorCode codeOf(Expected<ImportedPart> E) { return E.takeStatus().code(); }

} // namespace

TEST_CASE("a range is a part of each chunk that it lies in") {
  Window W(6);
  const auto One = parts({{W.Base + 100, 5, 1, 0}});
  REQUIRE(One.size() == 1);
  CHECK(One[0].at == 100);
  CHECK(One[0].size == 5);
  CHECK(One[0].bytes == Chunk);
  CHECK(One[0].fd >= 0);

  const auto Three = parts({{W.Base + 100, 2 * Chunk, 1, 0}});
  REQUIRE(Three.size() == 3);
  CHECK(Three[0].id == One[0].id);
  CHECK(Three[0].size == Chunk - 100);
  CHECK((Three[1].at == 0 && Three[1].size == Chunk));
  CHECK((Three[2].at == 0 && Three[2].size == 100));
  CHECK(Three[1].id != Three[2].id);

  // Rows without gaps, and sections that follow one another, are one.
  const auto Rows = parts({{W.Base, 1000, 3, 1000},
                           {W.Base + 3000, 0, 7, 9},
                           {W.Base + 3000, 1000, 1, 0}});
  REQUIRE(Rows.size() == 1);
  CHECK((Rows[0].at == 0 && Rows[0].size == 4000));
}

TEST_CASE("what cannot be given away as a whole is not") {
  Window W(4);
  int OnHost = 0;
  CHECK(parts({}).empty());
  CHECK(parts({{W.Base, 1000, 3, 1001}}).empty());
  CHECK(parts({{&OnHost, sizeof(OnHost), 1, 0}}).empty());
  CHECK(parts({{W.Base + 3 * Page, 2 * Page, 1, 0}}).empty());
  CHECK(parts({{W.Base, 8, 1, 0}, {&OnHost, 4, 1, 0}}).empty());
  Device &D = *sharing().Devices[0];
  auto Block = D.allocate(1000, ACCX_MEMORY_DEVICE);
  REQUIRE(Block.ok());
  CHECK(D.plugin().holds(D.handle(), *Block, 1000));
  CHECK(parts({{*Block, 1000, 1, 0}}).empty());
  CHECK(D.release(*Block, ACCX_MEMORY_DEVICE).ok());
  setFaults("export:2");
  CHECK(parts({{W.Base, 2 * Chunk, 1, 0}}).empty());
  setFaults("");
}

TEST_CASE("plugins without these functions give and take nothing") {
  static Machine &M = *new Machine("");
  Device &D = *M.Devices[0];
  CHECK_FALSE(D.plugin().canShare());
  CHECK(exportParts(D, {{&D, 8, 1, 0}}).empty());
  Imports All;
  CHECK(codeOf(All.get(D, 1, {1, Page, 0, 8, 0, 0})) == ErrorCode::Unsupported);
}

TEST_CASE("what was taken is that memory") {
  Window W(4);
  Device &From = *sharing().Devices[0], &To = *sharing().Devices[1];
  const char Text[] = "of another process";
  REQUIRE(From.toDevice(nullptr, reinterpret_cast<uintptr_t>(W.Base) + 4711,
                        Text, sizeof(Text))
              .ok());
  const auto Given = parts({{W.Base + 4711, sizeof(Text), 1, 0}});
  REQUIRE(Given.size() == 1);
  Imports All;
  auto Taken = All.get(To, 7, Given[0]);
  REQUIRE(Taken.ok());
  CHECK(Taken->address() != reinterpret_cast<uintptr_t>(W.Base) + 4711);
  char Back[sizeof(Text)] = "";
  REQUIRE(To.fromDevice(nullptr, Back, Taken->address(), sizeof(Back)).ok());
  CHECK(!std::strcmp(Back, Text));
}

TEST_CASE("allocations stay mapped, for each device and owner") {
  Window W(2);
  Device &A = *sharing().Devices[1], &B = *sharing().Devices[2];
  accx_share_part P = partsOf(W, 1)[0];
  {
    Imports All;
    uintptr_t Begin = 0;
    {
      auto First = All.get(A, 7, P);
      REQUIRE(First.ok());
      Begin = First->address();
    }
    CHECK(numImports() == 1);
    accx_share_part Known = P;
    Known.fd = -1;
    Known.at = 64;
    Known.size = 8;
    auto Again = All.get(A, 7, Known);
    REQUIRE(Again.ok());
    CHECK(Again->address() == Begin + 64);
    CHECK(numImports() == 1);
    CHECK(codeOf(All.get(A, 8, Known)) == ErrorCode::NotPresent);
    CHECK(codeOf(All.get(B, 7, Known)) == ErrorCode::NotPresent);
    auto Other = All.get(B, 7, P);
    REQUIRE(Other.ok());
    CHECK(numImports() == 2);
    Known.bytes += Page;
    CHECK(codeOf(All.get(A, 7, Known)) == ErrorCode::Invalid);
    Known.at = UINT64_MAX;
    CHECK(codeOf(All.get(A, 7, Known)) == ErrorCode::Invalid);
    // Idle is what nobody uses.
    All.closeIdle();
    CHECK(numImports() == 2);
    *Again = ImportedPart();
    All.closeIdle(&B);
    CHECK(numImports() == 2);
    All.closeIdle(&A);
    CHECK(numImports() == 1);
  }
  // With the last part in use, and then the rest.
  CHECK(numImports() == 0);
}

TEST_CASE("of idle mappings the oldest goes first") {
  Window W(8);
  Device &D = *sharing().Devices[1];
  const auto Parts = partsOf(W, 4);
  auto Known = [&](Imports &All, size_t I) {
    accx_share_part P = Parts[I];
    P.fd = -1;
    return All.get(D, 7, P).ok();
  };
  {
    Imports All(2, 1);
    auto InUse = All.get(D, 7, Parts[0]);
    REQUIRE(InUse.ok());
    for (size_t I = 1; I < 4; ++I)
      REQUIRE(All.get(D, 7, Parts[I]).ok());
    CHECK(numImports() == 3);
    CHECK(Known(All, 0));
    CHECK_FALSE(Known(All, 1));
    CHECK(Known(All, 2));
    // Now the third is younger than the fourth.
    REQUIRE(All.get(D, 7, Parts[1]).ok());
    CHECK(Known(All, 2));
    CHECK_FALSE(Known(All, 3));
    *InUse = ImportedPart();
    CHECK(numImports() == 2);
  }
  CHECK(numImports() == 0);
  // By size.
  const auto Share =
      unsigned(sharing().Devices[1]->info().memory_bytes / (3 * Page));
  Imports All(100, Share);
  for (size_t I = 0; I < 4; ++I)
    REQUIRE(All.get(D, 7, Parts[I]).ok());
  CHECK(numImports() == 1);
  CHECK(Known(All, 3));
}

TEST_CASE("what the device does not reach is an error, and is asked again") {
  Window W(2);
  Device &D = *sharing().Devices[1];
  const accx_share_part P = partsOf(W, 1)[0];
  Imports All;
  setFaults("import:1");
  CHECK(codeOf(All.get(D, 7, P)) == ErrorCode::Unsupported);
  CHECK(All.get(D, 7, P).ok());
  setFaults("");
}

TEST_CASE("threads that take the same get one mapping") {
  Window W(8);
  Device &D = *sharing().Devices[1];
  const auto Parts = partsOf(W, 4);
  {
    Imports All(1, 1);
    std::vector<std::thread> Threads;
    std::atomic<unsigned> Bad{0};
    for (unsigned T = 0; T < 4; ++T)
      Threads.emplace_back([&, T] {
        for (size_t I = 0; I < 300; ++I) {
          auto Taken = All.get(D, 7, Parts[(I * (T + 1)) % 4]);
          if (!Taken.ok()) {
            ++Bad;
            continue;
          }
          // Reads its own number there, through a mapping that must be open.
          uint64_t Word = 0;
          if (D.fromDevice(nullptr, &Word, Taken->address(), 8).failed())
            ++Bad;
        }
      });
    for (std::thread &T : Threads)
      T.join();
    CHECK(Bad == 0);
    CHECK(numImports() == 1);
  }
  CHECK(numImports() == 0);
}
