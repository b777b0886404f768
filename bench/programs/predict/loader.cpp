// After Loader of IBM's ConTest benchmark: three users call methods of a class that is loaded once.
// Defects: load() sets the flag before it fills the table of methods. Flag and table belong
// together, and the users read both without the lock (races). The count of calls loses updates.
// Shows as: an uncaught exception; a user calls a method that is not in the table yet.
#include <array>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

constexpr int kMethods = 3;
constexpr int kUsers = 3;

using Method = int (*)(int);

int twice(int value) { return 2 * value; }
int square(int value) { return value * value; }
int negative(int value) { return -value; }

class LoadedClass {
 public:
  int call(int number, int argument) {
    if (!loaded_) load();
    const Method method = methods_[number];
    if (method == nullptr) throw std::runtime_error("the method is not loaded");
    ++calls_;
    return method(argument);
  }

  int calls() const { return calls_; }

 private:
  /// Only one thread loads. The others must not go on before it is ready, but they do.
  void load() {
    std::lock_guard guard(lock_);
    if (loaded_) return;
    loaded_ = true;
    methods_[0] = twice;
    methods_[1] = square;
    methods_[2] = negative;
  }

  std::mutex lock_;
  // volatile: the compiler must not leave out or move an access.
  volatile bool loaded_ = false;
  std::array<volatile Method, kMethods> methods_{};
  int calls_ = 0;  // Nobody needs the exact count.
};

LoadedClass loaded_class;
std::array<int, kUsers> results;

void use(int user) {
  int value = user + 2;
  for (int method = 0; method < kMethods; ++method) value = loaded_class.call(method, value);
  results[user] = value;
}

}  // namespace

int main() {
  std::array<std::thread, kUsers> users;
  for (int user = 0; user < kUsers; ++user) users[user] = std::thread(use, user);
  for (std::thread& user : users) user.join();
  for (int user = 0; user < kUsers; ++user) {
    if (results[user] != negative(square(twice(user + 2)))) return 1;
  }
  std::printf("%s\n", loaded_class.calls() > 0 ? "all methods were called" : "no calls");
}
