//===- wave.cpp - A wave on a grid that is an object ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid's class owns its device data: the constructor enters the object and
// what it points to, the destructor takes both off again, and its members'
// loops run on the device through `this`. Three time levels rotate. The energy
// is a reduction over a collapsed loop.
//
// Usage: wave [nx [ny [steps]]]
//
//===----------------------------------------------------------------------===//

#include "demo_acc.h"

#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

template <typename T> class Grid {
public:
  Grid(int NX, int NY) : NX(NX), NY(NY), Data(new T[size()]()) {
#pragma acc enter data copyin(this[0 : 1])
#pragma acc enter data copyin(Data[0 : size()])
  }
  ~Grid() {
#pragma acc exit data delete (Data[0 : size()])
#pragma acc exit data delete (this[0 : 1])
    delete[] Data;
  }
  Grid(const Grid &) = delete;
  Grid &operator=(const Grid &) = delete;

  std::size_t size() const { return static_cast<std::size_t>(NX) * NY; }
  T *data() { return Data; }
  const T *data() const { return Data; }

  void toDevice() {
    T *D = Data;
#pragma acc update device(D[0 : size()])
  }
  void toHost() {
    T *D = Data;
#pragma acc update self(D[0 : size()])
  }

  /// Becomes the level after Now, where this is the level before it.
  void advance(const Grid &Now, T Courant2) {
    const T *N = Now.Data;
    T *P = Data;
    const int Width = NX, Height = NY;
#pragma acc parallel loop gang present(N[0 : size()], P[0 : size()])
    for (int J = 1; J < Height - 1; ++J) {
#pragma acc loop vector
      for (int I = 1; I < Width - 1; ++I) {
        const int At = J * Width + I;
        P[At] = 2 * N[At] - P[At] +
                Courant2 * (N[At - 1] + N[At + 1] + N[At - Width] +
                            N[At + Width] - 4 * N[At]);
      }
    }
  }

  /// Sum of the squares of the change from Before to this.
  double energy(const Grid &Before) const {
    const T *N = Data, *P = Before.Data;
    const int Width = NX, Height = NY;
    double Sum = 0;
#pragma acc parallel loop collapse(2) reduction(+ : Sum)                       \
    present(N[0 : size()], P[0 : size()])
    for (int J = 0; J < Height; ++J)
      for (int I = 0; I < Width; ++I) {
        double Change = N[J * Width + I] - P[J * Width + I];
        Sum += Change * Change;
      }
    return Sum;
  }

private:
  int NX, NY;
  T *Data;
};

/// A drop in the middle, at rest.
template <typename T> void drop(int NX, int NY, T *Level) {
  for (int J = 0; J < NY; ++J)
    for (int I = 0; I < NX; ++I) {
      double X = (I - NX / 2) / 8.0, Y = (J - NY / 2) / 8.0;
      bool Border = I == 0 || J == 0 || I == NX - 1 || J == NY - 1;
      Level[J * NX + I] = Border ? 0 : static_cast<T>(std::exp(-X * X - Y * Y));
    }
}

template <typename T>
double onHost(int NX, int NY, int Steps, T Courant2, std::vector<T> &Now) {
  drop(NX, NY, Now.data());
  std::vector<T> Before = Now;
  for (int S = 0; S < Steps; ++S) {
    for (int J = 1; J < NY - 1; ++J)
      for (int I = 1; I < NX - 1; ++I) {
        int At = J * NX + I;
        Before[At] = 2 * Now[At] - Before[At] +
                     Courant2 * (Now[At - 1] + Now[At + 1] + Now[At - NX] +
                                 Now[At + NX] - 4 * Now[At]);
      }
    std::swap(Before, Now);
  }
  double Energy = 0;
  for (std::size_t I = 0; I < Now.size(); ++I)
    Energy += (double(Now[I]) - Before[I]) * (double(Now[I]) - Before[I]);
  return Energy;
}

template <typename T> int measure(const char *Name, int NX, int NY, int Steps) {
  const T Courant2 = static_cast<T>(0.25);
  const double Tolerance = sizeof(T) == 4 ? 1e-4 : 1e-10;
  std::vector<T> Expected(static_cast<std::size_t>(NX) * NY);
  double ExpectedEnergy = onHost(NX, NY, Steps, Courant2, Expected);

  double Times[DemoRepeats];
  int Good = 1;
  for (double &Time : Times) {
    Grid<T> A(NX, NY), B(NX, NY);
    drop(NX, NY, A.data());
    drop(NX, NY, B.data());
    Grid<T> *Before = &A, *Now = &B;
    double Begin = demoNow();
    Before->toDevice();
    Now->toDevice();
    for (int S = 0; S < Steps; ++S) {
      Before->advance(*Now, Courant2);
      std::swap(Before, Now);
    }
    double Energy = Now->energy(*Before);
    Now->toHost();
    Time = demoNow() - Begin;
    Good = Good && demoNear(Energy, ExpectedEnergy, Tolerance);
    for (std::size_t I = 0; I < Expected.size() && Good; ++I)
      Good = demoNear(Now->data()[I], Expected[I], Tolerance);
  }
  double Ms = demoMedianMs(Times, DemoRepeats);
  char Size[64], Metric[64];
  std::snprintf(Size, sizeof(Size), "%dx%dx%d", NX, NY, Steps);
  std::snprintf(Metric, sizeof(Metric), "%.1f Mcells/s on %s",
                1e-3 * Steps * NX * NY / Ms, demoPlace(1));
  return demoReport(Name, Size, Ms, Metric, Good);
}

} // namespace

int main(int Argc, char **Argv) {
  int NX = demoSize(Argc, Argv, 1, 403);
  int NY = demoSize(Argc, Argv, 2, 397);
  int Steps = demoSize(Argc, Argv, 3, 101);
  demoDevices();
  int Bad = measure<float>("acc-wave-f", NX, NY, Steps);
  return Bad | measure<double>("acc-wave-d", NX, NY, Steps);
}
