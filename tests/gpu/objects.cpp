// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++ on the device: constructors and destructors of global objects, globals,
// virtual calls made on the device, templates, lambdas, printf.

#include "check.h"

#include <vector>

#pragma omp declare target
struct Counter {
  int Value;
  Counter(int Start);
  ~Counter();
};
int Constructed = 0;
Counter::Counter(int Start) : Value(Start + Constructed) { ++Constructed; }
Counter::~Counter() { Value = 0; }
Counter First(10);
Counter Second(20);
int Table[5] = {1, 2, 3, 4, 5};

struct Shape {
  virtual int corners() const { return 0; }
};
struct Square : Shape {
  int corners() const override { return 4; }
};
template <typename T> T twice(T X) { return X + X; }
#pragma omp end declare target

struct Vector {
  int N;
  double *Data;
};

int main() {
  int A = 0, B = 0, C = 0;
#pragma omp target map(from : A, B, C)
  {
    A = First.Value;
    B = Second.Value;
    C = Constructed;
  }
  CHECK(A == 10);
  CHECK(B == 21);
  CHECK(C == 2);

  int Sum = 0;
#pragma omp target map(tofrom : Sum)
  for (int I = 0; I < 5; ++I)
    Sum += Table[I];
  CHECK(Sum == 15);
  for (int I = 0; I < 5; ++I)
    Table[I] = 100;
#pragma omp target update to(Table)
#pragma omp target map(tofrom : Sum)
  for (int I = 0; I < 5; ++I) {
    Sum += Table[I];
    Table[I] = I;
  }
#pragma omp target update from(Table)
  CHECK(Sum == 515);
  CHECK(Table[4] == 4);

  int Corners = 0;
#pragma omp target map(from : Corners)
  {
    Square S;
    const Shape *P = &S;
    Corners = P->corners() + twice(1);
  }
  CHECK(Corners == 6);

  std::vector<double> Values(1000, 1.5);
  Vector V = {1000, Values.data()};
#pragma omp target enter data map(to : V, V.Data[0 : V.N])
#pragma omp target teams distribute parallel for
  for (int I = 0; I < 1000; ++I)
    V.Data[I] *= 2;
#pragma omp target exit data map(from : V.Data[0 : V.N]) map(release : V)
  int Bad = 0;
  for (double X : Values)
    Bad += X != 3.0;
  CHECK(Bad == 0);

  double *Data = Values.data();
  auto Scale = [=](int I) { Data[I] *= 10; };
#pragma omp target teams distribute parallel for map(tofrom : Data[0 : 1000])  \
    map(to : Scale)
  for (int I = 0; I < 1000; ++I)
    Scale(I);
  for (double X : Values)
    Bad += X != 30.0;
  CHECK(Bad == 0);

#pragma omp target
  printf("printed by the device: %d %s\n", 42, "text");
  return verdict();
}
