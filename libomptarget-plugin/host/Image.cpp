//===- Image.cpp - A device image -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading of images and lookup of what they define.
//
//===----------------------------------------------------------------------===//

#include "Image.h"
#include "AccessCheck.h"
#include "DeviceEnvironment.h"
#include "ImageCopy.h"
#include "LeafCode.h"

#include <algorithm>
#include <dlfcn.h>

using namespace accx;
using namespace accx::host;

/// Whether the image asks about its accesses.
static bool definesHook(const ElfView &Elf) {
  for (uint64_t I = 1; I < Elf.numSymbols(); ++I) {
    const Elf64_Sym S = Elf.symbol(I);
    if (S.st_shndx != SHN_UNDEF &&
        std::string_view(Elf.symbolName(S)) == CheckHookName)
      return true;
  }
  return false;
}

accx_status Module::load(const ElfView &Elf, const void *Data, size_t Size,
                         const std::vector<Ref> &Siblings, Ref &Out) {
  ImageCopy Copy(Elf, Data, Size);
  if (accx_status S = Copy.isolate())
    return S;

  auto M = std::make_shared<Module>();
  std::vector<bool> IsBound(Elf.numSymbols());
  const bool Checks = definesHook(Elf);
  for (uint64_t I = 1; I < Elf.numSymbols(); ++I) {
    Elf64_Sym Undefined = Elf.symbol(I);
    // Thread-local data has no address to bind to.
    if (Undefined.st_shndx != SHN_UNDEF ||
        ELF64_ST_TYPE(Undefined.st_info) == STT_TLS)
      continue;
    std::string Name(Elf.symbolName(Undefined));
    if (const uintptr_t Ours = Checks ? check::allocatorFor(Name) : 0) {
      Copy.bind(I, Ours);
      IsBound[I] = true;
      continue;
    }
    if (Name == "getenv") {
      Copy.bind(I, reinterpret_cast<uintptr_t>(deviceEnvironment));
      IsBound[I] = true;
      continue;
    }
    for (const Ref &Sibling : Siblings) {
      const Symbol *Defined = Sibling->find(Name);
      if (!Defined)
        continue;
      Copy.bind(I, Defined->Address);
      IsBound[I] = true;
      M->Use.add(Sibling->use());
      if (std::find(M->Providers.begin(), M->Providers.end(), Sibling) ==
          M->Providers.end())
        M->Providers.push_back(Sibling);
      break;
    }
  }

  if (accx_status S = M->File.load(Copy.bytes()))
    return S;
  M->readSymbols(Elf);
  M->Use.add(findUse(Elf, M->File.handle(), IsBound));
  Out = std::move(M);
  return ACCX_OK;
}

bool Module::hasCode() const {
  return std::any_of(Symbols.begin(), Symbols.end(),
                     [](const auto &Entry) { return Entry.second.IsCode; });
}

void Module::readSymbols(const ElfView &Elf) {
  uintptr_t Base = File.base();
  for (uint64_t I = 1; I < Elf.numSymbols(); ++I) {
    Elf64_Sym S = Elf.symbol(I);
    unsigned Type = ELF64_ST_TYPE(S.st_info);
    if (S.st_shndx == SHN_UNDEF || Type == STT_TLS || Type == STT_SECTION ||
        Type == STT_FILE || ELF64_ST_BIND(S.st_info) == STB_LOCAL)
      continue;
    std::string Name(Elf.symbolName(S));
    Symbol Entry = {S.st_value, S.st_size, false};
    if (Type == STT_GNU_IFUNC)
      Entry.Address =
          reinterpret_cast<uintptr_t>(dlsym(File.handle(), Name.c_str()));
    else if (S.st_shndx != SHN_ABS)
      Entry.Address += Base;
    if (S.st_shndx != SHN_ABS)
      for (const Elf64_Phdr &P : Elf.segments())
        if (P.p_type == PT_LOAD && (P.p_flags & PF_X) &&
            S.st_value - P.p_vaddr < P.p_memsz)
          Entry.IsCode = true;
    Symbols.try_emplace(std::move(Name), Entry);
  }
}

accx_status Image::global(const char *Name, void **Address,
                          size_t *Size) const {
  const Module::Symbol *S = TheModule->find(Name);
  if (!S)
    return fail(ACCX_ERROR_NOT_FOUND, "the image defines no '%s'", Name);
  if (Address)
    *Address = reinterpret_cast<void *>(S->Address);
  if (Size)
    *Size = S->Size;
  return ACCX_OK;
}

/// What kernel \p S uses of OpenMP: nothing if its code calls nothing, else
/// what its image does.
static ImageUse useOf(const Module::Symbol &S, const ImageUse &OfImage) {
  if (!OfImage.OpenMP)
    return OfImage;
  const CodeRange Text = codeAround(S.Address);
  if (!S.Size || !Text.contains(S.Address) || S.Size > Text.End - S.Address)
    return OfImage;
  const std::span Code(reinterpret_cast<const uint8_t *>(S.Address), S.Size);
  return callsNothing(Code, Text) ? ImageUse() : OfImage;
}

accx_status Image::kernel(const char *Name, const Kernel **Out) {
  const Module::Symbol *S = TheModule->find(Name);
  if (!S)
    return fail(ACCX_ERROR_NOT_FOUND, "the image has no kernel '%s'", Name);
  if (!S->IsCode)
    return fail(ACCX_ERROR_NOT_FOUND, "'%s' of the image is no function", Name);
  std::lock_guard Locked(Guard);
  std::unique_ptr<Kernel> &K = Kernels[Name];
  if (!K)
    K.reset(new Kernel{reinterpret_cast<void *>(S->Address),
                       useOf(*S, TheModule->use())});
  *Out = K.get();
  return ACCX_OK;
}
