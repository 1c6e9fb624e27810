//===- CheckAccess.h - Accesses of kernels asked about ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DESCRIPTION
//   On host devices a kernel that follows a pointer of the host reads host
//   memory, so the mistake shows on a GPU only. With -mllvm -accx-check device
//   code for processors asks about every access first.
//
//   before:  x = load double, p
//   after:   hook = load __accx_check_access
//            if (hook) hook(p, 8, &site)
//            x = load double, p
//
//   The device plugin fills the hook in if the user wants checks. Functions
//   with variables of their own tell it of the stack that they run on, since
//   threads of a team read what lies there.
//
//   A function does not ask about what can only be the device's: its variables,
//   the image's globals, what a library's function returned.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PROCESSOR_CHECKACCESS_H
#define ACCX_PROCESSOR_CHECKACCESS_H

#include "llvm/IR/PassManager.h"
#include "llvm/IR/Value.h"

#include <string>

namespace accx::processor {

/// The variable in the image that holds the function to ask:
///   void hook(const void *Address, uint64_t Size, const Site *)
/// with Site {const char *File, *Construct, *Name; uint32_t Line, IsWrite}.
/// Without a site the memory is the kernel's own; with size 0 it is on the
/// stack of the thread.
inline constexpr char CheckHook[] = "__accx_check_access";

/// Notes names while variables still are variables, for CheckAccessPass, which
/// comes when all of accx's other passes have seen the code as it was.
class NameAccessesPass : public llvm::PassInfoMixin<NameAccessesPass> {
public:
  static constexpr llvm::StringLiteral Name = "name-accesses";

  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// For all code of processors, at every level of optimization; off by default.
class CheckAccessPass : public llvm::PassInfoMixin<CheckAccessPass> {
public:
  static constexpr llvm::StringLiteral Name = "check-access";

  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// The expression behind \p Pointer in the program's words, such as `p->v`, as
/// far as debug information has it; empty where it has no name.
std::string nameOfPointer(const llvm::Value *Pointer);

/// The construct that \p F is device code of, such as `the construct at line 7
/// of main`, or the function.
std::string nameOfConstruct(const llvm::Function &F);

} // namespace accx::processor

#endif // ACCX_PROCESSOR_CHECKACCESS_H
