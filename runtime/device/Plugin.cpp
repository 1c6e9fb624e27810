//===- Plugin.cpp - A loaded device plugin --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugin loading; see Plugin.h.
//
//===----------------------------------------------------------------------===//

#include "device/Plugin.h"

#include "report/Report.h"

#include <dlfcn.h>
#include <unistd.h>

using namespace accx;

namespace {

/// Names of plugins looked for beside the runtime, in the order in which their
/// devices are numbered.
constexpr const char *KnownPlugins[] = {"cuda", "host"};

/// The folder this library was loaded from, with a final slash.
std::string ownFolder() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<const void *>(&ownFolder), &Info) ||
      !Info.dli_fname)
    return "";
  std::string Path = Info.dli_fname;
  size_t Slash = Path.rfind('/');
  return Slash == std::string::npos ? "" : Path.substr(0, Slash + 1);
}

std::string pathOfName(const std::string &Name) {
  return ownFolder() + "libaccx.rtl." + Name + ".so";
}

bool isPath(const std::string &Choice) {
  return Choice.find('/') != std::string::npos ||
         Choice.find(".so") != std::string::npos;
}

ErrorCode codeOf(accx_status Code) {
  switch (Code) {
  case ACCX_ERROR_OUT_OF_MEMORY:
    return ErrorCode::OutOfMemory;
  case ACCX_ERROR_INVALID:
  case ACCX_ERROR_NOT_FOUND:
    return ErrorCode::Invalid;
  case ACCX_ERROR_UNSUPPORTED:
    return ErrorCode::Unsupported;
  case ACCX_ERROR_IMAGE:
    return ErrorCode::Image;
  case ACCX_ERROR_KERNEL:
    return ErrorCode::Kernel;
  case ACCX_ERROR_DEVICE_LOST:
    return ErrorCode::DeviceLost;
  default:
    return ErrorCode::Unknown;
  }
}

} // namespace

Status Plugin::failure(accx_status Code) const {
  const char *Text = Table->last_error();
  return Status(codeOf(Code), Text && *Text ? Text : "no reason given");
}

/// Tables may end before what was added without a new version.
static constexpr size_t OldestSize = offsetof(accx_plugin, queue_adopt);

Expected<std::unique_ptr<Plugin>> Plugin::load(const std::string &Path) {
  void *Handle = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle) {
    const char *Why = dlerror();
    return Status(ErrorCode::Invalid, Why ? Why : "cannot be opened");
  }
  auto Get =
      reinterpret_cast<accx_plugin_get_fn>(dlsym(Handle, ACCX_PLUGIN_ENTRY));
  if (!Get) {
    dlclose(Handle);
    return Status(ErrorCode::Invalid, "it is not an accx device plugin (no "
                                      "symbol " ACCX_PLUGIN_ENTRY ")");
  }
  const char *Why = nullptr;
  const accx_plugin *Table = Get(ACCX_PLUGIN_ABI_VERSION, &Why);
  if (!Table || Table->version != ACCX_PLUGIN_ABI_VERSION ||
      Table->size < OldestSize) {
    std::string Text = "it is of another version: this runtime needs " +
                       std::to_string(ACCX_PLUGIN_ABI_VERSION);
    if (Table)
      Text += ", the plugin has " + std::to_string(Table->version) +
              (Table->size < OldestSize ? " with a shorter table" : "");
    else if (Why)
      Text += std::string("; ") + Why;
    dlclose(Handle);
    return Status(ErrorCode::Invalid, Text);
  }
  uint32_t Count = 0;
  if (Table->init(&Count) != ACCX_OK)
    return Status(ErrorCode::Unknown,
                  std::string("it failed to start: ") + Table->last_error());
  return std::unique_ptr<Plugin>(new Plugin(Table, Path, Count));
}

Expected<accx_queue> Plugin::adoptQueue(accx_device Device,
                                        void *NativeQueue) const {
  if (Table->size <= offsetof(accx_plugin, queue_adopt) || !Table->queue_adopt)
    return Status(ErrorCode::Unsupported, std::string("plugin '") + name() +
                                              "' takes no queues of others");
  accx_queue Queue = nullptr;
  if (Status S = check(Table->queue_adopt(Device, NativeQueue, &Queue));
      S.failed())
    return S;
  return Queue;
}

Expected<void *> Plugin::spreadAlloc(std::span<const accx_device> Devices,
                                     std::span<const accx_spread_part> Parts,
                                     size_t Size) const {
  void *Address = nullptr;
  if (Status S = check(Table->spread_alloc(
          Devices.data(), static_cast<uint32_t>(Devices.size()), Parts.data(),
          static_cast<uint32_t>(Parts.size()), Size, &Address));
      S.failed())
    return S;
  return Address;
}

Expected<accx_exported> Plugin::memoryExport(accx_device Device,
                                             const void *Address) const {
  accx_exported Memory = {};
  if (Status S = check(Table->memory_export(Device, Address, &Memory));
      S.failed())
    return S;
  return Memory;
}

Expected<void *> Plugin::memoryImport(accx_device Device,
                                      const accx_exported &Memory) const {
  void *Address = nullptr;
  if (Status S = check(Table->memory_import(Device, &Memory, &Address));
      S.failed())
    return S;
  return Address;
}

std::vector<std::unique_ptr<Plugin>>
accx::loadPlugins(const std::string &Choice) {
  std::vector<std::unique_ptr<Plugin>> Loaded;
  auto Try = [&](const std::string &Name, const std::string &Path) {
    for (const auto &P : Loaded)
      if (P->path() == Path)
        return;
    auto P = Plugin::load(Path);
    if (P.ok()) {
      Loaded.push_back(std::move(*P));
      return;
    }
    error("device plugin '%s' is not used: %s", Name.c_str(),
          P.takeStatus().text().c_str());
  };

  if (Choice.empty()) {
    bool Any = false;
    for (const char *Name : KnownPlugins) {
      std::string Path = pathOfName(Name);
      if (access(Path.c_str(), R_OK) != 0)
        continue;
      Any = true;
      Try(Name, Path);
    }
    if (!Any)
      error("no device plugin lies beside the runtime in '%s'",
            ownFolder().c_str());
    return Loaded;
  }

  for (size_t Begin = 0; Begin <= Choice.size();) {
    size_t End = std::min(Choice.find(':', Begin), Choice.size());
    std::string Name = Choice.substr(Begin, End - Begin);
    if (!Name.empty())
      Try(Name, isPath(Name) ? Name : pathOfName(Name));
    Begin = End + 1;
  }
  return Loaded;
}
