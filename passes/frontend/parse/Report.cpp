//===- Report.cpp - Diagnostics of the front end's own --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Says what became of directives: at once, or in the blocks of --accx-info.
//
//===----------------------------------------------------------------------===//

#include "frontend/parse/Report.h"

#include "info/Info.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace accx::frontend {

void remark(DiagnosticsEngine &Diags, SourceLocation Loc, bool Done,
            llvm::StringRef Text) {
  if (!info::isWanted()) {
    report(Diags, Loc, DiagnosticIDs::Remark,
           Done ? "%0 [-Rpass=accx]" : "%0 [-Rpass-missed=accx]")
        << Text;
    return;
  }
  const PresumedLoc At = Diags.getSourceManager().getPresumedLoc(Loc);
  if (At.isValid())
    info::note({At.getFilename(), At.getLine()}, "accx", Done, Text);
}

} // namespace accx::frontend
