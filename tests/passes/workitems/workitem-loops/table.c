// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges about places that a table has: what the block copies is the least and
// the greatest place of its items, in one dimension and in two.
//
// RUN: %device %s | %loops 2>&1 | FileCheck %s
// RUN: %host -O0 %s -o %t && %t
// RUN: %host -O2 %s -o %t && %t
// CHECK: define {{.*}}.omp_outlined.omp_outlined(
// CHECK: alloca [64 x i64]
// CHECK-NOT: load [
// CHECK: call i64 @llvm.smax.i64
enum { N = 1000, H = 50, W = 70 };
static int a[N], b[N], place[N], s[H][W], t[H][W], row[H], column[W];

int main(void) {
  for (int i = 0; i < N; ++i)
    a[i] = 3 * i, place[i] = i / 100 * 100 + i * 37 % 100;
  for (int y = 0; y < H; ++y)
    row[y] = y ^ 1;
  for (int x = 0; x < W; ++x)
    column[x] = (x ^ 3) < W ? x ^ 3 : x;
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      s[y][x] = y * W + x;
#pragma omp target teams distribute parallel for map(a, place) map(from : b)
  for (int i = 0; i < N; ++i) {
#pragma accx smc FETCH_CHANNEL(a[place[i] : 0 : 0]) block(64)
    {
      a[place[i]] += 1;
      b[i] = a[place[i]];
    }
  }
#pragma omp target teams distribute parallel for collapse(2) map(s, row)       \
    map(to : column) map(from : t)
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) {
#pragma accx smc FETCH_CHANNEL(s[row[y] : 0 : 0][column[x] : 0 : 0]) block(4, 8)
      {
        s[row[y]][column[x]] *= 2;
        t[y][x] = s[row[y]][column[x]];
      }
    }
  int bad = 0;
  for (int i = 0; i < N; ++i)
    bad |= b[i] != 3 * place[i] + 1 || a[i] != 3 * i;
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x)
      bad |= t[y][x] != 2 * (row[y] * W + column[x]) || s[y][x] != y * W + x;
  return bad;
}
