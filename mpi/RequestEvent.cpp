//===- RequestEvent.cpp - Requests of the program as events ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "Export.h"

#include <accx/channel.h>
#include <accx/mpi.h>

#include <cerrno>

using namespace accx::mpi;

namespace {

/// Tested by itself: an error of one request is of no concern to others.
class RequestTask final : public Task {
  MPI_Request Request;
  const accx_event_t Event;

  bool end(int Status, const std::string &Text) {
    __accx_event_end(Event, Status, Text.c_str());
    accx_event_release(Event);
    return false;
  }

public:
  RequestTask(MPI_Request Request, accx_event_t Event)
      : Request(Request), Event(Event) {}

  bool advance(Clock::time_point) override {
    if (HasEnded)
      return false;
    int IsDone = 0;
    const int Error = PMPI_Test(&Request, &IsDone, MPI_STATUS_IGNORE);
    if (Error)
      return end(-EIO, errorText(Error));
    if (!IsDone)
      return true;
    if (Request != MPI_REQUEST_NULL) // A persistent one.
      PMPI_Request_free(&Request);
    return end(0, "");
  }

  void close(bool All) override {
    if (!All || HasEnded)
      return;
    HasEnded = true;
    end(-ECANCELED, "MPI_Finalize was called");
  }

private:
  bool HasEnded = false;
};

} // namespace

ACCX_MPI_ABI int accx_event_from_mpi_request(MPI_Request *Request,
                                             accx_event_t *Event) {
  if (!Request || !Event || Engine::get().open() != 0)
    return -EINVAL;
  *Event = nullptr;
  accx_event_t New = nullptr;
  if (const int Error = __accx_event_create(&New))
    return Error;
  if (*Request == MPI_REQUEST_NULL) {
    __accx_event_end(New, 0, "");
    *Event = New;
    return 0;
  }
  accx_event_retain(New);
  const auto T = std::make_shared<RequestTask>(*Request, New);
  if (!Engine::get().post([T] { Engine::get().add(T); })) {
    accx_event_release(New);
    accx_event_release(New);
    return -EINVAL;
  }
  *Request = MPI_REQUEST_NULL;
  *Event = New;
  return 0;
}
