//===- NestKernel.cpp - How a nest's kernel is launched -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and threads of a nest's kernel (GridNest.h), from what its loops do.
//
//===----------------------------------------------------------------------===//

#include "reduce/NestWriter.h"

#include "accx/kernel_desc.h"
#include "gridloop/BlockBounds.h"
#include "offload/Annotations.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;
using namespace accx::offload;

static cl::opt<unsigned>
    BlockSize("accx-grid-nest-threads", cl::init(0), cl::Hidden,
              cl::desc("Threads of a block of nests without a clause; 0: by "
                       "what the nest does"));

static cl::opt<unsigned>
    AtOnce("accx-grid-nest-at-once", cl::init(0), cl::Hidden,
           cl::desc("Threads that a multiprocessor is to hold of small nests; "
                    "0: by what the nest does"));

namespace accx::reduce {

namespace {

struct BlockBounds {
  unsigned Threads;
  /// That a multiprocessor is to hold.
  unsigned AtOnce;
};

} // namespace

/// Loops that only move have few loads under way, and so need threads; those
/// that reduce have many, for which they need registers. Where threads meet
/// often small blocks leave others something to do.
static BlockBounds boundsOfBlocks(const TeamNest &N, bool HasVectors) {
  const Function &Kernel = *N.Plan->Kernel;
  constexpr unsigned FewOperations = 1500;
  constexpr BlockBounds Usual = {512, 1024};
  constexpr BlockBounds Moving = {512, 1536};
  constexpr BlockBounds Reducing = {256, 768};
  constexpr BlockBounds Together = {256, 1024};
  constexpr BlockBounds Large = {512, 512};
  constexpr BlockBounds Calling = {256, 256};
  const bool IsSmall = gridloop::operationsOf(Kernel) <= FewOperations;
  BlockBounds Bounds = Usual;
  if (gridloop::keepsCalls(Kernel))
    Bounds = Calling;
  else if (!IsSmall)
    Bounds = Large;
  else if (HasVectors && !N.RegionWrites)
    Bounds = Reducing;
  else if (N.IsTogether)
    Bounds = Together;
  else if (HasVectors && !N.Reduces)
    Bounds = Moving;
  if (BlockSize)
    Bounds.Threads = BlockSize;
  if (AtOnce && Bounds.AtOnce > Bounds.Threads)
    Bounds.AtOnce = AtOnce;
  return Bounds;
}

/// Blocks of \p Least threads, or of what the launch chooses, \p Most at most.
static void boundThreads(const TeamNest &N, int64_t Least, unsigned Most) {
  Function &Kernel = *N.Plan->Kernel;
  configure(*N.Plan->Environment, configuration::MinThreads, Least);
  configure(*N.Plan->Environment, configuration::MaxThreads, Most);
  annotate(Kernel, "maxntidx", Most);
  // OpenMPOpt takes it for the number of threads.
  if (Least == Most)
    Kernel.addFnAttr("omp_target_thread_limit", utostr(Most));
  else
    Kernel.removeFnAttr("omp_target_thread_limit");
}

void configureKernel(const TeamNest &N, const NestChoices &Choices,
                     bool HasVectors) {
  Function &Kernel = *N.Plan->Kernel;
  GlobalVariable &Environment = *N.Plan->Environment;
  configure(Environment, configuration::StateMachine, 0);
  configure(Environment, configuration::Mode,
            static_cast<int64_t>(ExecMode::Spmd));
  // A clause that is no constant leaves 1 and no bound: what it says comes with
  // the launch, and is obeyed, but for 0, which leaves the choice. Only code of
  // blocks may ask for its team.
  if (N.Gangs && !N.isOfBlocks() && N.asksForTeams())
    configure(Environment, configuration::MinTeams, ACCX_TEAMS_UP_TO_A_WAVE);
  else if (N.Gangs && N.Plan->MinTeams <= 1 && N.Plan->MaxTeams <= 0)
    configure(Environment, configuration::MinTeams, ACCX_TEAMS_OF_A_WAVE);
  // The tickets come with a buffer, whatever its size.
  if (Choices.MayShare && !N.OverTeams) {
    configure(Environment, configuration::ReductionBytes, ACCX_TICKET_RECORD);
    configure(Environment, configuration::ReductionRecords, 1);
  }
  constexpr int64_t ChosenByClang = 128;
  if (N.BlockThreads) {
    boundThreads(N, N.BlockThreads, static_cast<unsigned>(N.BlockThreads));
    renew(Kernel);
    return;
  }
  // Code of a team may count on Clang's number.
  if (N.isOfBlocks() || N.Plan->MaxThreads != ChosenByClang ||
      N.Plan->MinThreads > 1)
    return;
  const BlockBounds Bounds = boundsOfBlocks(N, HasVectors);
  const bool Fills = N.Gangs && N.asksForBlocks() && !BlockSize;
  boundThreads(N, Fills ? ACCX_THREADS_TO_FILL : Bounds.Threads,
               Bounds.Threads);
  // Without it ptxas spends all registers on loops of a few instructions.
  if (!annotated(Kernel, "minctasm") && Bounds.AtOnce > Bounds.Threads)
    annotate(Kernel, "minctasm", Bounds.AtOnce / Bounds.Threads);
  renew(Kernel);
}

} // namespace accx::reduce
