// Streams on pipes between threads: what is written waits for room, and what is read for the rest
// of a line, a block or a number, while others go on.
//
// expect: passed
// within: random, 20 runs
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kBytes = 200 * 1000, kLines = 50 };

static int ends[2];
static char sent[kBytes], received[kBytes];

static void* open_pipe(void* unused) {
  assert(pipe(ends) == 0);
  return unused;
}

static void* write_all(void* unused) {
  FILE* out = fdopen(ends[1], "w");
  assert(out);
  assert(fwrite(sent, 1, kBytes, out) == kBytes);
  for (int i = 0; i < kLines; i++) assert(fprintf(out, "line %d %*d\n", i, 2000, i) > 2000);
  assert(fputs("a line in ", out) >= 0 && fflush(out) == 0);
  usleep(100);
  assert(fputs("two halves\n", out) >= 0 && putc('x', out) == 'x' && putw(77, out) == 0);
  assert(fflush(out) == 0);
  // Not buffered at all: every call is a write.
  assert(setvbuf(out, NULL, _IONBF, 0) == 0);
  assert(fputs("12", out) >= 0);
  usleep(100);
  assert(fputs("34 5", out) >= 0);
  usleep(100);
  assert(fprintf(out, "6 end\n") == 6);
  assert(dprintf(fileno(out), "%s\n", "by number") == 10);
  assert(fclose(out) == 0);
  return unused;
}

static void* answer(void* both) {
  FILE* stream = both;
  char line[100];
  assert(fgets(line, sizeof line, stream) && strcmp(line, "question\n") == 0);
  assert(fseek(stream, 0, SEEK_CUR) == -1 && errno == ESPIPE);
  assert(fputs("answer\n", stream) >= 0 && fflush(stream) == 0);
  return NULL;
}

int main(void) {
  for (int i = 0; i < kBytes; i++) sent[i] = (char)(i * 11);
  pthread_t thread;
  assert(pthread_create(&thread, NULL, open_pipe, NULL) == 0 && pthread_join(thread, NULL) == 0);
  assert(pthread_create(&thread, NULL, write_all, NULL) == 0);
  FILE* in = fdopen(ends[0], "r");
  assert(in);
  assert(fread(received, 1, kBytes, in) == kBytes && memcmp(sent, received, kBytes) == 0);
  char* line = NULL;
  size_t room = 0;
  for (int i = 0; i < kLines; i++) {
    int first = -1, second = -1;
    assert(getline(&line, &room, in) > 2000);
    assert(sscanf(line, "line %d %d", &first, &second) == 2 && first == i && second == i);
  }
  char text[100];
  assert(fgets(text, sizeof text, in) && strcmp(text, "a line in two halves\n") == 0);
  assert(getc(in) == 'x' && ungetc('y', in) == 'y' && getc(in) == 'y' && getw(in) == 77);
  int first = 0, second = 0;
  assert(fscanf(in, "%d %d %99s", &first, &second, text) == 3);
  assert(first == 1234 && second == 56 && strcmp(text, "end") == 0);
  assert(getc_unlocked(in) == '\n');
  assert(getdelim(&line, &room, 'y', in) == 2 && strcmp(line, "by") == 0);
  assert(fgets_unlocked(text, 5, in) && strcmp(text, " num") == 0);
  assert(fread_unlocked(text, 1, 100, in) == 4 && memcmp(text, "ber\n", 4) == 0);
  assert(feof(in) && !ferror(in) && getc(in) == EOF);
  assert(pthread_join(thread, NULL) == 0);
  assert(fclose(in) == 0);
  free(line);

  // Both ways through one descriptor.
  int pair[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  FILE* ours = fdopen(pair[0], "r+");
  FILE* theirs = fdopen(pair[1], "r+");
  assert(pthread_create(&thread, NULL, answer, theirs) == 0);
  assert(fputs("question\n", ours) >= 0 && fflush(ours) == 0);
  assert(fgets(text, sizeof text, ours) && strcmp(text, "answer\n") == 0);
  assert(pthread_join(thread, NULL) == 0);
  assert(fputs("the end", ours) >= 0 && fflush(NULL) == 0);
  assert(fread(text, 1, 7, theirs) == 7 && memcmp(text, "the end", 7) == 0);
  assert(fclose(ours) == 0 && fclose(theirs) == 0);
  return 0;
}
