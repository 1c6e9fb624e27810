//===- Images.cpp - Loading of images -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose globals an image sees, and what happens when it goes.
//
//===----------------------------------------------------------------------===//

#include "Fixture.h"

#include <cstring>
#include <dlfcn.h>
#include <fstream>

// The program's own, under the names that the images define.
extern "C" {
[[gnu::visibility("default"), gnu::used]] int device_counter = 1000;
[[gnu::visibility("default"), gnu::used]] int device_add(int) { return -1; }
[[gnu::visibility("default"), gnu::used]] int late_value = 2000;
}

TEST_CASE("globals belong to the device, not to the program") {
  // Otherwise the test proves nothing.
  REQUIRE(dlsym(RTLD_DEFAULT, "device_counter") == &device_counter);
  REQUIRE(reinterpret_cast<int (*)(int)>(dlsym(RTLD_DEFAULT, "device_add")) ==
          device_add);
  for (const char *Name : {"host_basic", "host_odd", "host_sysv"}) {
    Devices D;
    LoadedImage A(D[0], Name), B(D[1], Name);
    int &InA = A.global<int>("device_counter");
    int &InB = B.global<int>("device_counter");
    CHECK(&InA != &InB);
    CHECK(&InA != &device_counter);
    CHECK(InA == 5);
    CHECK(A.global<int>("device_constructed") == 6);
    CHECK(A.global<int *>("device_counter_address") == &InA);
    CHECK(B.global<int *>("device_counter_address") == &InB);

    int Out = 0;
    REQUIRE(launch(D[0], A.kernel("kernel_add"), &Out, 10L) == ACCX_OK);
    CHECK(Out == 15);
    REQUIRE(launch(D[1], B.kernel("kernel_add"), &Out, 1L) == ACCX_OK);
    CHECK(Out == 6);
    CHECK(InA == 15);
    CHECK(InB == 6);
    CHECK(device_counter == 1000);
  }
}

TEST_CASE("one image twice on a device is two images") {
  Devices D;
  LoadedImage A(D[0], "host_odd"), B(D[0], "host_odd");
  A.global<int>("device_counter") = 50;
  CHECK(B.global<int>("device_counter") == 5);
}

TEST_CASE("names, sizes and what is no kernel") {
  Devices D;
  LoadedImage A(D[0], "host_basic");
  void *Address = nullptr;
  size_t Size = 0;
  REQUIRE(plugin().image_global(A.Handle, "device_table", &Address, &Size) ==
          ACCX_OK);
  CHECK(Size == 100 * sizeof(double));
  CHECK(plugin().image_global(A.Handle, "device_nothing", &Address, &Size) ==
        ACCX_ERROR_NOT_FOUND);
  CHECK(std::strstr(plugin().last_error(), "device_nothing"));
  // The C library has it, the image does not.
  CHECK(plugin().image_global(A.Handle, "malloc", &Address, &Size) ==
        ACCX_ERROR_NOT_FOUND);
  accx_kernel Kernel = nullptr, Again = nullptr;
  CHECK(plugin().image_kernel(A.Handle, "malloc", &Kernel) ==
        ACCX_ERROR_NOT_FOUND);
  CHECK(plugin().image_kernel(A.Handle, "device_table", &Kernel) ==
        ACCX_ERROR_NOT_FOUND);
  CHECK(std::strstr(plugin().last_error(), "no function"));
  REQUIRE(plugin().image_kernel(A.Handle, "kernel_add", &Kernel) == ACCX_OK);
  REQUIRE(plugin().image_kernel(A.Handle, "kernel_add", &Again) == ACCX_OK);
  CHECK(Kernel == Again);
}

TEST_CASE("images learn how much the caches hold") {
  const std::pair<const char *, uint64_t> Given[] = {
      {"0", UINT64_MAX}, {"123", 123}, {"3k", 3072}, {"2G", 2ull << 30}};
  for (auto [Text, Bytes] : Given) {
    Devices D({{"ACCX_HOST_STREAM", Text}});
    LoadedImage A(D[0], "host_basic"), B(D[1], "host_odd");
    CHECK(A.global<uint64_t>("__accx_stream_bytes") == Bytes);
    CHECK(B.global<uint64_t>("__accx_stream_bytes") == Bytes);
  }
  // The system's figure, or none.
  Devices D({{"ACCX_HOST_STREAM", ""}});
  LoadedImage A(D[0], "host_basic");
  std::ifstream Size("/sys/devices/system/cpu/cpu0/cache/index2/size");
  uint64_t Kilobytes = 0;
  if (Size >> Kilobytes)
    CHECK(A.global<uint64_t>("__accx_stream_bytes") >= Kilobytes << 10);
  else
    CHECK(A.global<uint64_t>("__accx_stream_bytes") == UINT64_MAX);
}

TEST_CASE("unloading runs destructors and forgets the globals") {
  for (const char *Name : {"host_basic", "host_odd"}) {
    Devices D;
    int Mark = 0;
    for (int Round = 1; Round <= 3; ++Round) {
      LoadedImage A(D[0], Name);
      CHECK(A.global<int>("device_counter") == 5);
      A.global<int>("device_counter") = 40;
      A.global<int *>("device_mark") = &Mark;
      A.unload();
      CHECK(Mark == 40 * Round);
    }
  }
}

TEST_CASE("C++ objects are built and destroyed for each device") {
  Devices D;
  int Mark = 0, Out = 0;
  {
    LoadedImage A(D[0], "host_cxx"), B(D[1], "host_cxx");
    REQUIRE(launch(D[0], A.kernel("kernel_mark"), &Mark) == ACCX_OK);
    REQUIRE(launch(D[0], A.kernel("kernel_bump"), &Out) == ACCX_OK);
    CHECK(Out == 8);
    REQUIRE(launch(D[1], B.kernel("kernel_bump"), &Out) == ACCX_OK);
    CHECK(Out == 8);
    A.global<int>("unique_value") = 22;
    CHECK(B.global<int>("unique_value") == 21);
    CHECK(Mark == 0);
  }
  CHECK(Mark == 12);
  LoadedImage A(D[0], "host_cxx");
  CHECK(A.global<int>("unique_value") == 21);
}

TEST_CASE("an image uses what its own device's images define") {
  Devices D;
  LoadedImage A0(D[0], "host_basic"), A1(D[1], "host_basic");
  LoadedImage U1(D[1], "host_user"), U0(D[0], "host_user");
  int Out[3] = {};
  REQUIRE(launch(D[1], U1.kernel("kernel_use"), Out) == ACCX_OK);
  CHECK(Out[0] == 105);
  CHECK(Out[1] == 105);
  CHECK(Out[2] == 1);
  CHECK(A1.global<int>("device_counter") == 105);
  CHECK(A0.global<int>("device_counter") == 5);
  CHECK(U1.global<int *>("user_address") == &A1.global<int>("device_counter"));
  REQUIRE(launch(D[0], U0.kernel("kernel_use"), Out) == ACCX_OK);
  CHECK(A0.global<int>("device_counter") == 105);
  CHECK(device_counter == 1000);

  // The provider stays while somebody uses it.
  int Mark = 0;
  A0.global<int *>("device_mark") = &Mark;
  A0.unload();
  CHECK(Mark == 0);
  REQUIRE(launch(D[0], U0.kernel("kernel_use"), Out) == ACCX_OK);
  CHECK(Out[0] == 205);
  U0.unload();
  CHECK(Mark == 205);
}

TEST_CASE("an image without its provider takes the program's") {
  Devices D;
  LoadedImage U(D[0], "host_user");
  CHECK(U.global<int *>("user_address") == &device_counter);
}

TEST_CASE("a name that only unused code needs is no obstacle") {
  Devices D;
  LoadedImage L(D[0], "host_late");
  int Out = 0;
  REQUIRE(launch(D[0], L.kernel("kernel_late"), &Out, 0L) == ACCX_OK);
  CHECK(Out == 3);
}

TEST_CASE("images call the system's libraries") {
  Devices D;
  LoadedImage L(D[0], "host_libc");
  char Out[16] = {};
  REQUIRE(launch(D[0], L.kernel("kernel_copy"), Out,
                 static_cast<const char *>("hello")) == ACCX_OK);
  CHECK(std::string(Out) == "hello");
}

TEST_CASE("an image may lie anywhere and go away after loading") {
  Devices D;
  std::vector<unsigned char> Bytes = readImage("host_basic");
  std::vector<unsigned char> Shifted(Bytes.size() + 1);
  std::memcpy(Shifted.data() + 1, Bytes.data(), Bytes.size());
  REQUIRE(plugin().image_check(D[0], Shifted.data() + 1, Bytes.size()) ==
          ACCX_OK);
  accx_image Image = nullptr;
  REQUIRE(plugin().image_load(D[0], Shifted.data() + 1, Bytes.size(), &Image) ==
          ACCX_OK);
  std::fill(Shifted.begin(), Shifted.end(), 0);
  accx_kernel Kernel = nullptr;
  REQUIRE(plugin().image_kernel(Image, "kernel_add", &Kernel) == ACCX_OK);
  int Out = 0;
  REQUIRE(launch(D[0], Kernel, &Out, 1L) == ACCX_OK);
  CHECK(Out == 6);
  REQUIRE(plugin().image_unload(Image) == ACCX_OK);
}
