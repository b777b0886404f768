// Two threads send a letter each on one connection, and read the answer. It fails if the first
// thread's letter was first: any other order sends other bytes.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

static std::mutex guard;
static std::string sent;

static void say(int peer, char letter) {
  const std::lock_guard lock(guard);
  if (write(peer, &letter, 1) != 1) std::exit(4);
  char answer = 0;
  if (read(peer, &answer, 1) != 1) std::exit(5);
  sent += letter;
}

int main(int, char** arguments) {
  const int peer = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(arguments[1])));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(peer, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) std::exit(3);
  std::thread first([&] { say(peer, 'a'); });
  std::thread second([&] { say(peer, 'b'); });
  first.join();
  second.join();
  assert(sent != "ab");
}
