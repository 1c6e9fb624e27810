//===- Bases.cpp - Entries of one array -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeping the lists of entries with the same base.
//
//===----------------------------------------------------------------------===//

#include "directory/Bases.h"

namespace accx {

void Bases::add(Node *N) {
  if (!N->Base || !N->Where)
    return;
  BaseGroup *Head = find(N->Base);
  BaseGroup *G = Head;
  while (G && G->Where != N->Where)
    G = G->Next;
  if (!G) {
    G = Storage.create();
    *G = {N->Base, N->Where, nullptr, nullptr};
    if (Head) {
      G->Next = Head->Next;
      Head->Next = G;
    } else {
      Groups.insert(hashOf(G->Base, 0), G);
    }
  }
  N->Mates = G;
  N->PrevMate = nullptr;
  N->NextMate = G->First;
  if (G->First)
    G->First->PrevMate = N;
  G->First = N;
}

void Bases::remove(Node *N) {
  BaseGroup *G = N->Mates;
  if (!G)
    return;
  N->Mates = nullptr;
  (N->PrevMate ? N->PrevMate->NextMate : G->First) = N->NextMate;
  if (N->NextMate)
    N->NextMate->PrevMate = N->PrevMate;
  if (G->First)
    return;
  BaseGroup *Head = find(G->Base);
  if (Head == G) {
    Groups.erase(hashOf(G->Base, 0), G);
    if (G->Next)
      Groups.insert(hashOf(G->Base, 0), G->Next);
  } else {
    while (Head->Next != G)
      Head = Head->Next;
    Head->Next = G->Next;
  }
  Storage.destroy(G);
}

} // namespace accx
