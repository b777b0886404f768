// After pbzip2 of the paper: main cuts its input into blocks, workers compress them, main writes
// what they made.
//
// Bug: main deletes the queue when all blocks are written, and does not wait for the workers: one
// of them may still be on its way to see that there is nothing left. In delete_queue() and
// take_block().
//
// Shows as: a crash, a worker takes the queue's lock by a null pointer. Switches at synchronisation
// are enough.
// Fewest: 3 switches, 1 of them a preemption: one worker compresses all, main deletes the queue and
// is left before the process ends, another worker begins.
//
// Arguments: workers, blocks (default: 6 12).
#include <pthread.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

namespace {

struct Block {
  std::size_t number = 0;
  std::string bytes;
};

struct Queue {
  pthread_mutex_t* lock;
  pthread_cond_t* changed;
  std::deque<Block> blocks;
  bool closed = false;
};

pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
Queue the_queue{.lock = &queue_lock, .changed = &queue_changed, .blocks = {}};
Queue* queue = &the_queue;

pthread_mutex_t output_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t output_grew = PTHREAD_COND_INITIALIZER;
std::vector<std::string> output;
std::size_t compressed = 0;

/// Bytes that repeat, as one and their number.
std::string compress(const std::string& bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t end = i;
    while (end < bytes.size() && bytes[end] == bytes[i] && end - i < 255) ++end;
    result.push_back(bytes[i]);
    result.push_back(static_cast<char>(end - i));
    i = end;
  }
  return result;
}

void put_block(Block block) {
  pthread_mutex_lock(queue->lock);
  queue->blocks.push_back(std::move(block));
  pthread_cond_signal(queue->changed);
  pthread_mutex_unlock(queue->lock);
}

void close_queue() {
  pthread_mutex_lock(queue->lock);
  queue->closed = true;
  pthread_cond_broadcast(queue->changed);
  pthread_mutex_unlock(queue->lock);
}

/// False: there will be no more.
bool take_block(Block& block) {
  Queue* const from = queue;
  pthread_mutex_t* const lock = from->lock;
  pthread_mutex_lock(lock);
  while (from->blocks.empty() && !from->closed) pthread_cond_wait(from->changed, lock);
  const bool found = !from->blocks.empty();
  if (found) {
    block = std::move(from->blocks.front());
    from->blocks.pop_front();
  }
  pthread_mutex_unlock(lock);
  return found;
}

void delete_queue() {
  queue->blocks.clear();
  queue = nullptr;
}

void* compress_blocks(void*) {
  Block block;
  while (take_block(block)) {
    std::string result = compress(block.bytes);
    pthread_mutex_lock(&output_lock);
    output[block.number] = std::move(result);
    if (++compressed == output.size()) pthread_cond_signal(&output_grew);
    pthread_mutex_unlock(&output_lock);
  }
  return nullptr;
}

Block some_block(std::size_t number) {
  Block block{number, {}};
  for (std::size_t i = 0; i < 12; ++i) {
    block.bytes.append(i % 4 + 1, static_cast<char>('a' + (i + number) % 26));
  }
  return block;
}

/// What it wrote, in the order of the input, as a checksum.
std::uint32_t write_output() {
  pthread_mutex_lock(&output_lock);
  while (compressed < output.size()) pthread_cond_wait(&output_grew, &output_lock);
  pthread_mutex_unlock(&output_lock);
  std::uint32_t checksum = 1;
  for (int pass = 0; pass < 40; ++pass) {  // slow, as a disk is
    for (const std::string& bytes : output) {
      for (const char byte : bytes) checksum = checksum * 31 + static_cast<unsigned char>(byte);
    }
  }
  return checksum;
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 6;
  const int blocks = argc > 2 ? std::atoi(argv[2]) : 12;
  if (workers < 1 || blocks < 1) {
    std::fprintf(stderr, "usage: compressor WORKERS BLOCKS\n");
    return 2;
  }
  output.resize(static_cast<std::size_t>(blocks));
  for (int i = 0; i < workers; ++i) {
    pthread_t thread;
    pthread_create(&thread, nullptr, compress_blocks, nullptr);
    pthread_detach(thread);
  }
  for (std::size_t i = 0; i < output.size(); ++i) put_block(some_block(i));
  close_queue();
  const std::uint32_t checksum = write_output();
  delete_queue();
  std::printf("%d blocks, checksum %08x\n", blocks, checksum);
}
