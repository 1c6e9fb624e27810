//===- Order.h - Which message may begin ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI keeps messages with the same sender, receiver, tag and communicator in
// order, and long messages are several of them. So of those that could be
// mistaken for each other one begins when the one before is wholly with MPI.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_ORDER_H
#define ACCX_MPI_ORDER_H

#include "Message.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace accx::mpi {

/// Sends: equal destination and tag. Used with the engine.
class SendOrder {
  using Key = std::tuple<MPI_Comm, int, int>;
  std::map<Key, std::vector<const Message *>> Lines;

  static Key keyOf(const Message &M) { return {M.comm(), M.peer(), M.tag()}; }

public:
  static SendOrder &get() {
    static SendOrder &All = *new SendOrder;
    return All;
  }
  void enter(const Message &M) { Lines[keyOf(M)].push_back(&M); }
  bool isFirst(const Message &M) { return Lines[keyOf(M)].front() == &M; }
  /// Nothing if it has left.
  void leave(const Message &M) {
    const auto Line = Lines.find(keyOf(M));
    if (Line == Lines.end())
      return;
    std::erase(Line->second, &M);
    if (Line->second.empty())
      Lines.erase(Line);
  }
};

/// Receives: what one message could match. Used with the engine.
class ReceiveOrder {
  std::map<MPI_Comm, std::vector<const Message *>> Lines;

  static bool overlap(const Message &A, const Message &B) {
    const bool Peers = A.peer() == B.peer() || A.peer() == MPI_ANY_SOURCE ||
                       B.peer() == MPI_ANY_SOURCE;
    const bool Tags =
        A.tag() == B.tag() || A.tag() == MPI_ANY_TAG || B.tag() == MPI_ANY_TAG;
    return Peers && Tags;
  }

public:
  static ReceiveOrder &get() {
    static ReceiveOrder &All = *new ReceiveOrder;
    return All;
  }
  void enter(const Message &M) { Lines[M.comm()].push_back(&M); }
  /// It has left too early.
  void enterAgain(const Message &M) {
    auto &Line = Lines[M.comm()];
    Line.insert(Line.begin(), &M);
  }
  bool isFirst(const Message &M) {
    for (const Message *Other : Lines[M.comm()])
      if (Other == &M || overlap(*Other, M))
        return Other == &M;
    return true;
  }
  void leave(const Message &M) {
    const auto Line = Lines.find(M.comm());
    if (Line == Lines.end())
      return;
    std::erase(Line->second, &M);
    if (Line->second.empty())
      Lines.erase(Line);
  }
};

} // namespace accx::mpi

#endif // ACCX_MPI_ORDER_H
