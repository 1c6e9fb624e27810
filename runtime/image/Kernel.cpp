//===- Kernel.cpp - Kernels of loaded images ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kernel.h.
//
//===----------------------------------------------------------------------===//

#include "image/Kernel.h"

#include "accx/kernel_desc.h"

#include <bit>

using namespace accx;

Expected<std::vector<char>>
Kernel::readTable(const std::string &Symbol, size_t Header,
                  size_t (*Total)(std::span<const char> Bytes)) {
  const accx_plugin &Api = D.plugin().api();
  void *Address = nullptr;
  size_t Size = 0;
  accx_status Code = Api.image_global(Image, Symbol.c_str(), &Address, &Size);
  if (Code == ACCX_ERROR_NOT_FOUND)
    return std::vector<char>();
  if (Status S = D.plugin().check(Code); S.failed())
    return S;

  // The symbol's own size bounds what may be read; an image without sizes has
  // to be trusted for the header, which says how long it is.
  std::vector<char> Bytes(Size ? Size : Header);
  accx_copy Copy = {
      ACCX_FROM_DEVICE, Bytes.data(), Address, Bytes.size(), 1, 0, 0, nullptr};
  if (Status S = D.plugin().check(Api.copy(D.handle(), nullptr, &Copy));
      S.failed())
    return S;
  if (const size_t All = Size ? 0 : Total(Bytes); All > Bytes.size()) {
    Bytes.resize(All);
    Copy.dst = Bytes.data();
    Copy.width = All;
    if (Status S = D.plugin().check(Api.copy(D.handle(), nullptr, &Copy));
        S.failed())
      return S;
  }
  return Bytes;
}

Expected<std::optional<Descriptor>>
Kernel::readDescriptor(const std::string &Of) {
  const std::string Symbol = Of + ACCX_KERNEL_DESC_SUFFIX;
  auto Bytes =
      readTable(Symbol, sizeof(accx_kernel_desc), &Descriptor::totalBytes);
  if (!Bytes.ok())
    return Bytes.takeStatus().within("descriptor '" + Symbol + "'");
  if (Bytes->empty())
    return std::optional<Descriptor>();
  auto Parsed = Descriptor::parse(*Bytes, D.info());
  if (!Parsed.ok())
    return Parsed.takeStatus().within("descriptor '" + Symbol + "'");
  return std::optional<Descriptor>(std::move(*Parsed));
}

Expected<const KernelParts *> Kernel::parts() {
  const auto Known = [this] { return Parts ? &*Parts : nullptr; };
  if (KnowsParts.load(std::memory_order_acquire))
    return Known();
  std::lock_guard Lock(Mutex);
  if (KnowsParts.load(std::memory_order_relaxed))
    return Known();
  const std::string Symbol = std::string(Name) + ACCX_KERNEL_PARTS_SUFFIX;
  auto Bytes =
      readTable(Symbol, sizeof(accx_kernel_parts), &KernelParts::totalBytes);
  if (!Bytes.ok())
    return Bytes.takeStatus().within("'" + Symbol + "'");
  if (!Bytes->empty()) {
    auto Parsed = KernelParts::parse(*Bytes);
    if (!Parsed.ok())
      return Parsed.takeStatus().within("'" + Symbol + "'");
    Parts = std::move(*Parsed);
  }
  KnowsParts.store(true, std::memory_order_release);
  return Known();
}

const KernelParts *Kernel::knownWrites() {
  // A table that cannot be read says nothing.
  const Expected<const KernelParts *> Table = parts();
  return Table.ok() && *Table && !(*Table)->writesUnknown() &&
                 !(*Table)->writesThroughLoadedPointers()
             ? *Table
             : nullptr;
}

Status Kernel::resolveSlow() {
  std::lock_guard Lock(Mutex);
  if (Resolved.load(std::memory_order_relaxed))
    return Status();

  auto Own = readDescriptor(Name);
  if (!Own.ok())
    return Own.takeStatus();

  std::vector<Step> Found;
  auto FindKernel = [&](const std::string &Of, accx_kernel &Handle) {
    Status Result = D.plugin().check(
        D.plugin().api().image_kernel(Image, Of.c_str(), &Handle));
    return Result.failed() ? std::move(Result).within("kernel '" + Of + "'")
                           : Status();
  };
  auto AddStep = [&](const std::string &StepName,
                     std::optional<Descriptor> StepDesc) {
    Step S{nullptr, StepName, std::move(StepDesc)};
    if (Status Result = FindKernel(StepName, S.Handle); Result.failed())
      return Result;
    Found.push_back(std::move(S));
    return Status();
  };

  if (*Own && (*Own)->wholeGrid()) {
    // To whoever watches it is the same kernel.
    Step S{nullptr, Name, std::nullopt};
    if (Status Result = FindKernel((*Own)->Chain.front(), S.Handle);
        Result.failed())
      return Result;
    S.Desc = std::move(*Own);
    Whole = std::move(S);
    Own->reset();
  }
  if (!*Own || (*Own)->Chain.empty()) {
    if (Status S = AddStep(Name, *Own); S.failed())
      return S;
  } else {
    for (const std::string &Sub : (*Own)->Chain) {
      auto SubDesc = readDescriptor(Sub);
      if (!SubDesc.ok())
        return SubDesc.takeStatus();
      if (*SubDesc && !(*SubDesc)->Chain.empty())
        return Status(ErrorCode::Image, "descriptor of sub-kernel '" + Sub +
                                            "' has a chain of its own");
      if (*SubDesc && (*SubDesc)->usesWorkspace())
        return Status(ErrorCode::Image,
                      "descriptor of sub-kernel '" + Sub +
                          "' asks for a workspace; that is the chain's");
      // Without one of its own a sub-kernel has the chain's geometry.
      std::optional<Descriptor> Use = *SubDesc ? *SubDesc : *Own;
      if (Status S = AddStep(Sub, std::move(Use)); S.failed())
        return S;
    }
  }
  Desc = std::move(*Own);
  Steps = std::move(Found);
  Resolved.store(true, std::memory_order_release);
  return Status();
}

KernelTable::KernelTable(const std::vector<Kernel *> &Kernels)
    : Slots(std::bit_ceil(2 * Kernels.size() + 2)) {
  for (Kernel *K : Kernels) {
    size_t I = hash(K->hostPtr());
    while (Slots[I & (Slots.size() - 1)].K)
      ++I;
    Slots[I & (Slots.size() - 1)] = {K->hostPtr(), K};
  }
}
