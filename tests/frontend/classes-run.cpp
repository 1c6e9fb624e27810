// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Templates, members and lambdas with directives, run: each instantiation is
// compiled for what it is instantiated with.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %plainclang++ -std=c++20 -Wno-everything %s -o serial
// RUN: ./serial > expected.txt
// RUN: %accxcxx -std=c++20 -Wall -O2 %s -o device
// RUN: %run ./device > device.txt
// RUN: cmp expected.txt device.txt
// RUN: FileCheck %s < device.txt
// CHECK: int 4950
// CHECK: double 4950

#include <cstdio>
#include <vector>

template <class T> class Grid {
public:
  Grid(int Rows, int Columns)
      : Rows(Rows), Columns(Columns), Cells(new T[Rows * Columns]) {
#pragma acc enter data copyin(this[0 : 1]) create(Cells[0 : Rows * Columns])
  }
  ~Grid() {
#pragma acc exit data delete (Cells[0 : Rows * Columns], this[0 : 1])
    delete[] Cells;
  }
#pragma acc routine seq
  T at(int I, int J) const { return Cells[I * Columns + J]; }

  template <class F> void fill(F Function) {
#pragma acc parallel loop collapse(2) present(Cells[0 : Rows * Columns])
    for (int I = 0; I < Rows; ++I)
      for (int J = 0; J < Columns; ++J)
        Cells[I * Columns + J] = Function(I, J);
  }
  T sum() const {
    T S = 0;
#pragma acc parallel loop gang reduction(+ : S) present(this[0 : 1])
    for (int I = 0; I < Rows; ++I) {
#pragma acc loop vector reduction(+ : S)
      for (int J = 0; J < Columns; ++J)
        S += at(I, J);
    }
    return S;
  }
  T last() {
#pragma acc update self(this->Cells[0 : this->Rows * this->Columns])
    return Cells[Rows * Columns - 1];
  }

private:
  int Rows, Columns;
  T *Cells;
};

struct Pair {
  float X, Y;
#pragma acc routine seq
  Pair(float A, float B) : X{A}, Y(B) {}
#pragma acc routine seq
  ~Pair() {}
#pragma acc routine seq
  float &operator[](int I) { return I ? Y : X; }
#pragma acc routine seq
  float operator()(float F) const { return X * F + Y; }
#pragma acc routine seq
  operator float() const { return X + Y; }
#pragma acc routine vector
  void operator+=(float F);
};

void Pair::operator+=(float F) {
#pragma acc loop vector
  for (int I = 0; I < 2; ++I)
    (*this)[I] += F;
}

#pragma acc routine seq
Pair operator+(const Pair &A, const Pair &B) {
  return Pair(A.X + B.X, A.Y + B.Y);
}

/// Operators, constructors and conversions as routines.
static void pairs() {
  float S[10];
#pragma acc parallel loop gang copyout(S)
  for (int I = 0; I < 10; ++I) {
    Pair P(I, 2), Q(1, 1);
    P[1] += 3;
    P += 2;
    S[I] = (P + Q)(2) + float(P);
  }
  for (float X : S)
    std::printf("%g ", X);
  std::printf("pairs\n");
}

/// Several parts of one array in one update.
static void parts(int From) {
  int A[10][4];
  for (int I = 0; I < 40; ++I)
    A[I / 4][I % 4] = 0;
#pragma acc enter data copyin(A)
  for (int I = 0; I < 40; ++I)
    A[I / 4][I % 4] = I;
#pragma acc update device(A[0 : From][0 : 4], A[From : 6 - From])              \
    device(A[6 : 4])
#pragma acc parallel loop collapse(2) present(A)
  for (int I = 0; I < 10; ++I)
    for (int J = 0; J < 4; ++J)
      A[I][J] *= 2;
#pragma acc update self(A[0 : From][0 : 4], A[From], A[From + 1 : 9 - From])   \
    async(2)
#pragma acc wait
#pragma acc exit data delete (A)
  int Sum = 0;
  for (int I = 0; I < 40; ++I)
    Sum = Sum * 3 + A[I / 4][I % 4] & 0xfffff;
  std::printf("parts %d\n", Sum);
}

template <class T> static void show(const char *Name) {
  Grid<T> G(33, 7);
  T Offset = 3;
  G.fill([=](int I, int J) { return T(I * 2 + J) + Offset; });
  std::printf("%s %.0f %.0f\n", Name, double(G.sum()), double(G.last()));
  std::vector<T> V(100);
  T *P = V.data(), S{};
  const int N = int(V.size());
#pragma acc data copy(P[0 : N])
  {
#pragma acc parallel loop
    for (int I = 0; I < N; ++I)
      P[I] = T(I);
#pragma acc parallel loop reduction(+ : S)
    for (int I = 0; I < N; ++I)
      S += P[I];
  }
  std::printf("%s %.0f %.0f\n", Name, double(S), double(V[99]));
}

int main() {
  show<int>("int");
  show<double>("double");
  auto Run = [](int N) {
    int Odd = 0;
#pragma acc parallel loop reduction(+ : Odd)
    for (int I = 0; I < N; ++I)
      Odd += I % 2;
    return Odd;
  };
  std::printf("lambda %d\n", Run(101));
  pairs();
  parts(3);
  return 0;
}
