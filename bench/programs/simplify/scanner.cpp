// After pfscan of the paper: a pool of workers looks for a word in the files that main finds.
//
// Bug: a worker takes a file under one hold of the lock, and is counted as busy under the next.
// Between the two nobody waits and nobody is busy: main believes that all is done. In
// scan_files(), which calls take() and begin(), and in wait_until_done().
//
// Shows as: an assertion fails in main. Switches at synchronisation are enough.
// Fewest: 2 switches, 1 of them a preemption: main puts all files and waits, a worker finishes one,
// which wakes main, goes on, takes the last one and is left, and main finds nothing to wait for.
//
// Arguments: workers, files (default: 8 12).
#include <pthread.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

namespace {

struct File {
  std::string name;
  std::string text;
};

constexpr const char* kWord = "needle";

/// Files that wait for a worker, and how many workers have one.
class Work {
 public:
  void put(const File* file) {
    pthread_mutex_lock(&lock_);
    waiting_.push_back(file);
    pthread_cond_signal(&grew_);
    pthread_mutex_unlock(&lock_);
  }

  void close() {
    pthread_mutex_lock(&lock_);
    closed_ = true;
    pthread_cond_broadcast(&grew_);
    pthread_mutex_unlock(&lock_);
  }

  /// Null: there will be no more.
  const File* take() {
    pthread_mutex_lock(&lock_);
    while (waiting_.empty() && !closed_) pthread_cond_wait(&grew_, &lock_);
    const File* file = nullptr;
    if (!waiting_.empty()) {
      file = waiting_.front();
      waiting_.pop_front();
    }
    pthread_mutex_unlock(&lock_);
    return file;
  }

  void begin() {
    pthread_mutex_lock(&lock_);
    ++busy_;
    pthread_mutex_unlock(&lock_);
  }

  void finish() {
    pthread_mutex_lock(&lock_);
    if (--busy_ == 0) pthread_cond_signal(&quiet_);
    pthread_mutex_unlock(&lock_);
  }

  void wait_until_done() {
    pthread_mutex_lock(&lock_);
    while (!waiting_.empty() || busy_ > 0) pthread_cond_wait(&quiet_, &lock_);
    pthread_mutex_unlock(&lock_);
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t grew_ = PTHREAD_COND_INITIALIZER;
  pthread_cond_t quiet_ = PTHREAD_COND_INITIALIZER;
  std::deque<const File*> waiting_;
  int busy_ = 0;
  bool closed_ = false;
};

/// What all workers found.
class Matches {
 public:
  void add(const File& file, int count) {
    pthread_mutex_lock(&lock_);
    matches_ += count;
    ++files_;
    if (count > 0) last_ = file.name;
    pthread_mutex_unlock(&lock_);
  }

  int files() {
    pthread_mutex_lock(&lock_);
    const int files = files_;
    pthread_mutex_unlock(&lock_);
    return files;
  }

  void print() const {
    std::printf("%d files, %d matches, one in %s\n", files_, matches_, last_.c_str());
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  int files_ = 0;
  int matches_ = 0;
  std::string last_;
};

Work work;
Matches matches;

int count_in(const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    ++count;
  }
  return count;
}

void* scan_files(void*) {
  while (const File* file = work.take()) {
    work.begin();
    matches.add(*file, count_in(file->text));
    work.finish();
  }
  return nullptr;
}

std::vector<File> some_files(int count) {
  std::vector<File> files;
  for (int i = 0; i < count; ++i) {
    File file{"file-" + std::to_string(i), {}};
    for (int line = 0; line < 100; ++line) {
      file.text += (i + line) % 3 == 0 ? "a needle here\n" : "only hay there\n";
    }
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 8;
  const int count = argc > 2 ? std::atoi(argv[2]) : 12;
  if (workers < 1 || count < 1) {
    std::fprintf(stderr, "usage: scanner WORKERS FILES\n");
    return 2;
  }
  const std::vector<File> files = some_files(count);
  std::vector<pthread_t> threads(static_cast<std::size_t>(workers));
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, scan_files, nullptr);
  for (const File& file : files) work.put(&file);
  work.wait_until_done();
  assert(matches.files() == count);
  work.close();
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
  matches.print();
}
