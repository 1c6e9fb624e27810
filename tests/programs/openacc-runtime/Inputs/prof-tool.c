// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profiling library: counts compute constructs; TOOL is its name.

#include <acc_prof.h>
#include <stdio.h>

static int Constructs;

static void count(acc_prof_info *Prof, acc_event_info *Event,
                  acc_api_info *Api) {
  (void)Prof, (void)Event, (void)Api;
  ++Constructs;
}

static void report(acc_prof_info *Prof, acc_event_info *Event,
                   acc_api_info *Api) {
  (void)Prof, (void)Event, (void)Api;
  printf("%s: %d constructs\n", TOOL, Constructs);
  fflush(stdout);
}

void acc_register_library(acc_prof_reg Register, acc_prof_reg Unregister,
                          acc_prof_lookup_func Lookup) {
  (void)Unregister, (void)Lookup;
  printf("%s: hello\n", TOOL);
  Register(acc_ev_compute_construct_start, count, acc_reg);
  Register(acc_ev_runtime_shutdown, report, acc_reg);
}
