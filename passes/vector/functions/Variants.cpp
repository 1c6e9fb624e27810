//===- Variants.cpp - Vector variants of functions ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the variants that a function's attributes promise, checks them, and
// derives types and attributes of the lanes form. The translation between the
// two forms is in Abi.cpp.
//
//===----------------------------------------------------------------------===//

#include "vector/functions/Variants.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <tuple>

using namespace llvm;

namespace accx::vector {

static constexpr StringLiteral Prefix = "_ZGV";

unsigned Variant::rank() const {
  switch (Info.ISA) {
  case VFISAKind::AVX512:
    return 3;
  case VFISAKind::AVX2:
    return 2;
  case VFISAKind::AVX:
    return 1;
  default:
    return 0;
  }
}

bool Variant::isScalar(unsigned Parameter) const {
  return Info.Shape.Parameters[Parameter].ParamKind != VFParamKind::Vector;
}

SmallVector<LaneShape, 8> Variant::shapes() const {
  SmallVector<LaneShape, 8> Result;
  for (unsigned I = 0; I != Scalar->arg_size(); ++I) {
    const VFParameter &P = Info.Shape.Parameters[I];
    switch (P.ParamKind) {
    case VFParamKind::OMP_Uniform:
      Result.push_back(LaneShape::uniform());
      break;
    case VFParamKind::OMP_Linear:
    case VFParamKind::OMP_LinearRef:
      Result.push_back(LaneShape::strided(P.LinearStepOrPos));
      break;
    default:
      Result.push_back(LaneShape::varying());
    }
  }
  return Result;
}

FunctionType *Variant::lanesType() const {
  SmallVector<Type *, 8> Types;
  for (auto [I, Ty] : enumerate(Scalar->getFunctionType()->params()))
    Types.push_back(isScalar(I) ? Ty : FixedVectorType::get(Ty, Lanes));
  if (Masked)
    Types.push_back(
        FixedVectorType::get(Type::getInt1Ty(Scalar->getContext()), Lanes));
  Type *Result = Scalar->getReturnType();
  if (!Result->isVoidTy())
    Result = FixedVectorType::get(Result, Lanes);
  return FunctionType::get(Result, Types, false);
}

AttributeList Variant::attributes() const {
  LLVMContext &Context = Scalar->getContext();
  AttrBuilder Kept(Context);
  for (const Attribute &A : Scalar->getAttributes().getFnAttrs())
    if (!A.isStringAttribute() || !A.getKindAsString().starts_with(Prefix))
      Kept.addAttribute(A);
  for (const Attribute::AttrKind Kind :
       {Attribute::AlwaysInline, Attribute::NoInline, Attribute::InlineHint,
        Attribute::Memory, Attribute::Naked, Attribute::NoReturn,
        Attribute::OptimizeNone, Attribute::Speculatable, Attribute::AllocKind,
        Attribute::AllocSize})
    Kept.removeAttribute(Kind);
  // Pointers of lanes are not pointer arguments any more.
  if (Scalar->doesNotAccessMemory() && !returnsInMemory())
    Kept.addMemoryAttr(MemoryEffects::none());
  else if (Scalar->onlyReadsMemory() && !returnsInMemory())
    Kept.addMemoryAttr(MemoryEffects::readOnly());

  // A processor that is named and has no AVX-512 has no registers for it else.
  static constexpr StringLiteral Features[] = {"+sse2", "+avx", "+avx2",
                                               "+evex512,+avx512f"};
  std::string All =
      Scalar->getFnAttribute("target-features").getValueAsString().str();
  All += (All.empty() ? "" : ",") + Features[rank()].str();
  Kept.addAttribute("target-features", All);
  // Else wide vectors would travel in pieces where the target likes others.
  static constexpr StringLiteral Widths[] = {"128", "256", "256", "512"};
  Kept.addAttribute("min-legal-vector-width", Widths[rank()]);
  Kept.addAttribute("prefer-vector-width", Widths[rank()]);
  return AttributeList::get(Context, AttributeList::FunctionIndex, Kept);
}

/// Why the vector ABI, or we, have no place for such a parameter or result.
static StringRef unsupported(const Type *Ty) {
  if (Ty->isPointerTy() || Ty->isFloatTy() || Ty->isDoubleTy())
    return {};
  if (Ty->isIntegerTy() && Ty->getIntegerBitWidth() <= 64 &&
      (Ty->getIntegerBitWidth() == 1 ||
       isPowerOf2_32(Ty->getIntegerBitWidth())))
    return {};
  return "a parameter or the result is of a type without vectors";
}

static StringRef unsupported(const Variant &V) {
  const Function &F = *V.Scalar;
  if (F.isVarArg())
    return "it has variable arguments";
  if (V.Info.ISA != VFISAKind::SSE && V.rank() == 0)
    return "its instruction set is not one of x86";
  if (V.Info.Shape.VF.isScalable() || !isPowerOf2_32(V.Lanes) || V.Lanes < 2 ||
      V.Lanes > 64)
    return "its number of lanes is not a power of two from 2 to 64";
  // Aggregates come as several parameters, or in memory.
  if (V.Info.Shape.Parameters.size() != F.arg_size() + (V.Masked ? 1 : 0))
    return "a parameter is an aggregate";
  if (!F.getReturnType()->isVoidTy())
    if (StringRef Why = unsupported(F.getReturnType()); !Why.empty())
      return Why;
  for (const Argument &A : F.args()) {
    if (A.hasByValAttr() || A.hasStructRetAttr() || A.hasInAllocaAttr())
      return "a parameter or the result is an aggregate";
    switch (V.Info.Shape.Parameters[A.getArgNo()].ParamKind) {
    case VFParamKind::Vector:
      if (StringRef Why = unsupported(A.getType()); !Why.empty())
        return Why;
      break;
    case VFParamKind::OMP_Uniform:
      break;
    case VFParamKind::OMP_Linear:
    case VFParamKind::OMP_LinearRef:
    case VFParamKind::OMP_LinearPos:
    case VFParamKind::OMP_LinearRefPos:
      if (!A.getType()->isIntOrPtrTy())
        return "a linear parameter is neither an integer nor a pointer";
      break;
    default:
      return "linear values of references are not supported";
    }
  }
  return {};
}

SmallVector<Variant, 8>
variantsOf(Function &F, function_ref<void(StringRef, StringRef)> Refused) {
  SmallVector<Variant, 8> Result;
  for (const Attribute &A : F.getAttributes().getFnAttrs()) {
    if (!A.isStringAttribute() || !A.getKindAsString().starts_with(Prefix))
      continue;
    const StringRef Name = A.getKindAsString();
    Variant V;
    V.Scalar = &F;
    auto Info = VFABI::tryDemangleForVFABI(Name, F.getFunctionType());
    if (!Info || Info->ScalarName != F.getName()) {
      Refused(Name, "its name does not fit the function");
      continue;
    }
    V.Info = *Info;
    V.Lanes = Info->Shape.VF.getKnownMinValue();
    V.Masked = Info->isMasked();
    if (const StringRef Why = unsupported(V); !Why.empty()) {
      Refused(Name, Why);
      continue;
    }
    Result.push_back(std::move(V));
  }
  sort(Result, [](const Variant &A, const Variant &B) {
    return std::tuple(B.rank(), A.Info.VectorName) <
           std::tuple(A.rank(), B.Info.VectorName);
  });
  return Result;
}

bool hasVariants(const Function &F) {
  return any_of(F.getAttributes().getFnAttrs(), [](const Attribute &A) {
    return A.isStringAttribute() && A.getKindAsString().starts_with(Prefix);
  });
}

unsigned supportedRank(const Function &F) {
  SmallVector<StringRef, 64> Features;
  F.getFnAttribute("target-features").getValueAsString().split(Features, ',');
  auto Has = [&](StringRef Name) { return is_contained(Features, Name); };
  if (Has("+avx512f") && !Has("-evex512"))
    return 3;
  return Has("+avx2") ? 2 : Has("+avx") ? 1 : 0;
}

} // namespace accx::vector
