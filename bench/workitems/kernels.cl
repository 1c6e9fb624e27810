//===- kernels.cl - The kernels in OpenCL ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#define BINS 256
#define SCAN 1024
#define NODES 255
#define RATE 0.02f
#define VOLATILITY 0.30f

kernel void square(global const float *restrict a, global float *restrict c,
                   int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] * a[i];
}

kernel void squares(global const float *restrict a, global float *restrict c,
                    int n, int each) {
  int first = get_global_id(0) * each;
  for (int k = 0; k < each; ++k)
    if (first + k < n)
      c[first + k] = a[first + k] * a[first + k];
}

kernel void vectoradd(global const float *restrict a,
                      global const float *restrict b, global float *restrict c,
                      int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + b[i];
}

kernel void sums(global const float *restrict a, global const float *restrict b,
                 global float *restrict c, int n, int each) {
  int first = get_global_id(0) * each;
  for (int k = 0; k < each; ++k)
    if (first + k < n)
      c[first + k] = a[first + k] + b[first + k];
}

#define MATMUL(TILE)                                                           \
  kernel void matmul##TILE(                                                    \
      global const float *restrict a, global const float *restrict b,          \
      global float *restrict c, int n) {                                       \
    local float at[TILE][TILE], bt[TILE][TILE];                                \
    int x = get_local_id(0), y = get_local_id(1);                              \
    int j = get_global_id(0), i = get_global_id(1);                            \
    float sum = 0;                                                             \
    for (int l = 0; l < n; l += TILE) {                                        \
      at[y][x] = a[i * n + l + x];                                             \
      bt[y][x] = b[(l + y) * n + j];                                           \
      barrier(CLK_LOCAL_MEM_FENCE);                                            \
      for (int k = 0; k < TILE; ++k)                                           \
        sum += at[y][k] * bt[k][x];                                            \
      barrier(CLK_LOCAL_MEM_FENCE);                                            \
    }                                                                          \
    c[i * n + j] = sum;                                                        \
  }
MATMUL(1)
MATMUL(2)
MATMUL(4)
MATMUL(8)
MATMUL(16)

kernel void naive(global const float *restrict a,
                  global const float *restrict b, global float *restrict c,
                  int n) {
  int j = get_global_id(0), i = get_global_id(1);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

kernel void reduce(global const int *restrict a, global int *restrict c, int n,
                   local int *t) {
  int x = get_local_id(0), i = get_global_id(0);
  t[x] = i < n ? a[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = get_local_size(0) / 2; h > 0; h /= 2) {
    if (x < h)
      t[x] += t[x + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (x == 0)
    c[get_group_id(0)] = t[0];
}

kernel void clear(global int *c) { c[get_global_id(0)] = 0; }

// Each work-item counts 32 elements.
kernel void histogram(global const int *restrict a, global int *restrict c,
                      int n) {
  local int count[BINS];
  int x = get_local_id(0), size = get_local_size(0);
  for (int k = x; k < BINS; k += size)
    count[k] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  int first = get_group_id(0) * size * 32;
  for (int k = 0; k < 32; ++k) {
    int i = first + k * size + x;
    if (i < n)
      atomic_inc(&count[a[i] & (BINS - 1)]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = x; k < BINS; k += size)
    atomic_add(&c[k], count[k]);
}

kernel void scan(global const int *restrict a, global int *restrict c) {
  local int t[2][SCAN];
  int x = get_local_id(0), side = 0;
  t[0][x] = a[x];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = 1; h < SCAN; h *= 2) {
    t[1 - side][x] = t[side][x] + (x >= h ? t[side][x - h] : 0);
    side = 1 - side;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[x] = t[side][x];
}

// Abramowitz and Stegun 26.2.17.
static float normal(float x) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(x));
  float poly =
      k * (0.319381530f +
           k * (-0.356563782f +
                k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * exp(-0.5f * x * x) * poly;
  return x > 0 ? 1.0f - tail : tail;
}

kernel void blackscholes(global const float *restrict a,
                         global const float *restrict b,
                         global float *restrict c, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float s = 10 + 90 * a[i], k = 10 + 90 * b[i], t = 1 + 9 * a[i];
  float v = VOLATILITY * sqrt(t);
  float d =
      (log(s / k) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t) / v;
  c[i] = s * normal(d) - k * exp(-RATE * t) * normal(d - v);
}

kernel void binomial(global const float *restrict a, global float *restrict c) {
  local float v[NODES + 1];
  int j = get_local_id(0), g = get_group_id(0);
  float dt = 1.0f / (NODES - 1), step = VOLATILITY * sqrt(dt);
  float u = exp(step), grow = exp(RATE * dt);
  float up = (grow - 1 / u) / (u - 1 / u);
  v[j] = fmax((10 + 90 * a[g]) * exp(step * (2 * j - (NODES - 1))) - 50, 0.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int t = NODES - 1; t > 0; --t) {
    float next = 0;
    if (j < t)
      next = (up * v[j + 1] + (1 - up) * v[j]) / grow;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < t)
      v[j] = next;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (j == 0)
    c[g] = v[0];
}
