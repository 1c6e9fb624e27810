//===- DirectiveEnd.cpp - Around a directive's call -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `accx read` and the like become calls that return error numbers, which a
// directive has nowhere to give: what fails ends the program with its line, at
// once or at the next wait for the queue.
//
//===----------------------------------------------------------------------===//

#include "abi/Operations.h"
#include "event/Event.h"

#include <accx/async.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

using namespace accx;

/// Set from the begin to the end.
static thread_local constinit const char *Place = nullptr;

const char *acc::operationPlace() { return Place; }

ACCX_ABI void __accx_operation_begin(const char *Source) { Place = Source; }

/// Of a failure that has no event to tell of it.
static std::string reasonOf(int Code, std::string_view Name) {
  if (Code != -EINVAL)
    return std::generic_category().message(-Code);
  if (Name.starts_with("wait("))
    return "there is no such queue";
  return "a length, offset, queue, file or event is none, or only a part of "
         "the data is on the device";
}

ACCX_ABI void __accx_operation_end(int Code, accx_event_object *Event,
                                   const char *Source) {
  Place = nullptr;
  // Gives the program's reference back.
  const EventRef E = EventRef::adopt(static_cast<accx::Event *>(Event));
  if (Code >= 0)
    return;
  const Ident Loc = {0, 0, 0, 0, Source};
  const std::string Name(SourceLocation::ofConstruct(&Loc).Name);
  std::string Why = E ? E->message() : "";
  if (Why.empty())
    Why = reasonOf(Code, Name);
  acc::failAt(Loc, "%s failed: %s", Name.c_str(), Why.c_str());
}
