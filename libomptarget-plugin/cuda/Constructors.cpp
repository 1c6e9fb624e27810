//===- Constructors.cpp - Constructors of device code ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Constructors.h.
//
//===----------------------------------------------------------------------===//

#include "Constructors.h"

#include "Queue.h"

#include <charconv>

using namespace accx;
using namespace accx::cuda;

namespace {

/// The number after the last underscore; names without one come last.
unsigned priorityOf(const std::string &Name) {
  unsigned Value = 65535;
  const size_t Underscore = Name.rfind('_');
  if (Underscore != std::string::npos)
    std::from_chars(Name.data() + Underscore + 1, Name.data() + Name.size(),
                    Value);
  return Value;
}

accx_status setPointer(Image &I, const char *Name, CUdeviceptr Value) {
  CUdeviceptr Address = 0;
  size_t Size = 0;
  if (accx_status S = I.global(Name, Address, Size))
    return S;
  if (CUresult R = Cu.MemcpyHtoD(Address, &Value, sizeof(Value)))
    return I.D.failure(R, "writing '%s'", Name);
  return ACCX_OK;
}

accx_status runTable(Image &I, CUfunction Function, bool Init,
                     const std::vector<CUdeviceptr> &Functions,
                     CUdeviceptr Table) {
  const size_t Bytes = Functions.size() * sizeof(CUdeviceptr);
  if (CUresult R = Cu.MemcpyHtoD(Table, Functions.data(), Bytes))
    return I.D.failure(R, "table of constructors");
  if (accx_status S = setPointer(
          I, Init ? "__init_array_start" : "__fini_array_start", Table))
    return S;
  if (accx_status S = setPointer(
          I, Init ? "__init_array_end" : "__fini_array_end", Table + Bytes))
    return S;
  Queue *Q = nullptr;
  if (accx_status S = I.D.takeQueue(Q))
    return S;
  accx_status S = ACCX_OK;
  if (CUresult R = Cu.LaunchKernel(Function, 1, 1, 1, 1, 1, 1, 0, Q->Stream,
                                   nullptr, nullptr))
    S = I.D.failure(R, "%s of an image", Init ? "constructors" : "destructors");
  else
    S = Q->wait();
  I.D.giveQueue(Q);
  return S;
}

} // namespace

accx_status Constructors::run(Image &I, const std::vector<std::string> &Names,
                              bool Init) {
  const char *Runner = Init ? "nvptx$device$init" : "nvptx$device$fini";
  CUfunction Function = nullptr;
  if (Names.empty() || !I.mayHave(Runner) ||
      Cu.ModuleGetFunction(&Function, I.Module, Runner))
    return ACCX_OK;

  // Equal priorities keep their order.
  std::multimap<unsigned, const char *> Sorted;
  for (const std::string &Name : Names)
    Sorted.emplace(priorityOf(Name), Name.c_str());
  std::vector<CUdeviceptr> Functions;
  for (auto [Priority, Name] : Sorted) {
    CUdeviceptr Constant = 0, Value = 0;
    size_t Size = 0;
    if (accx_status S = I.global(Name, Constant, Size))
      return S;
    if (CUresult R = Cu.MemcpyDtoH(&Value, Constant, sizeof(Value)))
      return I.D.failure(R, "reading '%s'", Name);
    Functions.push_back(Value);
  }

  CUdeviceptr Table = 0;
  if (CUresult R = Cu.MemAlloc(&Table, Functions.size() * sizeof(CUdeviceptr)))
    return I.D.failure(R, "table of constructors");
  const accx_status S = runTable(I, Function, Init, Functions, Table);
  Cu.MemFree(Table);
  return S;
}
