// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that every unit has of its own, with its own K.
#include <stdio.h>

static int step = K;
#pragma acc declare copyin(step)
static int linked[2] = {K, K};
#pragma omp declare target link(linked)

static int via_acc(void) {
  int Sum = 0;
#pragma acc parallel loop reduction(+ : Sum)
  for (int I = 0; I < 2; I++)
    Sum += K;
  return Sum;
}

static int via_omp(void) {
  int Sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : Sum)            \
    map(tofrom : Sum)
  for (int I = 0; I < 2; I++)
    Sum += K;
  return Sum;
}

static int via_task(void) {
  int Sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp target nowait map(tofrom : Sum)
  Sum += 2 * K;
  return Sum;
}

static int via_static(void) {
  int Sum = 0;
#pragma acc serial copyout(Sum)
  Sum = 2 * step;
  return Sum;
}

static int via_link(void) {
  int Sum = 0;
#pragma omp target map(tofrom : linked) map(from : Sum)
  {
    Sum = linked[0] + linked[1];
    linked[1]++;
  }
  linked[1]--;
  return Sum;
}

#ifdef __cplusplus
namespace {
struct Local {
  int Value;
  Local() : Value(0) {
    int Copy;
#pragma acc serial copyout(Copy)
    Copy = 2 * K;
    Value = Copy;
  }
  int value() const { return Value; }
};

int in_namespace() {
  int Sum = 0;
#pragma acc serial copyout(Sum)
  Sum = 2 * K;
  return Sum;
}
} // namespace

template <class T> static T instance() {
  T Sum = 0;
#pragma acc serial copyout(Sum)
  Sum = 2 * K;
  return Sum;
}

static int in_lambda() {
  auto Lambda = [](int Factor) {
    int Sum = 0;
#pragma acc serial copyout(Sum)
    Sum = Factor * K;
    return Sum;
  };
  return Lambda(2);
}

template <class F> int of_lambda(F Function) {
  int Sum = 0;
#pragma acc serial copyout(Sum)
  Sum = Function();
  return Sum;
}

// One definition in the whole program: they have one name.
inline int everywhere(int Value) {
#pragma acc serial copy(Value)
  Value++;
  return Value;
}
template <class T> T everywhere_too(T Value) {
#pragma acc serial copy(Value)
  Value++;
  return Value;
}
#endif

static void show(const char *Name) {
  printf("%s %d %d %d %d %d\n", Name, via_acc(), via_omp(), via_task(),
         via_static(), via_link());
#ifdef __cplusplus
  printf("%s %d %d %d %d %d %d\n", Name, Local().value(), in_namespace(),
         instance<int>(), in_lambda(), of_lambda([] { return 2 * K; }),
         everywhere(everywhere_too(0)));
#endif
}
