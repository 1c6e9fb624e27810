//===- histogram.cpp - Equalizing images in a pipeline of queues ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images flow through three stages on asynchronous queues: in, count the grey
// levels (atomic) and map them to equal shares, out. Each image has a queue of
// the few there are; the table of the levels is scanned by one gang in between.
// A second queue gathers statistics and waits for the first on the device.
//
// Usage: histogram [images [pixels]]
//
//===----------------------------------------------------------------------===//

#include "demo_acc.h"

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int Levels = 256;
constexpr int Queues = 4;
constexpr int Statistics = Queues;

using Pixel = std::uint8_t;

struct Pipeline {
  int Images, Pixels;
  std::vector<Pixel> In, Out;
  std::vector<long> Brightness;

  Pipeline(int Images, int Pixels)
      : Images(Images), Pixels(Pixels),
        In(static_cast<std::size_t>(Images) * Pixels), Out(In.size()),
        Brightness(Images) {
    for (std::size_t I = 0; I < In.size(); ++I) {
      float V = demoValue(I);
      In[I] = static_cast<Pixel>(V * V * (Levels - 1));
    }
  }
};

/// The level that an equalized image has in place of one that Below of Pixels
/// pixels do not exceed.
#pragma acc routine seq
inline Pixel equalized(int Below, int Pixels) {
  return static_cast<Pixel>(static_cast<long>(Below) * (Levels - 1) / Pixels);
}

void onDevice(Pipeline &P) {
  const int Pixels = P.Pixels, Images = P.Images;
  std::vector<int> TableData(static_cast<std::size_t>(Images) * Levels);
  int *Table = TableData.data();
  long *Brightness = P.Brightness.data();
#pragma acc data create(Table[0 : Images * Levels])                            \
    copyout(Brightness[0 : Images])
  {
    for (int Image = 0; Image < Images; ++Image) {
      const int Queue = Image % Queues;
      const Pixel *In = P.In.data() + static_cast<std::size_t>(Image) * Pixels;
      Pixel *Out = P.Out.data() + static_cast<std::size_t>(Image) * Pixels;
      int *Count = Table + Image * Levels;
#pragma acc enter data copyin(In[0 : Pixels]) create(Out[0 : Pixels])          \
    async(Queue)
#pragma acc parallel loop present(Count[0 : Levels]) async(Queue)
      for (int L = 0; L < Levels; ++L)
        Count[L] = 0;
#pragma acc parallel loop present(In[0 : Pixels], Count[0 : Levels])           \
    async(Queue)
      for (int I = 0; I < Pixels; ++I) {
#pragma acc atomic update
        Count[In[I]] += 1;
      }
#pragma acc serial present(Count[0 : Levels]) async(Queue)
      for (int L = 1; L < Levels; ++L)
        Count[L] += Count[L - 1];
#pragma acc parallel loop gang vector vector_length(128) async(Queue)          \
    present(In[0 : Pixels], Out[0 : Pixels], Count[0 : Levels])
      for (int I = 0; I < Pixels; ++I)
        Out[I] = equalized(Count[In[I]], Pixels);
#pragma acc wait(Queue) async(Statistics)
#pragma acc parallel present(Out[0 : Pixels], Brightness[0 : Images])          \
    async(Statistics) num_gangs(1)
      {
        long Sum = 0;
#pragma acc loop worker vector reduction(+ : Sum)
        for (int I = 0; I < Pixels; ++I)
          Sum += Out[I];
        Brightness[Image] = Sum;
      }
#pragma acc exit data async(Queue) delete (In[0 : Pixels])
#pragma acc exit data copyout(Out[0 : Pixels]) async(Statistics)
    }
#pragma acc wait
  }
}

void onHost(Pipeline &P) {
  for (int Image = 0; Image < P.Images; ++Image) {
    const Pixel *In = P.In.data() + static_cast<std::size_t>(Image) * P.Pixels;
    Pixel *Out = P.Out.data() + static_cast<std::size_t>(Image) * P.Pixels;
    int Count[Levels] = {};
    for (int I = 0; I < P.Pixels; ++I)
      ++Count[In[I]];
    for (int L = 1; L < Levels; ++L)
      Count[L] += Count[L - 1];
    P.Brightness[Image] = 0;
    for (int I = 0; I < P.Pixels; ++I) {
      Out[I] = equalized(Count[In[I]], P.Pixels);
      P.Brightness[Image] += Out[I];
    }
  }
}

} // namespace

int main(int Argc, char **Argv) {
  int Images = demoSize(Argc, Argv, 1, 12);
  int Pixels = demoSize(Argc, Argv, 2, 262147);
  demoDevices();
  Pipeline Expected(Images, Pixels), Got(Images, Pixels);
  onHost(Expected);

  double Times[DemoRepeats];
  int Good = 1;
  for (double &Time : Times) {
    Got.Out.assign(Got.Out.size(), 0);
    Got.Brightness.assign(Got.Brightness.size(), -1);
    double Begin = demoNow();
    onDevice(Got);
    Time = demoNow() - Begin;
    if (Got.Out != Expected.Out || Got.Brightness != Expected.Brightness) {
      std::fprintf(stderr, "demo: the images differ\n");
      Good = 0;
    }
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[48], Metric[64];
  std::snprintf(Size, sizeof(Size), "%dx%d", Images, Pixels);
  std::snprintf(Metric, sizeof(Metric), "%.1f Mpixels/s on %s",
                1e-3 * Images * Pixels / Ms, demoPlace(1));
  return demoReport("acc-histogram", Size, Ms, Metric, Good);
}
