// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

/// Six times seven, added up on a device.
extern "C" int answer() {
  std::vector<int> Sevens(6, 7);
  const int *Data = Sevens.data();
  int Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(to : Data[0 : 6])
  for (int I = 0; I < 6; ++I)
    Sum += Data[I];
  return Sum;
}
