//===- UnitEntries.cpp - Renames what is of one unit alone ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names are changed wherever they are part of a symbol (kernel environments,
// outlined functions, region numbers), whatever Clang has derived from them.
//
//===----------------------------------------------------------------------===//

#include "markers/UnitEntries.h"

#include "markers/UnitNames.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace accx::markers;

static void renameSymbols(Module &M, const UnitNames &Names) {
  for (GlobalValue &V : M.global_values()) {
    const std::string New = Names.renamed(V.getName());
    if (New.empty())
      continue;
    auto *Object = dyn_cast<GlobalObject>(&V);
    if (const Comdat *Old = Object ? Object->getComdat() : nullptr;
        Old && Old->getName() == V.getName()) {
      Comdat *Own = M.getOrInsertComdat(New);
      Own->setSelectionKind(Old->getSelectionKind());
      Object->setComdat(Own);
    }
    V.setName(New);
  }
}

/// The table's texts are what the runtime looks up.
static void renameTexts(Module &M, const UnitNames &Names) {
  SmallVector<std::pair<GlobalVariable *, std::string>, 16> Changes;
  for (const GlobalVariable &Row : M.globals())
    if (const auto Entry = nameOfEntry(Row))
      if (std::string New = Names.renamed(Entry->Text); !New.empty())
        Changes.emplace_back(Entry->Variable, std::move(New));
  for (const auto &[Old, Text] : Changes) {
    Constant *Init = ConstantDataArray::getString(M.getContext(), Text);
    auto *New = new GlobalVariable(
        M, Init->getType(), Old->isConstant(), Old->getLinkage(), Init, "", Old,
        Old->getThreadLocalMode(), Old->getAddressSpace());
    New->copyAttributesFrom(Old);
    New->takeName(Old);
    Old->replaceAllUsesWith(New);
    Old->eraseFromParent();
  }
}

PreservedAnalyses UnitEntriesPass::run(Module &M, ModuleAnalysisManager &) {
  const bool IsDevice = M.getModuleFlag("openmp-device") != nullptr;
  const UnitNames Names =
      IsDevice ? UnitNames(note::read(M, note::Names)) : UnitNames::ofHost(M);
  const bool HadNote = note::remove(M);
  if (Names.empty())
    return HadNote ? PreservedAnalyses::none() : PreservedAnalyses::all();
  renameTexts(M, Names);
  renameSymbols(M, Names);
  return PreservedAnalyses::none();
}
