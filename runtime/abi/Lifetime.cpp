//===- Lifetime.cpp - Start and end of the runtime ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Lifetime.h.
//
//===----------------------------------------------------------------------===//

#include "abi/Lifetime.h"

#include "device/DeviceList.h"
#include "mapping/Constructs.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Report.h"
#include "support/Environment.h"

#include <mutex>

using namespace accx;

namespace {

std::mutex Mutex;
unsigned Users = 0;
bool Connected = false;

} // namespace

void accx::retainRuntime() {
  std::lock_guard Lock(Mutex);
  if (Users++ || Connected)
    return;
  Connected = true;
  setInfoLevel(static_cast<uint32_t>(Environment::get().InfoLevel));
  startActivityListeners();
  ompt::connect();
}

void accx::releaseRuntime() {
  std::lock_guard Lock(Mutex);
  if (!Users || --Users)
    return;
  static const Ident Here = {0, 0, 0, 0, ";libomptarget;libomptarget;0;0;;"};
  for (int I = DeviceList::get().count(); I-- > 0;) {
    Device &D = *DeviceList::get().find(I);
    D.drain();
    if (infoEnabled(InfoDumpTable))
      dumpMappings(D, &Here, /*ToStdout=*/false);
  }
  for (int I = 0; I < DeviceList::get().count(); ++I)
    ompt::deviceFinalize(I);
  flushActivityListeners();
}
