//===- AccessCheck.h - What kernels may access ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of all host devices, and the question of kernels that were
// compiled with checks whether they access any other.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_ACCESSCHECK_H
#define ACCX_PLUGIN_HOST_ACCESSCHECK_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accx::host {

/// What passes/processor/CheckAccess.cpp says of an access. Null: not known.
struct AccessSite {
  const char *File;
  const char *Construct;
  const char *Name;
  uint32_t Line;
  uint32_t IsWrite;
};

/// The variable of an image that holds the function to ask, see
/// passes/processor/CheckAccess.h.
inline constexpr char CheckHookName[] = "__accx_check_access";
using CheckHook = void (*)(const void *Address, uint64_t Size,
                           const AccessSite *Site);

/// Thread-safe. Windows and pinned memory are noted from the start on, since
/// images with checks may come at any time; blocks, which may be many, from the
/// first such image on, which is told of those that are there.
namespace check {

/// The level that ACCX_CHECK asks for: 0 none, 1 the first mistake ends the
/// program, 2 each is told of.
void setLevel(uint32_t Level);

void add(const void *Address, size_t Size);
void remove(const void *Address);
/// All of the loaded image that Inside lies in, for good: destructors run while
/// it is unloaded, and other images may still use it. \p Asks: its kernels have
/// checks.
void addImage(const void *Inside, bool Asks);

/// The function for images' hooks.
void ask(const void *Address, uint64_t Size, const AccessSite *Site);

/// The address of what an image gets in place of a function that allocates or
/// frees memory, so that what kernels allocate is known; 0 for other names.
uintptr_t allocatorFor(std::string_view Name);

/// Whether any image has checks; until then stacks and blocks need not be
/// noted.
inline std::atomic<bool> HasImages{false};

/// While it lives the calling thread's stack below it is the kernel's; what
/// lies above is the program's.
class KernelStack {
public:
  KernelStack() {
    if (HasImages.load(std::memory_order_relaxed)) [[unlikely]]
      enter(static_cast<const char *>(__builtin_frame_address(0)));
  }
  ~KernelStack() {
    if (Noted) [[unlikely]]
      leave();
  }
  KernelStack(const KernelStack &) = delete;
  KernelStack &operator=(const KernelStack &) = delete;

private:
  void enter(const char *Top);
  void leave();
  bool Noted = false;
};

void lockForFork();
void unlockAfterFork();

} // namespace check

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_ACCESSCHECK_H
