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
// Every append is one write of events and a trailer over the old trailer, so
// the file is valid JSON whenever the process ends, also by _exit() or a
// signal. A thread appends at the latest when a construct or a wait ends: what
// such an end loses is a construct that was not finished. At the end of the
// process the file is closed for good, but nothing is destroyed: threads may
// still run then.
//
//
//===----------------------------------------------------------------------===//

#include "report/DeviceRows.h"
#include "report/Listeners.h"
#include "report/Report.h"
#include "report/TraceEvent.h"
#include "report/TraceFile.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/file.h>
#include <sys/uio.h>
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
  bool HasKey = false;
  std::string Name;
  DeviceRows Rows;

  std::atomic<bool> Full{false};
  std::atomic<uint64_t> Dropped{0};
  /// When an activity was dropped last.
  std::atomic<uint64_t> DropTime{0};

  bool writeEnd(std::string_view Events, std::string_view Trailer);
  std::string trailer() const;
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
  /// A child that was forked off must not keep the file locked.
  void abandon() { close(File); }
  void forgetThreads() {
    if (HasKey)
      pthread_key_delete(OwnerKey);
  }
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

/// Writes both at the end of the events, in one piece where the system can.
bool TraceFile::writeEnd(std::string_view Events, std::string_view Trailer) {
  std::string Rest;
  iovec Parts[2] = {{const_cast<char *>(Events.data()), Events.size()},
                    {const_cast<char *>(Trailer.data()), Trailer.size()}};
  const size_t Whole = Events.size() + Trailer.size();
  ssize_t Count = 0;
  do
    Count = pwritev(File, Parts, 2, Size);
  while (Count < 0 && errno == EINTR);
  if (Count < 0)
    return false;
  auto Done = static_cast<size_t>(Count);
  if (Done < Whole)
    Rest.append(Events).append(Trailer);
  while (Done < Whole) {
    Count = pwrite(File, Rest.data() + Done, Whole - Done,
                   Size + static_cast<off_t>(Done));
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Done += static_cast<size_t>(Count);
  }
  return true;
}

std::string TraceFile::trailer() const {
  std::string Text;
  if (uint64_t Count = Dropped.load(std::memory_order_relaxed))
    Text = noteEvent(
        std::to_string(Count) + " activities not recorded: ACCX_TRACE_LIMIT",
        DropTime.load(std::memory_order_relaxed), Process, Process);
  Text += "\n],\"displayTimeUnit\":\"ns\"}\n";
  return Text;
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
    writeEnd({}, "\n]}\n");
}

/// False if the events are not in the file.
bool TraceFile::append(std::string_view Events) {
  if (Closed)
    return false;
  if (Limit != 0 && static_cast<uint64_t>(Size) + Events.size() > Limit) {
    Full.store(true, std::memory_order_relaxed);
    return false;
  }
  if (!writeEnd(Events, trailer())) {
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
  Limit = LimitBytes;
  File = openTraceFile(Pattern, Process, Name);
  if (File < 0)
    return false;
  HasKey = pthread_key_create(&OwnerKey, releaseBuffer) == 0;

  std::string Head = "{\"traceEvents\":[";
  // The first event has no comma before it.
  Head += nameEvent("process_name", processName(), Process, Process).substr(1);
  if (!writeEnd(Head, trailer())) {
    fail();
    return false;
  }
  Size = static_cast<off_t>(Head.size());
  return true;
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
  if (HasKey)
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
  int Thread = B->Thread;
  if (DeviceRows::has(Activity)) {
    const DeviceRows::Row Row = Rows.take(Activity);
    Thread = Row.Thread;
    if (!Row.NewName.empty()) {
      std::lock_guard Lock(Mutex);
      append(nameEvent("thread_name", Row.NewName, Process, Thread));
    }
  }
  const ActivityEvent Event(Activity);
  size_t Used = B->Used.load(std::memory_order_relaxed);
  if (Buffer::Capacity - Used < Event.bound()) {
    std::lock_guard Lock(Mutex);
    DropTime.store(Activity.Begin, std::memory_order_relaxed);
    empty(*B);
    Used = 0;
  }
  char *End = Event.write(B->Data + Used, Process, Thread);
  B->Used.store(static_cast<size_t>(End - B->Data), std::memory_order_release);
  if (Activity.Kind == ActivityKind::Region ||
      Activity.Kind == ActivityKind::Wait) {
    std::lock_guard Lock(Mutex);
    empty(*B);
  }
}

/// For the owner: moves everything to the file.
void TraceFile::empty(Buffer &B) {
  appendPending(B);
  B.Written = 0;
  B.Used.store(0, std::memory_order_relaxed);
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
  if (!Closed && !writeEnd({}, trailer()))
    fail();
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
    // A child that was forked off may have yet to run, and abandon the file.
    (void)flock(File, LOCK_UN);
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

void accx::abandonTrace() { Trace->abandon(); }
