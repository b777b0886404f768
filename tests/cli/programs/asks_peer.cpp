// Two threads each send a line to a peer on this machine and read its answer. It fails if the
// answers are too large together.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

static std::mutex guard;
static int total = 0;

static int connect_to(int port) {
  const int made = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(made, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::exit(3);
  return made;
}

static void ask(int port, int number) {
  const int peer = connect_to(port);
  char text[64];
  const int size = std::snprintf(text, sizeof text, "question %d\n", number);
  if (write(peer, text, static_cast<std::size_t>(size)) != size) std::exit(4);
  pollfd answer{peer, POLLIN, 0};
  poll(&answer, 1, -1);
  const ssize_t got = read(peer, text, sizeof text - 1);
  if (got < 0) std::exit(5);
  text[got] = '\0';
  const std::lock_guard lock(guard);
  total += std::atoi(text);
  std::printf("answer %d: %s", number, text);
  close(peer);
}

int main(int, char** arguments) {
  const int port = std::atoi(arguments[1]);
  std::thread first(ask, port, 1);
  std::thread second(ask, port, 2);
  first.join();
  second.join();
  std::printf("total %d\n", total);
  std::fflush(stdout);
  assert(total < 100);
}
