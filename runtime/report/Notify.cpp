//===- Notify.cpp - Activities as lines on stderr -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ACCX_NOTIFY: "accx notify: device 0 transfer to device 4096 bytes a 1.2 us".
//
//===----------------------------------------------------------------------===//

#include "report/KernelName.h"
#include "report/Listeners.h"
#include "support/Output.h"

#include <cstdio>
#include <unistd.h>

using namespace accx;

void accx::notifyActivity(const FinishedActivity &Activity) {
  const ActivityInfo &Info = Activity.Info;
  std::string Line = "accx notify: ";
  if (Info.Device >= 0)
    Line += "device " + std::to_string(Info.Device) + " ";

  // "wait for queue" says its kind itself.
  const std::string_view Kind = kindName(Activity.Kind);
  const std::string_view What = whatName(Info);
  if (!What.starts_with(Kind))
    Line.append(Kind).append(What.empty() ? "" : " ");
  Line.append(What);

  if (Info.Bytes != 0)
    Line += " " + std::to_string(Info.Bytes) + " bytes";
  if (Info.Kernel)
    Line += " " + kernelLabel(Info.Kernel, Info.Loc);
  if (Info.ItemName)
    Line += " " + itemName(Info.ItemName);
  if (SourceLocation At = SourceLocation::ofConstruct(Info.Loc);
      At.Known && !Info.Kernel)
    Line += " at " + At.text();
  if (!Info.Detail.empty())
    Line.append(" (").append(Info.Detail).append(")");
  if (Info.Queue != 0)
    Line += " queue " + std::to_string(Info.Queue);

  char Time[40];
  snprintf(Time, sizeof(Time), " %.1f us\n",
           static_cast<double>(Activity.Nanoseconds) / 1e3);
  Line += Time;
  writeBytes(STDERR_FILENO, Line.data(), Line.size());
}
