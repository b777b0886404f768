// Two threads exchange datagrams with a peer, a third one uses a connection in several ways. What
// comes is added to a sum, which is read and written under the lock, but not in one piece. It fails
// if something is lost.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex guard;
static long sum = 0;
static sockaddr_in peer{};

static void add(long number) {
  guard.lock();
  const long seen = sum;
  guard.unlock();
  guard.lock();
  sum = seen + number;
  guard.unlock();
}

static void await(int descriptor, bool reads) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(descriptor, &set);
  const int ready =
      select(descriptor + 1, reads ? &set : nullptr, reads ? nullptr : &set, nullptr, nullptr);
  if (ready != 1 || !FD_ISSET(descriptor, &set)) std::exit(4);
}

static void exchange_datagrams() {
  const int made = socket(AF_INET, SOCK_DGRAM, 0);
  for (char letter = '1'; letter <= '3'; ++letter) {
    sendto(made, &letter, 1, 0, reinterpret_cast<sockaddr*>(&peer), sizeof peer);
    await(made, true);
    sockaddr_in from{};
    socklen_t size = sizeof from;
    char answer = 0;
    if (recvfrom(made, &answer, 1, 0, reinterpret_cast<sockaddr*>(&from), &size) != 1) std::exit(5);
    if (from.sin_port != peer.sin_port) std::exit(6);
    add(answer - '0');
  }
  close(made);
}

static void use_connection() {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const auto* address = reinterpret_cast<const sockaddr*>(&peer);
  if (connect(made, address, sizeof peer) != 0 && errno != EINPROGRESS) std::exit(7);
  await(made, false);
  fcntl(made, F_SETFL, 0);
  if (write(made, "123456", 6) != 6) std::exit(8);
  char bytes[6];
  if (recv(made, bytes, 6, MSG_PEEK) < 1) std::exit(9);
  if (recv(made, bytes, 6, MSG_WAITALL) != 6 || std::memcmp(bytes, "123456", 6) != 0) std::exit(10);
  shutdown(made, SHUT_WR);
  if (read(made, bytes, 1) != 0) std::exit(11);
  close(made);
  add(10);
}

int main(int, char** arguments) {
  peer.sin_family = AF_INET;
  peer.sin_port = htons(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::thread first(exchange_datagrams), second(exchange_datagrams), third(use_connection);
  first.join();
  second.join();
  third.join();
  assert(sum == 22);
}
