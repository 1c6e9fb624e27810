//===- ByValue.h - Small values that a kernel only reads --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A struct that is passed by value is mapped by OpenMP's rules: it gets an
// entry, is copied in, and out again. If the kernel only reads it, and nobody
// else has it on the device, nobody can tell it from a firstprivate one, which
// travels with the launch.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MAPPING_BYVALUE_H
#define ACCX_MAPPING_BYVALUE_H

#include "mapping/Constructs.h"
#include "mapping/Phases.h"

namespace accx {

class Kernel;

/// \p Arrays with such arguments of \p K as firstprivate ones; the types are
/// \p S's then. For regions that read the program's memory when they are
/// launched. \p WaitsAtOnce: the region's end comes before anything of the
/// program's; then variables that the kernel reduces to are not mapped, either,
/// but are among \p S's.
MapArrays passByValue(Construct C, ConstructScratch &S, Kernel &K,
                      MapArrays Arrays, bool HasEnvironment,
                      bool WaitsAtOnce = false);

/// An argument that is passed as it is, and has no item.
inline constexpr int64_t PassedAsIs = MapTargetParam | MapLiteral | MapPrivate;

/// Whether argument \p Arg, which a kernel on \p D touches once, may be in
/// ReducedVariables.
bool canBeReduced(const Device &D, const MapArrays &Arrays, int Arg);

/// Whether \p K writes none of its firstprivate arguments in memory, of which
/// there are some, in a region with arguments \p Arrays.
bool onlyReadsPrivates(Kernel &K, const MapArrays &Arrays, bool HasEnvironment);

} // namespace accx

#endif // ACCX_MAPPING_BYVALUE_H
