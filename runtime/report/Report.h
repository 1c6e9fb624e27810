//===- Report.h - Messages to the user --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts that go to stderr: errors, fatal errors and LIBOMPTARGET_INFO, in
// the formats tools and tests know from LLVM's runtime.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_REPORT_REPORT_H
#define ACCX_REPORT_REPORT_H

#include <atomic>
#include <cstdint>

namespace accx {

/// Bits of LIBOMPTARGET_INFO, as LLVM defines them.
enum InfoBits : uint32_t {
  InfoKernelArgs = 0x0001,
  InfoMappingExists = 0x0002,
  InfoDumpTable = 0x0004,
  InfoMappingChanged = 0x0008,
  InfoPluginKernel = 0x0010,
  InfoDataTransfer = 0x0020,
  InfoEmptyMapping = 0x0040,
  InfoAll = 0xffffffff
};

namespace detail {
extern std::atomic<uint32_t> InfoLevel;
} // namespace detail

inline bool infoEnabled(uint32_t Bits) {
  return detail::InfoLevel.load(std::memory_order_relaxed) & Bits;
}
void setInfoLevel(uint32_t Level);

/// Prints "omptarget device <Device> info: " and the text, and ends the line if
/// the text does not. Ask infoEnabled() first. Formats are printf's; each call
/// is one write, so lines of several threads do not mix.
[[gnu::format(printf, 2, 3)]] void info(int Device, const char *Format, ...);
/// The same to stdout, in order with what the program prints there; the text
/// ends the line. For tables that the program asks for.
[[gnu::format(printf, 2, 3)]] void infoToOutput(int Device, const char *Format,
                                                ...);
/// Prints "omptarget message: " and the text, and ends the line.
[[gnu::format(printf, 1, 2)]] void message(const char *Format, ...);
/// Prints "omptarget error: ", in OpenACC programs "accx error: ", and the
/// text, and ends the line if the text does not.
[[gnu::format(printf, 1, 2)]] void error(const char *Format, ...);
/// Prints "omptarget fatal error <Number>: " and the text, and aborts.
[[noreturn, gnu::format(printf, 2, 3)]] void fatal(int Number,
                                                   const char *Format, ...);
/// Whether OpenACC's words are the program's: the front end left its mark in
/// the program, or in a library that it was linked with.
bool openAccProgram();

/// Prints the text as it is.
[[gnu::format(printf, 1, 2)]] void plain(const char *Format, ...);

} // namespace accx

#endif // ACCX_REPORT_REPORT_H
