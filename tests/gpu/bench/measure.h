//===- measure.h - Clock and RESULT lines of the GPU benchmarks -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both sides of a comparison share, so that they measure alike.
//
//===----------------------------------------------------------------------===//

#ifndef ACCX_TESTS_GPU_BENCH_MEASURE_H
#define ACCX_TESTS_GPU_BENCH_MEASURE_H

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

/// Sizes that both sides use.
inline constexpr long SaxpyCount = 1l << 26;
inline constexpr long SmallSum = 1l << 10;
inline constexpr long LargeSum = 1l << 25;
inline constexpr size_t CopyBytes = size_t(256) << 20;
inline constexpr int NumArrays = 1000;
inline constexpr size_t ArrayBytes = 4096;

/// Median milliseconds of one call of \p Body, in batches of \p Operations.
template <typename Fn> double medianMs(int Batches, int Operations, Fn Body) {
  using Clock = std::chrono::steady_clock;
  for (int I = 0; I < std::max(Operations / 2, 3); ++I)
    Body();
  std::vector<double> Times;
  for (int B = 0; B < Batches; ++B) {
    const auto Begin = Clock::now();
    for (int I = 0; I < Operations; ++I)
      Body();
    Times.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - Begin)
            .count() /
        Operations);
  }
  std::nth_element(Times.begin(), Times.begin() + Batches / 2, Times.end());
  return Times[Batches / 2];
}

inline void result(const char *Bench, const char *Side, const std::string &Size,
                   double Ms, const std::string &Metric, bool Right) {
  std::printf("RESULT,%s,%s,%s,%.6f,%s,%s\n", Bench, Side, Size.c_str(), Ms,
              Metric.c_str(), Right ? "ok" : "BAD");
  std::fflush(stdout);
}

inline std::string microseconds(double Ms, double Per = 1) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%.3f us", Ms * 1e3 / Per);
  return Text;
}

inline std::string gigabytes(double Ms, double Bytes) {
  char Text[64];
  std::snprintf(Text, sizeof(Text), "%.2f GB/s", Bytes / Ms * 1e-6);
  return Text;
}

#endif // ACCX_TESTS_GPU_BENCH_MEASURE_H
