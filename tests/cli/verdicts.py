"""What tests of verdicts share: programs, and how they are compiled and judged."""
from support import CommandTest

ONE_THREAD = """
#include <stdlib.h>
#include <string.h>
int main(int argc, char** argv) { return argc > 1 ? atoi(argv[1]) : 0; }
"""

# Two threads, and an end that does not depend on their order.
ENDS = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* lock(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, lock, 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  const char* how = argc > 1 ? argv[1] : "0";
  if (strcmp(how, "assert") == 0) assert(!"always");
  if (strcmp(how, "exit_group") == 0) __asm__("syscall" : : "a"(SYS_exit_group), "D"(0));
  if (strcmp(how, "execve") == 0) {
    char* const arguments[] = {"/bin/true", 0};
    syscall(SYS_execve, "/bin/true", arguments, 0);
  }
  exit(atoi(how));
}
"""


class VerdictTest(CommandTest):
    def compile(self, name, text):
        self.source(f"{name}.c", text)
        self.build("gcc", "-g", "-pthread", f"{name}.c", "-o", name)
        return f"./{name}"

    def check_unresolved(self, done, reason, *words, status=2):
        self.check(done, status, *words)
        answer = done.json()
        self.assertEqual((answer["outcome"], answer["reason"]), ("unresolved", reason), f"\n{done}")
        for word in words:
            self.assertIn(word, answer["explanation"])
        self.assertNotIn("PCT bound", done.err)
        self.assertNotIn("no failure", done.err)
        return answer
