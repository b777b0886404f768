// A thread stops the whole process, as SIGSTOP from a shell does, behind the C library's back.
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* stopper(void* unused) {
  long number = SYS_kill;
  __asm__ volatile("syscall"
                   : "+a"(number)
                   : "D"((long)getpid()), "S"((long)SIGSTOP)
                   : "rcx", "r11", "memory");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, stopper, NULL);
  pthread_join(thread, NULL);
  return 0;
}
