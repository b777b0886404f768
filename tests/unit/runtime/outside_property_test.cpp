/// What stops for every program that waits for something outside, whenever it comes.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "property/property.hpp"
#include "unit/runtime/any_run.hpp"

namespace unravel {
namespace {

constexpr int kRunsPerProgram = 6;
constexpr int kReplaysPerRun = 3;

std::string any_channel() { return any_below(2) ? "x" : "y"; }

Steps any_wait(bool several) {
  switch (any_below(8)) {
    case 0:
    case 1:
    case 2: return {"receive " + any_channel() + any_time()};
    case 3:
      return {(several ? "receive_some " : "receive ") + any_channel() + (several ? " 3" : "")};
    case 4: return {"poll x y" + any_time()};
    case 5: return {"tryreceive " + any_channel()};
    case 6:
      return {"tryreceive x",
              "$tries = 0",
              "while $result == 1",
              any_below(2) ? "yield" : "sleep 1ms",
              "tryreceive x",
              "$tries = $tries + 1",
              "if $tries > 30",
              "exit 3",
              "end",
              "end"};
    default: return {(any_below(4) ? "sigwait for 50ms" : "sigwait")};
  }
}

Steps any_steps(int most, bool several) {
  const char* const singles[] = {"step",     "yield",         "post s",   "sleep 1ms",
                                 "sleep 2s", "got = got + x", "signal c", "step",
                                 "hook",     "block",         "unblock",  "write x 9"};
  Steps steps;
  for (int left = any_below(most + 1); left > 0; --left) {
    switch (any_below(8)) {
      case 0:
        add(steps, {"lock a" + any_time(), "if $result == 0"});
        add(steps, any_wait(several));
        if (any_below(2)) add(steps, {"wait c a" + any_time()});
        add(steps, {"unlock a", "end"});
        break;
      case 1: add(steps, {"sem_wait s" + any_time()}); break;
      case 2: add(steps, {any_below(4) ? "futex_wait f 0 for 50ms" : "pause"}); break;
      case 3:
      case 4: add(steps, {singles[any_below(static_cast<int>(std::size(singles)))]}); break;
      default: add(steps, any_wait(several));
    }
  }
  return steps;
}

SimProgram any_outside_program(bool several = true) {
  SimProgram program{.start = {{"s", any_below(2)}, {"f", 0}, {"x", 0}, {"y", 0}, {"got", 0}}};
  const int threads = 1 + any_below(3);
  Steps main;
  for (int i = 0; i < threads; ++i) add(main, {"create t" + std::to_string(i)});
  add(main, any_steps(3, several));
  for (int i = 0; i < threads; ++i) {
    if (any_below(4)) add(main, {"join t" + std::to_string(i) + any_time()});
  }
  program.threads.push_back({"main", main});
  for (int i = 0; i < threads; ++i) {
    program.threads.push_back({"t" + std::to_string(i), any_steps(5, several)});
  }
  for (int left = any_below(7); left > 0; --left) {
    program.outside.push_back({any_channel(), 1 + any_below(9)});
  }
  if (any_below(2)) {
    const int signals[] = {2, 3, 12};
    for (int left = any_below(4); left > 0; --left) {
      program.outside.push_back({"signal", signals[any_below(3)]});
    }
    program.has_child = any_below(2);
  }
  if (any_below(2)) {
    program.handler = {"got = got + $signal"};
    const char* const more[] = {"step", "post s", "tryreceive y", "receive y for 1ms", "signal c"};
    if (any_below(2)) add(program.handler, {more[any_below(5)]});
  }
  return program;
}

sim::SimLimits any_moments() {
  return {.most_steps = 100'000, .outside_seed = *rc::gen::arbitrary<std::uint64_t>()};
}

/// The rule must not matter where every step is named.
SimRun replay(const SimProgram& program, sim::SimSchedule schedule) {
  schedule.then = {};
  const SimRun replayed = run(program, schedule, wire::Following::kStrict, any_moments());
  require_whole(program, replayed);
  return replayed;
}

PROPERTY(OutsideReplay, IsTheSameRunWheneverTheSameThingsCome, ()) {
  const SimProgram program = any_outside_program();
  for (int i = 0; i < kRunsPerProgram; ++i) {
    const SimRun recorded = run(program, any_rule(), any_moments());
    require_whole(program, recorded);
    if (i == 0) {
      RC_CLASSIFY(recorded.failed(), "failed");
      RC_CLASSIFY(!recorded.received.empty(), "received something");
      RC_CLASSIFY(recorded.choices().find("signal 0") != std::string::npos,
                  "waited for a deadline");
    }

    for (int j = 0; j < kReplaysPerRun; ++j) {
      require_same(program, recorded, replay(program, recorded.schedule));
    }
  }
}

/// The last message of a channel on which there are some.
std::size_t last_of_any_channel(const SimProgram& program) {
  const std::string channel = any_channel();
  std::size_t found = program.outside.size();
  for (std::size_t i = 0; i < program.outside.size(); ++i) {
    if (program.outside[i].channel == channel) found = i;
  }
  return found;
}

std::ptrdiff_t count_on(const std::string& channel, const SimProgram& program) {
  return std::count_if(program.outside.begin(), program.outside.end(),
                       [&](const sim::SimArrival& one) { return one.channel == channel; });
}

/// Whether a run took everything that came on a channel.
bool took_all(const std::string& channel, const SimProgram& program, const SimRun& seen) {
  return count_on(channel, program) ==
         std::count_if(seen.received.begin(), seen.received.end(),
                       [&](const auto& one) { return one.first == channel; });
}

PROPERTY(OutsideReplay, DivergesIfSomethingNeverComes, ()) {
  const SimProgram program = any_outside_program();
  const std::size_t missing = last_of_any_channel(program);
  RC_PRE(missing < program.outside.size());
  SimProgram without = program;
  without.outside.erase(without.outside.begin() + static_cast<std::ptrdiff_t>(missing));
  const std::string& channel = program.outside[missing].channel;
  for (int i = 0; i < kRunsPerProgram; ++i) {
    const SimRun recorded = run(program, any_rule(), any_moments());

    const SimRun replayed = replay(without, recorded.schedule);

    if (took_all(channel, program, recorded)) {
      RC_ASSERT(replayed.diverged());
    } else if (!replayed.diverged()) {  // nobody even asked whether it is there
      require_same(program, recorded, replayed);
    }
  }
}

PROPERTY(OutsideReplay, DivergesIfSomethingElseComes, ()) {
  // Of several messages at once only their number is recorded, as of bytes.
  const SimProgram program = any_outside_program(/*several=*/false);
  const std::size_t changed = last_of_any_channel(program);
  RC_PRE(changed < program.outside.size());
  SimProgram other = program;
  other.outside[changed].value += 100;
  const std::string& channel = program.outside[changed].channel;
  for (int i = 0; i < kRunsPerProgram; ++i) {
    const SimRun recorded = run(program, any_rule(), any_moments());

    const SimRun replayed = replay(other, recorded.schedule);

    if (took_all(channel, program, recorded)) {
      RC_ASSERT(replayed.diverged());
    } else {
      require_same(program, recorded, replayed);
    }
  }
}

PROPERTY(OutsideReplay, FollowedLenientlyIsARunOfItsOwn, ()) {
  const SimProgram program = any_outside_program();
  const SimProgram other = any_outside_program();
  for (int i = 0; i < kRunsPerProgram; ++i) {
    const SimRun recorded = run(any_below(2) ? program : other, any_rule(), any_moments());

    const SimRun lenient =
        run(program, recorded.schedule, wire::Following::kLenient, any_moments());

    require_whole(program, lenient);
    RC_ASSERT(!lenient.diverged());
    require_same(program, lenient, replay(program, lenient.schedule));
  }
}

}  // namespace
}  // namespace unravel
