//===- Times.cpp - A table of where the time went -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ACCX_TIME: activities summed by kernel, by variable and direction, by wait
// and by construct, for each device.
//
//===----------------------------------------------------------------------===//

#include "report/KernelName.h"
#include "report/Listeners.h"
#include "support/Output.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <unistd.h>
#include <vector>

using namespace accx;

namespace {

struct Row {
  std::string Name;
  uint64_t Count = 0, Bytes = 0;
  uint64_t Total = 0, Shortest = UINT64_MAX, Longest = 0; ///< Nanoseconds.

  void add(uint64_t Time, uint64_t Size) {
    ++Count;
    Bytes += Size;
    Total += Time;
    Shortest = std::min(Shortest, Time);
    Longest = std::max(Longest, Time);
  }
};

enum Section { Kernels, Transfers, Waits, Constructs, NumSections };

struct Table {
  std::map<std::string, Row> Rows[NumSections];
};

constinit std::mutex Mutex;
/// By device; never destroyed, as work may go on while the process ends.
std::map<int, Table> *Tables = nullptr;
bool Changed = false;

/// At most \p Width characters, with blanks up to there.
std::string fitted(std::string Text, size_t Width) {
  if (Text.size() > Width)
    Text = Text.substr(0, Width - 3) + "...";
  Text.resize(Width, ' ');
  return Text;
}

std::string nameOf(const FinishedActivity &Activity) {
  const ActivityInfo &Info = Activity.Info;
  if (Info.Kernel)
    return kernelLabel(Info.Kernel, Info.Loc);
  if (Activity.Kind == ActivityKind::Transfer) {
    std::string Name = fitted(std::string(whatName(Info)), 14);
    if (!Info.ItemName)
      return Name + "(no variable)";
    const SourceLocation Item = SourceLocation::ofItem(Info.ItemName);
    Name.append(Item.Name);
    if (Item.Known)
      Name.append(" (")
          .append(Item.File)
          .append(":")
          .append(std::to_string(Item.Line))
          .append(")");
    return Name;
  }
  std::string Name;
  if (const SourceLocation At = SourceLocation::ofConstruct(Info.Loc); At.Known)
    Name.append(At.File)
        .append(":")
        .append(std::to_string(At.Line))
        .append(" ");
  return Name.append(whatName(Info));
}

constexpr size_t NameWidth = 44;

std::string line(Section S, const Row &R) {
  char Text[160];
  const double Total = static_cast<double>(R.Total);
  if (S == Transfers)
    snprintf(Text, sizeof(Text), "%9llu %11.3f %11.3f %9.2f",
             static_cast<unsigned long long>(R.Count), Total / 1e6,
             static_cast<double>(R.Bytes) / 1e6,
             R.Total ? static_cast<double>(R.Bytes) / Total : 0.0);
  else
    snprintf(Text, sizeof(Text), "%9llu %11.3f %11.1f %9.1f %9.1f",
             static_cast<unsigned long long>(R.Count), Total / 1e6,
             Total / 1e3 / static_cast<double>(R.Count),
             static_cast<double>(R.Shortest) / 1e3,
             static_cast<double>(R.Longest) / 1e3);
  return "    " + fitted(R.Name, NameWidth) + Text + "\n";
}

std::string heading(Section S) {
  constexpr const char *Names[] = {"kernels", "transfers", "waits",
                                   "constructs"};
  constexpr const char *Counts[] = {"launches", "copies", "waits", "times"};
  char Text[160];
  if (S == Transfers)
    snprintf(Text, sizeof(Text), "  %-46s%9s %11s %11s %9s\n", Names[S],
             Counts[S], "total ms", "MB", "GB/s");
  else
    snprintf(Text, sizeof(Text), "  %-46s%9s %11s %11s %9s %9s\n", Names[S],
             Counts[S], "total ms", "mean us", "min us", "max us");
  return Text;
}

/// Longest times first.
std::string text(const Table &T) {
  std::string Text;
  for (int S = 0; S < NumSections; ++S) {
    std::vector<const Row *> Rows;
    for (const auto &[Key, R] : T.Rows[S])
      Rows.push_back(&R);
    std::sort(Rows.begin(), Rows.end(), [](const Row *A, const Row *B) {
      return A->Total != B->Total ? A->Total > B->Total : A->Name < B->Name;
    });
    if (!Rows.empty())
      Text += heading(static_cast<Section>(S));
    for (const Row *R : Rows)
      Text += line(static_cast<Section>(S), *R);
  }
  return Text;
}

uint64_t sum(const std::map<std::string, Row> &Rows) {
  uint64_t Total = 0;
  for (const auto &[Key, R] : Rows)
    Total += R.Total;
  return Total;
}

} // namespace

void accx::timeActivity(const FinishedActivity &Activity) {
  Section S = Kernels;
  switch (Activity.Kind) {
  case ActivityKind::Launch:
    break;
  case ActivityKind::Transfer:
    S = Transfers;
    break;
  case ActivityKind::Wait:
    S = Waits;
    break;
  case ActivityKind::Region:
    S = Constructs;
    break;
  case ActivityKind::Allocation:
    return;
  }
  std::string Name = nameOf(Activity);
  std::lock_guard Lock(Mutex);
  if (!Tables)
    Tables = new std::map<int, Table>;
  Row &R = (*Tables)[Activity.Info.Device].Rows[S][Name];
  R.Name = std::move(Name);
  R.add(Activity.Nanoseconds, Activity.Info.Bytes);
  Changed = true;
}

void accx::printTimes() {
  std::lock_guard Lock(Mutex);
  if (!Tables || !Changed)
    return;
  Changed = false;
  std::string Text;
  for (const auto &[Device, T] : *Tables) {
    char Head[160];
    snprintf(Head, sizeof(Head),
             "kernels %.3f ms, transfers %.3f ms, waits %.3f ms\n",
             static_cast<double>(sum(T.Rows[Kernels])) / 1e6,
             static_cast<double>(sum(T.Rows[Transfers])) / 1e6,
             static_cast<double>(sum(T.Rows[Waits])) / 1e6);
    Text += "accx time: " +
            (Device < 0 ? std::string("no device")
                        : "device " + std::to_string(Device)) +
            ": " + Head + text(T);
  }
  writeBytes(STDERR_FILENO, Text.data(), Text.size());
}
