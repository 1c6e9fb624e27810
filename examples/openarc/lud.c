/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A = L U in place, without pivoting, by tiles: the tile on the diagonal, those
 * right of it and below it, and then all that remain. The three steps are
 * those of Rodinia's LUD; they follow each other in one queue.
 *
 * A matrix whose size is no multiple of TILE has a border of the unit matrix.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TILE 16
#define AT(i, j) m[(long)(i) * n + (j)]

/* The tile at `at` becomes its own L and U: a worker a row. */
static void diagonal(float *restrict m, int n, int at) {
#pragma acc parallel loop gang async(1) present(m[0 : (long)n * n])
#pragma openarc cuda sharedRW(d)
  for (int g = 0; g < 1; g++) {
    float d[TILE][TILE];
#pragma acc loop worker
    for (int t = 0; t < TILE; t++) {
      for (int i = 0; i < TILE; i++)
        d[i][t] = AT(at + i, at + t);
#pragma acc barrier
      for (int i = 0; i < TILE - 1; i++) {
        if (t > i) {
          for (int j = 0; j < i; j++)
            d[t][i] -= d[t][j] * d[j][i];
          d[t][i] /= d[i][i];
        }
#pragma acc barrier
        if (t > i)
          for (int j = 0; j < i + 1; j++)
            d[i + 1][t] -= d[i + 1][j] * d[j][t];
#pragma acc barrier
      }
      for (int i = 0; i < TILE; i++)
        AT(at + i, at + t) = d[i][t];
    }
  }
}

/* Tiles right of it and below it: half of the workers for one of each. */
static void perimeter(float *restrict m, int n, int at, int rest) {
#pragma acc parallel loop gang async(1) present(m[0 : (long)n * n])
#pragma openarc cuda sharedRW(d, right, below)
  for (int b = 1; b <= rest; b++) {
    float d[TILE][TILE], right[TILE][TILE], below[TILE][TILE + 1];
#pragma acc loop worker
    for (int t = 0; t < 2 * TILE; t++) {
      const int far = at + b * TILE, x = t % TILE;
      for (int i = t / TILE; i < TILE; i += 2) {
        d[i][x] = AT(at + i, at + x);
        right[i][x] = AT(at + i, far + x);
        below[i][x] = AT(far + i, at + x);
      }
#pragma acc barrier
      if (t < TILE)
        for (int i = 1; i < TILE; i++)
          for (int j = 0; j < i; j++)
            right[i][x] -= d[i][j] * right[j][x];
      else
        for (int i = 0; i < TILE; i++) {
          for (int j = 0; j < i; j++)
            below[x][i] -= below[x][j] * d[j][i];
          below[x][i] /= d[i][i];
        }
#pragma acc barrier
      for (int i = t / TILE; i < TILE; i += 2) {
        AT(at + i, far + x) = right[i][x];
        AT(far + i, at + x) = below[i][x];
      }
    }
  }
}

/* All other tiles: less the product of the tile left and the one above. */
static void internal(float *restrict m, int n, int at, int rest) {
#pragma acc parallel loop gang async(1) present(m[0 : (long)n * n])
#pragma openarc cuda sharedRO(left, above)
  for (int by = 1; by <= rest; by++)
#pragma acc loop gang
    for (int bx = 1; bx <= rest; bx++) {
      float left[TILE][TILE], above[TILE][TILE];
#pragma acc loop worker
      for (int ty = 0; ty < TILE; ty++)
#pragma acc loop worker
        for (int tx = 0; tx < TILE; tx++) {
          const int row = at + by * TILE, column = at + bx * TILE;
          left[ty][tx] = AT(row + ty, at + tx);
          above[ty][tx] = AT(at + ty, column + tx);
#pragma acc barrier
          float sum = 0;
          for (int k = 0; k < TILE; k++)
            sum += left[ty][k] * above[k][tx];
          AT(row + ty, column + tx) -= sum;
        }
    }
}

/* n is a multiple of TILE. */
static void decompose(float *restrict m, int n) {
#pragma acc data copy(m[0 : (long)n * n])
  {
    for (int at = 0; at < n; at += TILE) {
      const int rest = (n - at) / TILE - 1;
      diagonal(m, n, at);
      if (rest > 0) {
        perimeter(m, n, at, rest);
        internal(m, n, at, rest);
      }
    }
#pragma acc wait(1)
  }
}

static int check(int size) {
  const int n = (size + TILE - 1) / TILE * TILE;
  float *m = malloc((size_t)n * n * sizeof(float) + 1);
  double *r = malloc((size_t)n * n * sizeof(double) + 1);
  unsigned seed = 7;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      seed = seed * 1664525u + 1013904223u;
      float v = (float)(seed >> 8) / (1 << 24);
      if (i >= size || j >= size)
        v = i == j;
      else if (i == j)
        v += (float)size;
      r[(long)i * n + j] = AT(i, j) = v;
    }
  decompose(m, n);
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      r[(long)i * n + k] /= r[(long)k * n + k];
      for (int j = k + 1; j < n; j++)
        r[(long)i * n + j] -= r[(long)i * n + k] * r[(long)k * n + j];
    }
  double worst = 0;
  for (long i = 0; i < (long)n * n; i++)
    worst = fmax(worst, fabs(m[i] - r[i]) / fmax(1, fabs(r[i])));
  const int bad = !(worst < 1e-4);
  printf("LUD of %d: %s (%g)\n", size, bad ? "WRONG" : "right", worst);
  free(m);
  free(r);
  return bad;
}

int main(void) {
  const int sizes[] = {0, 1, 5, 16, 17, 48, 100, 144, 250};
  int bad = 0;
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
    bad += check(sizes[i]);
  return bad;
}
