/// The functions that we stand in front of.
///
/// Resolved on first use, because libraries that are loaded before us may call them in their
/// constructors.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

// <cassert> has it only where assertions are on.
extern "C" void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept;

// What fortified programs call; declared only while such a one is compiled.
extern "C" int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list arguments);
extern "C" void __longjmp_chk(jmp_buf, int);
extern "C" int __open_2(const char* path, int flags);
extern "C" int __open64_2(const char* path, int flags);
extern "C" int __openat_2(int directory, const char* path, int flags);
extern "C" int __openat64_2(int directory, const char* path, int flags);

namespace unravel::real {

template <class Function>
struct Real {
  const char* name;
  Function function = nullptr;

  Function get() {
    if (!function) function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    return function;
  }
  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }
};

// A template argument drops attributes such as nonnull; nothing is lost, they were checked where
// the program called us.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wignored-attributes"

#define UNRAVEL_REAL(name) \
  inline constinit Real<decltype(&::name)> name { #name }

UNRAVEL_REAL(pthread_create);
UNRAVEL_REAL(pthread_join);
UNRAVEL_REAL(pthread_tryjoin_np);
UNRAVEL_REAL(pthread_timedjoin_np);
UNRAVEL_REAL(pthread_clockjoin_np);
UNRAVEL_REAL(pthread_detach);

UNRAVEL_REAL(pthread_exit);
UNRAVEL_REAL(pthread_cancel);
UNRAVEL_REAL(pthread_testcancel);
UNRAVEL_REAL(pthread_setcancelstate);
UNRAVEL_REAL(pthread_setcanceltype);

UNRAVEL_REAL(thrd_create);
UNRAVEL_REAL(thrd_join);
UNRAVEL_REAL(thrd_detach);
UNRAVEL_REAL(thrd_exit);
UNRAVEL_REAL(thrd_sleep);
UNRAVEL_REAL(thrd_yield);
UNRAVEL_REAL(mtx_init);
UNRAVEL_REAL(mtx_destroy);
UNRAVEL_REAL(mtx_lock);
UNRAVEL_REAL(mtx_timedlock);
UNRAVEL_REAL(mtx_trylock);
UNRAVEL_REAL(mtx_unlock);
UNRAVEL_REAL(cnd_init);
UNRAVEL_REAL(cnd_destroy);
UNRAVEL_REAL(cnd_wait);
UNRAVEL_REAL(cnd_timedwait);
UNRAVEL_REAL(cnd_signal);
UNRAVEL_REAL(cnd_broadcast);
UNRAVEL_REAL(call_once);

UNRAVEL_REAL(pthread_mutex_init);
UNRAVEL_REAL(pthread_mutex_destroy);
UNRAVEL_REAL(pthread_mutex_lock);
UNRAVEL_REAL(pthread_mutex_trylock);
UNRAVEL_REAL(pthread_mutex_timedlock);
UNRAVEL_REAL(pthread_mutex_clocklock);
UNRAVEL_REAL(pthread_mutex_unlock);

UNRAVEL_REAL(pthread_cond_init);
UNRAVEL_REAL(pthread_cond_destroy);
UNRAVEL_REAL(pthread_cond_wait);
UNRAVEL_REAL(pthread_cond_timedwait);
UNRAVEL_REAL(pthread_cond_clockwait);
UNRAVEL_REAL(pthread_cond_signal);
UNRAVEL_REAL(pthread_cond_broadcast);

UNRAVEL_REAL(pthread_rwlock_init);
UNRAVEL_REAL(pthread_rwlock_destroy);
UNRAVEL_REAL(pthread_rwlock_rdlock);
UNRAVEL_REAL(pthread_rwlock_tryrdlock);
UNRAVEL_REAL(pthread_rwlock_timedrdlock);
UNRAVEL_REAL(pthread_rwlock_clockrdlock);
UNRAVEL_REAL(pthread_rwlock_wrlock);
UNRAVEL_REAL(pthread_rwlock_trywrlock);
UNRAVEL_REAL(pthread_rwlock_timedwrlock);
UNRAVEL_REAL(pthread_rwlock_clockwrlock);
UNRAVEL_REAL(pthread_rwlock_unlock);

UNRAVEL_REAL(sem_init);
UNRAVEL_REAL(sem_destroy);
UNRAVEL_REAL(sem_close);
UNRAVEL_REAL(sem_wait);
UNRAVEL_REAL(sem_trywait);
UNRAVEL_REAL(sem_timedwait);
UNRAVEL_REAL(sem_clockwait);
UNRAVEL_REAL(sem_post);

UNRAVEL_REAL(pthread_barrier_init);
UNRAVEL_REAL(pthread_barrier_destroy);
UNRAVEL_REAL(pthread_barrier_wait);
UNRAVEL_REAL(pthread_once);
UNRAVEL_REAL(pthread_spin_init);
UNRAVEL_REAL(pthread_spin_destroy);
UNRAVEL_REAL(pthread_spin_lock);
UNRAVEL_REAL(pthread_spin_trylock);
UNRAVEL_REAL(pthread_spin_unlock);

UNRAVEL_REAL(flockfile);
UNRAVEL_REAL(ftrylockfile);
UNRAVEL_REAL(funlockfile);
UNRAVEL_REAL(fflush);
UNRAVEL_REAL(fclose);
UNRAVEL_REAL(putc);
UNRAVEL_REAL(fputc);
UNRAVEL_REAL(putchar);
UNRAVEL_REAL(puts);
UNRAVEL_REAL(fputs);
UNRAVEL_REAL(fwrite);
UNRAVEL_REAL(vfprintf);
UNRAVEL_REAL(__vfprintf_chk);
UNRAVEL_REAL(getc);
UNRAVEL_REAL(fgetc);
UNRAVEL_REAL(getchar);
UNRAVEL_REAL(fgets);
UNRAVEL_REAL(fread);
UNRAVEL_REAL(getdelim);
UNRAVEL_REAL(getline);

UNRAVEL_REAL(getrandom);
UNRAVEL_REAL(getentropy);
UNRAVEL_REAL(arc4random);
UNRAVEL_REAL(arc4random_buf);
UNRAVEL_REAL(arc4random_uniform);
UNRAVEL_REAL(open);
UNRAVEL_REAL(open64);
UNRAVEL_REAL(openat);
UNRAVEL_REAL(openat64);
UNRAVEL_REAL(__open_2);
UNRAVEL_REAL(__open64_2);
UNRAVEL_REAL(__openat_2);
UNRAVEL_REAL(__openat64_2);
UNRAVEL_REAL(fopen);
UNRAVEL_REAL(fopen64);

UNRAVEL_REAL(clone);
UNRAVEL_REAL(execv);
UNRAVEL_REAL(execvp);
UNRAVEL_REAL(execvpe);
UNRAVEL_REAL(fexecve);
UNRAVEL_REAL(execveat);

UNRAVEL_REAL(creat);
UNRAVEL_REAL(creat64);
UNRAVEL_REAL(freopen);
UNRAVEL_REAL(freopen64);
UNRAVEL_REAL(mkstemp);
UNRAVEL_REAL(mkstemp64);
UNRAVEL_REAL(mkostemp);
UNRAVEL_REAL(mkostemp64);
UNRAVEL_REAL(mkstemps);
UNRAVEL_REAL(mkstemps64);
UNRAVEL_REAL(mkostemps);
UNRAVEL_REAL(mkostemps64);
UNRAVEL_REAL(mkdtemp);
UNRAVEL_REAL(mkdir);
UNRAVEL_REAL(mkdirat);
UNRAVEL_REAL(mkfifo);
UNRAVEL_REAL(link);
UNRAVEL_REAL(linkat);
UNRAVEL_REAL(symlink);
UNRAVEL_REAL(symlinkat);
UNRAVEL_REAL(shm_open);
UNRAVEL_REAL(shm_unlink);
UNRAVEL_REAL(sem_unlink);
UNRAVEL_REAL(truncate);
UNRAVEL_REAL(truncate64);
UNRAVEL_REAL(rename);
UNRAVEL_REAL(renameat);
UNRAVEL_REAL(renameat2);
UNRAVEL_REAL(unlink);
UNRAVEL_REAL(unlinkat);
UNRAVEL_REAL(remove);
UNRAVEL_REAL(rmdir);

UNRAVEL_REAL(sysconf);
UNRAVEL_REAL(get_nprocs);
UNRAVEL_REAL(get_nprocs_conf);
UNRAVEL_REAL(sched_getaffinity);
UNRAVEL_REAL(sched_setaffinity);
UNRAVEL_REAL(pthread_getaffinity_np);
UNRAVEL_REAL(pthread_setaffinity_np);
UNRAVEL_REAL(pthread_attr_setaffinity_np);
UNRAVEL_REAL(sched_getcpu);
UNRAVEL_REAL(getcpu);
UNRAVEL_REAL(clock);
UNRAVEL_REAL(times);
UNRAVEL_REAL(getrusage);

UNRAVEL_REAL(sched_yield);
UNRAVEL_REAL(nanosleep);
UNRAVEL_REAL(clock_nanosleep);
UNRAVEL_REAL(usleep);
UNRAVEL_REAL(sleep);
UNRAVEL_REAL(clock_gettime);
UNRAVEL_REAL(gettimeofday);
UNRAVEL_REAL(time);
UNRAVEL_REAL(timespec_get);

UNRAVEL_REAL(sigaction);
UNRAVEL_REAL(sigprocmask);
UNRAVEL_REAL(pthread_sigmask);
UNRAVEL_REAL(sigpending);
UNRAVEL_REAL(raise);
UNRAVEL_REAL(kill);
UNRAVEL_REAL(sigqueue);
UNRAVEL_REAL(pthread_kill);
UNRAVEL_REAL(pthread_sigqueue);
UNRAVEL_REAL(sigwait);
UNRAVEL_REAL(sigwaitinfo);
UNRAVEL_REAL(sigtimedwait);
UNRAVEL_REAL(pause);
UNRAVEL_REAL(sigsuspend);
UNRAVEL_REAL(alarm);
UNRAVEL_REAL(setitimer);
UNRAVEL_REAL(getitimer);
UNRAVEL_REAL(timerfd_create);
UNRAVEL_REAL(timerfd_settime);
UNRAVEL_REAL(timerfd_gettime);
UNRAVEL_REAL(signalfd);
UNRAVEL_REAL(realpath);
UNRAVEL_REAL(regexec);
UNRAVEL_REAL(glob);
UNRAVEL_REAL(glob64);
UNRAVEL_REAL(fmemopen);
UNRAVEL_REAL(pthread_attr_getaffinity_np);
UNRAVEL_REAL(siglongjmp);
UNRAVEL_REAL(longjmp);
UNRAVEL_REAL(_longjmp);
UNRAVEL_REAL(__longjmp_chk);
UNRAVEL_REAL(dup);
UNRAVEL_REAL(dup2);
UNRAVEL_REAL(dup3);
UNRAVEL_REAL(timer_create);
UNRAVEL_REAL(timer_settime);
UNRAVEL_REAL(timer_gettime);
UNRAVEL_REAL(timer_getoverrun);
UNRAVEL_REAL(timer_delete);

UNRAVEL_REAL(read);
UNRAVEL_REAL(readv);
UNRAVEL_REAL(write);
UNRAVEL_REAL(writev);
UNRAVEL_REAL(recv);
UNRAVEL_REAL(recvfrom);
UNRAVEL_REAL(recvmsg);
UNRAVEL_REAL(send);
UNRAVEL_REAL(sendto);
UNRAVEL_REAL(sendmsg);
UNRAVEL_REAL(accept);
UNRAVEL_REAL(accept4);
UNRAVEL_REAL(connect);
UNRAVEL_REAL(close);
UNRAVEL_REAL(shutdown);
UNRAVEL_REAL(pipe2);
UNRAVEL_REAL(socketpair);
UNRAVEL_REAL(eventfd);
UNRAVEL_REAL(eventfd_read);
UNRAVEL_REAL(eventfd_write);
UNRAVEL_REAL(poll);
UNRAVEL_REAL(ppoll);
UNRAVEL_REAL(select);
UNRAVEL_REAL(pselect);
UNRAVEL_REAL(epoll_wait);
UNRAVEL_REAL(epoll_pwait);
UNRAVEL_REAL(flock);
UNRAVEL_REAL(fcntl);
UNRAVEL_REAL(wait);
UNRAVEL_REAL(wait3);
UNRAVEL_REAL(wait4);
UNRAVEL_REAL(waitpid);
UNRAVEL_REAL(waitid);
UNRAVEL_REAL(fork);
UNRAVEL_REAL(posix_spawn);
UNRAVEL_REAL(posix_spawnp);
UNRAVEL_REAL(system);
UNRAVEL_REAL(popen);
UNRAVEL_REAL(pclose);
UNRAVEL_REAL(execve);

UNRAVEL_REAL(exit);
UNRAVEL_REAL(quick_exit);
UNRAVEL_REAL(_exit);
UNRAVEL_REAL(__assert_fail);

#undef UNRAVEL_REAL
#pragma GCC diagnostic pop

}  // namespace unravel::real
