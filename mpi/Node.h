//===- Node.h - Ranks of the same machine -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks tell one another beside the program's messages, so that one can
// copy from the other's device memory: descriptors of allocations through a
// socket of the machine, answers through a communicator of the library's own.
// Both are set up in MPI_Init, the one point where all ranks come by.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_MPI_NODE_H
#define ACCX_MPI_NODE_H

#include "Wire.h"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace accx::mpi {

/// Has MPI_Finalize end the engine first, also where the program's call of that
/// does not come by this library. In MPI_Init, or with the first message.
void closeAtFinalize();

class Node {
public:
  static Node &get();

  /// In MPI_Init, on all ranks. Without it nothing is offered.
  void open();
  void close();

  /// Of this process, among all.
  int rank() const { return Rank; }
  MPI_Comm control() const { return Control; }
  /// Marks what this process sends as the library's own; see Wire.h.
  void sign(Trailer &End) const;
  /// Whether \p End was signed by a neighbour.
  bool isSigned(const Trailer &End) const;
  bool hasNeighbours() const { return !Neighbours.empty(); }
  /// The rank among all of a communicator's rank, if its process can be offered
  /// memory; -1 otherwise. Calls MPI.
  int neighbour(MPI_Comm Comm, int Peer) const;
  /// A tag for the answer.
  uint32_t nextOffer();

  /// Gives rank \p To what it needs to map \p Parts and has not got. Never
  /// blocks; false: that did not work. Thread-safe.
  bool giveDescriptors(int To, const std::vector<accx_share_part> &Parts);
  /// Sets `fd` of parts that rank \p Owner has given; false: one is missing.
  bool findDescriptors(int Owner, std::vector<accx_share_part> &Parts);
  /// They are mapped: -1 from now on.
  void closeDescriptors(int Owner, const std::vector<accx_share_part> &Parts);

private:
  Node() = default;
  bool openSocket(std::string &Name);
  bool sendTo(const std::string &Name, const std::vector<accx_share_part> &New);
  void receiveAll();
  bool receiveOne();

  int Rank = -1;
  int LargestTag = 0;
  uint32_t Offers = 0;
  MPI_Comm Control = MPI_COMM_NULL;
  int Socket = -1;
  using Key = std::array<uint64_t, 2>;
  struct Neighbour {
    std::string Socket;
    Key Own;
  };
  Key Mine = {};
  /// By rank; of this machine only. Set by open().
  std::map<int, Neighbour> Neighbours;
  std::mutex Mutex; ///< Guards what follows.
  std::set<std::pair<int, uint64_t>> Given;
  std::map<std::pair<int, uint64_t>, int> Descriptors;
};

} // namespace accx::mpi

#endif // ACCX_MPI_NODE_H
