// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types local to functions that are not inline, as arguments of templates with
// kernels: a launch finds the kernel of its own type, whatever the host's and
// the device's compilation emit first. Types in code that only the host runs
// stand before and between those that kernels use.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %plainclang++ -std=c++20 -Wno-everything %s -o serial
// RUN: ./serial > expected.txt
// RUN: FileCheck %s < expected.txt
// RUN: %accxcxx -std=c++20 -Wall -O0 %s -o device0
// RUN: %run ./device0 | cmp expected.txt -
// RUN: %accxcxx -std=c++20 -Wall -O2 -g %s -o device2
// RUN: %run ./device2 | cmp expected.txt -
// CHECK: lambdas 48 14
// CHECK: region in a lambda 14
// CHECK: lambdas of globals 34
// CHECK: unnamed types 22 26
// CHECK: types of one name 30 34
// CHECK: enumerations 1 2
// CHECK: lambdas in a lambda 42
// CHECK: generic lambda 10

#include <cstdio>

#pragma acc routine seq
template <class F> int call(F Function, int X) { return Function(X); }

template <class F> int on_host(F Function, int X) { return Function(X); }

template <class F> int on_device(F Function, int N) {
  int S = 0;
#pragma acc parallel loop reduction(+ : S)
  for (int I = 0; I < N; I++)
    S += Function(I);
  return S;
}

template <class F> int with_openmp(F Function, int N) {
  int S = 0;
#pragma omp target teams distribute parallel for reduction(+ : S) map(S)
  for (int I = 0; I < N; I++)
    S += Function(I);
  return S;
}

template <class E> int value_on_device(E Value) {
  int S = 0;
#pragma acc parallel copyout(S)
  S = int(Value);
  return S;
}

int first(int N) {
  int S = on_device([](int X) { return X + 1; }, N);
#pragma acc parallel loop reduction(+ : S)
  for (int I = 0; I < N; I++) {
    auto Function = [](int X) { return 2 * X; };
    S += call(Function, I);
  }
  return S + on_device([](int X) { return X + 5; }, N);
}

int second(int N) {
  return with_openmp([](int X) { return X + 2; }, N);
}

int region_in_lambda(int N) {
  auto Other = [](int X) { return X; };
  auto Loop = [](int N) {
    int S = 0;
#pragma acc parallel loop reduction(+ : S)
    for (int I = 0; I < N; I++) {
      auto Function = [](int X) { return X + 2; };
      S += Function(I);
    }
    return S;
  };
  return Loop(N) + 0 * on_host(Other, N);
}

static auto GlobalOther = [](int X) { return X + 9; };
static auto GlobalOne = [](int X) { return X + 1; };
static auto GlobalTwo = [](int X) { return X + 4; };
int of_globals(int N) {
  return on_host(GlobalOther, 0) * 0 + on_device(GlobalTwo, N) +
         with_openmp(GlobalOne, N) + 2;
}

int unnamed(int N, int Which) {
  struct {
    int operator()(int X) const { return X + 100; }
  } Host;
  struct {
    int operator()(int X) const { return X + 4; }
  } One;
  struct {
    int operator()(int X) const { return X + 5; }
  } Two;
  if (Which)
    return on_device(Two, N) + 0 * on_host(Host, N);
  return on_device(One, N);
}

int same_name(int N, int Which) {
  int S = 0;
  {
    struct T {
      int operator()(int X) const { return X + 100; }
    };
    S += 0 * on_host(T(), N);
  }
  if (Which) {
    struct T {
      int operator()(int X) const { return X + 6; }
    };
    S += on_device(T(), N);
  } else {
    struct T {
      int run(int N) const {
        int S = 0;
#pragma acc parallel loop reduction(+ : S)
        for (int I = 0; I < N; I++)
          S += I + 7;
        return S;
      }
    };
    S += T().run(N);
  }
  return S;
}

int enumerations(int Which) {
  enum { Nothing };
  enum { One = 1 };
  enum { Two = 2 };
  if (Which)
    return value_on_device(Two) + 0 * on_host([](int X) { return X; }, Nothing);
  return value_on_device(One);
}

int nested(int N) {
  return on_device(
      [](int X) {
        auto Twice = [](int Y) { return 2 * Y; };
        auto Thrice = [](int Y) { return 3 * Y; };
        return call(Twice, X) + call(Thrice, X) + call(Twice, 1) + 1;
      },
      N);
}

int generic(int N) {
  auto Other = [](auto X) { return X; };
  auto Run = [](auto Function, auto N) { return on_device(Function, N); };
  return Run([](auto X) { return X + 1; }, N) + 0 * Other(N);
}

int main() {
  std::printf("lambdas %d %d\n", first(4), second(4));
  std::printf("region in a lambda %d\n", region_in_lambda(4));
  std::printf("lambdas of globals %d\n", of_globals(4));
  std::printf("unnamed types %d %d\n", unnamed(4, 0), unnamed(4, 1));
  std::printf("types of one name %d %d\n", same_name(4, 1), same_name(4, 0));
  std::printf("enumerations %d %d\n", enumerations(0), enumerations(1));
  std::printf("lambdas in a lambda %d\n", nested(4));
  std::printf("generic lambda %d\n", generic(4));
}
