//===- BlockFold.cpp - Combines the threads of a block --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the function that combines a block's threads, and keeps account of the
// shared memory that all reductions of a module use. Grids and groups of blocks
// call the function, and add what happens between blocks.
//
//===----------------------------------------------------------------------===//

#include "reduce/BlockFold.h"

#include "gpu/Exchange.h"
#include "gpu/SharedMemory.h"
#include "gpu/ThreadPlace.h"
#include "offload/PointerList.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/CommandLine.h"

#include <algorithm>

using namespace llvm;
using accx::gpu::Exchange;
using accx::gpu::WarpLanes;

static cl::opt<unsigned>
    SharedLimit("accx-reduce-shared", cl::init(48 << 10), cl::Hidden,
                cl::desc("Bytes of shared memory that a block may have"));

namespace accx::reduce {

/// A block has at most as many warps as a warp has lanes.
constexpr unsigned MaxWarps = 32;

/// The bytes of all variables in shared memory.
static uint64_t sharedBytes(const Module &M) {
  uint64_t Sum = 0;
  for (const GlobalVariable &G : M.globals())
    if (G.getAddressSpace() == gpu::SharedSpace)
      Sum += M.getDataLayout().getTypeAllocSize(G.getValueType());
  return Sum;
}

/// A slot's bytes.
constexpr uint64_t Roomy = 64;
constexpr uint64_t Scarce = 4;
/// The device runtime's own, where it is not linked in yet, and the ticket.
constexpr uint64_t Reserve = 12 << 10;

uint64_t sharedBytesLeft(const Module &M) {
  const uint64_t Used = sharedBytes(M) + Reserve + Roomy * MaxWarps;
  return Used < SharedLimit ? SharedLimit - Used : 0;
}

Slots::Slots(Module &M) : M(M) {
  BytesPerWarp = sharedBytes(M) + Reserve + Roomy * MaxWarps <= SharedLimit
                     ? Roomy
                     : Scarce;
}

GlobalVariable *createShared(Module &M, Type *T, const char *Name) {
  return gpu::createShared(M, *UndefValue::get(T), Name, Align(8));
}

GlobalVariable *Slots::words(uint64_t Used) {
  const uint64_t Bytes = alignTo(std::min(Used, BytesPerWarp), 4) * MaxWarps;
  if (Words &&
      M.getDataLayout().getTypeAllocSize(Words->getValueType()) >= Bytes)
    return Words;
  GlobalVariable *Larger =
      createShared(M, ArrayType::get(Type::getInt8Ty(M.getContext()), Bytes),
                   "accx.reduce.slots");
  if (Words) {
    Larger->takeName(Words);
    Words->replaceAllUsesWith(Larger);
    Words->eraseFromParent();
  }
  return Words = Larger;
}

GlobalVariable *Slots::ticket() {
  if (!Ticket)
    Ticket =
        createShared(M, Type::getInt32Ty(M.getContext()), "accx.reduce.ticket");
  return Ticket;
}

namespace {

class FoldWriter {
  const ReductionPlan &Plan;
  Slots &Shared;
  const SmallVector<Piece, 8> Pieces;
  Function *WarpFold = nullptr;

public:
  FoldWriter(const ReductionPlan &Plan, Slots &Shared)
      : Plan(Plan), Shared(Shared),
        Pieces(splitIntoPieces(Plan.Variables,
                               Plan.Call->getModule()->getDataLayout(),
                               std::min<uint64_t>(8, Shared.bytesPerWarp()))) {}

  Function *write();

private:
  /// void (ptr List, i32 Lane, i32 Live)
  void writeWarpFold();
  void writeRounds(ir::CodeWriter &B, Value *List, Value *Thread, Value *Count);
  /// Through the slots: \p Moves, one after the other, of a round.
  struct Move {
    const Piece *P;
    uint64_t Slot;
  };
  struct Places {
    Value *List, *IsWriter, *Warp, *IsReader, *Thread;
  };
  void writeRound(ir::CodeWriter &B, const Places &At, ArrayRef<Move> Moves);
  void writeLongRounds(ir::CodeWriter &B, const Places &At, const Piece &P);

  /// The program's code reads by its own types what travels as bytes. Where the
  /// device runtime is linked in, OpenMPOpt of LLVM 19 may miss that such a
  /// variable was stored at all, and take it for undefined.
  void escapeIfBytes(ir::CodeWriter &B, unsigned Index, Value *Variable) const {
    if (any_of(Pieces, [&](const Piece &P) {
          return P.Variable == Index && P.IsBytes;
        }))
      B.escape(Variable);
  }
  static Value *element(ir::CodeWriter &B, Value *List, const Piece &P,
                        Value *Index) {
    return at(B, offload::loadSlot(B, List, P.Variable), P, Index);
  }
  static Value *at(ir::CodeWriter &B, Value *Variable, const Piece &P,
                   Value *Index) {
    Value *Start =
        B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Variable, P.Offset);
    return Index ? B.CreateInBoundsGEP(P.T, Start,
                                       B.CreateZExt(Index, B.getInt64Ty()))
                 : Start;
  }
};

} // namespace

void FoldWriter::writeWarpFold() {
  LLVMContext &C = Plan.Combine->getContext();
  Type *Ptr = PointerType::getUnqual(C);
  Type *Int = Type::getInt32Ty(C);
  WarpFold =
      ir::createHelper(Twine(offload::ReductionHelper) + "warp",
                       Type::getVoidTy(C), {Ptr, Int, Int}, *Plan.Combine);
  Value *List = WarpFold->getArg(0);
  Value *Lane = WarpFold->getArg(1);
  Value *Live = WarpFold->getArg(2);
  ir::CodeWriter B(*WarpFold);

  AllocaInst *Remote =
      B.local(ArrayType::get(Ptr, Plan.Variables.size()), "remote");
  SmallVector<Value *, 4> Received;
  for (unsigned I = 0; I < Plan.Variables.size(); ++I) {
    Received.push_back(B.local(Plan.Variables[I]));
    escapeIfBytes(B, I, Received.back());
    escapeIfBytes(B, I, offload::loadSlot(B, List, I));
    B.CreateStore(Received.back(), offload::slotAt(B, Remote, I));
  }
  // The members of a part of a warp begin at its first lane.
  Value *OfWarp = B.CreateAnd(gpu::readThread(B), WarpLanes - 1);
  Value *Members = B.CreateShl(
      B.CreateLShr(B.getInt32(~0U), B.CreateSub(B.getInt32(WarpLanes), Live)),
      B.CreateSub(OfWarp, Lane), "members");
  const Exchange Lanes(B, Members);
  const bool IsLong =
      any_of(Pieces, [](const Piece &P) { return P.Count > 1; });
  for (unsigned Distance = WarpLanes / 2; Distance; Distance /= 2) {
    Value *Away = B.getInt32(Distance);
    const auto Take = [&](const Piece &P, Value *Index) {
      Value *Own = B.CreateLoad(P.T, element(B, List, P, Index));
      B.CreateStore(Lanes.down(Own, Away),
                    at(B, Received[P.Variable], P, Index));
    };
    const auto Step = [&] {
      for (const Piece &P : Pieces) {
        if (P.Count == 1)
          Take(P, nullptr);
        else
          B.loop(B.getInt32(0), B.getInt32(P.Count), B.getInt32(1),
                 [&](Value *Index) { Take(P, Index); });
      }
      B.when(B.CreateICmpULT(B.CreateAdd(Lane, Away), Live),
             [&] { B.CreateCall(Plan.Combine, {List, Remote}); });
    };
    // All of the warp's live lanes know whether any lane has a partner.
    if (IsLong)
      B.when(B.CreateICmpUGT(Live, Away), Step);
    else
      Step();
  }
  B.CreateRetVoid();
}

void FoldWriter::writeRound(ir::CodeWriter &B, const Places &At,
                            ArrayRef<Move> Moves) {
  uint64_t Used = 0;
  for (const Move &M : Moves)
    Used = std::max(Used, M.Slot + M.P->Size);
  GlobalVariable *Words = Shared.words(Used);
  const auto Slot = [&](const Move &M, Value *Warp) {
    return B.CreateInBoundsGEP(
        M.P->T,
        B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Words, M.Slot * MaxWarps),
        Warp);
  };
  B.barrier();
  B.when(At.IsWriter, [&] {
    for (const Move &M : Moves)
      B.CreateStore(B.CreateLoad(M.P->T, element(B, At.List, *M.P, nullptr)),
                    Slot(M, At.Warp), /*isVolatile=*/true);
  });
  B.barrier();
  B.when(At.IsReader, [&] {
    for (const Move &M : Moves)
      B.CreateStore(B.CreateLoad(M.P->T, Slot(M, At.Thread), true),
                    element(B, At.List, *M.P, nullptr));
  });
}

void FoldWriter::writeLongRounds(ir::CodeWriter &B, const Places &At,
                                 const Piece &P) {
  const uint64_t Fit = Shared.bytesPerWarp() / P.Size;
  GlobalVariable *Words = Shared.words(Fit * P.Size);
  Value *All = B.getInt32(P.Count);
  const auto Slot = [&](Value *Index, Value *Warp) {
    return B.CreateInBoundsGEP(
        P.T, Words,
        B.CreateAdd(B.CreateMul(Index, B.getInt32(MaxWarps)), Warp));
  };
  B.loop(B.getInt32(0), All, B.getInt32(Fit), [&](Value *First) {
    Value *Here = B.CreateBinaryIntrinsic(
        Intrinsic::umin, B.CreateSub(All, First), B.getInt32(Fit));
    const auto Each = [&](function_ref<void(Value * Index)> Body) {
      B.loop(B.getInt32(0), Here, B.getInt32(1), Body);
    };
    B.barrier();
    B.when(At.IsWriter, [&] {
      Each([&](Value *I) {
        B.CreateStore(
            B.CreateLoad(P.T, element(B, At.List, P, B.CreateAdd(First, I))),
            Slot(I, At.Warp), /*isVolatile=*/true);
      });
    });
    B.barrier();
    B.when(At.IsReader, [&] {
      Each([&](Value *I) {
        B.CreateStore(B.CreateLoad(P.T, Slot(I, At.Thread), true),
                      element(B, At.List, P, B.CreateAdd(First, I)));
      });
    });
  });
}

void FoldWriter::writeRounds(ir::CodeWriter &B, Value *List, Value *Thread,
                             Value *Count) {
  Value *Warps = B.CreateUDiv(B.CreateAdd(Count, B.getInt32(WarpLanes - 1)),
                              B.getInt32(WarpLanes), "warps");
  Places At = {};
  At.List = List;
  At.Thread = Thread;
  At.Warp = B.CreateUDiv(Thread, B.getInt32(WarpLanes), "warp");
  // The first lane of each warp that has live ones.
  At.IsWriter =
      B.CreateAnd(B.CreateICmpEQ(B.CreateURem(Thread, B.getInt32(WarpLanes)),
                                 B.getInt32(0)),
                  B.CreateICmpULT(Thread, Count));
  At.IsReader = B.CreateICmpULT(Thread, Warps);

  SmallVector<Move, 8> Round;
  uint64_t Used = 0;
  const auto Finish = [&] {
    if (!Round.empty())
      writeRound(B, At, Round);
    Round.clear();
    Used = 0;
  };
  for (const Piece &P : Pieces) {
    if (P.Count > 1) {
      writeLongRounds(B, At, P);
      continue;
    }
    Used = alignTo(Used, P.Size);
    if (Used + P.Size > Shared.bytesPerWarp())
      Finish();
    Round.push_back({&P, Used});
    Used += P.Size;
  }
  Finish();
  B.when(At.IsReader,
         [&] { B.callTogether(*WarpFold, {List, Thread, Warps}); });
}

Function *FoldWriter::write() {
  writeWarpFold();
  LLVMContext &C = Plan.Combine->getContext();
  Type *Int = Type::getInt32Ty(C);
  Function *F = ir::createHelper(
      Twine(offload::ReductionHelper) + "block", Type::getVoidTy(C),
      {PointerType::getUnqual(C), Int, Int}, *Plan.Combine);
  Value *List = F->getArg(0);
  Value *Thread = F->getArg(1);
  Value *Count = F->getArg(2);
  ir::CodeWriter B(*F);
  B.when(B.CreateICmpULT(Thread, Count), [&] {
    Value *First = B.CreateAnd(Thread, B.getInt32(~(WarpLanes - 1)));
    Value *Live =
        B.CreateBinaryIntrinsic(Intrinsic::umin, B.CreateSub(Count, First),
                                B.getInt32(WarpLanes), {}, "live");
    B.callTogether(*WarpFold,
                   {List, B.CreateURem(Thread, B.getInt32(WarpLanes)), Live});
  });
  B.when(B.CreateICmpUGT(Count, B.getInt32(WarpLanes)),
         [&] { writeRounds(B, List, Thread, Count); });
  B.CreateRetVoid();
  return F;
}

Function *writeBlockFold(const ReductionPlan &Plan, Slots &Shared) {
  return FoldWriter(Plan, Shared).write();
}

} // namespace accx::reduce
