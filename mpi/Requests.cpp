//===- Requests.cpp - Requests of MPI under way ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Requests.h"

#include <utility>

using namespace accx::mpi;

std::string accx::mpi::errorText(int Code) {
  char Text[MPI_MAX_ERROR_STRING + 1] = "";
  int Length = 0;
  if (PMPI_Error_string(Code, Text, &Length) != MPI_SUCCESS)
    return "MPI error " + std::to_string(Code);
  return Text;
}

Requests::Id Requests::add(MPI_Request R, Done Then) {
  Under.push_back(R);
  Entries.push_back({Next, std::move(Then)});
  return Next++;
}

size_t Requests::find(Id Of) const {
  size_t At = 0;
  while (Entries[At].Number != Of)
    ++At;
  return At;
}

void Requests::remove(size_t At) {
  std::swap(Under[At], Under.back());
  std::swap(Entries[At], Entries.back());
  Under.pop_back();
  Entries.pop_back();
}

bool Requests::test() {
  if (Under.empty())
    return false;
  const int Num = static_cast<int>(Under.size());
  Indices.resize(Under.size());
  Statuses.resize(Under.size());
  int NumDone = 0;
  const int Result = PMPI_Testsome(Num, Under.data(), &NumDone, Indices.data(),
                                   Statuses.data());
  if (NumDone == MPI_UNDEFINED || NumDone <= 0)
    return false;

  // Functions add requests: all that ended are taken off the list first.
  struct Ended {
    Id Number;
    Done Then;
    int Error;
    MPI_Status Status;
  };
  std::vector<Ended> Calls;
  for (int I = 0; I < NumDone; ++I) {
    const auto At = static_cast<size_t>(Indices[I]);
    Entry &E = Entries[At];
    const int Error =
        Result == MPI_ERR_IN_STATUS ? Statuses[I].MPI_ERROR : MPI_SUCCESS;
    if (!E.Forgotten)
      Calls.push_back({E.Number, std::move(E.Then), Error, Statuses[I]});
    E.Number = 0;
  }
  for (size_t At = Under.size(); At-- > 0;)
    if (Entries[At].Number == 0)
      remove(At);
  for (Ended &E : Calls)
    E.Then(E.Number, E.Error, E.Status);
  return true;
}

Requests::Cancelled Requests::cancelReceive(Id Of) {
  size_t At = find(Of);
  PMPI_Cancel(&Under[At]);
  int HasEnded = 0, WasCancelled = 0;
  MPI_Status Status;
  const int Error = PMPI_Test(&Under[At], &HasEnded, &Status);
  if (!HasEnded) {
    Entries[At].Forgotten = true;
    return Cancelled::No;
  }
  if (Error == MPI_SUCCESS)
    PMPI_Test_cancelled(&Status, &WasCancelled);
  Entry E = std::move(Entries[At]);
  remove(At);
  if (WasCancelled)
    return Cancelled::Yes;
  E.Then(E.Number, Error, Status);
  return Cancelled::Ended;
}

void Requests::forget(Id Of) { Entries[find(Of)].Forgotten = true; }

bool Requests::areAwaited() const {
  for (const Entry &E : Entries)
    if (!E.Forgotten)
      return true;
  return false;
}
