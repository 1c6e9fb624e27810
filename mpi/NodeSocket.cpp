//===- NodeSocket.cpp - Descriptors between ranks of a machine ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One datagram for each offer that has something new: who, which allocations,
// and their descriptors. It is sent before the message that offers them, so it
// is there when that comes. Datagrams of other users are dropped.
//
//===----------------------------------------------------------------------===//

#include "Node.h"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

using namespace accx::mpi;

namespace {

/// The kernel passes no more at once.
constexpr size_t MostDescriptors = 250;

struct Header {
  int Owner;
  unsigned Num;
};

/// A name that no other process has, in this or another container: 64 bits of
/// chance.
bool chooseName(std::string &Name) {
  uint64_t Chance = 0;
  if (getrandom(&Chance, sizeof(Chance), 0) != sizeof(Chance))
    return false;
  char Text[64];
  std::snprintf(Text, sizeof(Text), "accx-mpi.%d.%016llx", int(getpid()),
                static_cast<unsigned long long>(Chance));
  Name = std::string(1, '\0') + Text;
  return true;
}

socklen_t fillAddress(sockaddr_un &To, const std::string &Name) {
  To = {};
  To.sun_family = AF_UNIX;
  std::memcpy(To.sun_path, Name.data(), Name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + Name.size());
}

} // namespace

bool Node::openSocket(std::string &Name) {
  Socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (Socket < 0 || !chooseName(Name))
    return false;
  sockaddr_un Here;
  const socklen_t Length = fillAddress(Here, Name);
  const int On = 1;
  return bind(Socket, reinterpret_cast<sockaddr *>(&Here), Length) == 0 &&
         setsockopt(Socket, SOL_SOCKET, SO_PASSCRED, &On, sizeof(On)) == 0;
}

bool Node::giveDescriptors(int To, const std::vector<accx_share_part> &Parts) {
  const auto Other = Neighbours.find(To);
  if (Other == Neighbours.end())
    return false;
  std::lock_guard Lock(Mutex);
  std::vector<accx_share_part> New;
  std::set<uint64_t> Ids;
  for (const accx_share_part &P : Parts)
    if (!Given.count({To, P.id}) && Ids.insert(P.id).second)
      New.push_back(P);
  if (New.empty())
    return true;
  if (New.size() > MostDescriptors || !sendTo(Other->second.Socket, New))
    return false;
  for (const accx_share_part &P : New)
    Given.insert({To, P.id});
  return true;
}

bool Node::sendTo(const std::string &Name,
                  const std::vector<accx_share_part> &New) {
  Header Head = {Rank, static_cast<unsigned>(New.size())};
  std::vector<uint64_t> Ids;
  std::vector<int> Descriptors;
  for (const accx_share_part &P : New) {
    Ids.push_back(P.id);
    Descriptors.push_back(P.fd);
  }
  iovec Data[2] = {{&Head, sizeof(Head)},
                   {Ids.data(), Ids.size() * sizeof(uint64_t)}};
  const size_t Bytes = Descriptors.size() * sizeof(int);
  std::vector<char> Control(CMSG_SPACE(Bytes));
  sockaddr_un There;
  msghdr Message = {};
  Message.msg_namelen = fillAddress(There, Name);
  Message.msg_name = &There;
  Message.msg_iov = Data;
  Message.msg_iovlen = 2;
  Message.msg_control = Control.data();
  Message.msg_controllen = Control.size();
  cmsghdr *Rights = CMSG_FIRSTHDR(&Message);
  Rights->cmsg_level = SOL_SOCKET;
  Rights->cmsg_type = SCM_RIGHTS;
  Rights->cmsg_len = CMSG_LEN(Bytes);
  std::memcpy(CMSG_DATA(Rights), Descriptors.data(), Bytes);
  // A full queue is a reason to send pieces, not to wait.
  return sendmsg(Socket, &Message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/// False: there is none.
bool Node::receiveOne() {
  Header Head = {};
  uint64_t Ids[MostDescriptors];
  iovec Data[2] = {{&Head, sizeof(Head)}, {Ids, sizeof(Ids)}};
  alignas(cmsghdr) char Control[CMSG_SPACE(MostDescriptors * sizeof(int)) +
                                CMSG_SPACE(sizeof(ucred))];
  msghdr Message = {};
  Message.msg_iov = Data;
  Message.msg_iovlen = 2;
  Message.msg_control = Control;
  Message.msg_controllen = sizeof(Control);
  const ssize_t Got =
      recvmsg(Socket, &Message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (Got < 0)
    return false;
  std::vector<int> Came;
  bool IsOurs = false;
  for (cmsghdr *C = CMSG_FIRSTHDR(&Message); C; C = CMSG_NXTHDR(&Message, C)) {
    if (C->cmsg_level != SOL_SOCKET)
      continue;
    if (C->cmsg_type == SCM_CREDENTIALS) {
      ucred From;
      std::memcpy(&From, CMSG_DATA(C), sizeof(From));
      IsOurs = From.uid == geteuid();
    } else if (C->cmsg_type == SCM_RIGHTS) {
      Came.resize((C->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      std::memcpy(Came.data(), CMSG_DATA(C), Came.size() * sizeof(int));
    }
  }
  IsOurs = IsOurs && Head.Num == Came.size() &&
           size_t(Got) == sizeof(Head) + Came.size() * sizeof(uint64_t);
  for (size_t I = 0; I < Came.size(); ++I)
    if (!IsOurs || !Descriptors.insert({{Head.Owner, Ids[I]}, Came[I]}).second)
      ::close(Came[I]);
  return true;
}

void Node::receiveAll() {
  while (Socket >= 0 && receiveOne())
    ;
}

bool Node::findDescriptors(int Owner, std::vector<accx_share_part> &Parts) {
  std::lock_guard Lock(Mutex);
  receiveAll();
  for (accx_share_part &P : Parts) {
    const auto Found = Descriptors.find({Owner, P.id});
    if (Found == Descriptors.end())
      return false;
    P.fd = Found->second;
  }
  return true;
}

void Node::closeDescriptors(int Owner,
                            const std::vector<accx_share_part> &Parts) {
  std::lock_guard Lock(Mutex);
  for (const accx_share_part &P : Parts) {
    int &Descriptor = Descriptors[{Owner, P.id}];
    if (Descriptor >= 0)
      ::close(Descriptor);
    Descriptor = -1;
  }
}
