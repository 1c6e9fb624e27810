//===- BrokenPlugin.cpp - Plugins that cannot be used ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One source for several plugins, each of which the runtime must turn down in
// its own words; which one it becomes is chosen by a macro.
//
//===----------------------------------------------------------------------===//

#include "accx/plugin.h"

namespace {

[[maybe_unused]] accx_status failToStart(uint32_t *) {
  return ACCX_ERROR_UNKNOWN;
}
[[maybe_unused]] const char *reason() {
  return "the coffee machine is out of beans";
}

[[maybe_unused]] accx_plugin table() {
  accx_plugin Table = {};
  Table.version = ACCX_PLUGIN_ABI_VERSION;
  Table.size = sizeof(accx_plugin);
  Table.name = "broken";
  Table.init = failToStart;
  Table.last_error = reason;
  return Table;
}

} // namespace

#ifndef BROKEN_NO_SYMBOL
extern "C" [[gnu::visibility("default")]] const accx_plugin *
accx_plugin_get(uint32_t, const char **Why) {
#ifdef BROKEN_REFUSES
  if (Why)
    *Why = "this plugin speaks version 7 only";
  return nullptr;
#else
  static accx_plugin Table = table();
#if defined(BROKEN_OTHER_VERSION)
  Table.version = ACCX_PLUGIN_ABI_VERSION + 1;
#elif defined(BROKEN_SHORT_TABLE)
  Table.size = offsetof(accx_plugin, native_handles);
#elif !defined(BROKEN_DOES_NOT_START)
#error "choose what is broken"
#endif
  return &Table;
#endif
}
#endif
