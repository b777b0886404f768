// A server: two connections are accepted with epoll, and a thread for each counts requests. The
// count is read and written under the lock, but not in one piece.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static constexpr int kRequests = 5;  // of each client
static std::mutex guard;
static int count = 0;

static void serve(int client) {
  char request = 0;
  while (recv(client, &request, 1, 0) == 1) {
    guard.lock();
    const int seen = count;
    guard.unlock();
    guard.lock();
    count = seen + 1;
    guard.unlock();
    send(client, "+", 1, MSG_NOSIGNAL);
  }
  close(client);
}

int main(int, char** arguments) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 3;
  if (listen(listener, 5) != 0) return 4;
  const int set = epoll_create1(0);
  epoll_event wish{.events = EPOLLIN, .data = {.fd = listener}};
  epoll_ctl(set, EPOLL_CTL_ADD, listener, &wish);
  std::vector<std::thread> threads;
  while (threads.size() < 2) {
    epoll_event ready{};
    if (epoll_wait(set, &ready, 1, -1) != 1) continue;
    sockaddr_in peer{};
    socklen_t size = sizeof peer;
    const int client = accept4(listener, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC);
    std::printf("connection from %s\n", inet_ntoa(peer.sin_addr));
    threads.emplace_back(serve, client);
  }
  for (std::thread& thread : threads) thread.join();
  std::printf("%d requests\n", count);
  std::fflush(stdout);
  assert(count == 2 * kRequests);
}
