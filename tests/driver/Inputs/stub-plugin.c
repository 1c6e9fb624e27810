// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plugin that Clang and LLVM load and that does nothing. The structure is
// llvm::PassPluginLibraryInfo as the platform's C++ ABI returns it.

#include <stdint.h>

struct PluginInfo {
  uint32_t APIVersion;
  const char *Name;
  const char *Version;
  void (*Register)(void *PassBuilder);
};

static void registerNothing(void *PassBuilder) { (void)PassBuilder; }

__attribute__((visibility("default"))) struct PluginInfo
llvmGetPassPluginInfo(void) {
  struct PluginInfo Info = {1, "accx-stub", "0", registerNothing};
  return Info;
}
