// A run that overwrites the settings in the channel, as a stray pointer may: they say then that
// nobody else is in its process namespace. It leaves a child behind, which has to be ended.
//
// Its argument names the test's own process namespace ("pid:[4026531836]"), in which it does
// nothing: a server that believes such settings kills every process that it can.
#include <pthread.h>
#include <unistd.h>

#include <string_view>

#include "wire/control.hpp"

namespace {

void* work(void* unused) { return unused; }

}  // namespace

int main(int argc, char** argv) {
  char name[64] = {};
  if (argc != 2 || readlink("/proc/self/ns/pid", name, sizeof name - 1) <= 0) return 2;
  if (std::string_view(name) == argv[1]) return 2;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, work, nullptr) != 0) return 3;
  auto* control = reinterpret_cast<unravel::wire::Control*>(unravel::wire::kChannelAddress);
  if (control->magic != unravel::wire::kMagic) return 4;
  control->settings.own_processes = 1;
  if (fork() == 0) {
    setsid();
    for (;;) pause();
  }
  pthread_join(thread, nullptr);
  return 0;
}
