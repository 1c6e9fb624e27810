//===- UnitHash.cpp - What a unit can be told by --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Target regions of functions that a unit has of its own get names of their
// own (markers/UnitNames.h), for which passes need notes in the modules.
//
// The same text gives the same hash, wherever its files lie:
// only the main file's name counts, as it is given, since two copies of a unit
// have static variables of their own.
//
//===----------------------------------------------------------------------===//

#include "frontend/emit/Emit.h"
#include "frontend/parse/Report.h"

#include "markers/UnitNames.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/xxhash.h"

#include <dlfcn.h>

using namespace clang;

namespace accx::frontend {
namespace {

/// As a pragma, or as an attribute.
bool mayHaveTarget(const UnitTokens &Tokens) {
  bool InDirective = false;
  for (const Token &T : Tokens) {
    if (T.isAnnotation()) {
      InDirective = T.is(tok::annot_pragma_openmp);
      continue;
    }
    const IdentifierInfo *Word = T.getIdentifierInfo();
    if (Word && Word->isStr(InDirective ? "target" : "omp"))
      return true;
  }
  return false;
}

/// The host's code is optimized in a compilation that has no front end, and
/// names only what -fpass-plugin does.
bool passesRunOnHost(const CodeGenOptions &Options) {
  Dl_info Own;
  if (!dladdr(reinterpret_cast<void *>(&noteUnit), &Own) || !Own.dli_fname)
    return false;
  return llvm::any_of(Options.PassPlugins, [&](const std::string &Path) {
    return llvm::sys::fs::equivalent(Path, Own.dli_fname);
  });
}

std::string hashOf(CompilerInstance &CI) {
  const SourceManager &SM = CI.getSourceManager();
  std::string All;
  const auto Add = [&](StringRef Text) {
    All += llvm::utohexstr(llvm::xxh3_64bits(Text)) + " ";
  };
  Add(CI.getPreprocessor().getPredefines());
  if (const auto Main = SM.getFileEntryRefForID(SM.getMainFileID()))
    Add(Main->getName());
  // In the order of inclusion.
  llvm::DenseSet<const FileEntry *> Known;
  for (unsigned I = 0, N = SM.local_sloc_entry_size(); I < N; ++I) {
    const SrcMgr::SLocEntry &Place = SM.getLocalSLocEntry(I);
    if (!Place.isFile())
      continue;
    const SrcMgr::ContentCache &File = Place.getFile().getContentCache();
    if (!File.OrigEntry || !Known.insert(*File.OrigEntry).second)
      continue;
    if (const auto Text = File.getBufferDataIfLoaded())
      Add(*Text);
  }
  return llvm::utohexstr(llvm::xxh3_64bits(All), /*LowerCase=*/true);
}

std::string namesOfHost(CompilerInstance &CI) {
  const std::string &Path = CI.getLangOpts().OMPHostIRFile;
  if (Path.empty())
    return "";
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Error;
  const auto Host = llvm::getLazyIRFileModule(Path, Error, Context);
  if (Host)
    return markers::UnitNames::ofHost(*Host).text();
  reportError(CI.getDiagnostics(), {}, "cannot read '%0': %1")
      << Path << Error.getMessage();
  return "";
}

} // namespace

void noteUnit(const UnitTokens &Tokens, CompilerInstance &CI) {
  const LangOptions &Options = CI.getLangOpts();
  std::string &Notes = CI.getCodeGenOpts().RecordCommandLine;
  if (Options.OpenMPIsTargetDevice) {
    if (const std::string Names = namesOfHost(CI); !Names.empty())
      markers::note::add(Notes, markers::note::Names, Names);
  } else if (!Options.OMPTargetTriples.empty() && mayHaveTarget(Tokens) &&
             passesRunOnHost(CI.getCodeGenOpts())) {
    markers::note::add(Notes, markers::note::Unit, hashOf(CI));
  }
}

} // namespace accx::frontend
