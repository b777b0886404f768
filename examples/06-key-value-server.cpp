// A server that keeps numbers under names, with a thread for each connection. Every access is
// under a lock, and it still loses increments: `add` reads the number under the lock, lets go, and
// writes the sum back under the lock.
//
// Its client checks the numbers. To find the schedule that breaks it:
//
//   g++ -std=c++20 -g -pthread 06-key-value-server.cpp -o key-value-server
//   unravel hunt --with './06-key-value-client.py 5555' -- ./key-value-server 5555
//   unravel replay
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Table {
 public:
  int get(const std::string& name) {
    std::lock_guard guard(mutex_);
    return numbers_[name];
  }
  void set(const std::string& name, int number) {
    std::lock_guard guard(mutex_);
    numbers_[name] = number;
  }
  void add(const std::string& name, int amount) {
    const int before = get(name);
    set(name, before + amount);
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> numbers_;
};

static Table table;

static std::string answer(const std::string& line) {
  char name[32] = "";
  int number = 0;
  if (std::sscanf(line.c_str(), "add %31s %d", name, &number) == 2) {
    table.add(name, number);
    return "ok\n";
  }
  if (std::sscanf(line.c_str(), "get %31s", name) == 1) {
    return std::to_string(table.get(name)) + "\n";
  }
  return "what?\n";
}

static void serve(int connection) {
  std::string received;
  char buffer[256];
  for (ssize_t size; (size = recv(connection, buffer, sizeof buffer, 0)) > 0;) {
    received.append(buffer, static_cast<std::size_t>(size));
    for (std::size_t end; (end = received.find('\n')) != std::string::npos;) {
      const std::string reply = answer(received.substr(0, end));
      received.erase(0, end + 1);
      send(connection, reply.data(), reply.size(), MSG_NOSIGNAL);
    }
  }
  close(connection);
}

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return 3;
  if (listen(listener, 16) != 0) return 4;
  for (int connection; (connection = accept(listener, nullptr, nullptr)) >= 0;) {
    std::thread(serve, connection).detach();
  }
}
