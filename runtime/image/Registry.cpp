//===- Registry.cpp - Registered programs and their images ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Registry.h.
//
//===----------------------------------------------------------------------===//

#include "image/Registry.h"

#include "device/DeviceList.h"
#include "report/Activity.h"
#include "report/Ompt.h"
#include "report/Report.h"
#include "support/Environment.h"
#include "support/ReadOnlyMemory.h"

#include <algorithm>
#include <link.h>
#include <span>

using namespace accx;

Registry &Registry::get() {
  // Never destroyed: images unregister themselves while the process exits.
  static Registry *R = new Registry;
  return *R;
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

void Registry::loadPluginsOnce() {
  if (PluginsLoaded)
    return;
  PluginsLoaded = true;
  Plugins = loadPlugins(Environment::get().Plugins);
}

void Registry::startPlugins() {
  std::lock_guard Lock(Mutex);
  loadPluginsOnce();
}

void Registry::addRequirements(const BinaryDesc &Desc) {
  static constexpr struct {
    int32_t Bit;
    const char *Clause;
  } Clauses[] = {{RequiresReverseOffload, "reverse_offload"},
                 {RequiresUnifiedAddress, "unified_address"},
                 {RequiresUnifiedSharedMemory, "unified_shared_memory"},
                 {RequiresDynamicAllocators, "dynamic_allocators"}};
  for (OffloadEntry *E = Desc.HostEntriesBegin; E != Desc.HostEntriesEnd; ++E) {
    if (E->Flags != OffloadEntry::RegisterRequires)
      continue;
    int32_t Before = Requirements.load(std::memory_order_relaxed);
    if (!Before) {
      Requirements.store(E->Data, std::memory_order_relaxed);
      continue;
    }
    for (const auto &C : Clauses)
      if ((Before ^ E->Data) & C.Bit)
        fatal(2, "'#pragma omp requires %s' not used consistently!", C.Clause);
  }
}

void Registry::matchImages(Library &L) {
  for (int32_t I = 0; I < L.Desc->NumDeviceImages; ++I) {
    const DeviceImage &Image = L.Desc->DeviceImages[I];
    const auto *Start = static_cast<const char *>(Image.ImageStart);
    const size_t Size = static_cast<const char *>(Image.ImageEnd) - Start;
    bool Used = false;
    for (auto &P : Plugins) {
      for (uint32_t Ordinal = 0; Ordinal < P->numDevices(); ++Ordinal) {
        Device *&D = Opened[{P.get(), Ordinal}];
        accx_device Handle = D ? D->handle() : nullptr;
        std::unique_ptr<Device> New;
        if (!D) {
          auto Result = Device::open(*P, Ordinal, DeviceList::get().count());
          if (!Result.ok()) {
            error("device %u of plugin '%s' is not used: %s", Ordinal,
                  P->name(), Result.takeStatus().text().c_str());
            continue;
          }
          New = std::move(*Result);
          Handle = New->handle();
        }
        accx_status Code = P->api().image_check(Handle, Start, Size);
        if (Code != ACCX_OK) {
          UnusedWhy = std::string("plugin '") + P->name() +
                      "': " + P->check(Code).text();
          if (New)
            P->api().device_close(Handle);
          continue;
        }
        if (New) {
          Device *Raw = New.get();
          if (!DeviceList::get().add(std::move(New))) {
            error("more than %d devices; the rest is not used",
                  DeviceList::MaxDevices);
            continue;
          }
          D = Raw;
          ompt::deviceInitialize(D->id(), D->info().name);
        }
        L.ImageOf.insert_or_assign(D->id(), &Image);
        Used = true;
      }
    }
    Unused += !Used;
  }
}

void Registry::add(BinaryDesc *Desc) {
  Filled.store(true, std::memory_order_relaxed);
  renewReadOnly();
  std::lock_guard Lock(Mutex);
  addRequirements(*Desc);
  auto L = std::make_shared<Library>();
  L->Desc = Desc;
  if (Desc->NumDeviceImages) {
    loadPluginsOnce();
    matchImages(*L);
  }
  Libraries.push_back(std::move(L));
  Epoch.fetch_add(1, std::memory_order_release);
}

/// The addresses of the library that \p Inside lies in; empty for the program
/// itself, which is never unloaded.
static HostRange libraryAround(const void *Inside) {
  struct Search {
    uintptr_t Inside;
    HostRange Found;
  } Wanted = {reinterpret_cast<uintptr_t>(Inside), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *Object, size_t, void *Data) {
        auto &Wanted = *static_cast<Search *>(Data);
        HostRange All = {UINTPTR_MAX, 0};
        for (const auto &P : std::span(Object->dlpi_phdr, Object->dlpi_phnum)) {
          if (P.p_type != PT_LOAD)
            continue;
          All.Begin =
              std::min<uintptr_t>(All.Begin, Object->dlpi_addr + P.p_vaddr);
          All.End = std::max<uintptr_t>(All.End, Object->dlpi_addr + P.p_vaddr +
                                                     P.p_memsz);
        }
        if (Wanted.Inside < All.Begin || Wanted.Inside >= All.End)
          return 0;
        if (Object->dlpi_name && *Object->dlpi_name)
          Wanted.Found = All;
        return 1;
      },
      &Wanted);
  return Wanted.Found;
}

void Registry::remove(BinaryDesc *Desc) {
  const HostRange Leaves = libraryAround(Desc);
  for (int I = 0; I < DeviceList::get().count(); ++I) {
    Device &D = *DeviceList::get().find(I);
    D.drain();
    if (Leaves.empty())
      continue;
    std::lock_guard Lock(D.MapMutex);
    D.Maps.keepTexts(Leaves);
  }
  {
    std::lock_guard Lock(Mutex);
    auto It = std::find_if(Libraries.begin(), Libraries.end(),
                           [&](const auto &L) { return L->Desc == Desc; });
    if (It == Libraries.end())
      return;
    std::shared_ptr<Library> L = std::move(*It);
    Libraries.erase(It);
    L->Removed = true;
    for (auto &[Id, Image] : L->Loaded) {
      Device &D = *DeviceList::get().find(Id);
      publishKernels(D);
      forgetGlobals(D, Image);
      Leaving.push_back({&D, std::move(Image)});
    }
  }
  unloadLeaving();
}

size_t Registry::unusedImages(std::string &Why) {
  std::lock_guard Lock(Mutex);
  Why = UnusedWhy;
  return Unused;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

struct Registry::LoadJob {
  struct Global {
    size_t Entry; ///< Index in the library's table.
    std::string Name;
    size_t Size;
    bool Indirect;
    uintptr_t Address = 0;
  };
  std::shared_ptr<Library> L;
  std::vector<char> Bytes;
  std::vector<Global> Globals;
  accx_image Image = nullptr;
};

Status Registry::load(Device &D) {
  if (unifiedSharedMemory() && !D.unified() &&
      !(D.info().features & ACCX_FEATURE_USM))
    return Status(ErrorCode::Unsupported,
                  "the program requires unified_shared_memory, and device " +
                      std::to_string(D.id()) +
                      " cannot access the host's pageable memory");
  Status Result;
  {
    std::lock_guard Loading(LoadMutex);
    while (Result.ok()) {
      LoadJob Job;
      auto More = nextJob(D, Job);
      if (!More.ok())
        Result = More.takeStatus();
      else if (!*More)
        break;
      else if (Result = loadImage(D, Job); Result.ok())
        Result = adopt(D, Job);
    }
  }
  unloadLeaving();
  return Result;
}

Expected<bool> Registry::nextJob(Device &D, LoadJob &Job) {
  std::lock_guard Lock(Mutex);
  for (auto &L : Libraries) {
    const BinaryDesc &Desc = *L->Desc;
    // A library without entries has nothing that could be used.
    if (Desc.HostEntriesBegin == Desc.HostEntriesEnd || L->Loaded.count(D.id()))
      continue;
    auto Image = L->ImageOf.find(D.id());
    if (Image == L->ImageOf.end())
      return Status(ErrorCode::Image,
                    "no image for device " + std::to_string(D.id()) +
                        (UnusedWhy.empty() ? "" : ": " + UnusedWhy));
    Job.L = L;
    Job.Bytes.assign(static_cast<const char *>(Image->second->ImageStart),
                     static_cast<const char *>(Image->second->ImageEnd));
    for (const OffloadEntry *E = Desc.HostEntriesBegin;
         E != Desc.HostEntriesEnd; ++E)
      if (E->Flags != OffloadEntry::RegisterRequires && E->Address && E->Size)
        Job.Globals.push_back({static_cast<size_t>(E - Desc.HostEntriesBegin),
                               E->Name, E->Size,
                               (E->Flags & OffloadEntry::Indirect) != 0});
    return true;
  }
  publishKernels(D);
  D.LoadedEpoch.store(Epoch.load(std::memory_order_acquire),
                      std::memory_order_release);
  return false;
}

Status Registry::loadImage(Device &D, LoadJob &Job) {
  const accx_plugin &Api = D.plugin().api();
  if (Status S = D.plugin().check(Api.image_load(D.handle(), Job.Bytes.data(),
                                                 Job.Bytes.size(), &Job.Image));
      S.failed())
    return std::move(S).within("failed to load image");
  ompt::deviceLoad(D.id(), "", Job.Bytes.data(), Job.Bytes.size());

  auto Resolve = [&](LoadJob::Global &G) {
    void *Address = nullptr;
    size_t Size = 0;
    if (Status S = D.plugin().check(
            Api.image_global(Job.Image, G.Name.c_str(), &Address, &Size));
        S.failed())
      return S;
    if (Size && Size < G.Size)
      return Status(ErrorCode::Image, "it has " + std::to_string(Size) +
                                          " bytes in the image, but " +
                                          std::to_string(G.Size) +
                                          " in the program");
    G.Address = reinterpret_cast<uintptr_t>(Address);
    // The symbol of an indirect function is a pointer to the device's function.
    if (G.Indirect)
      return D.fromDevice(nullptr, &G.Address, G.Address, sizeof(G.Address));
    return Status();
  };
  for (LoadJob::Global &G : Job.Globals)
    if (Status S = Resolve(G); S.failed()) {
      Api.image_unload(Job.Image);
      return std::move(S).within("global '" + G.Name + "'");
    }
  return Status();
}

Status Registry::adopt(Device &D, LoadJob &Job) {
  std::lock_guard Lock(Mutex);
  LoadedImage Image;
  Image.Image = Job.Image;
  if (Job.L->Removed) {
    Leaving.push_back({&D, std::move(Image)});
    return Status();
  }
  const BinaryDesc &Desc = *Job.L->Desc;
  for (const LoadJob::Global &G : Job.Globals)
    if (Status S =
            mapGlobal(D, Image, Desc.HostEntriesBegin[G.Entry], G.Address);
        S.failed()) {
      forgetGlobals(D, Image);
      Leaving.push_back({&D, std::move(Image)});
      return std::move(S).within("global '" + G.Name + "'");
    }
  for (const OffloadEntry *E = Desc.HostEntriesBegin; E != Desc.HostEntriesEnd;
       ++E)
    if (E->Flags != OffloadEntry::RegisterRequires && E->Address && !E->Size)
      Image.Kernels.push_back(std::make_unique<Kernel>(D, Image.Image, *E));
  Job.L->Loaded[D.id()] = std::move(Image);
  if (Environment::get().DumpEntries == D.id())
    dumpEntries(*Job.L);
  return Status();
}

Status Registry::mapGlobal(Device &D, LoadedImage &Image,
                           const OffloadEntry &Entry, uintptr_t Address) {
  // Under unified memory the device's variable is a reference to the host's.
  if (sharesMemory(D) && !(Entry.Flags & OffloadEntry::Indirect))
    if (Status S = D.toDevice(nullptr, Address, Entry.Address, Entry.Size);
        S.failed())
      return S;

  const auto Begin = reinterpret_cast<uintptr_t>(Entry.Address);
  const HostRange Range = {Begin, Begin + Entry.Size};
  std::lock_guard Lock(D.MapMutex);
  // Weak variables and inline functions come once with every library that has
  // them; the first one wins, as it does on the host.
  if (D.Maps.find(Range))
    return Status();
  if (Status S = D.Maps.associate(Range, Address, Entry.Name, false);
      S.failed())
    return S;
  Image.Globals.push_back(Range);
  return Status();
}

void Registry::forgetGlobals(Device &D, LoadedImage &Image) {
  std::lock_guard Lock(D.MapMutex);
  for (HostRange R : Image.Globals)
    D.Maps.forget(R);
  D.notifyMapChanged();
}

void Registry::unloadLeaving() {
  // A thread that finds LoadMutex taken leaves its images to the holder, who
  // looks again after giving the mutex back.
  while (true) {
    {
      std::unique_lock Loading(LoadMutex, std::try_to_lock);
      if (!Loading.owns_lock())
        return;
      std::vector<LeavingImage> Now;
      {
        std::lock_guard Lock(Mutex);
        Now.swap(Leaving);
      }
      for (LeavingImage &I : Now)
        if (Status S = I.D->plugin().check(
                I.D->plugin().api().image_unload(I.Image.Image));
            S.failed())
          error("unloading an image from device %d: %s", I.D->id(),
                S.text().c_str());
    }
    std::lock_guard Lock(Mutex);
    if (Leaving.empty())
      return;
  }
}

void Registry::publishKernels(Device &D) {
  std::vector<Kernel *> Kernels;
  for (auto &L : Libraries)
    if (auto It = L->Loaded.find(D.id()); It != L->Loaded.end())
      for (auto &K : It->second.Kernels)
        Kernels.push_back(K.get());
  auto Table = std::make_unique<const KernelTable>(Kernels);
  D.Kernels.store(Table.get(), std::memory_order_release);
  Retired.push_back(std::move(Table));
}

void Registry::dumpEntries(const Library &L) const {
  plain("Device %ld offload entries:\n",
        static_cast<long>(Environment::get().DumpEntries));
  for (OffloadEntry *E = L.Desc->HostEntriesBegin; E != L.Desc->HostEntriesEnd;
       ++E) {
    const char *Kind = !E->Size                        ? "kernel"
                       : E->Flags & OffloadEntry::Link ? "link"
                                                       : "global var.";
    plain("  %11s: %s\n", Kind, E->Name ? E->Name : "");
  }
}
