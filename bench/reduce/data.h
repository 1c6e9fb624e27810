//===- data.h - What both sides reduce, and what is right -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of the flat reductions: sums and maxima of numbers in [-1, 2),
// products of odd numbers, signs and twos. C++ and CUDA C++.
//
//===----------------------------------------------------------------------===//

#ifndef REDUCE_DATA_H
#define REDUCE_DATA_H

#include "../gridloop/measure.h"

#include <type_traits>

template <typename T> struct Expected {
  double Sum = 0, Most = -1e30, Product = 1;
  unsigned Whole = 0, WholeProduct = 1;
};

template <typename T> static T *filledWith(size_t N) {
  auto *P = static_cast<T *>(
      aligned_alloc(4096, (N * sizeof(T) + 4095) / 4096 * 4096));
  if (!P) {
    fprintf(stderr, "out of memory\n");
    exit(3);
  }
  return P;
}

template <typename T> static void fillForSums(T *P, size_t N) {
#pragma omp parallel for
  for (size_t I = 0; I < N; ++I)
    P[I] =
        std::is_integral<T>::value ? T(noise(I) * 15 - 7) : T(noise(I) * 3 - 1);
}

/* Whole: odd numbers. Else signs, and now and then a two and its half, so that
   products are exact in any order. */
template <typename T> static void fillForProducts(T *P, size_t N) {
#pragma omp parallel for
  for (size_t I = 0; I < N; ++I) {
    if (std::is_integral<T>::value)
      P[I] = T(int(noise(I) * 16e6) | 1);
    else if (I / 2 < N / 2 && noise(I / 2) < 1.0f / 4096)
      P[I] = I % 2 ? T(0.5) : T(2);
    else
      P[I] = noise(I) < 0.5f ? T(-1) : T(1);
  }
}

template <typename T>
static void expectSums(const T *P, size_t N, Expected<T> &E) {
  double Sum = 0, Most = -1e30;
  unsigned Whole = 0;
#pragma omp parallel for reduction(+ : Sum, Whole) reduction(max : Most)
  for (size_t I = 0; I < N; ++I) {
    Sum += double(P[I]);
    Whole += unsigned(int(P[I]));
    Most = Most < double(P[I]) ? double(P[I]) : Most;
  }
  E.Sum = Sum;
  E.Most = Most;
  E.Whole = Whole;
}

template <typename T>
static void expectProducts(const T *P, size_t N, Expected<T> &E) {
  double Product = 1;
  unsigned Whole = 1;
#pragma omp parallel for reduction(* : Product, Whole)
  for (size_t I = 0; I < N; ++I) {
    Product *= double(P[I]);
    Whole *= unsigned(int(P[I]));
  }
  E.Product = Product;
  E.WholeProduct = Whole;
}

template <typename T> static bool isSum(T Got, const Expected<T> &E) {
  return std::is_integral<T>::value ? unsigned(int(Got)) == E.Whole
                                    : isNear(double(Got), E.Sum, 1e-3);
}
template <typename T> static bool isProduct(T Got, const Expected<T> &E) {
  return std::is_integral<T>::value ? unsigned(int(Got)) == E.WholeProduct
                                    : double(Got) == E.Product;
}

/* Points in the unit square's quarter circle: counts off by rounding only. */
static bool isPi(long Got, const float *X, const float *Y, size_t N) {
  long Want = 0;
#pragma omp parallel for reduction(+ : Want)
  for (size_t I = 0; I < N; ++I)
    Want += X[I] * X[I] + Y[I] * Y[I] < 1;
  return labs(Got - Want) <= long(N / 100000 + 2);
}

/* Nests of the positions: small whole numbers, so sums are exact. */
static void fillForPositions(float *P, size_t N) {
#pragma omp parallel for
  for (size_t I = 0; I < N; ++I)
    P[I] = float(int(noise(I) * 5)) - 2;
}

#endif // REDUCE_DATA_H
