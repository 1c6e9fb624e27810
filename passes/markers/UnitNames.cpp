//===- UnitNames.cpp - Names of what is of one unit alone -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the names to change in a host's module, writes them as text and reads
// them back, and puts notes into the command line's metadata. It renames
// nothing: UnitEntries.cpp does so, for the host and for devices.
//
//===----------------------------------------------------------------------===//

#include "markers/UnitNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace accx::markers {

static constexpr StringLiteral KernelPrefix = "__omp_offloading_";
static constexpr StringLiteral LinkSuffix = "_decl_tgt_ref_ptr";
static constexpr StringLiteral RowPrefix = ".offloading.entry.";
static constexpr StringLiteral CommandLines = "llvm.commandline";

void note::add(std::string &Options, StringRef Kind, StringRef Text) {
  Options += ("\n" + Kind + Text).str();
}

static StringRef commandLine(const MDNode *Node) {
  const auto *Text = Node->getNumOperands() == 1
                         ? dyn_cast<MDString>(Node->getOperand(0))
                         : nullptr;
  return Text ? Text->getString() : "";
}

std::string note::read(const Module &M, StringRef Kind) {
  if (const NamedMDNode *Lines = M.getNamedMetadata(CommandLines))
    for (const MDNode *Line : Lines->operands())
      if (const auto [Front, Text] =
              commandLine(Line).rsplit("\n" + Kind.str());
          !Text.empty())
        return Text.str();
  return "";
}

bool note::remove(Module &M) {
  NamedMDNode *Lines = M.getNamedMetadata(CommandLines);
  if (!Lines)
    return false;
  bool Found = false;
  SmallVector<MDNode *, 2> Kept;
  for (MDNode *Line : Lines->operands()) {
    const StringRef Text = commandLine(Line);
    size_t At = Text.find(("\n" + Twine(Unit)).str());
    At = std::min(At, Text.find(("\n" + Twine(Names)).str()));
    if (At == StringRef::npos)
      Kept.push_back(Line);
    else if (At != 0)
      Kept.push_back(MDNode::get(
          M.getContext(), MDString::get(M.getContext(), Text.take_front(At))));
    Found |= At != StringRef::npos;
  }
  Lines->clearOperands();
  for (MDNode *Line : Kept)
    Lines->addOperand(Line);
  if (Kept.empty())
    Lines->eraseFromParent();
  return Found;
}

std::optional<EntryName> nameOfEntry(const GlobalVariable &Row) {
  if (Row.getSection() != "omp_offloading_entries" || !Row.hasInitializer())
    return std::nullopt;
  const auto *Fields = dyn_cast<ConstantStruct>(Row.getInitializer());
  if (!Fields || Fields->getNumOperands() < 2)
    return std::nullopt;
  auto *Name =
      dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
  const auto *Text = Name && Name->hasInitializer()
                         ? dyn_cast<ConstantDataArray>(Name->getInitializer())
                         : nullptr;
  if (!Text || !Text->isCString())
    return std::nullopt;
  return EntryName{Name, Text->getAsCString()};
}

/// Cuts "<hexadecimal>_" off the front.
static StringRef cutNumber(StringRef &Rest) {
  const StringRef Number = Rest.take_while(isHexDigit);
  if (Number.empty() || !Rest.substr(Number.size()).starts_with("_"))
    return "";
  Rest = Rest.substr(Number.size() + 1);
  return Number;
}

/// "f_l41" or "f_l41_1" without what follows f.
static StringRef functionOf(StringRef Rest) {
  const auto [Front, Count] = Rest.rsplit('_');
  if (!Count.empty() && all_of(Count, isDigit))
    Rest = Front;
  return Rest.rsplit("_l").first;
}

/// A function that is not here belongs to the unit as far as anyone can tell.
static bool isOfUnit(const Module &Host, StringRef Function) {
  const GlobalValue *Found = Host.getNamedValue(Function);
  return !Found || Found->hasLocalLinkage();
}

/// The variable, or the one that Clang's pointer to it points to.
static bool isOfUnit(const Constant *Address) {
  const auto *Pointer = dyn_cast<GlobalVariable>(Address);
  if (Pointer && Pointer->getName().ends_with(LinkSuffix) &&
      Pointer->hasInitializer())
    Address = Pointer->getInitializer()->stripPointerCasts();
  const auto *Global = dyn_cast<GlobalValue>(Address);
  return Global && Global->hasLocalLinkage();
}

static std::string hashOf(StringRef Unit, StringRef File) {
  return utohexstr(xxh3_64bits((Unit + "_" + File).str()), /*LowerCase=*/true);
}

/// All regions of a function are renamed by what their names have in common.
void UnitNames::addEntry(const Module &Host, StringRef Unit,
                         const GlobalVariable &Row) {
  const std::optional<EntryName> Name = nameOfEntry(Row);
  if (!Name)
    return;
  const auto *Address = cast<ConstantStruct>(Row.getInitializer())
                            ->getOperand(0)
                            ->stripPointerCasts();
  StringRef Rest = Name->Text;
  if (Rest.consume_front(KernelPrefix)) {
    const StringRef Device = cutNumber(Rest), File = cutNumber(Rest);
    const StringRef Function = functionOf(Rest);
    const bool IsRegion = Address->getName().ends_with(".region_id");
    if (Device.empty() || File.empty() || Function.empty() ||
        !(IsRegion ? isOfUnit(Host, Function) : isOfUnit(Address)))
      return;
    const auto With = [&](StringRef Number) {
      return (KernelPrefix + Device + "_" + Number + "_" + Function + "_l")
          .str();
    };
    Parts[With(File)] = With(hashOf(Unit, File));
  } else if (Rest.consume_back(LinkSuffix) && isOfUnit(Address)) {
    const auto [Variable, File] = Rest.rsplit('_');
    Parts[Name->Text] =
        (Variable + "_" + hashOf(Unit, File) + LinkSuffix).str();
  }
}

UnitNames UnitNames::ofHost(const Module &Host) {
  UnitNames Names;
  const std::string Unit = note::read(Host, note::Unit);
  if (!Unit.empty())
    for (const GlobalVariable &V : Host.globals())
      Names.addEntry(Host, Unit, V);
  return Names;
}

UnitNames::UnitNames(StringRef Text) {
  SmallVector<StringRef, 16> Words;
  Text.split(Words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (size_t I = 0; I + 1 < Words.size(); I += 2)
    Parts[Words[I]] = Words[I + 1].str();
}

std::string UnitNames::text() const {
  std::vector<std::string> Lines;
  for (const auto &Part : Parts)
    Lines.push_back((Part.first() + " " + Part.second).str());
  llvm::sort(Lines);
  return join(Lines, " ");
}

std::string UnitNames::renamed(StringRef Old) const {
  const auto With = [&](size_t Begin, size_t End) -> std::string {
    const auto Found = Parts.find(Old.slice(Begin, End));
    return Found == Parts.end()
               ? ""
               : (Old.substr(0, Begin) + Found->second + Old.substr(End)).str();
  };
  if (Old.ends_with(LinkSuffix))
    return With(Old.starts_with(RowPrefix) ? RowPrefix.size() : 0, Old.size());
  const size_t Begin = Old.find(KernelPrefix);
  if (Begin == StringRef::npos)
    return "";
  for (size_t At = Old.find("_l", Begin); At != StringRef::npos;
       At = Old.find("_l", At + 1))
    if (std::string New = With(Begin, At + 2); !New.empty())
      return New;
  return "";
}

} // namespace accx::markers
