// After critical of IBM's ConTest benchmark: two threads use a section that only one may be in.
// Defects: plain flags guard the section. A thread looks at the other's flag and only then sets
// its own (two variables that belong together); the threads race on the flags and on the owner.
// Shows as: a failed assert; a thread in the section finds that it is not the owner.
#include <array>
#include <cassert>
#include <thread>

namespace {

constexpr int kNobody = -1;
constexpr int kAttempts = 3;

class Section {
 public:
  /// Whether the thread got in. It does not get in while the other one is inside.
  bool enter(int thread) {
    if (inside_[1 - thread]) return false;
    inside_[thread] = true;
    owner_ = thread;
    return true;
  }

  void leave(int thread) {
    owner_ = kNobody;
    inside_[thread] = false;
  }

  int owner() const { return owner_; }

 private:
  // volatile: the compiler must not leave out or move an access.
  std::array<volatile bool, 2> inside_{};
  volatile int owner_ = kNobody;
};

Section section;
std::array<bool, 2> done;

/// Gives up after some attempts, so that it ends even if the other thread stays inside.
void use_section(int thread) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (!section.enter(thread)) {
      std::this_thread::yield();
      continue;
    }
    assert(section.owner() == thread);
    done[thread] = true;
    section.leave(thread);
    return;
  }
}

}  // namespace

int main() {
  std::thread first(use_section, 0);
  std::thread second(use_section, 1);
  first.join();
  second.join();
  // A thread that gave up met the other one inside, which then was done.
  assert(done[0] || done[1]);
}
