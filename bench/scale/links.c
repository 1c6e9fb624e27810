/*===- links.c - What each pair of devices reaches, and what access costs -===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Between every two devices: `update peer`, and a sum over the other's part of
|* a spread array. Then begin and end of a small spread array over all devices,
|* the first time and later. Usage: links [MiB a device]
|*
\*===----------------------------------------------------------------------===*/

#include "spread.h"

enum { Repeats = 5, MaxPairs = 64 * 63 };

static double Least[MaxPairs];

/** The slowest, the middle and the fastest pair; Sums is their bytes. */
static int report(const char *What, int Pairs, size_t Bytes, int Good) {
  static const char *const Which[] = {"fastest", "middle", "slowest"};
  int Bad = 0;
  qsort(Least, (size_t)Pairs, sizeof(double), scaleLess);
  for (int I = 0; I < 3; ++I) {
    const double Ms = Least[I == 0 ? 0 : I == 1 ? Pairs / 2 : Pairs - 1];
    char Unit[64], Name[64];
    snprintf(Unit, sizeof(Unit), "%.1f GB/s", 1e-6 * (double)Bytes / Ms);
    snprintf(Name, sizeof(Name), "%s-%s", What, Which[I]);
    Bad |= scaleReport(Name, "accx", scaleDevices(), Bytes, Ms, Unit, 0, Good);
  }
  return Bad;
}

static int copies(size_t Bytes, int Devices) {
  const size_t Count = Bytes / sizeof(float);
  float *A = scaleFilled(Count);
  int Pairs = 0, Good = 1;
  for (int D = 0; D < Devices; ++D) {
    /* Each has its number at the begin, and then what it got last. */
    A[0] = (float)D;
#pragma acc enter data copyin(A[0 : Count]) deviceid(D)
#pragma acc wait device(D)
  }
  for (int From = 0; From < Devices; ++From)
    for (int To = 0; To < Devices; ++To) {
      if (From == To)
        continue;
      double Ms[Repeats];
      for (int R = 0; R < Repeats; ++R) {
        const float Mark = (float)(100 * From + To + R);
        A[0] = Mark;
#pragma acc update device(A[0 : 1]) deviceid(From)
#pragma acc wait device(From, To)
        const double Begin = scaleNow();
        acc_update_peer(A, To, A, From, Bytes);
#pragma acc wait device(From, To)
        Ms[R] = scaleNow() - Begin;
        A[0] = -1;
#pragma acc update self(A[0 : 1]) deviceid(To)
#pragma acc wait device(To)
        Good &= A[0] == Mark;
      }
      Least[Pairs++] = scaleMedian(Ms, Repeats);
    }
  for (int D = 0; D < Devices; ++D) {
#pragma acc exit data delete (A[0 : Count])deviceid(D)
  }
  for (int D = 0; D < Devices; ++D) {
#pragma acc wait device(D)
  }
  free(A);
  return report("copy", Pairs, Bytes, Good);
}

/** The sum of Count numbers from First on, by device D. */
static double sumOn(int D, const float *A, size_t First, size_t Count) {
  double Sum = 0;
#pragma acc parallel loop deviceid(D) present(A[First : Count])                \
    reduction(+ : Sum) copy(Sum)
  for (size_t I = First; I < First + Count; ++I)
    Sum += A[I];
#pragma acc wait device(D)
  return Sum;
}

static int windows(size_t Bytes, int Devices) {
  const size_t Part = Bytes / sizeof(float), Count = Part * (size_t)Devices;
  float *A = scaleFilled(Count);
  int Pairs = 0, Good = 1;
#pragma accx enter spread(A[0 : Count]) devices(all)
  for (int D = 0; D < Devices; ++D)
    for (int Of = 0; Of < Devices; ++Of) {
      if (D == Of)
        continue;
      double Ms[Repeats], Want = 0;
      const size_t First = Part * (size_t)Of;
      for (size_t I = First; I < First + Part; ++I)
        Want += A[I];
      for (int R = -1; R < Repeats; ++R) {
        const double Begin = scaleNow();
        const double Sum = sumOn(D, A, First, Part);
        if (R >= 0)
          Ms[R] = scaleNow() - Begin;
        Good &= fabs(Sum - Want) <= 1e-9 * Want;
      }
      Least[Pairs++] = scaleMedian(Ms, Repeats);
    }
#pragma accx exit spread(A[0 : Count])
  free(A);
  return report("window", Pairs, Bytes, Good);
}

/** Begin and end of an array with a page on each device. */
static int grants(int Devices) {
  const size_t Count = ((size_t)2 << 20) / sizeof(float) * (size_t)Devices;
  float *A = scaleFilled(Count);
  double First = 0, Ms[Repeats];
  int Good = 1;
  for (int R = -1; R < Repeats; ++R) {
    const double Begin = scaleNow();
#pragma accx enter spread(A[0 : Count]) devices(all)
#pragma accx exit spread(A[0 : Count])
    const double Time = scaleNow() - Begin;
    if (R < 0)
      First = Time;
    else
      Ms[R] = Time;
  }
  for (size_t I = 0; I < Count; ++I)
    Good &= A[I] == scaleValue(I);
  free(A);
  return scaleReport("grant-first", "accx", Devices, 2 << 20, First,
                     "ms of the first begin and end", 0, Good) |
         scaleReport("grant", "accx", Devices, 2 << 20,
                     scaleMedian(Ms, Repeats), "ms of begin and end", 0, Good);
}

int main(int Argc, char **Argv) {
  const size_t MiB = Argc > 1 ? strtoull(Argv[1], NULL, 10) : 16;
  const int Devices = scaleDevices();
  if (MiB < 2 || MiB % 2 || Devices > 64)
    return 2;
  int Bad = grants(Devices);
  if (Devices > 1)
    Bad |= copies(MiB << 20, Devices) | windows(MiB << 20, Devices);
  return Bad;
}
