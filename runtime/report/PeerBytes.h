//===- PeerBytes.h - Bytes between each two devices -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts what devices copied to one another, for the trace's counters and the
// totals. Thread-safe.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_PEERBYTES_H
#define ACCX_REPORT_PEERBYTES_H

#include <cstdint>
#include <string>

namespace accx {

/// Adds a copy and gives the bytes from \p From to \p To so far.
uint64_t addPeerBytes(int From, int To, uint64_t Bytes);

/// " peer_bytes_to_<device>=<bytes>" for each device that \p From copied to.
std::string peerBytesText(int From);

} // namespace accx

#endif // ACCX_REPORT_PEERBYTES_H
