//===- opencl.c - The kernels by an OpenCL implementation -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: opencl KERNELS.CL [small]. On the first device of the first platform.
//
//===----------------------------------------------------------------------===//

#define CL_TARGET_OPENCL_VERSION 120
#define IMPL "opencl"
#include "problems.h"

#include <CL/cl.h>

static cl_context Context;
static cl_command_queue Queue;
static cl_program Program;
static cl_mem Buffers[3];

static void check(cl_int Code, const char *What) {
  if (Code == CL_SUCCESS)
    return;
  fprintf(stderr, "%s: error %d\n", What, Code);
  exit(2);
}

static cl_kernel kernelOf(const char *Name) {
  static struct {
    char Name[16];
    cl_kernel Kernel;
  } Known[16];
  int I = 0;
  while (Known[I].Name[0] && strcmp(Known[I].Name, Name))
    ++I;
  if (!Known[I].Name[0]) {
    cl_int Code;
    Known[I].Kernel = clCreateKernel(Program, Name, &Code);
    check(Code, Name);
    snprintf(Known[I].Name, sizeof Known[I].Name, "%s", Name);
  }
  return Known[I].Kernel;
}

static void openArrays(float *A, long Na, float *B, long Nb, float *C,
                       long Nc) {
  float *Host[] = {A, B, C};
  long Count[] = {Na, Nb, Nc};
  for (int I = 0; I < 3; ++I) {
    cl_int Code;
    Buffers[I] =
        clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       sizeof(float) * (size_t)Count[I], Host[I], &Code);
    check(Code, "buffer");
  }
}

static void closeArrays(float *A, long Na, float *B, long Nb, float *C,
                        long Nc) {
  (void)A, (void)Na, (void)B, (void)Nb;
  check(clEnqueueReadBuffer(Queue, Buffers[2], CL_TRUE, 0,
                            sizeof(float) * (size_t)Nc, C, 0, NULL, NULL),
        "read");
  for (int I = 0; I < 3; ++I)
    clReleaseMemObject(Buffers[I]);
}

static void launch(cl_kernel K, int Dims, size_t X, size_t Y, size_t Lx,
                   size_t Ly) {
  size_t Global[] = {X, Y}, Local[] = {Lx, Ly};
  check(clEnqueueNDRangeKernel(Queue, K, (cl_uint)Dims, NULL, Global,
                               Lx ? Local : NULL, 0, NULL, NULL),
        "launch");
}

static size_t upTo(size_t N, size_t Of) { return (N + Of - 1) / Of * Of; }

static void go(const Problem *P, float *A, float *B, float *C) {
  (void)A, (void)B, (void)C;
  static const char *const Names[] = {"square", "vectoradd",    NULL,
                                      "naive",  "reduce",       "histogram",
                                      "scan",   "blackscholes", "binomial"};
  char Tiled[16];
  snprintf(Tiled, sizeof Tiled, "matmul%d", P->Local);
  const char *Name = P->Which == Product ? Tiled : Names[P->Which];
  if (P->Each > 1)
    Name = P->Which == Square ? "squares" : "sums";
  cl_kernel K = kernelOf(Name);
  int Arg = 0, N = P->N;
  const size_t Size = (size_t)N, Local = (size_t)P->Local,
               Items = (Size + (size_t)P->Each - 1) / (size_t)P->Each;
  clSetKernelArg(K, (cl_uint)Arg++, sizeof(cl_mem), &Buffers[0]);
  if (P->Which == VectorAdd || P->Which == Product || P->Which == Naive ||
      P->Which == BlackScholes)
    clSetKernelArg(K, (cl_uint)Arg++, sizeof(cl_mem), &Buffers[1]);
  clSetKernelArg(K, (cl_uint)Arg++, sizeof(cl_mem), &Buffers[2]);
  if (P->Which != Scan && P->Which != Binomial)
    clSetKernelArg(K, (cl_uint)Arg++, sizeof(int), &N);
  switch (P->Which) {
  case Square:
  case VectorAdd:
    if (P->Each > 1)
      clSetKernelArg(K, (cl_uint)Arg, sizeof(int), &P->Each);
    launch(K, 1, Items, 1, Local, 0);
    break;
  case Product:
  case Naive:
    launch(K, 2, Size, (size_t)P->M, Local, Local);
    break;
  case Reduce:
    clSetKernelArg(K, (cl_uint)Arg, sizeof(int) * (size_t)P->Local, NULL);
    launch(K, 1, upTo(Size, (size_t)P->Local), 1, (size_t)P->Local, 0);
    break;
  case Histogram: {
    cl_kernel Clear = kernelOf("clear");
    clSetKernelArg(Clear, 0, sizeof(cl_mem), &Buffers[2]);
    launch(Clear, 1, Bins, 1, 0, 0);
    launch(K, 1, upTo(Size / 32, (size_t)P->Local), 1, (size_t)P->Local, 0);
    break;
  }
  case Scan:
    launch(K, 1, ScanSize, 1, ScanSize, 0);
    break;
  case BlackScholes:
    launch(K, 1, upTo(Size, Local), 1, Local, 0);
    break;
  case Binomial:
    launch(K, 1, Size, 1, Nodes, 0);
    break;
  }
  clFinish(Queue);
}

int main(int Count, char **Args) {
  static char Text[32768];
  FILE *F = Count > 1 ? fopen(Args[1], "r") : NULL;
  if (!F || fread(Text, 1, sizeof Text - 1, F) == 0) {
    fprintf(stderr, "usage: %s kernels.cl [small]\n", Args[0]);
    return 2;
  }
  fclose(F);
  cl_platform_id Platform;
  cl_device_id Device;
  cl_int Code;
  check(clGetPlatformIDs(1, &Platform, NULL), "no platform");
  check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, NULL),
        "no device");
  Context = clCreateContext(NULL, 1, &Device, NULL, NULL, &Code);
  check(Code, "context");
  Queue = clCreateCommandQueue(Context, Device, 0, &Code);
  check(Code, "queue");
  const char *Source = Text;
  Program = clCreateProgramWithSource(Context, 1, &Source, NULL, &Code);
  check(Code, "program");
  check(
      clBuildProgram(Program, 1, &Device, "-cl-fast-relaxed-math", NULL, NULL),
      "build");
  return solveAll(Count > 2 ? Args[2] : "");
}
