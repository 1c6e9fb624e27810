//===- Plugin.h - A loaded device plugin ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, loads and checks device plugins, and turns their status codes into
// Status values.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_DEVICE_PLUGIN_H
#define ACCX_DEVICE_PLUGIN_H

#include "accx/plugin.h"
#include "support/Error.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace accx {

/// A plugin that was loaded and started. Lives until the process ends:
/// unloading device code while threads may still return into it is not worth
/// the memory it would free.
class Plugin {
  const accx_plugin *Table;
  std::string Path;
  uint32_t NumDevices;

  Plugin(const accx_plugin *Table, std::string Path, uint32_t NumDevices)
      : Table(Table), Path(std::move(Path)), NumDevices(NumDevices) {}

public:
  /// Opens the shared object at \p Path, checks its version and starts it.
  static Expected<std::unique_ptr<Plugin>> load(const std::string &Path);

  const accx_plugin &api() const { return *Table; }
  const char *name() const { return Table->name; }
  /// Makes a queue of the device's native one; see accx_plugin::queue_adopt.
  Expected<accx_queue> adoptQueue(accx_device Device, void *NativeQueue) const;
  /// See accx_plugin::reads_at_once.
  bool readsAtOnce(accx_device Device, const void *Host, size_t Size) const {
    return Table->size > offsetof(accx_plugin, reads_at_once) &&
           Table->reads_at_once && Table->reads_at_once(Device, Host, Size);
  }
  /// \name Spread arrays; see accx_plugin::spread_alloc
  /// @{
  bool spreads() const {
    return Table->size > offsetof(accx_plugin, spread_free) &&
           Table->spread_alloc && Table->spread_free;
  }
  Expected<void *> spreadAlloc(std::span<const accx_device> Devices,
                               std::span<const accx_spread_part> Parts,
                               size_t Size) const;
  Status spreadFree(accx_device First, void *Address) const {
    return check(Table->spread_free(First, Address));
  }
  /// @}
  /// \name Memory that processes have in common
  /// Call only if canShare(): plugins whose memory the host reaches, and older
  /// ones, have none of these.
  /// @{
  bool canShare() const {
    return Table->size > offsetof(accx_plugin, memory_close) &&
           Table->memory_find && Table->memory_export && Table->memory_import &&
           Table->memory_close;
  }
  /// Whether all \p Size bytes are memory of \p Device; also for hosts'
  /// addresses.
  bool holds(accx_device Device, const void *Address, size_t Size) const {
    return Table->memory_find(Device, Address, Size) == ACCX_OK;
  }
  Expected<accx_exported> memoryExport(accx_device Device,
                                       const void *Address) const;
  /// Where the memory begins on \p Device.
  Expected<void *> memoryImport(accx_device Device,
                                const accx_exported &Memory) const;
  Status memoryClose(accx_device Device, void *Address) const {
    return check(Table->memory_close(Device, Address));
  }
  /// @}
  /// See accx_plugin::graph_kernels.
  uint64_t graphKernels(accx_device Device) const {
    return Table->size > offsetof(accx_plugin, graph_kernels) &&
                   Table->graph_kernels
               ? Table->graph_kernels(Device)
               : 0;
  }
  /// Whether launches may be put off until queueStart().
  bool putsOff() const {
    return Table->size > offsetof(accx_plugin, queue_start) &&
           Table->queue_start;
  }
  Status queueStart(accx_queue Queue) const {
    return check(Table->queue_start(Queue));
  }
  /// Whether queues of its devices wait for each other by queuesMeet().
  bool queuesMeet() const {
    return Table->size > offsetof(accx_plugin, queues_meet) &&
           Table->queues_meet;
  }
  Status queuesMeet(std::span<const accx_queue> Queues) const {
    return check(Table->queues_meet(Queues.data(),
                                    static_cast<uint32_t>(Queues.size())));
  }
  Status queueCheck(accx_queue Queue) const {
    return check(Table->queue_check(Queue));
  }
  /// \p Copy, to a peer, which may wait if the plugin lets copies wait.
  Status copyLater(accx_device Device, accx_queue Queue,
                   const accx_copy &Copy) const {
    const auto Later = Table->size > offsetof(accx_plugin, copy_later)
                           ? Table->copy_later
                           : nullptr;
    return check((Later ? Later : Table->copy)(Device, Queue, &Copy));
  }
  const std::string &path() const { return Path; }
  uint32_t numDevices() const { return NumDevices; }

  /// Success, or the plugin's own words for the failure.
  Status check(accx_status Code) const {
    return Code == ACCX_OK ? Status() : failure(Code);
  }
  void stop() { Table->fini(); }

private:
  [[gnu::cold]] Status failure(accx_status Code) const;
};

/// Loads the plugins that \p Choice names (LIBOMPTARGET_PLUGIN: paths or names,
/// separated by colons), or, if it is empty, every known plugin that lies
/// beside this library and has a device, GPUs first. Each plugin that cannot be
/// used gets one line on stderr that says which and why.
std::vector<std::unique_ptr<Plugin>> loadPlugins(const std::string &Choice);

} // namespace accx

#endif // ACCX_DEVICE_PLUGIN_H
