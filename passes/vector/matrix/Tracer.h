//===- Tracer.h - A nest of short loops, executed ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter behind Trace.h: what is known of each value of the nest while
// its iterations are executed one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_VECTOR_MATRIX_TRACER_H
#define ACCX_VECTOR_MATRIX_TRACER_H

#include "vector/matrix/Trace.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

#include <optional>
#include <utility>

namespace accx::vector {

/// What is known of a value.
struct Known {
  enum KnownKind { Nothing, Number, Linear, Node };

  KnownKind Kind = Nothing;
  llvm::Constant *Fixed = nullptr;
  LinearForm Form;
  /// No part of the linear form wraps as a signed number.
  bool NoWrap = true;
  unsigned Index = 0;

  /// The value as a number with a sign, if it is one.
  std::optional<int64_t> asInteger() const;

  static Known number(llvm::Constant *C) {
    Known K;
    K.Kind = Number;
    K.Fixed = C;
    return K;
  }
  static Known linear(affine::Polynomial Sum) {
    Known K;
    K.Kind = Linear;
    K.Form.Sum = std::move(Sum);
    return K;
  }
  static Known node(unsigned Index) {
    Known K;
    K.Kind = Node;
    K.Index = Index;
    return K;
  }
};

class Tracer {
public:
  Tracer(llvm::Loop &L, MatrixTrace &Trace)
      : L(L), Trace(Trace), DL(L.getHeader()->getDataLayout()) {}

  llvm::StringRef run();

private:
  // Trace.cpp: the nest's control flow.
  bool isIgnored(const llvm::Instruction &I);
  llvm::BasicBlock *next(llvm::BasicBlock *Block);
  void enter(llvm::BasicBlock *From, llvm::BasicBlock *To);
  llvm::StringRef finish(llvm::BasicBlock *From, llvm::BasicBlock *Exit);

  // TraceValues.cpp: what instructions yield. Where one has no meaning here,
  // Why is set.
  Known known(llvm::Value *V);
  Known outside(llvm::Value *V);
  std::optional<unsigned> nodeOf(llvm::Value *V);
  unsigned addNode(TraceNode Node);
  unsigned outsideNode(llvm::Value *V);
  Known execute(llvm::Instruction &I);
  Known executeData(llvm::Instruction &I);
  Known executeLoad(llvm::LoadInst &Load);
  Known executeStore(llvm::StoreInst &Store);
  std::optional<bool> compare(llvm::ICmpInst &Compare);

  // TraceAddresses.cpp: integers and addresses.
  Known executeLinear(llvm::Instruction &I);
  bool extend(LinearForm &Form, affine::Atoms::Extension How);
  bool asLinear(Known &K);
  Known executePointer(llvm::GEPOperator &GEP);
  std::optional<Place> access(llvm::Instruction &I, llvm::Type *Ty);

  Known refuse(llvm::StringRef Reason) {
    if (Why.empty())
      Why = Reason;
    return {};
  }

  llvm::Loop &L;
  MatrixTrace &Trace;
  const llvm::DataLayout &DL;
  llvm::DenseMap<llvm::Value *, Known> Values;
  std::map<std::pair<llvm::Value *, std::vector<unsigned>>, unsigned> Interned;
  std::map<Place, unsigned> Elements;
  bool HasScopes = false;
  llvm::StringRef Why;
};

} // namespace accx::vector

#endif // ACCX_VECTOR_MATRIX_TRACER_H
