// A server in several forms, which starts its thread before it listens. Usage: FORM PORT
#include <fcntl.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

static int listen_on(int port) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool is_good = bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                       listen(listener, 5) == 0;
  if (!is_good) std::exit(3);
  return listener;
}

static void echo(int connection) {
  char byte = 0;
  while (recv(connection, &byte, 1, 0) == 1) send(connection, &byte, 1, MSG_NOSIGNAL);
  close(connection);
}

static sem_t must_end;
static void end_soon(int) { sem_post(&must_end); }

static std::mutex first, second;
static void lock(std::mutex& one, std::mutex& other) {
  std::lock_guard outer(one);
  std::this_thread::yield();
  std::lock_guard inner(other);
}

int main(int, char** arguments) {
  const std::string form = arguments[1];
  const int port = std::atoi(arguments[2]);
  std::thread([] { std::lock_guard lock(first); }).join();
  if (form == "never") return 0;
  if (form == "signal") {  // what ends the wait is a handler
    sem_init(&must_end, 0, 0);
    signal(SIGTERM, end_soon);
    sem_wait(&must_end);
    return 0;
  }
  const int listener = listen_on(port);
  if (form == "asks") {  // never waits, and asks again and again
    fcntl(listener, F_SETFL, O_NONBLOCK);
    for (int i = 0; i < 1000; ++i) {
      const int connection = accept(listener, nullptr, nullptr);
      if (connection >= 0) {
        fcntl(connection, F_SETFL, 0);
        echo(connection);
        return 0;
      }
      usleep(10'000);
    }
    return 4;
  }
  const int connection = accept(listener, nullptr, nullptr);
  if (form == "leaves") return 0;  // the client sees its connection end
  if (form == "locks") {
    std::thread other([] { lock(second, first); });
    lock(first, second);
    other.join();
  }
  if (form == "stuck") {
    std::condition_variable never;
    std::unique_lock held(first);
    never.wait(held, [] { return false; });
  }
  echo(connection);
  for (;;) echo(accept(listener, nullptr, nullptr));
}
