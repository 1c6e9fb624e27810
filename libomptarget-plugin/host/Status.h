//===- Status.h - Error codes with a text -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the host plugin reports failures: a status, and one line of text that the
// failing thread can ask for.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_HOST_STATUS_H
#define ACCX_PLUGIN_HOST_STATUS_H

#include "accx/plugin.h"

namespace accx::host {

/// Records the text of a failure for this thread and returns \p Code.
[[gnu::format(printf, 2, 3), gnu::cold]] accx_status
fail(accx_status Code, const char *Format, ...);

/// The text of this thread's last failure; never null.
const char *lastError();

} // namespace accx::host

#endif // ACCX_PLUGIN_HOST_STATUS_H
