//===- Markers.h - Calls that tell passes what the source said --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contract between the front end and the passes. A marker is a pair of
// calls around a statement: `begin` takes what the pass has to know, `end`
// closes. Both are declared with attributes under which optimizations keep
// them in place and kernels remain SPMD; neither is ever defined, so every
// module that has markers must go through StripPass.
//
// No Clang and no IR in here: the front end writes names, passes match them.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MARKERS_MARKERS_H
#define ACCX_MARKERS_MARKERS_H

namespace accx::markers {

/// Every marker's name begins with this.
inline constexpr char Prefix[] = "__accx_marker_";

/// Around a loop whose iterations are the lanes of a vector:
/// begin(long Length), Length 0 if the program names none.
inline constexpr char LanesBegin[] = "__accx_marker_lanes_begin";
inline constexpr char LanesEnd[] = "__accx_marker_lanes_end";

/// Around a statement in which a block of iterations shares a part of an array;
/// docs/smc.md describes the arguments.
inline constexpr char SmcBegin[] = "__accx_marker_smc_begin";
inline constexpr char SmcEnd[] = "__accx_marker_smc_end";
inline constexpr char SmcBarrier[] = "__accx_marker_smc_barrier";
/// An object of the body that a block has one of, where its iterations run
/// together in a region of type Team: team(const char *Where, void *Object).
inline constexpr char SmcTeam[] = "__accx_marker_smc_team";

/// The prelude's function that ends the program, called ahead of SmcBegin: a
/// pass that makes loops of blocks removes the call.
inline constexpr char SmcUnavailable[] = "__accx_smc_unavailable";

/// In a region for each of whose gangs the program can tell that it ran.
inline constexpr char Gangs[] = "__accx_marker_gangs";

/// In the body of a distributed loop: part(long First, long Last), the
/// iterations of its outermost loop that a kernel runs.
inline constexpr char PartRange[] = "__accx_marker_part";

/// Arguments of SmcBegin.
namespace smc {
enum : unsigned {
  Where,
  Base,
  Type,
  Element,
  Align,
  Dims,
  FirstDim,
  Blocks = FirstDim + 15,
  FirstBlock,
  NumArguments = FirstBlock + 3
};
/// Of each dimension.
enum : unsigned { Pitch, First, Extent, Low, High, DimArguments };
/// Bits of Type. Team, beside Channel: the region has no array; its barriers
/// are those of the program alone.
enum : unsigned {
  Fetch = 1,
  Channel = 2,
  WriteBack = 4,
  Transparent = 8,
  Team = 16
};
inline constexpr unsigned MaxDims = 3;
static_assert(MaxDims * DimArguments == Blocks - FirstDim);
} // namespace smc

/// Declarations for the front end's prelude, C and C++. Only for compilations
/// whose optimization pipeline is ours: device code.
inline constexpr char Declarations[] = R"(
#pragma omp begin assumes ext_spmd_amenable no_openmp
void __accx_marker_lanes_begin(long) __attribute__((nothrow));
void __accx_marker_lanes_end(void) __attribute__((nothrow));
void __accx_marker_smc_begin(const char *, const void *, long, long, long, long,
                             long, long, long, long, long,
                             long, long, long, long, long,
                             long, long, long, long, long,
                             long, long, long, long)
    __attribute__((nothrow, convergent));
void __accx_marker_smc_end(void) __attribute__((nothrow, convergent));
void __accx_marker_smc_barrier(void) __attribute__((nothrow, convergent));
void __accx_marker_smc_team(const char *, void *)
    __attribute__((nothrow, convergent));
void __accx_marker_gangs(void) __attribute__((nothrow));
void __accx_marker_part(long, long) __attribute__((nothrow));
#pragma omp end assumes
)";

} // namespace accx::markers

#endif // ACCX_MARKERS_MARKERS_H
