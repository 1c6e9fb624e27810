//===- UnitNames.h - Names of what is of one unit alone ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang names a target region after the file, the function and the line that
// it stands in. A static function of a header, a function of an unnamed
// namespace, an instance of a template with such an argument: every unit that
// includes it has one of its own, with its own macros and static variables, and
// all their regions have one name. Linkers then keep one kernel for all. So do
// they with the pointer to a static variable of `declare target link`.
//
//   host    .__omp_offloading_<device>_<file>_<function>_l<line>.region_id
//   device   __omp_offloading_<device>_<file>_<function>_l<line>
//                                      |
//                                      v
//                      a hash of <file> and of the unit
//
// where <function> has internal linkage. What functions of every unit with one
// definition have (inline ones, instances of templates) keeps its name, and
// linkers keep one of it.
//
// The front end leaves the unit's hash in the host's module (Note), where the
// linkage stands, too. Clang hands that module, as it was before any pass, to
// the compilations for devices; there the front end leaves the names that it
// finds in it. So both sides take the same names from the same place, and
// neither changes any without the other.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MARKERS_UNITNAMES_H
#define ACCX_MARKERS_UNITNAMES_H

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace accx::markers {

/// The name of an entry of Clang's table, with the variable that holds it.
struct EntryName {
  llvm::GlobalVariable *Variable;
  llvm::StringRef Text;
};

/// If \p Row is one of the table.
std::optional<EntryName> nameOfEntry(const llvm::GlobalVariable &Row);

/// What the front end leaves in a module, in front of "llvm.commandline": the
/// one thing that Clang writes into a module as it is told, on every side.
namespace note {
/// In the host's module, before the hash.
inline constexpr char Unit[] = "accx-unit ";
/// In a device's module, before the names of UnitNames::text().
inline constexpr char Names[] = "accx-names ";

/// Appends a note to the command line \p Options.
void add(std::string &Options, llvm::StringRef Kind, llvm::StringRef Text);
/// The text of a note, if there is one of that kind.
std::string read(const llvm::Module &M, llvm::StringRef Kind);
/// Whether there were any.
bool remove(llvm::Module &M);
} // namespace note

/// Parts of names, and what they become.
class UnitNames {
public:
  /// Those of a host's module; none if it has no note.
  static UnitNames ofHost(const llvm::Module &Host);
  /// Those of text().
  explicit UnitNames(llvm::StringRef Text);
  std::string text() const;

  bool empty() const { return Parts.empty(); }
  /// \p Old with a part changed; empty if there is none to change.
  std::string renamed(llvm::StringRef Old) const;

private:
  UnitNames() = default;
  void addEntry(const llvm::Module &Host, llvm::StringRef Unit,
                const llvm::GlobalVariable &Row);

  llvm::StringMap<std::string> Parts;
};

} // namespace accx::markers

#endif // ACCX_MARKERS_UNITNAMES_H
