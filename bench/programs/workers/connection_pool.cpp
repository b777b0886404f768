// Shape: a pool of connections, opened when they are needed first, that five clients share.
//
// Bug: a client looks for a connection to its host, opens one without the lock, since that is slow,
// and puts it into the pool without looking again. A connection of another client may be
// overwritten, and is never closed.
//
// Needs: 1 preemption, of client 1 between its look for host 3 and its put, until client 4 has put
// its own connection to that host. All other hosts have one client each.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kClients = 5;
constexpr int kHosts = 14;
constexpr int kEach = 3;

static const int hosts_of[kClients][kEach] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}, {12, 13, 3}};

static std::atomic<int> opened;
static std::atomic<int> closed;

struct Connection {
  Connection() { ++opened; }
  ~Connection() { ++closed; }
  std::atomic<int> requests = 0;
};

static std::mutex lock;
static Connection* pool[kHosts];
static int answers;

static Connection* find(int host) {
  std::lock_guard guard(lock);
  return pool[host];
}

static Connection* connect(int host) {
  if (Connection* found = find(host)) return found;
  auto* made = new Connection;
  std::lock_guard guard(lock);
  pool[host] = made;
  return made;
}

static void be_client(int number) {
  for (const int host : hosts_of[number]) {
    ++connect(host)->requests;
    std::lock_guard guard(lock);
    ++answers;
  }
}

int main() {
  std::vector<std::thread> clients;
  for (int i = 0; i < kClients; ++i) clients.emplace_back(be_client, i);
  for (std::thread& client : clients) client.join();
  for (Connection* connection : pool) delete connection;
  assert(answers == kEach * kClients);
  assert(closed == opened);
}
