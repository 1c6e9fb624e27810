/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A product of matrices by tiles in the gang's memory: the paper's example of
 * OpenARC's directives, for any size.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16

static void multiply(int n, const float *restrict a, const float *restrict b,
                     float *restrict c) {
  const int tiles = (n + TILE - 1) / TILE;
#pragma acc kernels loop gang(tiles) copyout(c[0 : n * n])                     \
    copyin(a[0 : n * n], b[0 : n * n])
#pragma openarc cuda sharedRW(as, bs)
  for (int by = 0; by < tiles; by++) {
#pragma acc loop gang(tiles)
    for (int bx = 0; bx < tiles; bx++) {
      float as[TILE][TILE], bs[TILE][TILE];
#pragma acc loop worker(TILE)
      for (int ty = 0; ty < TILE; ty++) {
#pragma acc loop worker(TILE)
        for (int tx = 0; tx < TILE; tx++) {
          const int row = by * TILE + ty, column = bx * TILE + tx;
          float sum = 0;
          for (int t = 0; t < tiles; t++) {
            const int i = t * TILE + tx, j = t * TILE + ty;
            as[ty][tx] = row < n && i < n ? a[(long)row * n + i] : 0;
            bs[ty][tx] = j < n && column < n ? b[(long)j * n + column] : 0;
#pragma acc barrier
            for (int k = 0; k < TILE; k++)
              sum += as[ty][k] * bs[k][tx];
#pragma acc barrier
          }
          if (row < n && column < n)
            c[(long)row * n + column] = sum;
        }
      }
    }
  }
}

static int check(int n) {
  const size_t size = (size_t)n * n;
  float *a = malloc(size * sizeof(float) + 1);
  float *b = malloc(size * sizeof(float) + 1);
  float *c = malloc(size * sizeof(float) + 1);
  for (size_t i = 0; i < size; i++) {
    a[i] = (float)(i % 13) - 6;
    b[i] = (float)(i % 11) - 5;
    c[i] = -1;
  }
  multiply(n, a, b, c);
  int bad = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[(long)i * n + k] * b[(long)k * n + j];
      bad += c[(long)i * n + j] != sum; /* small integers are exact */
    }
  printf("product of %d: %s\n", n, bad ? "WRONG" : "right");
  free(a);
  free(b);
  free(c);
  return bad != 0;
}

int main(void) {
  const int sizes[] = {0, 1, 7, 16, 17, 64, 100, 129};
  int bad = 0;
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
    bad += check(sizes[i]);
  return bad;
}
