// A chat server. The main thread accepts members and reads what they say; another thread delivers
// it. To deliver a message, that thread copies the list of members under the lock. A member that
// leaves meanwhile gets the message all the same, on a connection that is closed by then.
//
//   g++ -std=c++20 -g -pthread 07-chat-server.cpp -o chat-server
//   unravel hunt --with './07-chat-client.py 5555' -- ./chat-server 5555
//   unravel replay
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Member {
  int connection = -1;
  bool is_open = true;
};
using Members = std::vector<std::shared_ptr<Member>>;

static std::mutex guard;
static std::condition_variable changed;
static Members members;
static std::deque<std::string> messages;
static bool is_over = false;

static volatile sig_atomic_t must_end = 0;
static void end_soon(int) { must_end = 1; }

static void deliver() {
  std::unique_lock lock(guard);
  for (;;) {
    changed.wait(lock, [] { return is_over || !messages.empty(); });
    if (messages.empty()) return;
    const std::string message = messages.front();
    messages.pop_front();
    const Members receivers = members;
    lock.unlock();
    for (const auto& member : receivers) {
      lock.lock();
      const bool is_open = member->is_open;
      lock.unlock();
      assert(is_open && "a message goes to a member who has left");
      send(member->connection, message.data(), message.size(), MSG_NOSIGNAL);
    }
    lock.lock();
  }
}

static void join(int connection) {
  std::lock_guard lock(guard);
  members.push_back(std::make_shared<Member>(Member{.connection = connection}));
}

static void leave(std::size_t index) {
  std::lock_guard lock(guard);
  const auto member = members[index];
  member->is_open = false;
  close(member->connection);
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
}

static void say(const std::string& message) {
  {
    std::lock_guard lock(guard);
    messages.push_back(message);
  }
  changed.notify_one();
}

static void serve(int listener) {
  while (!must_end) {
    std::vector<pollfd> wishes = {{.fd = listener, .events = POLLIN, .revents = 0}};
    // No other thread changes the list.
    for (const auto& member : members) {
      wishes.push_back({.fd = member->connection, .events = POLLIN, .revents = 0});
    }
    if (poll(wishes.data(), wishes.size(), -1) < 0) continue;
    for (std::size_t i = wishes.size(); i-- > 1;) {
      if (!wishes[i].revents) continue;
      char buffer[256];
      const ssize_t size = recv(wishes[i].fd, buffer, sizeof buffer, 0);
      if (size > 0) {
        say(std::string(buffer, static_cast<std::size_t>(size)));
      } else {
        leave(i - 1);
      }
    }
    if (wishes[0].revents) join(accept(listener, nullptr, nullptr));
  }
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  struct sigaction action {};
  action.sa_handler = end_soon;
  sigaction(SIGTERM, &action, nullptr);
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 3;
  if (listen(listener, 16) != 0) return 4;
  std::thread deliverer(deliver);
  serve(listener);
  {
    std::lock_guard lock(guard);
    is_over = true;
  }
  changed.notify_one();
  deliverer.join();
}
