//===- Trace.cpp - The trace file -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ACCX_TRACE. Every thread writes finished events into a buffer of its own and
// publishes their end with one store; nobody else writes there. Under a lock,
// a full buffer is appended to the file by its thread, and what is pending in
// all buffers by flushTrace().
//
//   buffer   [ in the file | pending |   free   ]
//                      Written      Used
//
// The file ends in a trailer that the next append overwrites, so it is valid
// JSON between two appends. At the end of the process the file is closed for
// good, but nothing is destroyed: threads may still run then.
//
//===----------------------------------------------------------------------===//

#include "report/Listeners.h"
#include "report/Report.h"
#include "report/TraceEvent.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace accx;

namespace {

struct Buffer {
  static constexpr size_t Capacity = 256 << 10;

  Buffer *Next = nullptr;      ///< All buffers; never taken out.
  std::atomic<size_t> Used{0}; ///< Stored by the owner only.
  size_t Written = 0;          ///< Under the lock.
  bool HasOwner = false;       ///< Under the lock.
  int Thread = 0;
  char Data[Capacity];
};

class TraceFile {
  std::mutex Mutex;
  int File = -1;
  int Process = 0;
  off_t Size = 0; ///< Without the trailer.
  uint64_t Limit = 0;
  uint64_t ReportedDrops = 0;
  bool Closed = false; ///< Nothing is written any more.
  Buffer *Buffers = nullptr;
  pthread_key_t OwnerKey{};
  std::string Name;

  std::atomic<bool> Full{false};
  std::atomic<uint64_t> Dropped{0};
  /// When an activity was dropped last.
  std::atomic<uint64_t> DropTime{0};

  bool writeAt(off_t Where, std::string_view Data);
  void writeTrailer();
  void fail();
  bool append(std::string_view Events);
  void appendPending(Buffer &B);
  void empty(Buffer &B);
  Buffer *adopt();

public:
  bool open(const std::string &FileName, uint64_t LimitBytes);
  void record(const FinishedActivity &Activity);
  void flush(bool Last);
  /// The thread that owns the buffer ends.
  void release(Buffer &B);
  void forgetThreads() { pthread_key_delete(OwnerKey); }
};

/// Made by openTrace(), never destroyed.
TraceFile *Trace = nullptr;

/// The calling thread's buffer. Trivial, so that it is still there while the
/// thread's other thread-local objects are destroyed.
constinit thread_local Buffer *Mine = nullptr;

void releaseBuffer(void *Owned) {
  Mine = nullptr;
  Trace->release(*static_cast<Buffer *>(Owned));
}

/// A key outlives the library that made it, its destructor does not.
[[gnu::destructor]] void forgetThreads() {
  if (Trace)
    Trace->forgetThreads();
}

std::string fileName(const std::string &Pattern, int Process) {
  std::string Result;
  for (size_t I = 0; I < Pattern.size(); ++I) {
    if (Pattern.compare(I, 2, "%p") == 0) {
      Result += std::to_string(Process);
      ++I;
    } else {
      Result += Pattern[I];
    }
  }
  return Result;
}

std::string processName() {
  char Path[4096];
  ssize_t Length = readlink("/proc/self/exe", Path, sizeof(Path));
  if (Length <= 0)
    return "program";
  const std::string_view Whole(Path, static_cast<size_t>(Length));
  return std::string(Whole.substr(Whole.rfind('/') + 1));
}

std::string threadName(int Process, int Thread) {
  char Text[64];
  if (Process == Thread)
    return "main";
  if (pthread_getname_np(pthread_self(), Text, sizeof(Text)) != 0)
    return "thread";
  return Text;
}

bool TraceFile::writeAt(off_t Where, std::string_view Data) {
  while (!Data.empty()) {
    ssize_t Count = pwrite(File, Data.data(), Data.size(), Where);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Data.remove_prefix(static_cast<size_t>(Count));
    Where += Count;
  }
  return true;
}

void TraceFile::writeTrailer() {
  std::string Trailer;
  if (uint64_t Count = Dropped.load(std::memory_order_relaxed))
    Trailer = noteEvent(
        std::to_string(Count) + " activities not recorded: ACCX_TRACE_LIMIT",
        DropTime.load(std::memory_order_relaxed), Process, Process);
  Trailer += "\n],\"displayTimeUnit\":\"ns\"}\n";
  if (!writeAt(Size, Trailer))
    fail();
}

/// Leaves the events that are in the file, which have room for a trailer: the
/// one that ended them before is gone.
void TraceFile::fail() {
  if (Closed)
    return;
  Closed = true;
  Full.store(true, std::memory_order_relaxed);
  error("ACCX_TRACE: cannot write '%s': %s; no further activities are recorded",
        Name.c_str(), strerror(errno));
  if (ftruncate(File, Size) == 0)
    writeAt(Size, "\n]}\n");
}

/// False if the events are not in the file.
bool TraceFile::append(std::string_view Events) {
  if (Closed)
    return false;
  if (Limit != 0 && static_cast<uint64_t>(Size) + Events.size() > Limit) {
    Full.store(true, std::memory_order_relaxed);
    return false;
  }
  if (!writeAt(Size, Events)) {
    fail();
    return false;
  }
  Size += static_cast<off_t>(Events.size());
  return true;
}

void TraceFile::appendPending(Buffer &B) {
  const size_t End = B.Used.load(std::memory_order_acquire);
  if (End == B.Written)
    return;
  const std::string_view Events(B.Data + B.Written, End - B.Written);
  if (!append(Events))
    Dropped.fetch_add(
        static_cast<uint64_t>(std::count(Events.begin(), Events.end(), '\n')),
        std::memory_order_relaxed);
  B.Written = End;
}

bool TraceFile::open(const std::string &Pattern, uint64_t LimitBytes) {
  Process = getpid();
  Name = fileName(Pattern, Process);
  Limit = LimitBytes;
  File = ::open(Name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (File < 0) {
    error("ACCX_TRACE: cannot open '%s': %s", Name.c_str(), strerror(errno));
    return false;
  }
  struct stat Info;
  if (fstat(File, &Info) != 0 || !S_ISREG(Info.st_mode)) {
    error("ACCX_TRACE: '%s' is not a regular file", Name.c_str());
    close(File);
    return false;
  }
  pthread_key_create(&OwnerKey, releaseBuffer);

  std::string Head = "{\"traceEvents\":[";
  // The first event has no comma before it.
  Head += nameEvent("process_name", processName(), Process, Process).substr(1);
  if (!writeAt(0, Head)) {
    fail();
    return false;
  }
  Size = static_cast<off_t>(Head.size());
  writeTrailer();
  return !Closed;
}

Buffer *TraceFile::adopt() {
  std::lock_guard Lock(Mutex);
  Buffer *B = Buffers;
  while (B && B->HasOwner)
    B = B->Next;
  if (!B) {
    B = new (std::nothrow) Buffer;
    if (!B)
      return nullptr;
    B->Next = Buffers;
    Buffers = B;
  }
  B->HasOwner = true;
  B->Thread = gettid();
  append(nameEvent("thread_name", threadName(Process, B->Thread), Process,
                   B->Thread));
  Mine = B;
  pthread_setspecific(OwnerKey, B);
  return B;
}

void TraceFile::record(const FinishedActivity &Activity) {
  Buffer *B = nullptr;
  if (!Full.load(std::memory_order_relaxed))
    B = Mine ? Mine : adopt();
  if (!B) {
    Dropped.fetch_add(1, std::memory_order_relaxed);
    DropTime.store(Activity.Begin, std::memory_order_relaxed);
    return;
  }
  const ActivityEvent Event(Activity);
  size_t Used = B->Used.load(std::memory_order_relaxed);
  if (Buffer::Capacity - Used < Event.bound()) {
    std::lock_guard Lock(Mutex);
    DropTime.store(Activity.Begin, std::memory_order_relaxed);
    empty(*B);
    Used = 0;
  }
  char *End = Event.write(B->Data + Used, Process, B->Thread);
  B->Used.store(static_cast<size_t>(End - B->Data), std::memory_order_release);
}

/// For the owner: moves everything to the file.
void TraceFile::empty(Buffer &B) {
  appendPending(B);
  B.Written = 0;
  B.Used.store(0, std::memory_order_relaxed);
  if (!Closed)
    writeTrailer();
}

void TraceFile::release(Buffer &B) {
  // In a child that was forked off everything belongs to the parent.
  if (getpid() != Process)
    return;
  std::lock_guard Lock(Mutex);
  empty(B);
  B.HasOwner = false;
}

void TraceFile::flush(bool Last) {
  std::lock_guard Lock(Mutex);
  if (Closed)
    return;
  for (Buffer *B = Buffers; B; B = B->Next)
    appendPending(*B);
  writeTrailer();
  const uint64_t Drops = Dropped.load(std::memory_order_relaxed);
  if (Drops != ReportedDrops)
    message("ACCX_TRACE: '%s' reached ACCX_TRACE_LIMIT=%llu MiB; %llu "
            "activities are not recorded",
            Name.c_str(), static_cast<unsigned long long>(Limit >> 20),
            static_cast<unsigned long long>(Drops));
  ReportedDrops = Drops;
  if (Last) {
    // A thread that is still running could be ended in the middle of a write.
    Closed = true;
    Full.store(true, std::memory_order_relaxed);
  }
}

} // namespace

bool accx::openTrace(const std::string &Name, uint64_t LimitBytes) {
  Trace = new (std::nothrow) TraceFile;
  return Trace && Trace->open(Name, LimitBytes);
}

void accx::traceActivity(const FinishedActivity &Activity) {
  Trace->record(Activity);
}

void accx::flushTrace(bool Last) { Trace->flush(Last); }
