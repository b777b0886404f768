/// Arbitrary small programs whose threads share nothing but by operations at points.
#pragma once

#include <string>

#include "unit/runtime/any_run.hpp"

namespace unravel {

/// What the threads of a program have in common: without a favourite they would rarely meet.
struct Theme {
  bool has_accesses = any_below(2);  // then all accesses are points
  bool has_pairs = any_below(2);     // two mutexes, two semaphores, ...; else one
  bool has_deadlines = any_below(2);
  int favourite = any_below(has_accesses ? 6 : 5);  // a kind of objects
  int favourite_lock = any_below(7);

  [[nodiscard]] std::string time() const { return has_deadlines ? any_time() : ""; }
  [[nodiscard]] std::string object(const char* kind) const {
    return kind + std::to_string(has_pairs ? 1 + any_below(2) : 1);
  }
  [[nodiscard]] int kind() const { return any_below(3) ? favourite : any_below(6); }
};

/// Draws a thread's steps. All that threads share is shared by operations that are points: nothing
/// happens between two points that another thread could notice.
class AnyThread {
 public:
  AnyThread(int number, const Theme& theme)
      : results_("r" + std::to_string(number)), theme_(theme) {}

  Steps steps(int most, int depth = 0) {
    Steps drawn;
    for (int left = 1 + any_below(most); left > 0; --left) {
      add(drawn, depth < 2 && any_below(3) == 0 ? block(depth) : single());
    }
    return drawn;
  }
  /// The step, and a note of its result in a variable of this thread alone.
  [[nodiscard]] Steps noted(const std::string& step) const {
    return {step, results_ + " = " + results_ + " + " + results_,
            results_ + " = " + results_ + " + $result"};
  }

 private:
  Steps block(int depth) {
    const std::string mutex = theme_.object("m");
    const std::string lock = theme_.object("w");
    const std::string ways[] = {"lock " + mutex + theme_.time(),
                                "trylock " + mutex,
                                "rdlock " + lock + theme_.time(),
                                "rdlock " + lock,
                                "wrlock " + lock + theme_.time(),
                                "tryrdlock " + lock,
                                "trywrlock " + lock};
    const int way = any_below(2) ? theme_.favourite_lock : any_below(7);
    const bool is_mutex = way < 2;
    Steps drawn = noted(ways[way]);
    add(drawn, {"if $result == 0"});
    add(drawn, steps(2, depth + 1));
    if (is_mutex && any_below(2)) {
      add(drawn, noted("wait " + theme_.object("c") + " " + mutex + theme_.time()));
    }
    add(drawn, {is_mutex ? "unlock " + mutex : "rwunlock " + lock, "end"});
    return drawn;
  }

  Steps single() {
    const std::string some = std::to_string(any_below(3));
    const int which = any_below(4);
    switch (theme_.kind()) {
      case 0:
        if (which < 2) return {"post " + theme_.object("s")};
        return noted(which == 2 ? "sem_wait " + theme_.object("s") + theme_.time()
                                : "sem_trywait " + theme_.object("s"));
      case 1: return {(which ? "signal " : "broadcast ") + theme_.object("c")};
      case 2:
        if (which < 2) return noted("futex_wait f 0" + theme_.time());
        return {which == 2 ? "futex_wake f 1" : "write f " + some};
      case 3: return {which ? "barrier b 2" : "barrier b 3"};
      case 4:
        if (which < 2) return noted("read y");
        return {which == 2 ? "write y " + some : theme_.has_deadlines ? "sleep 1ms" : "yield"};
      default:
        if (!theme_.has_accesses) return {"step"};
        return which ? noted("load " + theme_.object("x"))
                     : Steps{"store " + theme_.object("x") + " " + some};
    }
  }

  const std::string results_;
  const Theme theme_;
};

inline SimProgram any_sharing_program(const Theme& theme) {
  SimProgram program{.start = {{"s1", any_below(3)}}};
  const int threads = 2 + any_below(2);
  if (any_below(2)) {
    AnyThread drawn(threads, theme);
    Steps main;
    for (int i = 0; i < threads; ++i) add(main, {"create t" + std::to_string(i)});
    add(main, drawn.steps(3));
    for (int i = 0; i < threads; ++i) {
      const char* const ways[] = {"join t", "join t", "tryjoin t"};
      add(main, drawn.noted(ways[any_below(3)] + std::to_string(i)));
    }
    program.threads.push_back({"main", main});
  }
  const bool create_more = any_below(4) == 0;
  for (int i = 0; i < threads; ++i) {
    const std::string number = std::to_string(i);
    Steps steps = AnyThread(i, theme).steps(5);
    if (create_more) steps.insert(steps.begin(), "create u" + number);
    program.threads.push_back({"t" + number, steps});
    if (create_more) program.threads.push_back({"u" + number, {"step"}});
  }
  // If only one thread can go on there is no decision, and nothing is told of its step.
  if (any_below(2)) program.threads.push_back({"spectator", sim::repeat("step", 8)});
  return program;
}

}  // namespace unravel
