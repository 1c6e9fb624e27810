//===- Program.h - A hand-made offloading program ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang emits for an offloading program, made by hand: a registered image
// with its entries, argument arrays, and calls of the runtime's entry points.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_HARNESS_PROGRAM_H
#define ACCX_TESTS_HARNESS_PROGRAM_H

#include "report/Source.h"
#include "support/Abi.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

extern "C" {
void __tgt_register_lib(accx::BinaryDesc *);
void __tgt_unregister_lib(accx::BinaryDesc *);
void __tgt_target_data_begin_mapper(accx::Ident *, int64_t, int32_t, void **,
                                    void **, int64_t *, int64_t *, void **,
                                    void **);
void __tgt_target_data_end_mapper(accx::Ident *, int64_t, int32_t, void **,
                                  void **, int64_t *, int64_t *, void **,
                                  void **);
void __tgt_target_data_update_mapper(accx::Ident *, int64_t, int32_t, void **,
                                     void **, int64_t *, int64_t *, void **,
                                     void **);
int __tgt_target_kernel(accx::Ident *, int64_t, int32_t, int32_t, void *,
                        accx::KernelArgs *);
int __tgt_get_num_devices(void);
int omp_get_num_devices(void);
int omp_get_initial_device(void);
int omp_target_is_present(const void *, int);
void *omp_get_mapped_ptr(const void *, int);
void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
int omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);
int omp_target_disassociate_ptr(const void *, int);
}

namespace harness {

/// The bytes of a file; empty if it cannot be read.
std::vector<char> readFile(const std::string &Path);

/// One library: an image and its offload entries. Add entries, then
/// registerNow(); unregistered when destroyed.
class Library {
  std::vector<char> Image;
  /// One byte a kernel: its address is the region's id.
  std::deque<char> Ids;
  std::deque<std::string> Names;
  std::vector<accx::OffloadEntry> Entries;
  accx::DeviceImage DeviceImage = {};
  accx::BinaryDesc Desc = {};
  bool Registered = false;

public:
  explicit Library(std::vector<char> Image) : Image(std::move(Image)) {}
  ~Library();
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  /// Adds kernel \p Name and returns the region's id.
  void *kernel(const std::string &Name);
  void global(const std::string &Name, void *Host, size_t Size,
              int32_t Flags = 0);
  void requires_(int32_t Bits);
  void registerNow();
  void unregisterNow();
};

/// Argument arrays of one construct.
class Arguments {
  std::vector<void *> Bases, Begins, Names;
  std::vector<int64_t> Sizes, Types;
  accx::Ident LateLoc = {};

  accx::KernelArgs kernelArgs();

public:
  /// A map item; \p Name is clang's record (";a;file.c;3;5;;") or null.
  Arguments &map(const void *Begin, size_t Size, uint64_t Type,
                 const char *Name = nullptr) {
    return item(Begin, Begin, static_cast<int64_t>(Size), Type, Name);
  }
  Arguments &item(const void *Base, const void *Begin, int64_t Size,
                  uint64_t Type, const char *Name = nullptr);
  /// A firstprivate scalar or pointer that is passed as it is.
  Arguments &literal(uintptr_t Value) {
    return item(reinterpret_cast<void *>(Value),
                reinterpret_cast<void *>(Value), sizeof(Value),
                accx::MapTargetParam | accx::MapLiteral);
  }
  Arguments &literal(const void *Value) {
    return literal(reinterpret_cast<uintptr_t>(Value));
  }

  void enter(int Device, const char *Source = nullptr);
  void exit(int Device, const char *Source = nullptr);
  void update(int Device, const char *Source = nullptr);
  /// Runs a kernel that takes the launch environment first. The runtime's
  /// result.
  int target(int Device, void *Region, uint64_t TripCount = 0,
             const char *Source = nullptr, int32_t NumTeams = 0,
             int32_t ThreadLimit = 0);
  /// The same for a region that may be late. The object has to live until it
  /// was settled.
  int late(int Device, void *Region, const char *Source = nullptr);
  /// After enter(): what use_device_ptr got.
  void *base(size_t I) const { return Bases[I]; }
};

} // namespace harness

#endif // ACCX_TESTS_HARNESS_PROGRAM_H
