//===- Independence.cpp - Proves that iterations do not interact ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "frontend/Independence.h"

using namespace clang;

namespace accx::frontend {

std::string findDependence(const ForStmt *F, unsigned,
                           llvm::ArrayRef<const ValueDecl *>,
                           const UnitMarks &, ASTContext &, bool) {
  return canonicalLoop(F) ? "nothing is known of its accesses"
                          : "the loop is not in canonical form";
}

} // namespace accx::frontend
