// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random operations on a directory beside the model, on simulated memories.

#ifndef ACCX_TESTS_DIRECTORY_FUZZ_H
#define ACCX_TESTS_DIRECTORY_FUZZ_H

#include "Model.h"
#include "SimMemory.h"

#include <map>
#include <string>

namespace accx::test {

struct FuzzSetup {
  const char *Name;
  DirectoryOptions Options;
  SimMemory::Limits Memory;
  /// Entries never move: every answer is known beforehand.
  bool Exact;
};

/// The placements that are worth a run of their own.
const std::vector<FuzzSetup> &fuzzSetups();

/// Constructs of several threads in flight at once. Stops at the first thing
/// that is not as the model says.
class Fuzz {
public:
  Fuzz(const FuzzSetup &Setup, uint64_t Seed);
  ~Fuzz();

  /// Empty, or what went wrong. Each construct, update, step of a plan or
  /// other change counts as one operation.
  std::string run(uint64_t Operations);

  struct Totals {
    uint64_t Enters = 0, Exits = 0, Updates = 0;
    uint64_t Done = 0, Waits = 0, Failures = 0, OutOfMemory = 0;
    uint64_t Copies = 0, Attaches = 0, Moves = 0;
    uint64_t Created = 0, Left = 0, Trims = 0, GrowthWaits = 0;
  } Counts;

private:
  struct Flight {
    Plan P;
    size_t Next = 0;
    std::vector<unsigned> Busy, Leaving, Held;
  };
  struct PinnedItem {
    unsigned Id;
    Entry *Real;
    uintptr_t Delta;
    HostRange Host;
    int32_t Parent;
    bool Count, Hold, Implicit;
  };
  using Region = std::vector<PinnedItem>;

  uint64_t random();
  uint64_t below(uint64_t N) { return random() % N; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  HostRange randomRange();
  HostRange nearRange();
  uintptr_t randomBase(HostRange R);
  void makeEnter(std::vector<EnterItem> &Items);
  void makeExit(std::vector<ExitItem> &Items);

  void step();
  void enter();
  bool tryEnter(std::vector<EnterItem> &Items, bool Insist);
  void exit(std::vector<ExitItem> Items, std::vector<unsigned> Pinned);
  void endRegion(size_t Which);
  void update();
  void permanent();
  void trim();
  void touchMemory();
  void drain();

  void takePlan(Plan &&P, const Prediction &X);
  void checkPlan(const Plan &P, const Prediction &X);
  void perform(Flight &F);
  void finish(size_t Which);
  bool idle() const { return Flights.empty() && Regions.empty(); }

  void fail(const std::string &What);
  void check(bool Ok, const char *What) {
    if (!Ok)
      fail(What);
  }
  void compare();
  void compareMemory();
  Bytes pending() const;
  unsigned idOf(const Entry *E) const;
  void dropGone();

  const FuzzSetup &Setup;
  SimMemory Memory;
  std::unique_ptr<Directory> D;
  uint64_t State;
  uint64_t Number = 0;
  std::string Trouble;

  ModelState Model;
  unsigned NextId = 0;
  std::map<unsigned, Entry *> RealOf;
  std::map<const Entry *, unsigned> IdOf;
  std::map<unsigned, uintptr_t> DeltaOf;
  std::map<uintptr_t, uintptr_t> StoredValue;
  std::vector<Flight> Flights;
  std::vector<Region> Regions;
  std::vector<std::vector<EnterItem>> Open;
  std::vector<std::pair<HostRange, uintptr_t>> Foreign;
  uint64_t ForeignBytes = 0;
  bool Joined = false; ///< A permanent entry shares a home.

  uint8_t Host[SpaceSize];
  uint8_t Device[SpaceSize];
  Bytes Known;
};

} // namespace accx::test

#endif // ACCX_TESTS_DIRECTORY_FUZZ_H
