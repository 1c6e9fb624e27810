// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interop objects of devices without a foreign runtime: every property says
// what it is, and that there is none of it.
// RUN: %clang %s -o %t
// RUN: %run LIBOMPTARGET_PLUGIN=host %t

#include "Inputs/expect.h"
#include <string.h>
#include <unistd.h>

static omp_interop_property_t property(int P) {
  return (omp_interop_property_t)P;
}

/// Reads property \p P as all three types; only one is the right one.
static void expectTypes(omp_interop_t O, int P, int Right) {
  int Err = 77;
  omp_get_interop_int(O, property(P), &Err);
  if (Right != omp_irc_type_int)
    EXPECT(Err == Right);
  EXPECT(Right == omp_irc_type_int || omp_get_interop_int(O, P, NULL) == 0);
  omp_get_interop_ptr(O, property(P), &Err);
  if (Right != omp_irc_type_ptr)
    EXPECT(Err == Right);
  EXPECT(Right == omp_irc_type_ptr || !omp_get_interop_ptr(O, P, NULL));
  omp_get_interop_str(O, property(P), &Err);
  if (Right != omp_irc_type_str)
    EXPECT(Err == Right);
  EXPECT(Right == omp_irc_type_str || !omp_get_interop_str(O, P, NULL));
}

static void expectObject(omp_interop_t O, int Device, int IsSync) {
  int Err = 77;
  EXPECT(O != omp_interop_none);
  EXPECT(omp_get_interop_int(O, omp_ipr_device_num, &Err) == Device);
  EXPECT(Err == omp_irc_success);
  EXPECT(omp_get_interop_int(O, omp_ipr_device_num, NULL) == Device);

  EXPECT(omp_get_interop_int(O, omp_ipr_fr_id, &Err) == 0);
  EXPECT(Err == omp_irc_no_value);
  EXPECT(omp_get_interop_str(O, omp_ipr_fr_name, &Err) == NULL);
  EXPECT(Err == omp_irc_no_value);
  EXPECT(omp_get_interop_int(O, omp_ipr_vendor, &Err) == 0);
  EXPECT(Err == omp_irc_no_value);
  EXPECT(omp_get_interop_str(O, omp_ipr_vendor_name, &Err) == NULL);
  EXPECT(Err == omp_irc_no_value);

  EXPECT(omp_get_interop_ptr(O, omp_ipr_targetsync, &Err) == NULL);
  EXPECT(Err == (IsSync ? omp_irc_no_value : omp_irc_other));
  EXPECT(omp_get_interop_ptr(O, omp_ipr_device, &Err) == NULL);
  EXPECT(Err == (IsSync ? omp_irc_other : omp_irc_no_value));
  EXPECT(omp_get_interop_ptr(O, omp_ipr_device_context, &Err) == NULL);
  EXPECT(Err == (IsSync ? omp_irc_other : omp_irc_no_value));
  EXPECT(omp_get_interop_ptr(O, omp_ipr_platform, &Err) == NULL);
  EXPECT(Err == (IsSync ? omp_irc_other : omp_irc_no_value));

  expectTypes(O, omp_ipr_fr_id, omp_irc_type_int);
  expectTypes(O, omp_ipr_fr_name, omp_irc_type_str);
  expectTypes(O, omp_ipr_vendor, omp_irc_type_int);
  expectTypes(O, omp_ipr_vendor_name, omp_irc_type_str);
  expectTypes(O, omp_ipr_device_num, omp_irc_type_int);
  expectTypes(O, omp_ipr_platform, omp_irc_type_ptr);
  expectTypes(O, omp_ipr_device, omp_irc_type_ptr);
  expectTypes(O, omp_ipr_device_context, omp_irc_type_ptr);
  expectTypes(O, omp_ipr_targetsync, omp_irc_type_ptr);
  expectTypes(O, omp_ipr_first - 1, omp_irc_out_of_range);
  expectTypes(O, 0, omp_irc_out_of_range);

  EXPECT(!strcmp(omp_get_interop_name(O, omp_ipr_fr_id), "fr_id"));
  EXPECT(!strcmp(omp_get_interop_name(O, omp_ipr_targetsync), "targetsync"));
  EXPECT(omp_get_interop_name(O, property(0)) == NULL);
  EXPECT(omp_get_interop_name(O, property(omp_ipr_first - 1)) == NULL);
  EXPECT(strstr(omp_get_interop_type_desc(O, omp_ipr_device_num), "int"));
  EXPECT(strstr(omp_get_interop_type_desc(O, omp_ipr_vendor_name), "char"));
  EXPECT(omp_get_interop_type_desc(O, property(0)) == NULL);
}

int main(void) {
  expectDevices();
  const int Host = omp_get_initial_device();
  int Err = 77;
  omp_interop_t None = omp_interop_none;
  EXPECT(omp_get_interop_int(None, omp_ipr_fr_id, &Err) == 0);
  EXPECT(Err == omp_irc_empty);
  EXPECT(omp_get_interop_ptr(None, omp_ipr_device, &Err) == NULL);
  EXPECT(Err == omp_irc_empty);
  EXPECT(omp_get_interop_str(None, omp_ipr_fr_name, NULL) == NULL);
  EXPECT(omp_get_interop_name(None, omp_ipr_fr_id) == NULL);

  for (int D = 0; D <= Host; ++D) {
    omp_interop_t Sync = omp_interop_none, Target = omp_interop_none;
#pragma omp interop init(targetsync : Sync) device(D)
#pragma omp interop init(target : Target) device(D)
    expectObject(Sync, D, 1);
    expectObject(Target, D, 0);
#pragma omp interop use(Sync)
#pragma omp interop use(Target)
    expectObject(Sync, D, 1);
#pragma omp interop destroy(Sync)
#pragma omp interop destroy(Target) device(D)
    EXPECT(Sync == omp_interop_none);
    EXPECT(Target == omp_interop_none);
  }

  // Without a device clause: the default one.
  omp_interop_t Default = omp_interop_none;
  omp_set_default_device(2);
#pragma omp interop init(targetsync : Default)
  EXPECT(omp_get_interop_int(Default, omp_ipr_device_num, NULL) == 2);
#pragma omp interop destroy(Default)

  // Dependences: the construct waits for the task.
  int Done = 0;
  omp_interop_t O = omp_interop_none;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : Done) shared(Done)
    {
      usleep(20000);
      Done = 1;
    }
#pragma omp interop init(targetsync : O) depend(in : Done)
    EXPECT(Done == 1);
#pragma omp task depend(out : Done) shared(Done)
    {
      usleep(20000);
      Done = 2;
    }
#pragma omp interop use(O) depend(inout : Done) nowait
    EXPECT(Done == 2);
#pragma omp interop destroy(O) depend(inout : Done)
  }
  EXPECT(O == omp_interop_none);
  return 0;
}
