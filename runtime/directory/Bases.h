//===- Bases.h - Entries of one array ---------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which entries have the same base address, home by home.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DIRECTORY_BASES_H
#define ACCX_DIRECTORY_BASES_H

#include "directory/Entries.h"

namespace accx {

/// The entries with one base in one home.
struct BaseGroup {
  uintptr_t Base;
  Home *Where;
  Node *First;
  BaseGroup *Next; ///< The same base in another home.
};

/// Only entries with a base and a home are listed.
class Bases {
public:
  void add(Node *N);
  void remove(Node *N);
  BaseGroup *find(uintptr_t Base) const {
    return Groups.find(hashOf(Base, 0),
                       [&](const BaseGroup *G) { return G->Base == Base; });
  }

private:
  Table<BaseGroup> Groups;
  Pool<BaseGroup> Storage;
};

} // namespace accx

#endif // ACCX_DIRECTORY_BASES_H
