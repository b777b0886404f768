// A server with one thread for events and two workers. Sockets do not wait, and epoll tells of each
// arrival once. Every line is a job for a worker, which adds its number to a sum, read and written
// under the lock, but not in one piece. It fails if something is lost.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static std::deque<std::pair<int, int>> jobs;  // client, number
static bool is_over = false;
static long sum = 0;
static int wake;

static void work() {
  for (;;) {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return is_over || !jobs.empty(); });
    if (jobs.empty()) return;
    const auto [client, number] = jobs.front();
    jobs.pop_front();
    const long seen = sum;
    lock.unlock();
    lock.lock();
    sum = seen + number;
    lock.unlock();
    const std::string answer = std::to_string(number) + "\n";
    send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
    eventfd_write(wake, 1);
  }
}

int main(int, char** arguments) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 3;
  if (listen(listener, 5) != 0) return 4;
  wake = eventfd(0, EFD_NONBLOCK);
  const int set = epoll_create1(0);
  const auto add = [&](int descriptor, std::uint32_t events) {
    epoll_event wish{.events = events, .data = {.fd = descriptor}};
    epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &wish);
  };
  add(listener, EPOLLIN | EPOLLET);
  add(wake, EPOLLIN);
  std::thread first(work), second(work);
  std::map<int, std::string> clients;  // with what came of the next line
  int ended = 0;
  long expected = 0;
  while (ended < 2) {
    epoll_event ready[8];
    const int count = epoll_wait(set, ready, 8, -1);
    for (int i = 0; i < count; ++i) {
      const int at = ready[i].data.fd;
      if (at == wake) {
        eventfd_t ignored;
        eventfd_read(wake, &ignored);
        continue;
      }
      if (at == listener) {
        for (int made; (made = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
          clients[made];
          add(made, EPOLLIN | EPOLLRDHUP | EPOLLET);
        }
        continue;
      }
      char bytes[16];
      ssize_t got;
      while ((got = recv(at, bytes, sizeof bytes, 0)) > 0) {
        for (ssize_t b = 0; b < got; ++b) {
          if (bytes[b] != '\n') {
            clients[at] += bytes[b];
            continue;
          }
          const int number = std::atoi(clients[at].c_str());
          clients[at].clear();
          expected += number;
          const std::lock_guard lock(guard);
          jobs.emplace_back(at, number);
          changed.notify_one();
        }
      }
      if (got == 0) ++ended;
    }
  }
  {
    const std::lock_guard lock(guard);
    is_over = true;
    changed.notify_all();
  }
  first.join();
  second.join();
  fd_set written;
  FD_ZERO(&written);
  for (const auto& one : clients) FD_SET(one.first, &written);
  timeval at_once{};
  const int writable = select(1024, nullptr, &written, nullptr, &at_once);
  std::printf("sum %ld of %ld, %d of %zu are writable\n", sum, expected, writable, clients.size());
  std::fflush(stdout);
  assert(sum == expected);
}
