//===- TimeTile.h - Loops that nobody asked to tile -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_PLAN_TIMETILE_H
#define ACCX_FRONTEND_PLAN_TIMETILE_H

#include "frontend/facts/Facts.h"
#include "frontend/timetile/TimeTiles.h"

namespace accx::frontend {

/// Puts back the loops of \p Tiles that the tree has an obstacle for, as they
/// were written: nothing of their launches is left. All compilations of a unit
/// find the same obstacles, as the cells call nothing.
void takeBackTiles(Unit &U, std::vector<UnaskedTiles> Tiles, const Facts &F,
                   clang::DiagnosticsEngine &Diags, bool Remarks);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_PLAN_TIMETILE_H
