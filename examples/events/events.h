/*===- events.h - What the programs with events share ---------------------===*\
|*
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|* Calls that end the program where they fail, and events in an array that are
|* replaced by later ones.
|*
\*===----------------------------------------------------------------------===*/

#ifndef ACCX_EXAMPLES_EVENTS_H
#define ACCX_EXAMPLES_EVENTS_H

#include <accx/event.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Ends the program if a function of accx gave an error. */
#define MUST(call) eventsMust((call), #call)
static inline void eventsMust(int Code, const char *Call) {
  if (Code >= 0)
    return;
  fprintf(stderr, "%s: %s\n", Call, strerror(-Code));
  exit(2);
}

/** Where a function puts its event; what was there is given back. */
static inline accx_event_t *eventsNew(accx_event_t *Event) {
  accx_event_release(*Event);
  *Event = NULL;
  return Event;
}

/** Waits for an event, which is given back; ends the program if it failed. */
static inline void eventsEnd(accx_event_t Event) {
  if (accx_event_wait(1, &Event)) {
    fprintf(stderr, "events: %s\n", accx_event_message(Event));
    exit(2);
  }
  accx_event_release(Event);
}

static inline int eventsOpen(const char *Path, int Flags) {
  const int File = open(Path, Flags, 0600);
  if (File < 0) {
    perror(Path);
    exit(2);
  }
  return File;
}

/** pread and pwrite of all bytes, or the end of the program. */
static inline void eventsRead(int File, void *To, size_t Size, off_t At) {
  for (char *P = (char *)To; Size > 0;) {
    const ssize_t Got = pread(File, P, Size, At);
    if (Got <= 0) {
      perror("pread");
      exit(2);
    }
    P += Got;
    At += Got;
    Size -= (size_t)Got;
  }
}
static inline void eventsWrite(int File, const void *From, size_t Size,
                               off_t At) {
  for (const char *P = (const char *)From; Size > 0;) {
    const ssize_t Got = pwrite(File, P, Size, At);
    if (Got <= 0) {
      perror("pwrite");
      exit(2);
    }
    P += Got;
    At += Got;
    Size -= (size_t)Got;
  }
}

#endif /* ACCX_EXAMPLES_EVENTS_H */
