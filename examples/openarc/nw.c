/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Needleman-Wunsch: the best global alignment of two sequences. Tiles on one
 * anti-diagonal are gangs; inside a tile workers go along its anti-diagonals,
 * a barrier between two of them, as in Rodinia's NW.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16

static int max3(int a, int b, int c) {
  const int most = a > b ? a : b;
  return most > c ? most : c;
}

/* Scores have a row and a column more than the sequences are long, which are
 * set. Tiles `low` to `high - 1` of the anti-diagonal `sum`, by their rows. */
static void tiles(int rows, int columns, int *restrict score,
                  const int *restrict match, int penalty, int sum, int low,
                  int high) {
  const long width = columns + 1;
#pragma acc parallel loop gang async(1)                                        \
    present(score[0 : (rows + 1) * width], match[0 : (long)rows * columns])
#pragma openarc cuda sharedRW(s) sharedRO(m)
  for (int ty = low; ty < high; ty++) {
    int s[TILE + 1][TILE + 1], m[TILE][TILE];
#pragma acc loop worker
    for (int t = 0; t < TILE; t++) {
      const int row = ty * TILE, column = (sum - ty) * TILE;
      const int x = column + t;
      for (int i = 0; i < TILE; i++)
        m[i][t] = row + i < rows && x < columns
                      ? match[(long)(row + i) * columns + x]
                      : 0;
      if (t == 0)
        s[0][0] = score[row * width + column];
      s[0][t + 1] = x < columns ? score[row * width + x + 1] : 0;
      s[t + 1][0] = row + t < rows ? score[(row + t + 1) * width + column] : 0;
#pragma acc barrier
      for (int d = 0; d < 2 * TILE - 1; d++) {
        const int i = d - t;
        if (i >= 0 && i < TILE)
          s[i + 1][t + 1] = max3(s[i][t] + m[i][t], s[i + 1][t] - penalty,
                                 s[i][t + 1] - penalty);
#pragma acc barrier
      }
      for (int i = 0; i < TILE; i++)
        if (row + i < rows && x < columns)
          score[(row + i + 1) * width + x + 1] = s[i + 1][t + 1];
    }
  }
}

static void align(int rows, int columns, int *restrict score,
                  const int *restrict match, int penalty) {
  const int down = (rows + TILE - 1) / TILE,
            across = (columns + TILE - 1) / TILE;
#pragma acc data copy(score[0 : (rows + 1) * (columns + 1l)])                  \
    copyin(match[0 : (long)rows * columns])
  {
    for (int sum = 0; sum < down + across - 1; sum++) {
      const int low = sum < across ? 0 : sum - across + 1;
      const int high = sum < down ? sum + 1 : down;
      tiles(rows, columns, score, match, penalty, sum, low, high);
    }
#pragma acc wait(1)
  }
}

static int check(int rows, int columns) {
  const long width = columns + 1, size = (rows + 1) * width;
  const int penalty = 10;
  int *score = malloc(size * sizeof(int)), *right = malloc(size * sizeof(int));
  int *match = malloc(((size_t)rows * columns + 1) * sizeof(int));
  unsigned seed = 11;
  for (long i = 0; i < (long)rows * columns; i++) {
    seed = seed * 1664525u + 1013904223u;
    match[i] = (int)(seed >> 24) % 20 - 6;
  }
  memset(score, 0x55, size * sizeof(int));
  for (int i = 0; i <= rows; i++)
    score[i * width] = -i * penalty;
  for (int j = 0; j <= columns; j++)
    score[j] = -j * penalty;
  memcpy(right, score, size * sizeof(int));
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      right[(i + 1) * width + j + 1] =
          max3(right[i * width + j] + match[(long)i * columns + j],
               right[(i + 1) * width + j] - penalty,
               right[i * width + j + 1] - penalty);
  align(rows, columns, score, match, penalty);
  const int bad = memcmp(score, right, size * sizeof(int)) != 0;
  printf("alignment of %d and %d: %s\n", rows, columns,
         bad ? "WRONG" : "right");
  free(score);
  free(right);
  free(match);
  return bad;
}

int main(void) {
  const int sizes[][2] = {{0, 0},   {1, 1},   {5, 9},     {16, 16},
                          {17, 16}, {48, 33}, {100, 257}, {256, 256}};
  int bad = 0;
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
    bad += check(sizes[i][0], sizes[i][1]);
  return bad;
}
