//===- ImageUse.cpp - What an image uses of OpenMP ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classification of undefined symbols and needed libraries.
//
//===----------------------------------------------------------------------===//

#include "ImageUse.h"
#include "OpenMPState.h"

#include <algorithm>
#include <dlfcn.h>
#include <initializer_list>

using namespace accx;
using namespace accx::host;

static bool startsWithAny(std::string_view Name,
                          std::initializer_list<std::string_view> Prefixes) {
  return std::any_of(Prefixes.begin(), Prefixes.end(), [&](std::string_view P) {
    return Name.substr(0, P.size()) == P;
  });
}

bool host::isSystemLibrary(std::string_view Path) {
  std::string_view File = Path.substr(Path.rfind('/') + 1);
  return startsWithAny(File, {"libc.so", "libm.so", "libmvec.so", "libomp.so",
                              "libomp-", "libomptarget.so", "libgcc_s.so",
                              "libstdc++.so", "libc++.so", "libc++abi.so",
                              "libunwind.so", "libatomic.so", "libpthread.so",
                              "libdl.so", "librt.so", "ld-linux"});
}

/// Whether a symbol that is no OpenMP name comes from a known library. One that
/// nobody defines cannot be called.
static bool isHarmless(const char *Name, void *Handle) {
  // Ways to call by name what the table of symbols does not show.
  if (startsWithAny(Name, {"dlsym", "dlvsym", "dlopen", "dlmopen"}))
    return false;
  void *Address = dlsym(RTLD_DEFAULT, Name);
  if (!Address)
    Address = dlsym(Handle, Name);
  Dl_info Info;
  return !Address || (dladdr(Address, &Info) && Info.dli_fname &&
                      isSystemLibrary(Info.dli_fname));
}

/// The variables that a routine sets; its Fortran form has the same start.
static uint8_t changes(std::string_view Name) {
  if (startsWithAny(Name, {"omp_set_num_threads"}))
    return OpenMPState::NumThreadsBit;
  if (startsWithAny(Name, {"omp_set_dynamic"}))
    return OpenMPState::DynamicBit;
  if (startsWithAny(Name, {"omp_set_max_active_levels", "omp_set_nested"}))
    return OpenMPState::LevelsBit;
  if (startsWithAny(Name, {"omp_set_schedule"}))
    return OpenMPState::ScheduleBit;
  if (startsWithAny(Name, {"omp_set_default_allocator"}))
    return OpenMPState::AllocatorBit;
  // Others that set nothing of ours at present, but could.
  if (startsWithAny(Name, {"kmp_set_", "omp_pause_"}))
    return OpenMPState::AllBits;
  return 0;
}

ImageUse host::findUse(const ElfView &Elf, void *Handle,
                       const std::vector<bool> &IsBound) {
  for (std::string_view Library : Elf.neededLibraries())
    if (!isSystemLibrary(Library))
      return ImageUse::unknown();

  ImageUse Use;
  for (uint64_t I = 1; I < Elf.numSymbols(); ++I) {
    Elf64_Sym Symbol = Elf.symbol(I);
    if (Symbol.st_shndx != SHN_UNDEF || IsBound[I])
      continue;
    const char *Name = Elf.symbolName(Symbol);
    if (startsWithAny(Name,
                      {"__kmpc_", "omp_", "ompx_", "ompt_", "kmp", "GOMP_",
                       "__kmp", "__tgt_", "llvm_omp_", "acc_"})) {
      Use.OpenMP = true;
      Use.Forks |=
          startsWithAny(Name, {"__kmpc_fork", "GOMP_parallel", "GOMP_teams"});
      Use.Changes |= changes(Name);
    } else if (!isHarmless(Name, Handle)) {
      return ImageUse::unknown();
    }
  }
  return Use;
}
