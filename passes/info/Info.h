//===- Info.h - What became of each loop ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With -accx-info, which is accxcc's --accx-info, remarks of the front end and
// of passes are kept and, when the compiler ends, printed as one block a loop
// or construct:
//
//     saxpy.c:3: parallel loop in saxpy (sm_90)
//       + loop of saxpy made a grid-stride loop (grid-loop)
//       - a grid-stride loop does one iteration at a time: ... (grid-tune)
//
// A compiler is one process for each source and target. The front end knows
// where functions and constructs are, passes know what they did.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_INFO_INFO_H
#define ACCX_INFO_INFO_H

#include "llvm/ADT/StringRef.h"

namespace accx::info {

/// Whether somebody asked for blocks.
bool isWanted();

/// Without it nothing is printed: a source with mistakes has no blocks.
/// \p Target is empty for the program itself.
void begin(llvm::StringRef Source, llvm::StringRef Target, bool ByFrontEnd);

/// A line of a source, whose name may be in any form.
struct Place {
  llvm::StringRef File;
  unsigned Line = 0;
};

/// What was done, or was not, at a place. \p Function: where the front end
/// tells of none.
void note(Place At, llvm::StringRef Pass, bool Done, llvm::StringRef Text,
          llvm::StringRef Function = "");

enum Lines {
  OfFunction,
  /// What the front end says of these concerns the targets, all else the
  /// program.
  Offloaded,
  /// A directive and the heads of its loops: they share a block.
  OfHeads,
};
void add(Lines Are, Place First, unsigned Last, llvm::StringRef Name = "");

} // namespace accx::info

#endif // ACCX_INFO_INFO_H
