// Shape: a cancellation flag. A search that was cancelled puts its open requests back.
//
// Bug: putting back takes the lock of the results and then that of the requests. Cancelling takes
// them in the opposite order.
//
// Needs: two levels. The search is cancelled before it ends: only then does it put anything back.
// The cancelling thread is preempted between its two locks, until the search has the lock of the
// results.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kRequests = 3;

static std::mutex requests_lock;
static std::mutex results_lock;
static std::atomic<bool> cancelled;
static int open_requests = kRequests;
static int results;

static bool take_request() {
  std::lock_guard guard(requests_lock);
  if (open_requests == 0) return false;
  --open_requests;
  return true;
}

static void put_request_back() {
  std::lock_guard results_guard(results_lock);
  results = 0;  // half a result is none
  std::lock_guard guard(requests_lock);
  ++open_requests;
}

static void search() {
  while (take_request()) {
    if (cancelled.load()) {
      put_request_back();
      return;
    }
    std::lock_guard guard(results_lock);
    ++results;
  }
}

static void cancel() {
  std::lock_guard guard(requests_lock);
  if (open_requests > 0) cancelled.store(true);
  std::lock_guard results_guard(results_lock);
  results = 0;
}

int main() {
  std::thread searcher(search);
  std::thread canceller(cancel);
  searcher.join();
  canceller.join();
  assert(results == 0 || open_requests == 0);
}
