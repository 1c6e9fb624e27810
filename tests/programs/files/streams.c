// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on streams between what the program reads and writes there.
// RUN: %accxcc -fopenacc %s -o %t
// RUN: %t
// RUN: env ACC_DEVICE_TYPE=host %t
// RUN: %late %t
// RUN: %far ACCX_FILE_PIECE=4096 %t

#include "Inputs/files.h"

enum { N = 50000 };
static int A[N], B[N], Back[N];

static FILE *stream(const char *Mode) {
  FILE *Stream = fdopen(emptyFile(), Mode);
  EXPECT(Stream);
  return Stream;
}

static void written(void) {
  FILE *Stream = stream("w+");
  fprintf(Stream, "count %d\n", N);
  const long Start = ftell(Stream);
  EXPECT(accx_fwrite(1, A, sizeof(A), Stream, 0, NULL, NULL) == 0);
  EXPECT(ftell(Stream) == Start + (long)sizeof(A));
  fprintf(Stream, "middle\n");
  EXPECT(accx_fwrite(1, A, 40, Stream, 0, NULL, NULL) == 0);
  fprintf(Stream, "end\n");
  acc_wait(1);

  rewind(Stream);
  int Count = 0;
  char Word[20];
  EXPECT(fscanf(Stream, "count %d\n", &Count) == 1 && Count == N);
  // The buffer holds some of what is read past it.
  EXPECT(fseek(Stream, Start, SEEK_SET) == 0);
  EXPECT(fread(Back, sizeof(int), 10, Stream) == 10);
  EXPECT(accx_fread(2, B, sizeof(B) - 40, Stream, 0, NULL, NULL) == 0);
  EXPECT(fscanf(Stream, "%19s\n", Word) == 1 && !strcmp(Word, "middle"));
  EXPECT(fread(Back + 10, sizeof(int), 10, Stream) == 10);
  EXPECT(fscanf(Stream, "%19s\n", Word) == 1 && !strcmp(Word, "end"));
#pragma acc update self(B) async(2)
  acc_wait(2);
  for (int I = 0; I < 10; ++I)
    EXPECT(Back[I] == 3 * I && Back[10 + I] == 3 * I);
  for (int I = 0; I < N - 10; ++I)
    EXPECT(B[I] == 3 * (I + 10));
  fclose(Stream);
}

/// The stream has read ahead what is then overwritten.
static void overwritten(void) {
  FILE *Stream = stream("w+");
  for (int I = 0; I < 3000; ++I)
    fputc('a', Stream);
  rewind(Stream);
  EXPECT(fgetc(Stream) == 'a');
  static char Text[1000];
#pragma acc data create(Text)
  {
#pragma acc parallel loop async(1) present(Text)
    for (int I = 0; I < 1000; ++I)
      Text[I] = 'b';
    EXPECT(accx_fwrite(1, Text, 1000, Stream, 0, NULL, NULL) == 0);
    EXPECT(ftell(Stream) == 1001);
    acc_wait(1);
  }
  rewind(Stream);
  for (int I = 0; I < 3000; ++I)
    EXPECT(fgetc(Stream) == (I >= 1 && I <= 1000 ? 'b' : 'a'));
  fclose(Stream);
}

static void appended(void) {
  char Name[] = "/tmp/accx-append-XXXXXX";
  close(mkstemp(Name));
  FILE *Stream = fopen(Name, "a+");
  EXPECT(Stream);
  fputs("first ", Stream);
  accx_event_t E;
  EXPECT(accx_fwrite(1, A, 400, Stream, 0, NULL, &E) == 0);
  EXPECT(accx_event_wait(1, &E) == 0);
  EXPECT(accx_event_release(E) == 0);
  fputs("last", Stream);
  fflush(Stream);
  EXPECT(ftell(Stream) == 6 + 400 + 4);
  rewind(Stream);
  EXPECT(fread(Back, 1, 6, Stream) == 6 && !memcmp(Back, "first ", 6));
  EXPECT(fread(Back, 4, 100, Stream) == 100 && Back[99] == 297);
  EXPECT(fread(Back, 1, 5, Stream) == 4 && !memcmp(Back, "last", 4));
  fclose(Stream);
  unlink(Name);
}

static void piped(void) {
  int Ends[2];
  EXPECT(pipe(Ends) == 0);
  FILE *From = fdopen(Ends[0], "r"), *To = fdopen(Ends[1], "w");
  fputs("head ", To);
  accx_event_t Events[2];
  EXPECT(accx_fwrite(1, A, sizeof(A), To, 0, NULL, &Events[0]) == 0);
  char Head[6] = "";
  EXPECT(fread(Head, 1, 5, From) == 5 && !strcmp(Head, "head "));
  EXPECT(accx_fread(2, B, sizeof(B), From, 0, NULL, &Events[1]) == 0);
  EXPECT(accx_event_wait(2, Events) == 0);
#pragma acc update self(B)
  for (int I = 0; I < N; ++I)
    EXPECT(B[I] == 3 * I);
  fputs("tail", To);
  fclose(To);
  EXPECT(fread(Head, 1, 5, From) == 4 && !memcmp(Head, "tail", 4));
  fclose(From);
  accx_event_release(Events[0]);
  accx_event_release(Events[1]);
}

int main(void) {
  for (int I = 0; I < N; ++I)
    A[I] = 3 * I;
#pragma acc data copyin(A) create(B)
  {
    written();
    overwritten();
    appended();
    if (acc_get_device_type() != acc_device_host)
      piped();
  }
  return 0;
}
