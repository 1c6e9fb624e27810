//===- Sharing.cpp - Device memory that processes share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Sharing.h.
//
//===----------------------------------------------------------------------===//

#include "Sharing.h"

#include "AsyncQueue.h"
#include "Faults.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace fault;

namespace {

/// Pages of a window that get and lose their memory together.
struct Chunk {
  uintptr_t End;
  std::vector<bool> Live;
  int Descriptor = -1;
  uint64_t Id = 0;
};

struct Owned {
  std::map<uintptr_t, uintptr_t> Ranges; ///< Begin -> end.
  std::map<uintptr_t, Chunk> Chunks;
  std::map<void *, size_t> Imported;
};

/// Guards all of the following, which is never destroyed.
std::mutex Mutex;
std::map<accx_device, Owned> &Devices = *new std::map<accx_device, Owned>;
uint64_t LastId = 0;

uintptr_t toInt(const void *Address) {
  return reinterpret_cast<uintptr_t>(Address);
}

/// The entry of a map of begins that may hold \p Address, or the end.
template <typename Map> auto before(Map &M, uintptr_t Address) {
  auto It = M.upper_bound(Address);
  return It == M.begin() ? M.end() : std::prev(It);
}

Chunk *chunkAt(Owned &O, uintptr_t Address, uintptr_t &Begin) {
  auto It = before(O.Chunks, Address);
  if (It == O.Chunks.end() || It->second.End <= Address)
    return nullptr;
  Begin = It->first;
  return &It->second;
}

/// Puts a new file in the place of a chunk's memory.
bool makeFile(uintptr_t Begin, Chunk &C) {
  const size_t Size = C.End - Begin;
  C.Descriptor = memfd_create("accx-fault", MFD_CLOEXEC);
  C.Id = ++LastId;
  return C.Descriptor >= 0 && ftruncate(C.Descriptor, off_t(Size)) == 0 &&
         mmap(reinterpret_cast<void *>(Begin), Size, PROT_READ | PROT_WRITE,
              MAP_SHARED | MAP_FIXED, C.Descriptor, 0) != MAP_FAILED;
}

/// Memory as the base plugin had it.
void endFile(uintptr_t Begin, const Chunk &C) {
  if (C.Descriptor < 0)
    return;
  if (mmap(reinterpret_cast<void *>(Begin), C.End - Begin,
           PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) == MAP_FAILED)
    std::abort();
  close(C.Descriptor);
}

} // namespace

void fault::addRange(accx_device Device, const void *Address, size_t Size) {
  std::lock_guard Lock(Mutex);
  Devices[Device].Ranges[toInt(Address)] = toInt(Address) + Size;
}

void fault::dropRange(const void *Address) {
  std::lock_guard Lock(Mutex);
  for (auto &[Device, O] : Devices)
    O.Ranges.erase(toInt(Address));
}

accx_status fault::addPages(accx_device Device, void *Address, size_t Size,
                            bool Share) {
  std::lock_guard Lock(Mutex);
  Owned &O = Devices[Device];
  const uintptr_t End = toInt(Address) + Size;
  for (uintptr_t P = toInt(Address); P < End;) {
    uintptr_t Begin = 0;
    if (Chunk *C = chunkAt(O, P, Begin)) {
      for (; P < End && P < C->End; P += PageBytes)
        C->Live[(P - Begin) / PageBytes] = true;
      continue;
    }
    Chunk C;
    auto Next = O.Chunks.lower_bound(P);
    C.End = std::min(End, P + ChunkBytes);
    if (Next != O.Chunks.end())
      C.End = std::min(C.End, Next->first);
    C.Live.assign((C.End - P) / PageBytes, true);
    if (Share && !makeFile(P, C))
      return fail(ACCX_ERROR_OUT_OF_MEMORY, "a file in memory");
    const uintptr_t Stop = C.End;
    O.Chunks.emplace(P, std::move(C));
    P = Stop;
  }
  return ACCX_OK;
}

void fault::dropPages(accx_device Device, void *Address, size_t Size) {
  std::lock_guard Lock(Mutex);
  Owned &O = Devices[Device];
  const uintptr_t End = toInt(Address) + Size;
  for (auto It = O.Chunks.begin(); It != O.Chunks.end();) {
    auto &[Begin, C] = *It;
    for (size_t I = 0; I < C.Live.size(); ++I)
      if (Begin + I * PageBytes >= toInt(Address) &&
          Begin + I * PageBytes < End)
        C.Live[I] = false;
    if (std::find(C.Live.begin(), C.Live.end(), true) == C.Live.end()) {
      endFile(Begin, C);
      It = O.Chunks.erase(It);
    } else {
      ++It;
    }
  }
}

accx_status fault::memoryFind(accx_device Device, const void *Address,
                              size_t Size) {
  std::lock_guard Lock(Mutex);
  Owned &O = Devices[Device];
  const uintptr_t Begin = toInt(Address), End = Begin + Size;
  if (auto It = before(O.Ranges, Begin);
      It != O.Ranges.end() && End <= It->second)
    return ACCX_OK;
  for (uintptr_t P = Begin; P < End;) {
    uintptr_t Of = 0;
    const Chunk *C = chunkAt(O, P, Of);
    if (!C || !C->Live[(P - Of) / PageBytes])
      return fail(ACCX_ERROR_NOT_FOUND, "not memory of this device");
    P = Of + ((P - Of) / PageBytes + 1) * PageBytes;
  }
  return ACCX_OK;
}

accx_status fault::memoryExport(accx_device Device, const void *Address,
                                accx_exported *Memory) {
  if (accx_status S = count("export", Device))
    return S;
  std::lock_guard Lock(Mutex);
  uintptr_t Begin = 0;
  const Chunk *C = chunkAt(Devices[Device], toInt(Address), Begin);
  if (!C || C->Descriptor < 0 || !C->Live[(toInt(Address) - Begin) / PageBytes])
    return fail(ACCX_ERROR_UNSUPPORTED, "no memory that others can map");
  *Memory = {C->Id, Begin, C->End - Begin, C->Descriptor, 0};
  return ACCX_OK;
}

accx_status fault::memoryImport(accx_device Device, const accx_exported *Memory,
                                void **Address) {
  if (accx_status S = count("import", Device))
    return S;
  void *At = mmap(nullptr, Memory->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                  Memory->fd, 0);
  if (At == MAP_FAILED)
    return fail(ACCX_ERROR_UNSUPPORTED, "this descriptor cannot be mapped");
  std::lock_guard Lock(Mutex);
  Devices[Device].Imported[At] = Memory->bytes;
  *Address = At;
  return ACCX_OK;
}

accx_status fault::memoryClose(accx_device Device, void *Address) {
  size_t Size = 0;
  {
    std::lock_guard Lock(Mutex);
    auto &Imported = Devices[Device].Imported;
    auto It = Imported.find(Address);
    if (It == Imported.end())
      return fail(ACCX_ERROR_INVALID, "no memory of another process");
    Size = It->second;
    Imported.erase(It);
  }
  checkUnused(Address, Size, "close");
  munmap(Address, Size);
  return ACCX_OK;
}

void fault::closeImports(accx_device Device) {
  std::lock_guard Lock(Mutex);
  for (auto [Address, Size] : std::exchange(Devices[Device].Imported, {}))
    munmap(Address, Size);
}

unsigned fault::numImports() {
  std::lock_guard Lock(Mutex);
  size_t Sum = 0;
  for (const auto &[Device, O] : Devices)
    Sum += O.Imported.size();
  return unsigned(Sum);
}
