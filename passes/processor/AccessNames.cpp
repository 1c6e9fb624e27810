//===- AccessNames.cpp - What a pointer is called -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names accessed memory for messages. Code is as the front end left it: a
// variable is an alloca, and a pointer of a program is loaded from one.
//
//===----------------------------------------------------------------------===//

#include "processor/CheckAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {
/// An expression and its type, which may be unknown.
struct Named {
  std::string Text;
  const DIType *Type = nullptr;
};
} // namespace

/// Without qualifiers and typedefs.
static const DIType *plain(const DIType *Type) {
  const auto IsPlain = [](unsigned Tag) {
    return Tag != dwarf::DW_TAG_typedef && Tag != dwarf::DW_TAG_const_type &&
           Tag != dwarf::DW_TAG_volatile_type &&
           Tag != dwarf::DW_TAG_restrict_type && Tag != dwarf::DW_TAG_member;
  };
  const auto *Derived = dyn_cast_or_null<DIDerivedType>(Type);
  for (; Derived && !IsPlain(Derived->getTag());
       Derived = dyn_cast_or_null<DIDerivedType>(Type))
    Type = Derived->getBaseType();
  return Type;
}

static bool isReference(const DIType *Type) {
  return Type && (Type->getTag() == dwarf::DW_TAG_reference_type ||
                  Type->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

/// What a pointer or a reference refers to, or the elements of an array.
static const DIType *referred(const DIType *Type) {
  Type = plain(Type);
  if (const auto *Derived = dyn_cast_or_null<DIDerivedType>(Type))
    if (Derived->getTag() == dwarf::DW_TAG_pointer_type || isReference(Type))
      return plain(Derived->getBaseType());
  if (const auto *Array = dyn_cast_or_null<DICompositeType>(Type))
    if (Array->getTag() == dwarf::DW_TAG_array_type)
      return plain(Array->getBaseType());
  return nullptr;
}

static const DIDerivedType *memberAt(const DIType *Type, uint64_t Byte) {
  const auto *Struct = dyn_cast_or_null<DICompositeType>(plain(Type));
  if (!Struct)
    return nullptr;
  for (const DINode *Element : Struct->getElements())
    if (const auto *Member = dyn_cast<DIDerivedType>(Element);
        Member && Member->getTag() == dwarf::DW_TAG_member &&
        Member->getOffsetInBits() == Byte * 8)
      return Member;
  return nullptr;
}

static Named variable(const Value *Place) {
  if (const auto *Global = dyn_cast<GlobalVariable>(Place)) {
    SmallVector<DIGlobalVariableExpression *, 1> Expressions;
    Global->getDebugInfo(Expressions);
    if (Expressions.empty())
      return {demangle(Global->getName().str())};
    const DIGlobalVariable *Known = Expressions.front()->getVariable();
    return {Known->getName().str(), Known->getType()};
  }
  auto *V = const_cast<Value *>(Place);
  const auto Declared = [](const auto *Record) -> Named {
    return {Record->getVariable()->getName().str(),
            Record->getVariable()->getType()};
  };
  for (const DbgVariableRecord *Record : findDVRDeclares(V))
    return Declared(Record);
  // With optimization a pass of LLVM's has written declarations in this form.
  if (const auto *I = dyn_cast<Instruction>(Place))
    for (const DbgVariableRecord *Record : at::getDVRAssignmentMarkers(I))
      return Declared(Record);
  for (const DbgDeclareInst *Declare : findDbgDeclares(V))
    return Declared(Declare);
  return {};
}

static Named pointer(const Value *V, unsigned Depth);

/// What lies at an address.
static Named place(const Value *Address, unsigned Depth) {
  if (!Depth)
    return {};
  Address = Address->stripPointerCasts();
  if (isa<AllocaInst, GlobalVariable>(Address))
    return variable(Address);
  const auto *Gep = dyn_cast<GEPOperator>(Address);
  if (!Gep) {
    const Named Base = pointer(Address, Depth - 1);
    if (isReference(plain(Base.Type)))
      return {Base.Text, referred(Base.Type)};
    return Base.Text.empty() ? Named{}
                             : Named{"*" + Base.Text, referred(Base.Type)};
  }
  APInt Offset(64, 0);
  const Value *Base = Gep->getPointerOperand()->stripPointerCasts();
  const auto *Where = dyn_cast<Instruction>(Address);
  if (!Where)
    return {};
  if (!Gep->accumulateConstantOffset(Where->getModule()->getDataLayout(),
                                     Offset)) {
    const Named Array = pointer(Base, Depth - 1);
    return Array.Text.empty() ? Named{}
                              : Named{Array.Text + "[]", referred(Array.Type)};
  }
  if (isa<AllocaInst, GlobalVariable>(Base)) {
    const Named Whole = variable(Base);
    if (const auto *Member = memberAt(Whole.Type, Offset.getZExtValue()))
      return {Whole.Text + "." + Member->getName().str(),
              Member->getBaseType()};
    return {};
  }
  const Named Whole = pointer(Base, Depth - 1);
  const char *Arrow = isReference(plain(Whole.Type)) ? "." : "->";
  if (const auto *Member =
          memberAt(referred(Whole.Type), Offset.getZExtValue()))
    return {Whole.Text + Arrow + Member->getName().str(),
            Member->getBaseType()};
  return {};
}

/// The value of a pointer: where it was loaded from, or the array that an
/// element's address is of.
static Named pointer(const Value *V, unsigned Depth) {
  if (!Depth)
    return {};
  V = V->stripPointerCasts();
  if (const auto *Load = dyn_cast<LoadInst>(V))
    return place(Load->getPointerOperand(), Depth - 1);
  if (const auto *Gep = dyn_cast<GEPOperator>(V))
    return pointer(Gep->getPointerOperand(), Depth - 1);
  return {};
}

std::string accx::processor::nameOfPointer(const Value *Pointer) {
  constexpr unsigned Deepest = 12;
  const Named Found = pointer(Pointer, Deepest);
  // The front end's own variables.
  if (Found.Text.empty() || Found.Text.front() == '.' ||
      StringRef(Found.Text).starts_with("*."))
    return "";
  return Found.Text;
}

/// `__omp_offloading_<device>_<file>_<function>_l<line>` and what follows it.
std::string accx::processor::nameOfConstruct(const Function &F) {
  StringRef Rest = F.getName();
  if (Rest.consume_front("__omp_offloading_")) {
    Rest = Rest.split('_').second.split('_').second;
    Rest = Rest.split("_debug__").first.split(".omp_outlined").first;
    const auto [Function, Line] = Rest.rsplit("_l");
    StringRef Digits = Line.take_while(isDigit);
    if (!Function.empty() && !Digits.empty())
      return "the construct at line " + Digits.str() + " of " +
             demangle(Function.str());
  }
  if (const DISubprogram *Program = F.getSubprogram())
    return Program->getName().str();
  return demangle(F.getName().str());
}
