//===- ProfTest.cpp -------------------------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of callbacks, their order, and what switches them.
//
//===----------------------------------------------------------------------===//

#include "report/Prof.h"

#include <catch2/catch.hpp>

#include <string>
#include <thread>

using namespace accx;

namespace {

std::string Calls;

template <char Name>
void called(acc_prof_info *, acc_event_info *, acc_api_info *) {
  Calls += Name;
}

void registersAnother(acc_prof_info *, acc_event_info *, acc_api_info *) {
  Calls += 'r';
  prof::registerCallback(acc_ev_update_start, called<'n'>, acc_reg);
}

void causesAnother(acc_prof_info *, acc_event_info *, acc_api_info *) {
  Calls += 'c';
  prof::dataEvent(acc_ev_create, {0});
}

void setPointer(acc_prof_info *, acc_event_info *E, acc_api_info *) {
  E->other_event.tool_info = &Calls;
}

void usePointer(acc_prof_info *, acc_event_info *E, acc_api_info *) {
  Calls += E->other_event.tool_info == &Calls ? 'p' : 'x';
}

/// The callbacks of one update.
std::string update() {
  Calls.clear();
  {
    prof::EventScope Scope;
    Scope.construct(acc_ev_update_start, {acc_construct_update, 0});
    Calls += '|';
  }
  return Calls;
}

/// Takes away what a test registered, and switches everything on.
struct Registration {
  struct Entry {
    acc_event_t Event;
    acc_prof_callback Function;
  };
  std::vector<Entry> All;

  void add(acc_event_t Event, acc_prof_callback Function) {
    prof::registerCallback(Event, Function, acc_reg);
    All.push_back({Event, Function});
  }
  ~Registration() {
    for (const Entry &E : All) {
      prof::registerCallback(E.Event, nullptr, acc_toggle);
      prof::unregisterCallback(E.Event, E.Function, acc_reg);
    }
    prof::registerCallback(acc_ev_none, nullptr, acc_toggle);
    prof::registerCallback(acc_ev_none, nullptr, acc_toggle_per_thread);
  }
};

} // namespace

TEST_CASE("callbacks of an end come in reverse order") {
  Registration R;
  CHECK_FALSE(prof::enabled());
  R.add(acc_ev_update_start, called<'a'>);
  R.add(acc_ev_update_start, called<'b'>);
  R.add(acc_ev_update_end, called<'1'>);
  R.add(acc_ev_update_end, called<'2'>);
  CHECK(prof::enabled());
  CHECK(update() == "ab|21");
}

TEST_CASE("registrations are counted") {
  Registration R;
  R.add(acc_ev_update_start, called<'a'>);
  R.add(acc_ev_update_start, called<'a'>);
  CHECK(update() == "a|");
  prof::unregisterCallback(acc_ev_update_start, called<'a'>, acc_reg);
  CHECK(update() == "a|");
  prof::unregisterCallback(acc_ev_update_start, called<'a'>, acc_reg);
  CHECK(update() == "|");
  CHECK_FALSE(prof::enabled());
  // One too many changes nothing.
  prof::unregisterCallback(acc_ev_update_start, called<'a'>, acc_reg);
  CHECK(update() == "|");
}

TEST_CASE("a callback, an event or everything is switched off and on") {
  Registration R;
  R.add(acc_ev_update_start, called<'a'>);
  R.add(acc_ev_update_start, called<'b'>);
  R.add(acc_ev_update_end, called<'1'>);
  prof::unregisterCallback(acc_ev_update_start, called<'a'>, acc_toggle);
  CHECK(update() == "b|1");
  prof::unregisterCallback(acc_ev_update_start, nullptr, acc_toggle);
  CHECK(update() == "|1");
  prof::registerCallback(acc_ev_update_start, called<'a'>, acc_toggle);
  CHECK(update() == "|1");
  prof::registerCallback(acc_ev_update_start, nullptr, acc_toggle);
  CHECK(update() == "ab|1");
  prof::unregisterCallback(acc_ev_none, nullptr, acc_toggle);
  CHECK(update() == "|");
  prof::registerCallback(acc_ev_none, nullptr, acc_toggle);
  CHECK(update() == "ab|1");
}

TEST_CASE("a thread switches its own callbacks") {
  Registration R;
  R.add(acc_ev_update_start, called<'a'>);
  std::thread([] {
    prof::unregisterCallback(acc_ev_none, nullptr, acc_toggle_per_thread);
    CHECK(update() == "|");
  }).join();
  CHECK(update() == "a|");
}

TEST_CASE("what makes no sense changes nothing") {
  Registration R;
  R.add(acc_ev_update_start, called<'a'>);
  prof::registerCallback(acc_ev_last, called<'b'>, acc_reg);
  prof::registerCallback(static_cast<acc_event_t>(31), called<'b'>, acc_reg);
  prof::registerCallback(acc_ev_none, called<'b'>, acc_reg);
  prof::registerCallback(acc_ev_update_start, nullptr, acc_reg);
  prof::unregisterCallback(acc_ev_none, called<'a'>, acc_toggle);
  prof::unregisterCallback(acc_ev_update_start, called<'a'>,
                           acc_toggle_per_thread);
  prof::unregisterCallback(acc_ev_update_start, called<'a'>,
                           static_cast<acc_register_t>(3));
  CHECK(update() == "a|");
}

TEST_CASE("a callback may register another, which hears of the next event") {
  Registration R;
  R.add(acc_ev_update_start, registersAnother);
  R.All.push_back({acc_ev_update_start, called<'n'>});
  CHECK(update() == "r|");
  CHECK(update() == "rn|");
  prof::unregisterCallback(acc_ev_update_start, called<'n'>, acc_reg);
}

TEST_CASE("what a callback does triggers nothing") {
  Registration R;
  R.add(acc_ev_create, called<'x'>);
  R.add(acc_ev_update_start, causesAnother);
  CHECK(update() == "c|");
}

TEST_CASE("the tool's pointer comes back at the end") {
  Registration R;
  R.add(acc_ev_update_start, setPointer);
  R.add(acc_ev_update_end, usePointer);
  CHECK(update() == "|p");
}

TEST_CASE("steps know the construct they are in") {
  static acc_prof_info Seen;
  static acc_data_event_info Data;
  Registration R;
  R.add(acc_ev_enqueue_upload_start,
        [](acc_prof_info *P, acc_event_info *E, acc_api_info *) {
          Seen = *P;
          Data = E->data_event;
        });
  const Ident Loc = {0, 0, 0, 0, ";dir/f.c;fun;12;3;;"};
  const prof::DataFacts Facts = {0, ";s.a[0:n][2:m];f.c;1;2;;", 80};
  {
    prof::EventScope Scope, Step;
    Scope.construct(acc_ev_enter_data_start,
                    {acc_construct_enter_data, 0, &Loc, 5});
    Step.data(acc_ev_enqueue_upload_start, Facts);
  }
  CHECK(std::string(Seen.src_file) == "f.c");
  CHECK(std::string(Seen.func_name) == "fun");
  CHECK(Seen.line_no == 12);
  CHECK(Seen.async == 5);
  CHECK(Data.parent_construct == acc_construct_enter_data);
  CHECK(std::string(Data.var_name) == "s.a");
  CHECK(Data.bytes == 80);
  prof::EventScope Alone;
  Alone.data(acc_ev_enqueue_upload_start, Facts);
  CHECK(Seen.src_file == nullptr);
  CHECK(Seen.line_no == -1);
  CHECK(Seen.async == acc_async_sync);
  CHECK(Data.parent_construct == acc_construct_runtime_api);
}
