/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Looks, while the program aborts, whether the host's data still are what they
 * were when they were last shown to watch(). */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct watched {
  const char *name;
  const void *now;
  void *then;
  size_t bytes;
} watched[16];
static int num_watched;
static volatile int host_ran; /* Set by regions that run on the host. */

static void look(int signal_number) {
  int damaged = 0;
  (void)signal_number;
  for (int i = 0; i < num_watched; ++i)
    if (memcmp(watched[i].now, watched[i].then, watched[i].bytes)) {
      fprintf(stderr, "host data DAMAGED: %s\n", watched[i].name);
      damaged = 1;
    }
  if (!damaged)
    fprintf(stderr, "host data intact (%d)\n", num_watched);
  fprintf(stderr, host_ran ? "host fall-back RAN\n" : "no fall-back\n");
}

/* Remembers what `bytes` at `now` hold; anew if it is watched already. */
static void watch(const char *name, const void *now, size_t bytes) {
  int i = 0;
  signal(SIGABRT, look);
  while (i < num_watched && watched[i].now != now)
    ++i;
  if (i == num_watched) {
    watched[i].name = name;
    watched[i].now = now;
    watched[i].bytes = bytes;
    watched[i].then = malloc(bytes);
    ++num_watched;
  }
  memcpy(watched[i].then, now, bytes);
}
#define WATCH(array) watch(#array, array, sizeof(array))
