//===- Replay.h - Launches that repeat, as graphs ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds sequences of launches that a queue repeats, and launches them as graphs
// of the driver: a kernel of a graph costs a third of a launch.
//
//===----------------------------------------------------------------------===//
//
// A queue's history is a row of symbols: launches, and boundaries where
// something else was asked of the queue. A row whose end repeats itself has a
// period:
//
//   watching ------ the period goes on and on ----->  recording: one period
//      ^                                              with its arguments
//      |                                                      |
//      |                                                      v
//      '--- something else comes: what was put <---- following: launches wait
//           off is launched one by one               for their whole graph
//
// Launches are compared by kernel and shape. Arguments that differ from the
// graph's are written into it before it is launched.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_PLUGIN_CUDA_REPLAY_H
#define ACCX_PLUGIN_CUDA_REPLAY_H

#include "Geometry.h"
#include "Image.h"

#include <array>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

namespace accx::cuda {

/// What the driver needs for a launch.
struct ReadyLaunch {
  const Kernel *K;
  LaunchShape Shape;
  uint32_t SharedBytes;
  std::span<void *> Args;
};

/// Queues \p L on \p Stream.
accx_status launchNow(CUstream Stream, const ReadyLaunch &L);

/// Of one queue; not thread-safe, as queues are not. The device's context is
/// current in all calls.
class Replay {
public:
  Replay(Device &D, CUstream Stream) : D(D), Stream(Stream) {}

  /// Queues a launch that may wait for those that follow it.
  accx_status launch(const ReadyLaunch &L);
  /// Queues what was put off. Call before anything else goes to the stream.
  accx_status flush() { return Quiet ? ACCX_OK : boundary(); }

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
  static constexpr unsigned MaxPatterns = 8;
  /// A pattern that was left more often, and a quarter of its graphs, is given
  /// up.
  static constexpr unsigned MaxMisses = 8;

  /// A launch without its arguments, or 0: a boundary.
  using Symbol = uint64_t;
  struct Node {
    const Kernel *K;
    uint64_t KernelId;
    LaunchShape Shape;
    uint32_t SharedBytes;
    std::vector<void *> Args;
    CUgraphNode Handle = nullptr;
    /// Args are not those of the graph.
    bool Changed = false;

    explicit Node(const ReadyLaunch &L);
    bool isLike(const ReadyLaunch &L) const;
    ReadyLaunch ready() { return {K, Shape, SharedBytes, Args}; }
  };
  /// Kernels that start together.
  struct Segment {
    std::vector<Node> Nodes;
    /// A boundary comes behind them.
    bool Ends = false;
    CUgraph Graph = nullptr;
    CUgraphExec Exec = nullptr;

    Segment() = default;
    Segment(Segment &&Other) noexcept;
    ~Segment();
    /// False if the driver makes no graph of the nodes.
    bool build();
    accx_status launch(Device &D, CUstream Stream);
  };
  struct Pattern {
    /// One period; if it has a boundary, that is its last symbol.
    std::vector<Symbol> Period;
    std::vector<Segment> Segments;
    bool HasBoundary = false;
    void split();
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

  static Symbol symbolOf(const ReadyLaunch &L);
  static uint64_t hashOf(std::span<void *const> Args);

  Symbol ago(unsigned I) const { return Symbols[(Count - 1 - I) % NumKept]; }
  uint64_t argumentsAgo(unsigned I) const {
    return Arguments[(Count - 1 - I) % NumKept];
  }
  unsigned joinedKernels() const;
  unsigned findPeriod() const;
  unsigned periodsOfArguments() const;
  bool endsWith(std::span<const Symbol> Row, size_t Turn) const;
  void note(Symbol What, uint64_t Args);
  void look();
  void record(Symbol What, const ReadyLaunch *L);
  void finishRecording();
  void goOn();
  accx_status follow(const ReadyLaunch &L, bool &Taken);
  accx_status leave();
  accx_status boundary();

  Device &D;
  const CUstream Stream;

  /// Nothing was launched since the last boundary.
  bool Quiet = true;
  std::array<Symbol, NumKept> Symbols = {};
  std::array<uint64_t, NumKept> Arguments = {};
  uint64_t Count = 0;
  uint64_t LastBoundary = 0; ///< Count behind it; 0: there was none.
  unsigned Period = 0;       ///< 0: none.
  uint64_t Run = 0;          ///< Symbols that kept to it.
  /// There is a pattern of the period, which begins at another turn of it.
  bool IsKnown = false;

  std::vector<std::unique_ptr<Pattern>> Patterns;

  /// The pattern that is recorded, and what of it has come.
  std::unique_ptr<Pattern> Recorded;
  unsigned ToRecord = 0, NumRecorded = 0;

  /// The pattern that is followed, and the next launch or boundary of it.
  Pattern *Followed = nullptr;
  unsigned At = 0, Next = 0;
  /// Launches of the current segment that were put off.
  unsigned NumOff = 0;
  std::chrono::steady_clock::time_point LastLaunch;
};

} // namespace accx::cuda

#endif // ACCX_PLUGIN_CUDA_REPLAY_H
