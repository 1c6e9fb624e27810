//===- IrType.h - Layouts of types in LLVM IR -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads struct types from a module's text and lays them out as the x86-64 ABI
// does.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_UNIT_ABI_IRTYPE_H
#define ACCX_TESTS_UNIT_ABI_IRTYPE_H

#include <cstddef>
#include <map>
#include <string>
#include <vector>

/// Size and alignment, and the offsets of a struct's members.
struct IrLayout {
  size_t Size = 0;
  size_t Alignment = 1;
  std::vector<size_t> Offsets;
};

/// The named types and declared functions of a module.
class IrModule {
  std::map<std::string, std::string> Types;
  std::map<std::string, std::string> Functions;

public:
  explicit IrModule(const std::vector<std::string> &Lines);

  bool hasType(const std::string &Name) const { return Types.count(Name); }
  /// Layout of the type "%<Name>"; the test fails if there is none.
  IrLayout layout(const std::string &Name) const;
  /// "ret (args)" of a declaration, "" if the module has none.
  std::string signature(const std::string &Function) const;

private:
  IrLayout parse(const std::string &Text, size_t &At) const;
};

#endif // ACCX_TESTS_UNIT_ABI_IRTYPE_H
