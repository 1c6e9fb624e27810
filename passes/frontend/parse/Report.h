//===- Report.h - Diagnostics of the front end's own ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's diagnostics have numbers in its tables; those of a plugin are made
// from their text.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PARSE_REPORT_H
#define ACCX_FRONTEND_PARSE_REPORT_H

#include "clang/Basic/Diagnostic.h"

namespace accx::frontend {

/// The diagnostic \p Format, in Clang's format language, at \p Loc.
inline clang::DiagnosticBuilder report(clang::DiagnosticsEngine &Diags,
                                       clang::SourceLocation Loc,
                                       clang::DiagnosticIDs::Level Level,
                                       llvm::StringRef Format) {
  return Diags.Report(Loc,
                      Diags.getDiagnosticIDs()->getCustomDiagID(Level, Format));
}
inline clang::DiagnosticBuilder reportError(clang::DiagnosticsEngine &Diags,
                                            clang::SourceLocation Loc,
                                            llvm::StringRef Format) {
  return report(Diags, Loc, clang::DiagnosticIDs::Error, Format);
}

/// What was done with the directive at \p Loc, or was not: a remark of
/// -Rpass=accx or -Rpass-missed=accx, or a line of --accx-info.
void remark(clang::DiagnosticsEngine &Diags, clang::SourceLocation Loc,
            bool Done, llvm::StringRef Text);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PARSE_REPORT_H
