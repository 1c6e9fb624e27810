//===- channel.h - What two processes say to each other ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages over a pair of sockets, with file descriptors. A process whose other
// one is gone ends.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_GPU_CHANNEL_H
#define ACCX_TESTS_GPU_CHANNEL_H

#include "check.h"

#include <cstring>
#include <sys/socket.h>

/// This process's name, and its end.
static const char *Who;
static int Channel;

static inline void gone() {
  std::printf("%s: the other process is gone\n", Who);
  std::exit(1);
}

static inline void send(const void *Data, size_t Size, int Descriptor = -1) {
  iovec Part = {const_cast<void *>(Data), Size};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(int))] = {};
  msghdr M = {};
  M.msg_iov = &Part;
  M.msg_iovlen = 1;
  if (Descriptor >= 0) {
    M.msg_control = Control;
    M.msg_controllen = sizeof(Control);
    cmsghdr *H = CMSG_FIRSTHDR(&M);
    H->cmsg_level = SOL_SOCKET;
    H->cmsg_type = SCM_RIGHTS;
    H->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(H), &Descriptor, sizeof(int));
  }
  if (sendmsg(Channel, &M, MSG_NOSIGNAL) != ssize_t(Size))
    gone();
}

/// Returns the descriptor that came along, or -1.
static inline int receive(void *Data, size_t Size) {
  iovec Part = {Data, Size};
  alignas(cmsghdr) char Control[CMSG_SPACE(sizeof(int))] = {};
  msghdr M = {};
  M.msg_iov = &Part;
  M.msg_iovlen = 1;
  M.msg_control = Control;
  M.msg_controllen = sizeof(Control);
  if (recvmsg(Channel, &M, MSG_WAITALL) != ssize_t(Size))
    gone();
  int Descriptor = -1;
  if (const cmsghdr *H = CMSG_FIRSTHDR(&M))
    std::memcpy(&Descriptor, CMSG_DATA(H), sizeof(int));
  return Descriptor;
}

static inline void say(char C) { send(&C, 1); }
static inline void hear(char C) {
  char Got = 0;
  receive(&Got, 1);
  CHECK(Got == C);
}

#endif // ACCX_TESTS_GPU_CHANNEL_H
