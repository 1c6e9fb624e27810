//===- FakeStreams.cpp - Streams and graphs of the fake CUDA driver -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is put on a stream runs at once: it is written to one record, which
// tests read. While a stream is captured it becomes a graph. Kernels are named
// by what a module was asked for.
//
//===----------------------------------------------------------------------===//

#include "DriverTypes.h"

#include <list>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace accx::cuda;

namespace accx::cuda {
struct CUfunc_st {
  std::string Name;
};
/// A kernel of a graph.
struct CUgraphNode_st {
  std::string Text;
};
struct CUgraph_st {
  std::vector<CUgraphNode_st *> Nodes;
};
struct CUgraphExec_st {
  std::vector<CUgraphNode_st *> Of;
  std::vector<std::string> Texts;
};
struct CUstream_st {
  CUgraph_st *Captured = nullptr;
};
} // namespace accx::cuda

namespace {
std::mutex Mutex;
std::string Record;
unsigned NumGraphLaunches = 0;
bool MakesNoGraphs = false;
std::set<void *> Alive;
/// Modules are never freed.
std::list<CUfunc_st> Functions;

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
  return made(Out, new CUstream_st);
}
FAKE cuStreamDestroy_v2(CUstream Stream) {
  std::lock_guard Lock(Mutex);
  return gone(Stream);
}
FAKE cuStreamQuery(CUstream) { return CUDA_SUCCESS; }
FAKE cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
FAKE cuEventCreate(CUevent *Out, unsigned) {
  *Out = reinterpret_cast<CUevent>(uintptr_t(1));
  return CUDA_SUCCESS;
}
FAKE cuEventDestroy_v2(CUevent) { return CUDA_SUCCESS; }
FAKE cuEventRecord(CUevent, CUstream) {
  std::lock_guard Lock(Mutex);
  Record += "event ";
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
  std::string Text = textOf(F, Config->Grid, Config->Block, Extra);
  if (!Config->Stream->Captured) {
    Record += Text;
    return CUDA_SUCCESS;
  }
  Config->Stream->Captured->Nodes.push_back(
      new CUgraphNode_st{std::move(Text)});
  return CUDA_SUCCESS;
}

FAKE cuStreamBeginCapture_v2(CUstream Stream, int) {
  std::lock_guard Lock(Mutex);
  return made(&Stream->Captured, new CUgraph_st);
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
  *Out = Stream->Captured;
  Stream->Captured = nullptr;
  return CUDA_SUCCESS;
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
FAKE cuGraphLaunch(CUgraphExec Exec, CUstream) {
  std::lock_guard Lock(Mutex);
  if (!Alive.count(Exec))
    return CUDA_ERROR_INVALID_HANDLE;
  for (const std::string &Text : Exec->Texts)
    Record += Text;
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
