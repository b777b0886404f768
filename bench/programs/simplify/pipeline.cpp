// After dedup of the paper: stages with queues between. One thread cuts a stream into chunks,
// several hash them and drop what was seen before, one writes.
//
// Bug: the first hashing thread that sees the end of the stream passes it on, not the last one. The
// writer may be told that all is done while another one still has a chunk. In hash_chunks() and
// write_chunks().
//
// Shows as: an assertion fails in the writer. Switches at synchronisation are enough.
// Fewest: 4 switches, 1 of them a preemption: a hashing thread is left when it has taken a chunk,
// another one hashes the rest and passes the end on, and the writer believes it.
//
// Arguments: hashing threads, chunks (default: 4 10).
#include <pthread.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <set>
#include <string>
#include <vector>

namespace {

struct Chunk {
  std::string bytes;
  std::uint64_t hash = 0;
  bool is_copy = false;
};

/// A stream of chunks from some threads to some others, which ends once.
class Stream {
 public:
  void put(Chunk chunk) {
    pthread_mutex_lock(&lock_);
    chunks_.push_back(std::move(chunk));
    pthread_cond_signal(&grew_);
    pthread_mutex_unlock(&lock_);
  }

  void end() {
    pthread_mutex_lock(&lock_);
    ended_ = true;
    pthread_cond_broadcast(&grew_);
    pthread_mutex_unlock(&lock_);
  }

  /// False: the stream has ended.
  bool take(Chunk& chunk) {
    pthread_mutex_lock(&lock_);
    while (chunks_.empty() && !ended_) pthread_cond_wait(&grew_, &lock_);
    const bool found = !chunks_.empty();
    if (found) {
      chunk = std::move(chunks_.front());
      chunks_.pop_front();
    }
    pthread_mutex_unlock(&lock_);
    return found;
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t grew_ = PTHREAD_COND_INITIALIZER;
  std::deque<Chunk> chunks_;
  bool ended_ = false;
};

/// Which hashes were seen, by all threads that hash.
class Index {
 public:
  bool insert(std::uint64_t hash) {
    pthread_mutex_lock(&lock_);
    const bool is_new = hashes_.insert(hash).second;
    pthread_mutex_unlock(&lock_);
    return is_new;
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  std::set<std::uint64_t> hashes_;
};

Stream cut;
Stream hashed;
Index seen;
int chunk_count = 10;
std::size_t bytes_written = 0;

std::uint64_t hash_of(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

void* cut_chunks(void*) {
  for (int i = 0; i < chunk_count; ++i) {
    // Every third one is like one before.
    Chunk chunk;
    chunk.bytes = "chunk " + std::to_string(i % 3 == 2 ? i - 2 : i);
    cut.put(std::move(chunk));
  }
  cut.end();
  return nullptr;
}

void* hash_chunks(void*) {
  Chunk chunk;
  while (cut.take(chunk)) {
    chunk.hash = hash_of(chunk.bytes);
    chunk.is_copy = !seen.insert(chunk.hash);
    hashed.put(std::move(chunk));
  }
  // Others may not have put their last one yet.
  hashed.end();
  return nullptr;
}

void* write_chunks(void*) {
  int written = 0;
  Chunk chunk;
  while (hashed.take(chunk)) {
    bytes_written += chunk.is_copy ? sizeof chunk.hash : chunk.bytes.size();
    ++written;
  }
  assert(written == chunk_count);
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const int hashing = argc > 1 ? std::atoi(argv[1]) : 4;
  chunk_count = argc > 2 ? std::atoi(argv[2]) : 10;
  if (hashing < 1 || chunk_count < 1) {
    std::fprintf(stderr, "usage: pipeline HASHING_THREADS CHUNKS\n");
    return 2;
  }
  std::vector<pthread_t> threads(static_cast<std::size_t>(hashing) + 2);
  pthread_create(&threads.front(), nullptr, cut_chunks, nullptr);
  for (std::size_t i = 1; i + 1 < threads.size(); ++i) {
    pthread_create(&threads[i], nullptr, hash_chunks, nullptr);
  }
  pthread_create(&threads.back(), nullptr, write_chunks, nullptr);
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  std::printf("%d chunks, %zu bytes\n", chunk_count, bytes_written);
}
