//===- TimeTiles.h - Several steps in one launch ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `accx timetile(S)` in front of a loop of steps (TimeLoop.h) puts in front of
// it, on devices where that pays, launches of up to S steps each. A block of a
// launch has the cells of its tile and as many around as S steps need in shared
// memory (`fcw`, docs/smc.md), and computes those around anew:
//
//   { long done = 0;
//     if (allowed && ... && __accx_time_tiles(...))
//       for (as many launches as have the last step in the array that has it
//            without tiles) {
//         parallel loop over all tiles' cells, fcw FETCH_CHANNEL(In[y][x])
//         swap, done += steps }
//     for (t = first + done * step; ...) what the program has }
//
// The last step is the program's own, so that both arrays are left as without
// tiles.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_FRONTEND_TIMETILE_TIMETILES_H
#define ACCX_FRONTEND_TIMETILE_TIMETILES_H

#include "frontend/parse/Reader.h"

namespace accx::frontend {

/// Which loops there may be launches for. All readings of a unit have to agree.
struct TileWishes {
  /// Why passes make no copies in shared memory: all loops stay. Empty if they
  /// do.
  const char *Obstacle;
  /// Loops without the directive are as if they had it (Directive::Implied)
  /// where that pays.
  bool Unasked;
  /// Of these, also where rows of a variable length are needed, a type that
  /// some want to be warned of.
  bool Rows;
};

/// A loop that nobody asked to tile: the tokens of what was written for it, and
/// its own.
struct UnaskedTiles {
  Directive *D;
  size_t Begin, End;
  UnitTokens Loop;
};

/// A part of reading a unit: rewrites the loops, and returns those that did not
/// ask. One that stays as it is has Directive::WhyWhole.
std::vector<UnaskedTiles> tileTimeLoops(Unit &U, clang::Preprocessor &PP,
                                        TileWishes Wishes);

/// The constant that says whether the launches are there: the plan defines it.
std::string timeTileSwitch(const Directive &D);

} // namespace accx::frontend

#endif // ACCX_FRONTEND_TIMETILE_TIMETILES_H
