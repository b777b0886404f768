// Its thread tries paths, each given with what must be so: "new:PATH" can be created and is not
// there yet, "old:PATH" is there and has content, "read-only:PATH" cannot be created for that
// reason.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int is_so(const char* word, const char* path) {
  if (strcmp(word, "old") == 0) {
    char byte;
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) return 1;
    const int file = open(path, O_RDONLY);
    return file >= 0 && read(file, &byte, 1) == 1;
  }
  const int file = open(path, O_CREAT | O_EXCL | O_WRONLY, 0644);
  if (strcmp(word, "read-only") == 0) return file < 0 && errno == EROFS;
  return file >= 0 && write(file, "new\n", 4) == 4;
}

static void* try_paths(void* arguments) {
  static int status;
  for (char** argument = arguments; *argument; ++argument) {
    const char* path = strchr(*argument, ':') + 1;
    char word[16] = "";
    strncpy(word, *argument, (size_t)(path - *argument) - 1);
    if (is_so(word, path)) continue;
    fprintf(stderr, "not so: %s: %s\n", *argument, strerror(errno));
    status = 1;
  }
  return &status;
}

int main(int argc, char** argv) {
  pthread_t thread;
  void* status;
  (void)argc;
  pthread_create(&thread, NULL, try_paths, argv + 1);
  pthread_join(thread, &status);
  return *(int*)status;
}
