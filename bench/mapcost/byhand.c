/*===- byhand.c - The programs with calls of the device plugin's C ABI ----===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* No runtime, no directory: the plugin is opened, the image of kernels.c is
|* loaded, and every allocation, copy and launch is written out.
|*
|* Arguments: the plugin, the image, the symbols of its kernels. With
|* MAPCOST_LAYOUT=host the arrays lie at the distances that they have on the
|* host, in memory that is kept, as the mirror directory has them: what is left
|* between the two is the runtime's own cost.
|*
\*===----------------------------------------------------------------------===*/

#include "kernels.h"

#include "accx/plugin.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const accx_plugin *Plugin;
static accx_device Device;
static accx_kernel Add, Product, Eos, Impedance, Nodes, Lagrange, Fluxes,
    Project, Settle;

static void check(accx_status Code, const char *What) {
  if (Code == ACCX_OK)
    return;
  fprintf(stderr, "mapcost: %s: %s\n", What, Plugin->last_error());
  exit(2);
}

static void *readFile(const char *Path, size_t *Size) {
  FILE *F = fopen(Path, "rb");
  if (!F || fseek(F, 0, SEEK_END)) {
    fprintf(stderr, "mapcost: cannot read %s\n", Path);
    exit(2);
  }
  *Size = (size_t)ftell(F);
  rewind(F);
  void *Data = malloc(*Size);
  if (!Data || fread(Data, 1, *Size, F) != *Size) {
    fprintf(stderr, "mapcost: cannot read %s\n", Path);
    exit(2);
  }
  fclose(F);
  return Data;
}

/* The kernel of function Name; symbols end in _<function>_l<line>. */
static accx_kernel find(accx_image Image, const char *Name, int Count,
                        char **Symbols) {
  char Tail[64];
  snprintf(Tail, sizeof(Tail), "_%s_l", Name);
  for (int I = 0; I < Count; ++I)
    if (strstr(Symbols[I], Tail)) {
      accx_kernel Kernel;
      check(Plugin->image_kernel(Image, Symbols[I], &Kernel), Symbols[I]);
      return Kernel;
    }
  fprintf(stderr, "mapcost: no kernel for %s\n", Name);
  exit(2);
}

void implStart(int Argc, char **Argv) {
  if (Argc < 3) {
    fprintf(stderr, "mapcost: needs plugin, image and symbols\n");
    exit(2);
  }
  void *Library = dlopen(Argv[0], RTLD_NOW);
  if (!Library) {
    fprintf(stderr, "mapcost: %s\n", dlerror());
    exit(2);
  }
  accx_plugin_get_fn Get =
      (accx_plugin_get_fn)dlsym(Library, ACCX_PLUGIN_ENTRY);
  const char *Why = "no entry point";
  Plugin = Get ? Get(ACCX_PLUGIN_ABI_VERSION, &Why) : NULL;
  if (!Plugin) {
    fprintf(stderr, "mapcost: %s: %s\n", Argv[0], Why);
    exit(2);
  }
  uint32_t Devices;
  check(Plugin->init(&Devices), "init");
  check(Plugin->device_open(0, &Device), "device_open");
  size_t Size;
  void *Data = readFile(Argv[1], &Size);
  accx_image Image;
  check(Plugin->image_load(Device, Data, Size, &Image), "image_load");
  free(Data);
  int Count = Argc - 2;
  char **Symbols = Argv + 2;
  Add = find(Image, "add", Count, Symbols);
  Product = find(Image, "product", Count, Symbols);
  Eos = find(Image, "eos", Count, Symbols);
  Impedance = find(Image, "impedance", Count, Symbols);
  Nodes = find(Image, "nodes", Count, Symbols);
  Lagrange = find(Image, "lagrange", Count, Symbols);
  Fluxes = find(Image, "fluxes", Count, Symbols);
  Project = find(Image, "project", Count, Symbols);
  Settle = find(Image, "settle", Count, Symbols);
}

/* A reserved span of device addresses beside the same span of the host's. */
enum { WindowShift = 34 };
static struct {
  char *Begin; /* On the device; null: arrays are allocated one by one. */
  uintptr_t Host;
  size_t Page;
  unsigned char *Committed; /* By page. */
} Window;

static void openWindow(const void *Near) {
  const char *Layout = getenv("MAPCOST_LAYOUT");
  if (Window.Begin || !Layout || strcmp(Layout, "host"))
    return;
  accx_device_info Info;
  check(Plugin->device_info(Device, &Info), "device_info");
  const size_t Size = (size_t)1 << WindowShift;
  Window.Page = Info.va_granularity;
  Window.Host = ((uintptr_t)Near - Size / 2) & ~(uintptr_t)(Window.Page - 1);
  Window.Committed = calloc(Size / Window.Page, 1);
  void *Begin = NULL;
  check(Plugin->va_reserve(Device, Size, NULL, &Begin), "va_reserve");
  Window.Begin = Begin;
}

/* Memory on the device for the array at Host. */
static void *allocate(const void *Host, size_t Size) {
  openWindow(Host);
  void *P;
  if (!Window.Begin) {
    check(Plugin->alloc(Device, Size, ACCX_MEMORY_DEVICE, &P), "alloc");
    return P;
  }
  const uintptr_t Offset = (uintptr_t)Host - Window.Host;
  if (Offset >> WindowShift || (Offset + Size) >> WindowShift) {
    fprintf(stderr, "mapcost: an array lies outside of the window\n");
    exit(2);
  }
  for (size_t I = Offset / Window.Page; I * Window.Page < Offset + Size; ++I) {
    if (Window.Committed[I])
      continue;
    check(
        Plugin->va_commit(Device, Window.Begin + I * Window.Page, Window.Page),
        "va_commit");
    Window.Committed[I] = 1;
  }
  return Window.Begin + Offset;
}

static void release(void *P) {
  if (!Window.Begin)
    check(Plugin->free(Device, P, ACCX_MEMORY_DEVICE), "free");
}

static void copy(accx_direction Direction, void *Dst, const void *Src,
                 size_t Size) {
  accx_copy Copy = {.direction = Direction,
                    .dst = Dst,
                    .src = Src,
                    .width = Size,
                    .height = 1};
  check(Plugin->copy(Device, NULL, &Copy), "copy");
}

static void toDevice(void *Dst, const void *Src, size_t Size) {
  copy(ACCX_TO_DEVICE, Dst, Src, Size);
}

static void fromDevice(void *Dst, const void *Src, size_t Size) {
  copy(ACCX_FROM_DEVICE, Dst, Src, Size);
}

/* Kernels take the launch environment, then what their region uses, in the
   order in which clang captures it. */
static void launch(accx_kernel Kernel, long Trip, int Count,
                   void *const *Args) {
  accx_launch Launch = {.args = Args,
                        .num_args = (uint32_t)Count,
                        .has_environment = 1,
                        .trip_count = (uint64_t)Trip};
  check(Plugin->launch(Device, NULL, Kernel, &Launch), "launch");
}

#define LAUNCH(Kernel, Trip, ...)                                              \
  do {                                                                         \
    void *const Args[] = {(void *)-1, __VA_ARGS__};                            \
    launch(Kernel, Trip, sizeof(Args) / sizeof(*Args), Args);                  \
  } while (0)

static void *bits(double Value) {
  void *Slot;
  memcpy(&Slot, &Value, sizeof(Slot));
  return Slot;
}

static void chain(const struct Chain *V, size_t Size, accx_kernel Kernel,
                  void (*OnHost)(long, const int *, const int *, int *)) {
  void *N = (void *)V->N;
  int *A = allocate(V->A, Size), *B = allocate(V->B, Size),
      *C = allocate(V->C, Size), *D = allocate(V->D, Size),
      *E = allocate(V->E, Size);
  toDevice(A, V->A, Size);
  toDevice(B, V->B, Size);
  LAUNCH(Kernel, V->N, N, C, A, B);
  fromDevice(V->C, C, Size);
  OnHost(V->N, V->C, V->A, V->D);
  toDevice(D, V->D, Size);
  LAUNCH(Kernel, V->N, N, E, D, C);
  fromDevice(V->E, E, Size);
  release(A), release(B), release(C), release(D), release(E);
}

void implVecadd(const struct Chain *V) {
  chain(V, (size_t)V->N * sizeof(int), Add, hostAdd);
}

void implMatmul(const struct Chain *V) {
  chain(V, (size_t)V->N * V->N * sizeof(int), Product, hostProduct);
}

void implHydro(const struct Hydro *H) {
  size_t Size = (size_t)H->N * sizeof(double);
  long T = H->N;
  void *N = (void *)H->N, *Dt = bits(H->Dt), *Length = bits(H->Length);
  double *Rho = allocate(H->Rho, Size), *U = allocate(H->U, Size),
         *E = allocate(H->E, Size), *M = allocate(H->M, Size),
         *X = allocate(H->X, Size), *P = allocate(H->P, Size),
         *C = allocate(H->C, Size), *Q = allocate(H->Q, Size),
         *Us = allocate(H->Us, Size), *Ps = allocate(H->Ps, Size),
         *Xs = allocate(H->Xs, Size), *Flux = allocate(H->Flux, Size);
  toDevice(Rho, H->Rho, Size), toDevice(U, H->U, Size);
  toDevice(E, H->E, Size), toDevice(M, H->M, Size);
  toDevice(X, H->X, Size), toDevice(P, H->P, Size);
  toDevice(C, H->C, Size);
  LAUNCH(Eos, T, N, Rho, E, P, C);
  LAUNCH(Impedance, T, N, Rho, C, Q);
  LAUNCH(Nodes, T, N, U, P, Q, Us, Ps);
  LAUNCH(Lagrange, T, N, Dt, X, M, Us, Ps, Xs, U, E);
  LAUNCH(Fluxes, T, N, Length, X, Xs, M, Flux);
  LAUNCH(Project, T, N, M, U, E, Flux, Q, P, C);
  LAUNCH(Settle, T, N, Length, X, Q, P, C, M, U, E, Rho);
  fromDevice(H->Rho, Rho, Size), fromDevice(H->U, U, Size);
  fromDevice(H->E, E, Size), fromDevice(H->M, M, Size);
  fromDevice(H->X, X, Size), fromDevice(H->P, P, Size);
  fromDevice(H->C, C, Size);
  release(Rho), release(U), release(E), release(M), release(X), release(P);
  release(C), release(Q), release(Us), release(Ps), release(Xs), release(Flux);
}
