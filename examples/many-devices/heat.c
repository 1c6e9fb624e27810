/*===- heat.c - 2-D heat equation on several devices ----------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* The plate is cut into blocks of rows:
|*
|*     row First             the last row of the device before, or the border
|*     rows First + 1 ..     what the device computes
|*     row Last + 1          the first row of the device behind, or the border
|*
|* After each step neighbours exchange the rows at the cuts: `hybrid` through
|* the host, with a barrier; `deviceid` from device to device. The latter waits
|* for nothing before the end, as an exchange comes after the kernels of both
|* devices by itself, and the next kernels come after it.
|*
|* Usage: heat [columns [rows [steps [devices]]]]
|*
\*===----------------------------------------------------------------------===*/

#include "many.h"

#include <string.h>

/* A plate with its border: Rows + 2 rows of Pitch. */
typedef struct {
  int Pitch, Rows, Steps;
} Plate;

static const float Speed = 0.2f;

/* Element I of Out, which lies in a row of Pitch. */
#pragma acc routine seq
static float relaxed(const float *In, size_t I, int Pitch) {
  return In[I] + Speed * (In[I - 1] + In[I + 1] + In[I - Pitch] +
                          In[I + Pitch] - 4 * In[I]);
}

static float *hybrid(Plate P, int Devices, float *T1, float *T2) {
  const int Pitch = P.Pitch;
#pragma omp parallel num_threads(Devices)
  {
    const int D = omp_get_thread_num();
    const int First = demoShare(P.Rows, D, Devices);
    const int Rows = demoShare(P.Rows, D + 1, Devices) - First;
    const size_t Cells = (size_t)(Rows + 2) * Pitch;
    float *In = T1 + (size_t)First * Pitch, *Out = T2 + (size_t)First * Pitch;
    manyEnter(D, Devices);
#pragma acc data copyin(In[0 : Cells], Out[0 : Cells])
    {
      for (int S = 0; S < P.Steps; ++S) {
#pragma acc parallel loop gang present(In[0 : Cells], Out[0 : Cells])
        for (int I = 1; I <= Rows; ++I) {
#pragma acc loop vector
          for (int J = 1; J < Pitch - 1; ++J)
            Out[(size_t)I * Pitch + J] =
                relaxed(In, (size_t)I * Pitch + J, Pitch);
        }
        if (D != Devices - 1) {
#pragma acc update self(Out[(size_t)Rows * Pitch : Pitch])
        }
        if (D != 0) {
#pragma acc update self(Out[Pitch : Pitch])
        }
        /* Now the host has the rows at the cuts, of all devices. */
#pragma omp barrier
        if (D != 0) {
#pragma acc update device(Out[0 : Pitch])
        }
        if (D != Devices - 1) {
#pragma acc update device(Out[(size_t)(Rows + 1) * Pitch : Pitch])
        }
        float *Swap = In;
        In = Out;
        Out = Swap;
      }
#pragma acc update self(In[Pitch : (size_t)Rows * Pitch])
    }
  }
  return P.Steps % 2 ? T2 : T1;
}

static float *extension(Plate P, int Devices, float *T1, float *T2) {
  const int Pitch = P.Pitch;
  float *In = T1, *Out = T2;
  for (int D = 0; D < Devices; ++D) {
    const size_t First = demoShare(P.Rows, D, Devices);
    const size_t Cells =
        (demoShare(P.Rows, D + 1, Devices) - First + 2) * Pitch;
#pragma acc enter data copyin(T1[First * Pitch : Cells],                       \
                              T2[First * Pitch : Cells]) deviceid(D)
  }
  for (int S = 0; S < P.Steps; ++S) {
    for (int D = 0; D < Devices; ++D) {
      const int First = demoShare(P.Rows, D, Devices);
      const int Last = demoShare(P.Rows, D + 1, Devices);
      const size_t Begin = (size_t)First * Pitch;
      const size_t Cells = (size_t)(Last - First + 2) * Pitch;
#pragma acc parallel loop gang deviceid(D)                                     \
    present(In[Begin : Cells], Out[Begin : Cells])
      for (int I = First + 1; I <= Last; ++I) {
#pragma acc loop vector
        for (int J = 1; J < Pitch - 1; ++J)
          Out[(size_t)I * Pitch + J] =
              relaxed(In, (size_t)I * Pitch + J, Pitch);
      }
    }
    for (int D = 0; D < Devices; ++D) {
      const size_t Upper = demoShare(P.Rows, D, Devices);
      const size_t Lower = demoShare(P.Rows, D + 1, Devices) + 1;
      if (D > 0) {
#pragma acc update peer to(Out[Upper * Pitch : Pitch]) to_device(D)            \
    from(Out[Upper * Pitch : Pitch]) from_device(D - 1)
      }
      if (D < Devices - 1) {
#pragma acc update peer to(Out[Lower * Pitch : Pitch]) to_device(D)            \
    from(Out[Lower * Pitch : Pitch]) from_device(D + 1)
      }
    }
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  for (int D = 0; D < Devices; ++D) {
    const size_t First = demoShare(P.Rows, D, Devices);
    const size_t Rows = demoShare(P.Rows, D + 1, Devices) - First;
#pragma acc update self(In[(First + 1) * Pitch : Rows * Pitch]) deviceid(D)
#pragma acc exit data delete (T1[First * Pitch : (Rows + 2) * Pitch],          \
                              T2[First * Pitch : (Rows + 2) * Pitch])          \
    deviceid(D)
  }
  for (int D = 0; D < Devices; ++D) {
#pragma acc wait device(D)
  }
  return In;
}

static float *onHost(Plate P, float *In, float *Out) {
  for (int S = 0; S < P.Steps; ++S) {
    for (int I = 1; I <= P.Rows; ++I)
      for (int J = 1; J < P.Pitch - 1; ++J)
        Out[(size_t)I * P.Pitch + J] =
            relaxed(In, (size_t)I * P.Pitch + J, P.Pitch);
    float *Swap = In;
    In = Out;
    Out = Swap;
  }
  return In;
}

int main(int Argc, char **Argv) {
  const int Columns = demoSize(Argc, Argv, 1, 65);
  const Plate P = {Columns + 2, demoSize(Argc, Argv, 2, 61),
                   demoSize(Argc, Argv, 3, 40)};
  int Devices = manyDevices(Argc, Argv, 4);
  if (Devices > P.Rows) /* Each has at least one row. */
    Devices = P.Rows;
  const size_t Cells = (size_t)(P.Rows + 2) * P.Pitch;
  float *Begin = (float *)demoAlloc(Cells, sizeof(float));
  float *T[4];
  for (int I = 0; I < 4; ++I)
    T[I] = (float *)demoAlloc(Cells, sizeof(float));
  for (size_t I = 0; I < Cells; ++I)
    Begin[I] = T[2][I] = T[3][I] = 100 * demoValue(I);
  const float *Expected = onHost(P, T[2], T[3]);

  int Bad = 0;
  char Size[64];
  snprintf(Size, sizeof(Size), "%dx%dx%d", Columns, P.Rows, P.Steps);
  for (int Form = 0; Form < 2; ++Form) {
    double Times[DemoRepeats];
    int Good = 1;
    for (int R = 0; R < DemoRepeats; ++R) {
      memcpy(T[0], Begin, Cells * sizeof(float));
      memcpy(T[1], Begin, Cells * sizeof(float));
      const double Start = demoNow();
      const float *Got = (Form ? extension : hybrid)(P, Devices, T[0], T[1]);
      Times[R] = demoNow() - Start;
      Good = Good && demoClose(Got, Expected, Cells, 1e-4);
    }
    Bad |= manyReport("heat", Form ? "deviceid" : "hybrid", Size, Devices,
                      Times, Good);
  }
  free(Begin);
  for (int I = 0; I < 4; ++I)
    free(T[I]);
  return Bad;
}
