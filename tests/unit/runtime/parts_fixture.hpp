/// A run without a program: what a single part of the scheduler needs to be tested alone.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "runtime/core/run_state.hpp"

namespace unravel {

/// Keeps what it is given. A run that ends throws its last words.
class FakeHost : public Host {
 public:
  struct Ended {};

  wire::Site site_of(const void* address) override {
    return address ? wire::Site::of(0, reinterpret_cast<std::uint64_t>(address)) : wire::Site{};
  }
  const void* address_of(wire::Site) override { return nullptr; }
  void slice(const wire::Slice& slice) override { slices.push_back(slice); }
  void choice(const wire::Choice& choice) override { choices.push_back(choice); }
  void event(const wire::Event& event) override { events.push_back(event); }
  void clock_switch(const wire::ClockSwitch& one) override { switches.push_back(one); }
  void stop(wire::StopReason why) override { stops.push_back(why); }
  void timer_due() override { ++timers; }
  bool is_as_before(std::uint64_t, bool first) override {
    ++comparisons;
    return !first && is_same;
  }
  bool has_outside() override { return outside; }
  void leave_spinners() override { ++let_go; }
  int arrived_signal() override {
    if (arrived.empty()) return 0;
    const int signal = arrived.back();
    arrived.pop_back();
    return signal;
  }
  void deliver_signal(int signal) override { delivered.push_back(signal); }
  wire::LastWords& words() override { return last_words; }
  [[noreturn]] void end() override { throw Ended{}; }

  std::vector<wire::Slice> slices;
  std::vector<wire::Choice> choices;
  std::vector<wire::Event> events;
  std::vector<wire::ClockSwitch> switches;
  std::vector<wire::StopReason> stops;
  std::vector<int> arrived;
  std::vector<int> delivered;
  int timers = 0;
  int comparisons = 0;
  int let_go = 0;
  bool is_same = false;
  bool outside = false;
  wire::LastWords last_words;
};

class PartsTest : public testing::Test {
 protected:
  /// A thread that can run, at its first point.
  Thread& make_thread() {
    Thread& thread = *state_.threads.make();
    state_.make_runnable(thread);
    return thread;
  }
  /// A thread that is blocked on `object` and is in its list.
  void block(Thread& thread, Object& object, wire::Operation kind) {
    thread.pending = {.kind = kind,
                      .object = object.address,
                      .can = [](const Op&, const Thread& self) { return self.retry; }};
    object.contenders.push(thread, object);
    state_.runnable.set(thread, false);
  }

  std::vector<std::uint64_t> memory_ = std::vector<std::uint64_t>(std::size_t{1} << 20);
  Arena arena_{memory_.data(), memory_.size() * sizeof(std::uint64_t)};
  std::vector<wire::ThreadRecord> records_ = std::vector<wire::ThreadRecord>(wire::kMostThreads);
  FakeHost host_;
  Recorder recorder_;
  RunState state_{host_, recorder_, VirtualTime(0, 0), arena_, records_.data()};
};

}  // namespace unravel
