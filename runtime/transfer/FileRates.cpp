//===- FileRates.cpp - How fast files were so far -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileRates.h.
//
//===----------------------------------------------------------------------===//

#include "transfer/FileRates.h"

#include <algorithm>

using namespace accx;

namespace {

/// The slower path is tried so often, times how much slower it was: trying
/// costs a sixteenth of the time at most.
constexpr double TryEvery = 16;
constexpr unsigned LongestPause = 1024;
/// Files that are remembered.
constexpr size_t MostFiles = 1024;

} // namespace

FileRates &FileRates::get() {
  static FileRates &All = *new FileRates;
  return All;
}

FilePath FileRates::choose(System Of, const char *&Why) {
  std::lock_guard Lock(Mutex);
  Rates &R = Systems[Of];
  // Reads that are not cached are expected to be faster past the page cache,
  // writes into it.
  const FilePath First = Of.second ? FilePath::Pool : FilePath::Direct;
  const FilePath Second = Of.second ? FilePath::Direct : FilePath::Pool;
  const bool KnowsFirst = (Of.second ? R.Pool : R.Direct) > 0;
  const bool KnowsSecond = (Of.second ? R.Direct : R.Pool) > 0;
  if (!KnowsFirst || !KnowsSecond) {
    Why = "not measured before";
    return KnowsFirst ? Second : First;
  }
  const bool DirectWins = R.Direct > R.Pool;
  const double Ratio = DirectWins ? R.Direct / R.Pool : R.Pool / R.Direct;
  if (++R.Since >= std::min<double>(TryEvery * Ratio, LongestPause)) {
    R.Since = 0;
    Why = "measured again";
    return DirectWins ? FilePath::Pool : FilePath::Direct;
  }
  Why = "faster";
  return DirectWins ? FilePath::Direct : FilePath::Pool;
}

FileRates::Rates FileRates::rates(System Of) {
  std::lock_guard Lock(Mutex);
  return Systems[Of];
}

void FileRates::add(System Of, FilePath P, size_t Bytes, uint64_t Nanoseconds) {
  if (Bytes == 0 || Nanoseconds == 0)
    return;
  const double Rate =
      static_cast<double>(Bytes) / static_cast<double>(Nanoseconds);
  std::lock_guard Lock(Mutex);
  Rates &R = Systems[Of];
  double &Known = P == FilePath::Direct ? R.Direct : R.Pool;
  Known = Known > 0 ? (Known + Rate) / 2 : Rate;
}

uint64_t FileRates::readDirectly(File F) {
  std::lock_guard Lock(Mutex);
  auto Found = Files.find(F);
  return Found == Files.end() ? 0 : Found->second;
}

void FileRates::addReadDirectly(File F, size_t Bytes) {
  std::lock_guard Lock(Mutex);
  if (Files.size() >= MostFiles && !Files.count(F))
    Files.clear();
  Files[F] += Bytes;
}
