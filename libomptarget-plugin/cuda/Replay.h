//===- Replay.h - Launches that repeat, as graphs ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds sequences of launches that a queue repeats, and launches them as graphs
// of the driver: a kernel of a graph costs a third of a launch. Queues that
// meet again and again have one sequence together.
//
//===----------------------------------------------------------------------===//
//
// A queue's history is a row of symbols: launches, meetings with other queues
// and copies to their devices, and boundaries where something else was asked of
// the queue. A row whose end repeats itself has a period:
//
//   watching ------ the period goes on and on ----->  recording: one period
//      ^                                              with its arguments
//      |                                                      |
//      |                                                      v
//      '--- something else comes: what was put <---- following: launches wait
//           off is launched one by one               for their whole graph
//
// The ends of a graph of several devices cost two ways between them. Where
// these have work left all the time, launches cost nothing, and stay what they
// are.
//
// Launches are compared by queue, kernel and shape. Arguments that differ from
// the graph's are written into it before it is launched.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_REPLAY_H
#define ACCX_PLUGIN_CUDA_REPLAY_H

#include "Capture.h"
#include "Geometry.h"
#include "Image.h"
#include "Lanes.h"

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace accx::cuda {

/// Of one queue, or of some of different devices that meet. Threads of several
/// queues hold what lock() gives; otherwise calls do not overlap, as those on a
/// queue do not.
class Replay {
public:
  explicit Replay(std::vector<Lanes::Lane> Streams)
      : D(*Streams.front().D), Streams(std::move(Streams)),
        Gap(D.Env.GraphGap * (size() > 1 ? ForMeetings : 1)) {}

  std::unique_lock<std::mutex> lock() {
    return size() > 1 ? std::unique_lock(Mutex)
                      : std::unique_lock<std::mutex>();
  }
  /// Of queues.
  size_t size() const { return Streams.size(); }

  /// Puts a launch on queue \p Lane, which may wait for those that follow it.
  accx_status launch(unsigned Lane, const ReadyLaunch &L) {
    return next({&L, Lane});
  }
  /// The same of a copy.
  accx_status copy(unsigned Lane, const PeerCopy &C) {
    return next({nullptr, Lane, &C});
  }
  /// Something that is no such launch was put on the queue's stream.
  accx_status touch(unsigned Lane) { return Streams.open(Lane); }
  /// Later work of each queue starts after what is on all of them.
  accx_status meet() { return next({nullptr, 0}); }
  /// Queues what was put off. Call before anything else goes to the stream of
  /// \p Lane.
  accx_status flush(unsigned Lane) {
    if (!Quiet)
      if (accx_status S = boundary())
        return S;
    return Streams.open(Lane);
  }
  /// The same, and nothing more comes on that queue.
  accx_status remove(unsigned Lane) {
    const accx_status S = flush(Lane), Removed = Streams.remove(Lane);
    return S ? S : Removed;
  }

private:
  /// Longest period that is looked for, in symbols.
  static constexpr unsigned MaxPeriod = 256;
  static constexpr unsigned NumKept = 2 * MaxPeriod;
  /// A graph of fewer kernels gains nothing.
  static constexpr unsigned MinKernels = 4;
  /// The device is to begin soon: the first graph behind a boundary has so many
  /// kernels, the next ones twice as many each, up to the other number.
  static constexpr unsigned FirstKernels = 8;
  static constexpr unsigned MostKernels = 32;
  /// Graphs of queues that meet are so many times as long, and wait as much
  /// longer for the next launch.
  static constexpr unsigned ForMeetings = 4;
  static constexpr unsigned MaxPatterns = 8;
  /// A pattern that was left more often, and a quarter of its graphs, is given
  /// up.
  static constexpr unsigned MaxMisses = 8;

  /// A copy, or a launch without its arguments, which is odd, or one of these.
  using Symbol = uint64_t;
  static constexpr Symbol Boundary = 0, Meeting = 2;
  /// What comes next: a launch, a copy, or with neither a meeting.
  struct Step {
    const ReadyLaunch *L;
    unsigned Lane;
    const PeerCopy *C = nullptr;
  };
  struct Node {
    const Kernel *K = nullptr; ///< Null: a copy or a meeting.
    std::optional<PeerCopy> Copy;
    uint64_t KernelId = 0;
    LaunchShape Shape = {};
    uint32_t SharedBytes = 0;
    unsigned Lane;
    std::vector<void *> Args;
    CUgraphNode Handle = nullptr;
    /// Args are not those of the graph.
    bool Changed = false;

    explicit Node(const Step &S);
    bool isMeeting() const { return !K && !Copy; }
    bool isLike(const Step &S) const;
    ReadyLaunch ready() { return {K, Shape, SharedBytes, Args}; }
  };
  /// Kernels that start together.
  struct Segment {
    std::vector<Node> Nodes;
    /// A boundary comes behind them.
    bool Ends = false;
    CUgraph Graph = nullptr;
    CUgraphExec Exec = nullptr;
    bool HasCopies = false;
    /// Number of the memory that had been given back when it was built.
    uint64_t Frees = 0;

    Segment() = default;
    Segment(Segment &&Other) noexcept;
    ~Segment();
    size_t numKernels() const;
    /// Of queue \p Lane alone.
    size_t numKernels(unsigned Lane) const;
    /// The first kernel, on whose queue the graph starts.
    const Node &first() const;
    /// Whether the meeting \p At orders nothing but copies that may be made in
    /// any order: those since the last one that does, \p Ahead, and those
    /// ahead of the next one.
    bool isNeedless(std::vector<Node>::const_iterator At,
                    std::span<const PeerCopy> Ahead) const;
    /// False if the driver makes no graph of the nodes.
    bool build(const Lanes &Streams);
    /// Whether memory that its copies use may be another one by now.
    bool isStale() const;
    accx_status launch(Lanes &Streams);
  };
  struct Pattern {
    /// One period; if it has a boundary, that is its last symbol.
    std::vector<Symbol> Period;
    std::vector<Segment> Segments;
    bool HasBoundary = false;
    void split(bool Meets);
    /// Arguments are the same again after so many periods.
    unsigned Alternates = 1;
    /// Begins of a period that had the arguments of another one.
    unsigned NumPassed = 0;
    unsigned NumGraphs = 0;
    /// How often launches were put off in vain.
    unsigned NumMisses = 0;
    /// Gains nothing, or was left too often.
    bool Useless = false;
  };

  static Symbol symbolOf(const Step &S);
  static uint64_t hashOf(const Step &S);

  Symbol ago(unsigned I) const { return Symbols[(Count - 1 - I) % NumKept]; }
  uint64_t argumentsAgo(unsigned I) const {
    return Arguments[(Count - 1 - I) % NumKept];
  }
  unsigned joinedKernels() const;
  uint64_t probesApart() const;
  void probe();
  bool isStarved();
  unsigned findPeriod() const;
  unsigned periodsOfArguments() const;
  bool endsWith(std::span<const Symbol> Row, size_t Turn) const;
  void note(Symbol What, uint64_t Args);
  void look();
  void record(Symbol What, const Step *S);
  void finishRecording();
  void goOn();
  accx_status next(const Step &S);
  accx_status perform(const Step &S);
  accx_status perform(Node &N);
  accx_status follow(const Step &S, bool &Taken);
  accx_status leave();
  accx_status boundary();

  Device &D; ///< Of the first queue.
  Lanes Streams;
  std::mutex Mutex;

  /// Nothing was launched since the last boundary.
  bool Quiet = true;
  std::array<Symbol, NumKept> Symbols = {};
  std::array<uint64_t, NumKept> Arguments = {};
  uint64_t Count = 0;
  /// Counts behind the last ones; 0: there was none.
  uint64_t LastBoundary = 0, LastMeeting = 0;
  uint64_t BoundaryBefore = 0; ///< Of the last one.
  uint64_t Probed = 0;         ///< Count at the last probe.
  unsigned Period = 0;         ///< 0: none.
  uint64_t Run = 0;            ///< Symbols that kept to it.
  /// There is a pattern of the period, which begins at another turn of it.
  bool IsKnown = false;

  std::vector<std::unique_ptr<Pattern>> Patterns;

  /// The pattern that is recorded, and what of it has come.
  std::unique_ptr<Pattern> Recorded;
  unsigned ToRecord = 0, NumRecorded = 0;

  const std::chrono::microseconds Gap;
  /// The pattern that is followed, and the next launch or boundary of it.
  Pattern *Followed = nullptr;
  unsigned At = 0, Next = 0;
  /// Launches of the current segment that were put off.
  unsigned NumOff = 0;
  std::chrono::steady_clock::time_point LastLaunch;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_REPLAY_H
