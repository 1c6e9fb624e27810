//===- FakeStreams.cpp - Streams and graphs of the fake CUDA driver -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is put on a stream runs at once: it is written to one record, which
// tests read. While streams are captured it becomes a graph. Kernels are named
// by what a module was asked for. Of each kernel the record has how many of
// each device's were sure to have ended when it began. Copies from device to
// device count as kernels of the one whose stream makes them.
//
//===----------------------------------------------------------------------===//

#include "FakeStreams.h"

#include "DriverTypes.h"

#include <algorithm>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

using namespace accx::cuda;

/// How many of each device's kernels have ended for sure.
using Ended = std::map<CUcontext, size_t>;

namespace accx::cuda {
struct CUfunc_st {
  std::string Name;
};
/// A kernel of a graph.
struct CUgraphNode_st {
  std::string Text;
  CUcontext On;
  std::set<CUgraphNode_st *> After;
};
using NodeSet = std::set<CUgraphNode_st *>;
struct CUgraph_st {
  CUstream Origin;
  /// All that were captured.
  std::set<CUstream> Streams;
  std::vector<CUgraphNode_st *> Nodes;
};
struct CUgraphExec_st {
  std::vector<CUgraphNode_st *> Of;
  std::vector<std::string> Texts;
};
struct CUstream_st {
  CUcontext On;
  CUgraph_st *Captured = nullptr;
  /// What the next kernel of the graph comes after.
  NodeSet Last;
  Ended Before;
};
struct CUevent_st {
  CUcontext On;
  CUgraph_st *Captured = nullptr;
  NodeSet Last;
  Ended Before;
};
} // namespace accx::cuda

extern "C" CUresult cuCtxGetCurrent(CUcontext *Context);

namespace {
std::mutex Mutex;
std::string Record;
std::map<CUcontext, std::vector<FakeKernel>> Ran;
unsigned NumGraphLaunches = 0;
bool MakesNoGraphs = false;
std::set<void *> Alive;
/// Modules are never freed, nor are events.
std::list<CUfunc_st> Functions;
std::list<CUevent_st> Events;

template <typename T> CUresult made(T **Out, T *Object) {
  Alive.insert(*Out = Object);
  return CUDA_SUCCESS;
}
template <typename T> CUresult gone(T *Object) {
  if (!Alive.erase(Object))
    return CUDA_ERROR_INVALID_HANDLE;
  delete Object;
  return CUDA_SUCCESS;
}

CUcontext current() {
  CUcontext Context = nullptr;
  cuCtxGetCurrent(&Context);
  return Context;
}
bool isUsable(CUstream Stream) {
  return Alive.count(Stream) && Stream->On == current();
}

void join(Ended &To, const Ended &From) {
  for (const auto &[On, Count] : From)
    To[On] = std::max(To[On], Count);
}
/// A kernel runs on device \p On; \p Before has it, too, behind the call.
void run(const std::string &Text, CUcontext On, Ended &Before) {
  FakeKernel K = {Text, {}};
  for (const auto &[Other, Count] : Before) {
    const size_t Device = reinterpret_cast<uintptr_t>(Other) - 1;
    K.Before.resize(std::max(K.Before.size(), Device + 1));
    K.Before[Device] = Count;
  }
  Record += Text;
  Ran[On].push_back(std::move(K));
  Before[On] = Ran[On].size();
}

CUresult queue(std::string Text, CUstream Stream) {
  if (!isUsable(Stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!Stream->Captured) {
    run(Text, Stream->On, Stream->Before);
    return CUDA_SUCCESS;
  }
  auto *Node = new CUgraphNode_st{std::move(Text), Stream->On, Stream->Last};
  Stream->Captured->Nodes.push_back(Node);
  Stream->Last = {Node};
  return CUDA_SUCCESS;
}
CUresult queueCopy(CUdeviceptr Dst, CUdeviceptr Src, size_t Size,
                   CUstream Stream) {
  std::lock_guard Lock(Mutex);
  return queue("copy(" + std::to_string(Dst) + "," + std::to_string(Src) + "," +
                   std::to_string(Size) + ") ",
               Stream);
}

/// "name<blocks x threads>(arguments) ".
std::string textOf(CUfunction F, const unsigned *Grid, const unsigned *Block,
                   void **Extra) {
  auto **Args = static_cast<void **>(Extra[1]);
  const size_t Bytes = *static_cast<size_t *>(Extra[3]);
  std::string Text = F->Name + "<" + std::to_string(Grid[0]) + "x" +
                     std::to_string(Block[0]) + ">(";
  for (size_t I = 0; I < Bytes / sizeof(void *); ++I)
    Text +=
        (I ? "," : "") + std::to_string(reinterpret_cast<uintptr_t>(Args[I]));
  return Text + ") ";
}
} // namespace

#define FAKE extern "C" [[gnu::visibility("default")]] CUresult

FAKE cuModuleLoadDataEx(CUmodule *Out, const void *, unsigned, CUjit_option *,
                        void **) {
  *Out = reinterpret_cast<CUmodule>(uintptr_t(1));
  return CUDA_SUCCESS;
}
FAKE cuModuleUnload(CUmodule) { return CUDA_SUCCESS; }
FAKE cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *) {
  return CUDA_ERROR_NOT_FOUND;
}
FAKE cuModuleGetFunction(CUfunction *Out, CUmodule, const char *Name) {
  std::lock_guard Lock(Mutex);
  *Out = &Functions.emplace_back(Name);
  return CUDA_SUCCESS;
}
FAKE cuFuncGetAttribute(int *Value, CUfunction_attribute Which, CUfunction) {
  *Value = Which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : 0;
  return CUDA_SUCCESS;
}
FAKE cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, CUfunction, int,
                                                 size_t) {
  *Blocks = 1;
  return CUDA_SUCCESS;
}

FAKE cuStreamCreate(CUstream *Out, unsigned) {
  std::lock_guard Lock(Mutex);
  return made(Out, new CUstream_st{current(), nullptr, {}, {}});
}
FAKE cuStreamDestroy_v2(CUstream Stream) {
  std::lock_guard Lock(Mutex);
  return gone(Stream);
}
FAKE cuStreamQuery(CUstream) { return CUDA_SUCCESS; }
FAKE cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
FAKE cuEventCreate(CUevent *Out, unsigned) {
  std::lock_guard Lock(Mutex);
  *Out = &Events.emplace_back(current());
  return CUDA_SUCCESS;
}
FAKE cuEventDestroy_v2(CUevent) { return CUDA_SUCCESS; }
FAKE cuEventQuery(CUevent) { return CUDA_SUCCESS; }
FAKE cuEventRecord(CUevent E, CUstream Stream) {
  std::lock_guard Lock(Mutex);
  if (!isUsable(Stream) || E->On != Stream->On)
    return CUDA_ERROR_INVALID_HANDLE;
  *E = {E->On, Stream->Captured, Stream->Last, Stream->Before};
  if (!Stream->Captured)
    Record += "event ";
  return CUDA_SUCCESS;
}
FAKE cuStreamWaitEvent(CUstream Stream, CUevent E, unsigned) {
  std::lock_guard Lock(Mutex);
  if (!isUsable(Stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!E->Captured) {
    if (Stream->Captured)
      return CUDA_ERROR_INVALID_VALUE;
    join(Stream->Before, E->Before);
    return CUDA_SUCCESS;
  }
  if (!Alive.count(E->Captured) ||
      (Stream->Captured && Stream->Captured != E->Captured))
    return CUDA_ERROR_INVALID_VALUE;
  Stream->Captured = E->Captured;
  Stream->Captured->Streams.insert(Stream);
  Stream->Last.insert(E->Last.begin(), E->Last.end());
  return CUDA_SUCCESS;
}
FAKE cuMemsetD32Async(CUdeviceptr, unsigned Value, size_t, CUstream) {
  std::lock_guard Lock(Mutex);
  Record += "fill(" + std::to_string(Value) + ") ";
  return CUDA_SUCCESS;
}
FAKE cuLaunchKernelEx(const CUlaunchConfig *Config, CUfunction F, void **,
                      void **Extra) {
  std::lock_guard Lock(Mutex);
  return queue(textOf(F, Config->Grid, Config->Block, Extra), Config->Stream);
}
FAKE cuMemcpyDtoDAsync_v2(CUdeviceptr Dst, CUdeviceptr Src, size_t Size,
                          CUstream Stream) {
  return queueCopy(Dst, Src, Size, Stream);
}
/// Is not captured.
FAKE cuMemcpyPeerAsync(CUdeviceptr Dst, CUcontext, CUdeviceptr Src, CUcontext,
                       size_t Size, CUstream Stream) {
  return Alive.count(Stream) && Stream->Captured
             ? CUDA_ERROR_NOT_SUPPORTED
             : queueCopy(Dst, Src, Size, Stream);
}

FAKE cuStreamBeginCapture_v2(CUstream Stream, int) {
  std::lock_guard Lock(Mutex);
  if (!isUsable(Stream))
    return CUDA_ERROR_INVALID_HANDLE;
  return made(&Stream->Captured, new CUgraph_st{Stream, {Stream}, {}});
}
FAKE cuStreamGetCaptureInfo_v2(CUstream Stream, int *State,
                               unsigned long long *, CUgraph *,
                               const CUgraphNode **Last, size_t *Count) {
  *State = 1;
  *Last = &Stream->Captured->Nodes.back();
  *Count = 1;
  return CUDA_SUCCESS;
}
FAKE cuStreamEndCapture(CUstream Stream, CUgraph *Out) {
  std::lock_guard Lock(Mutex);
  *Out = Stream->Captured;
  if (!*Out || (*Out)->Origin != Stream)
    return CUDA_ERROR_INVALID_VALUE;
  // Everything has to come before the end of the first stream.
  NodeSet Ahead, Next = Stream->Last;
  while (!Next.empty()) {
    CUgraphNode_st *Node = *Next.begin();
    Next.erase(Next.begin());
    if (Ahead.insert(Node).second)
      Next.insert(Node->After.begin(), Node->After.end());
  }
  for (CUstream Other : (*Out)->Streams) {
    Other->Captured = nullptr;
    Other->Last.clear();
  }
  return Ahead.size() == (*Out)->Nodes.size() ? CUDA_SUCCESS
                                              : CUDA_ERROR_INVALID_VALUE;
}
FAKE cuGraphInstantiateWithFlags(CUgraphExec *Out, CUgraph Graph,
                                 unsigned long long) {
  std::lock_guard Lock(Mutex);
  if (MakesNoGraphs)
    return CUDA_ERROR_NOT_SUPPORTED;
  auto *Exec = new CUgraphExec_st{Graph->Nodes, {}};
  for (const CUgraphNode_st *Node : Graph->Nodes)
    Exec->Texts.push_back(Node->Text);
  return made(Out, Exec);
}
FAKE cuGraphExecKernelNodeSetParams_v2(CUgraphExec Exec, CUgraphNode Node,
                                       const CUkernelNodeParams *P) {
  std::lock_guard Lock(Mutex);
  for (size_t I = 0; I < Exec->Of.size(); ++I)
    if (Exec->Of[I] == Node) {
      Exec->Texts[I] = textOf(P->Function, P->Grid, P->Block, P->Extra);
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}
FAKE cuGraphLaunch(CUgraphExec Exec, CUstream Stream) {
  std::lock_guard Lock(Mutex);
  if (!Alive.count(Exec) || !isUsable(Stream))
    return CUDA_ERROR_INVALID_HANDLE;
  std::map<CUgraphNode_st *, Ended> Behind;
  Ended All = Stream->Before;
  for (size_t I = 0; I < Exec->Of.size(); ++I) {
    CUgraphNode_st *Node = Exec->Of[I];
    Ended &Known = Behind[Node] = Stream->Before;
    for (CUgraphNode_st *Earlier : Node->After)
      join(Known, Behind[Earlier]);
    run(Exec->Texts[I], Node->On, Known);
    join(All, Known);
  }
  Stream->Before = std::move(All);
  ++NumGraphLaunches;
  return CUDA_SUCCESS;
}
FAKE cuGraphExecDestroy(CUgraphExec Exec) {
  std::lock_guard Lock(Mutex);
  return gone(Exec);
}
FAKE cuGraphDestroy(CUgraph Graph) {
  std::lock_guard Lock(Mutex);
  for (CUgraphNode_st *Node : Graph->Nodes)
    delete Node;
  return gone(Graph);
}

#undef FAKE
#define FOR_TESTS extern "C" [[gnu::visibility("default")]]

/// What ran since the last call, in order.
FOR_TESTS const char *fakeRan() {
  static std::string Text;
  std::lock_guard Lock(Mutex);
  Text = std::move(Record);
  Record.clear();
  return Text.c_str();
}
/// The kernels of a device so far, in the order of their begins.
FOR_TESTS const std::vector<FakeKernel> *fakeKernels(unsigned Device) {
  std::lock_guard Lock(Mutex);
  return &Ran[reinterpret_cast<CUcontext>(uintptr_t(Device) + 1)];
}
/// Graphs that were launched since the last call.
FOR_TESTS unsigned fakeGraphLaunches() {
  std::lock_guard Lock(Mutex);
  return std::exchange(NumGraphLaunches, 0u);
}
/// Whether streams and graphs are left.
FOR_TESTS bool fakeKeepsStreams() {
  std::lock_guard Lock(Mutex);
  return !Alive.empty();
}
FOR_TESTS void fakeMakeNoGraphs(bool No) { MakesNoGraphs = No; }

#undef FOR_TESTS
