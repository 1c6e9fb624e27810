//===- plugin.cpp - The CUDA plugin through its own interface -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows, queues, events, copies and fills of a real device, without the
// runtime. Usage: plugin <path of the plugin>.
//
//===----------------------------------------------------------------------===//

#include "accx/plugin.h"

#include "check.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

static const accx_plugin *P;
static accx_device D;

static void ok(accx_status S, int Line) {
  if (S == ACCX_OK)
    return;
  if (++Wrong <= 10)
    std::printf("line %d: status %d: %s\n", Line, S, P->last_error());
}
#define OK(Call) ok(Call, __LINE__)

static char *at(void *Base, size_t Offset) {
  return static_cast<char *>(Base) + Offset;
}

static accx_copy row(accx_direction Direction, void *Dst, const void *Src,
                     size_t Size) {
  return {Direction, Dst, Src, Size, 1, 0, 0, nullptr};
}

static void put(accx_queue Q, void *Dst, const void *Src, size_t Size) {
  const accx_copy C = row(ACCX_TO_DEVICE, Dst, Src, Size);
  OK(P->copy(D, Q, &C));
}
static void get(accx_queue Q, void *Dst, const void *Src, size_t Size) {
  const accx_copy C = row(ACCX_FROM_DEVICE, Dst, Src, Size);
  OK(P->copy(D, Q, &C));
}

static void windows(const accx_device_info &Info) {
  const size_t Page = Info.va_granularity, Window = size_t(1) << 40;
  void *Base = nullptr, *Other = nullptr;
  OK(P->va_reserve(D, Window, nullptr, &Base));
  OK(P->va_reserve(D, Window, nullptr, &Other));
  CHECK(Base && Other && Base != Other);
  CHECK(P->va_commit(D, at(Base, 1), Page) == ACCX_ERROR_INVALID);

  uint64_t Before = 0, Now = 0;
  OK(P->memory_info(D, &Before, nullptr));
  OK(P->va_commit(D, at(Base, 8 * Page), 4 * Page));
  CHECK(P->va_commit(D, at(Base, 11 * Page), Page) == ACCX_ERROR_INVALID);
  OK(P->va_commit(D, at(Base, 5 * Page), 3 * Page));
  int Value = 42, Back = 0;
  put(nullptr, at(Base, 8 * Page - 2), &Value, sizeof(Value));
  get(nullptr, &Back, at(Base, 8 * Page - 2), sizeof(Back));
  CHECK(Back == 42);
  // A part of a chunk, and back again beside new pages.
  OK(P->va_decommit(D, at(Base, 9 * Page), 2 * Page));
  CHECK(P->va_decommit(D, at(Base, 9 * Page), Page) == ACCX_ERROR_INVALID);
  OK(P->va_commit(D, at(Base, 9 * Page), 2 * Page));
  OK(P->va_commit(D, at(Base, 12 * Page), Page));
  OK(P->fill(D, nullptr, at(Base, 5 * Page), 0x11, 1, 8 * Page));
  get(nullptr, &Back, at(Base, 10 * Page - 2), sizeof(Back));
  CHECK(Back == 0x11111111);
  OK(P->va_decommit(D, at(Base, 5 * Page), 8 * Page));
  OK(P->memory_info(D, &Now, nullptr));
  CHECK(Now + Page >= Before);

  OK(P->va_commit(D, Other, size_t(1) << 30));
  OK(P->memory_info(D, &Now, nullptr));
  CHECK(Now + (size_t(1) << 30) <= Before + Page);
  OK(P->va_decommit(D, Other, size_t(1) << 30));
  CHECK(P->va_commit(D, Other, Window) == ACCX_ERROR_OUT_OF_MEMORY);
  OK(P->memory_info(D, &Now, nullptr));
  CHECK(Now + Page >= Before);
  OK(P->va_release(D, Base, Window));
  OK(P->va_release(D, Other, Window));
  CHECK(P->va_release(D, Other, Window) == ACCX_ERROR_INVALID);
}

static void fills() {
  enum { Bytes = 70000 };
  void *There = nullptr;
  OK(P->alloc(D, Bytes, ACCX_MEMORY_DEVICE, &There));
  std::vector<unsigned char> Back(Bytes);
  const uint64_t Patterns[] = {0, 0x5a5a5a5a5a5a5a5a, 0x0123456789abcdef,
                               0x1234123412341234, 0x1122334411223344};
  for (uint64_t Pattern : Patterns)
    for (uint32_t Width : {1u, 2u, 4u, 8u})
      for (size_t Shift : {0u, 1u, 2u, 4u, 6u}) {
        OK(P->fill(D, nullptr, There, 0xee, 1, Bytes));
        const size_t Count = 65003 / Width;
        OK(P->fill(D, nullptr, at(There, Shift), Pattern, Width, Count));
        get(nullptr, Back.data(), There, Bytes);
        unsigned char Want[8];
        std::memcpy(Want, &Pattern, 8);
        size_t Bad = 0;
        for (size_t I = 0; I < Bytes; ++I)
          Bad += Back[I] != (I >= Shift && I < Shift + Count * Width
                                 ? Want[(I - Shift) % Width]
                                 : 0xee);
        CHECK(Bad == 0);
      }
  CHECK(P->fill(D, nullptr, There, 0, 3, 1) == ACCX_ERROR_INVALID);
  OK(P->free(D, There, ACCX_MEMORY_DEVICE));
}

static void queues() {
  enum { Count = 3000, Words = 256 };
  void *There = nullptr;
  OK(P->alloc(D, Count * Words * 4, ACCX_MEMORY_DEVICE, &There));
  std::vector<uint32_t> In(Count * Words), Out(Count * Words);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = uint32_t(I * 2654435761u);
  accx_queue Q = nullptr, R = nullptr;
  accx_event E = nullptr;
  OK(P->queue_create(D, &Q));
  OK(P->queue_create(D, &R));
  OK(P->event_create(D, &E));
  OK(P->event_sync(E));
  OK(P->event_query(E));

  // Small copies that alternate and depend on each other in order.
  for (int I = 0; I < Count; ++I) {
    const size_t Bytes = 1 + (I * 37) % (Words * 4);
    put(Q, at(There, I * Words * 4), &In[I * Words], Bytes);
    get(Q, &Out[I * Words], at(There, I * Words * 4), Bytes);
    // What comes from the device goes there again.
    if (I % 100 == 99)
      put(Q, at(There, I * Words * 4), &Out[I * Words], Bytes);
  }
  OK(P->queue_wait(Q));
  size_t Bad = 0;
  for (int I = 0; I < Count; ++I)
    Bad += std::memcmp(&In[I * Words], &Out[I * Words],
                       1 + (I * 37) % (Words * 4)) != 0;
  CHECK(Bad == 0);

  // An event carries results to those who wait for it alone.
  std::memset(Out.data(), 0, Out.size() * 4);
  put(Q, There, In.data(), In.size() * 4);
  for (int I = 0; I < 50; ++I)
    get(Q, &Out[I * Words], at(There, I * Words * 4), Words * 4);
  OK(P->event_record(E, Q));
  OK(P->event_sync(E));
  CHECK(std::memcmp(In.data(), Out.data(), 50 * Words * 4) == 0);
  OK(P->event_query(E));

  // Another queue after an event.
  OK(P->fill(D, Q, There, 7, 4, Count * Words));
  OK(P->event_record(E, Q));
  OK(P->event_wait(E, R));
  get(R, Out.data(), There, Out.size() * 4);
  OK(P->queue_wait(R));
  Bad = 0;
  for (uint32_t W : Out)
    Bad += W != 7;
  CHECK(Bad == 0);
  OK(P->queue_wait(Q));
  OK(P->queue_query(Q));

  // Within the device, onto itself in both directions.
  put(nullptr, There, In.data(), In.size() * 4);
  for (long Shift : {4096L, -4096L}) {
    put(nullptr, There, In.data(), In.size() * 4);
    const accx_copy C = row(ACCX_WITHIN_DEVICE, at(There, 8192 + Shift),
                            at(There, 8192), 100000);
    OK(P->copy(D, Q, &C));
    OK(P->queue_wait(Q));
    get(nullptr, Out.data(), at(There, 8192 + Shift), 100000);
    CHECK(std::memcmp(Out.data(), at(In.data(), 8192), 100000) == 0);
  }

  P->event_destroy(E);
  P->queue_destroy(R);
  P->queue_destroy(Q);
  OK(P->free(D, There, ACCX_MEMORY_DEVICE));
}

/// Copies of all sizes that overlap each other on both sides, in the order in
/// which they were queued.
static void overlaps() {
  constexpr size_t Size = size_t(4) << 20;
  std::vector<unsigned char> Source(Size), Back(Size), Device(Size), Host(Size);
  void *There = nullptr;
  OK(P->alloc(D, Size, ACCX_MEMORY_DEVICE, &There));
  OK(P->fill(D, nullptr, There, 0, 1, Size));
  accx_queue Q = nullptr;
  OK(P->queue_create(D, &Q));
  uint32_t State = 1;
  auto Draw = [&](size_t Below) {
    State = State * 1664525u + 1013904223u;
    return (State >> 8) % Below;
  };
  for (unsigned char &C : Source)
    C = static_cast<unsigned char>(Draw(256));
  const size_t Most[] = {16, 300, 16 << 10, 100 << 10, 1500 << 10};
  size_t Bad = 0;
  for (int Round = 0; Round < 400; ++Round) {
    const size_t Around = Draw(Size / 2);
    for (size_t I = 0, Count = 1 + Draw(30); I < Count; ++I) {
      const size_t Bytes = 1 + Draw(Most[Draw(Round % 5 + 1)]);
      const size_t To = Around + Draw(64) * 5, From = Draw(Size - Bytes);
      if (Draw(2)) {
        put(Q, at(There, To), &Source[From], Bytes);
        std::memcpy(&Device[To], &Source[From], Bytes);
      } else {
        get(Q, &Back[To], at(There, From), Bytes);
        std::memcpy(&Host[To], &Device[From], Bytes);
      }
    }
    OK(P->queue_wait(Q));
    Bad += Back != Host;
  }
  CHECK(Bad == 0);
  P->queue_destroy(Q);
  OK(P->free(D, There, ACCX_MEMORY_DEVICE));
}

static void pinning() {
  const size_t Size = size_t(8) << 20;
  std::vector<char> Host(Size, 3), Back(Size);
  void *Seen = nullptr, *There = nullptr;
  OK(P->pin(D, Host.data(), Size, &Seen));
  CHECK(Seen != nullptr);
  OK(P->alloc(D, Size, ACCX_MEMORY_DEVICE, &There));
  put(nullptr, There, Host.data(), Size);
  get(nullptr, Back.data(), There, Size);
  CHECK(Back == Host);
  OK(P->unpin(D, Host.data()));
  OK(P->free(D, There, ACCX_MEMORY_DEVICE));
  CHECK(P->free(D, There, ACCX_MEMORY_DEVICE) != ACCX_OK);

  void *Shared = nullptr;
  OK(P->alloc(D, 4096, ACCX_MEMORY_SHARED, &Shared));
  OK(P->fill(D, nullptr, Shared, 9, 1, 4096));
  CHECK(static_cast<char *>(Shared)[4095] == 9);
  OK(P->free(D, Shared, ACCX_MEMORY_SHARED));
}

/// PTX is the driver's to compile; what it cannot is an error with its words.
static void ptx() {
  const std::string Head = ".version 7.0\n.target sm_70\n.address_size 64\n";
  const std::string Good = Head + R"(
.visible .global .align 4 .u32 step = 5;
.visible .entry add(.param .u64 array)
{
  .reg .u64 %p<4>;
  .reg .u32 %r<6>;
  ld.param.u64 %p1, [array];
  cvta.to.global.u64 %p1, %p1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.u32 %r1, %r2, %r3, %r1;
  mul.wide.u32 %p2, %r1, 4;
  add.u64 %p1, %p1, %p2;
  ld.global.u32 %r4, [%p1];
  ld.global.u32 %r5, [step];
  add.u32 %r4, %r4, %r5;
  st.global.u32 [%p1], %r4;
  ret;
}
)";
  accx_image Image = nullptr;
  accx_kernel Kernel = nullptr;
  OK(P->image_check(D, Good.c_str(), Good.size()));
  OK(P->image_load(D, Good.c_str(), Good.size(), &Image));
  OK(P->image_kernel(Image, "add", &Kernel));
  void *Step = nullptr;
  size_t StepBytes = 0;
  OK(P->image_global(Image, "step", &Step, &StepBytes));
  CHECK(StepBytes == 4);
  const uint32_t Seven = 7;
  put(nullptr, Step, &Seven, 4);

  std::vector<uint32_t> Values(1024);
  for (uint32_t I = 0; I < 1024; ++I)
    Values[I] = I;
  void *There = nullptr;
  OK(P->alloc(D, 4096, ACCX_MEMORY_DEVICE, &There));
  put(nullptr, There, Values.data(), 4096);
  void *Args[] = {There};
  accx_launch L = {};
  L.args = Args;
  L.num_args = 1;
  L.grid[0] = 8;
  L.block[0] = 128;
  L.grid[1] = L.grid[2] = L.block[1] = L.block[2] = 1;
  L.exact_block = 1;
  OK(P->launch(D, nullptr, Kernel, &L));
  get(nullptr, Values.data(), There, 4096);
  size_t Bad = 0;
  for (uint32_t I = 0; I < 1024; ++I)
    Bad += Values[I] != I + 7;
  CHECK(Bad == 0);
  OK(P->free(D, There, ACCX_MEMORY_DEVICE));
  CHECK(P->image_kernel(Image, "subtract", &Kernel) == ACCX_ERROR_NOT_FOUND);
  OK(P->image_unload(Image));

  const std::string Broken = Head + ".visible .entry add() { no such thing; }";
  CHECK(P->image_load(D, Broken.c_str(), Broken.size(), &Image) ==
        ACCX_ERROR_IMAGE);
  std::printf("broken PTX: %s\n", P->last_error());
}

int main(int Argc, char **Argv) {
  void *Library = dlopen(Argc > 1 ? Argv[1] : "libaccx.rtl.cuda.so", RTLD_NOW);
  if (!Library) {
    std::printf("%s\n", dlerror());
    return 2;
  }
  auto Get =
      reinterpret_cast<accx_plugin_get_fn>(dlsym(Library, ACCX_PLUGIN_ENTRY));
  P = Get(ACCX_PLUGIN_ABI_VERSION, nullptr);
  uint32_t Count = 0;
  OK(P->init(&Count));
  CHECK(Count > 0);
  if (!Count)
    return verdict();
  OK(P->device_open(0, &D));
  accx_device_info Info;
  OK(P->device_info(D, &Info));
  std::printf("%s, %s, %u multiprocessors, pages of %llu, shared %u, "
              "features %llx\n",
              Info.name, Info.arch, Info.compute_units,
              static_cast<unsigned long long>(Info.va_granularity),
              Info.max_shared_bytes,
              static_cast<unsigned long long>(Info.features));
  windows(Info);
  fills();
  queues();
  overlaps();
  pinning();
  ptx();
  P->device_close(D);
  OK(P->device_open(0, &D));
  fills();
  P->device_close(D);
  return verdict();
}
