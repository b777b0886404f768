/// The machine's threads, host and values. Its steps are in sim_steps.cpp.
#include "sim/sim_machine.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace unravel::sim {

using wire::Operation;

namespace {

/// Zeroed memory for one scheduler, used again and again: pages that a run did not touch cost
/// nothing, and those that it did are given back.
class Memory {
 public:
  static constexpr std::size_t kSize = std::size_t{64} << 20;

  Memory()
      : begin_(mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (begin_ == MAP_FAILED) std::abort();
  }
  ~Memory() { munmap(begin_, kSize); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Arena fresh() {
    madvise(begin_, kSize, MADV_DONTNEED);
    return {begin_, kSize};
  }

 private:
  void* begin_;
};

Arena fresh_arena() {
  thread_local Memory memory;
  return memory.fresh();
}

Fibers& fibers_of_this_thread() {
  thread_local Fibers fibers;
  return fibers;
}

/// Hashes of what runs did name objects by their addresses.
std::vector<SimObject>& fresh_objects(std::size_t count) {
  constexpr std::size_t kRoom = 256;
  thread_local std::vector<SimObject> objects;
  objects.clear();
  objects.reserve(kRoom);
  objects.resize(count);
  return objects;
}

thread_local SimMachine* active = nullptr;

}  // namespace

SimMachine::SimMachine(const ProgramCode& code, const SimLimits& limits)
    : code_(code),
      limits_(limits),
      fibers_(fibers_of_this_thread()),
      arena_(fresh_arena()),
      scheduler_(*this, *this, arena_, arena_.take_array<wire::ThreadRecord>(wire::kMostThreads),
                 VirtualTime(), countdowns_, recorder_),
      objects_(fresh_objects(code.objects.size())),
      by_code_(code.threads.size()),
      world_(code.arrivals, limits.outside_seed) {
  for (std::size_t i = 0; i < objects_.size(); ++i) objects_[i].value = code.start[i];
}

SimRun SimMachine::run(const Plan& plan) {
  active = this;
  strict_ = plan.strict();
  for (std::uint32_t i = 0; i < code_.threads.size(); ++i) {
    if (!code_.threads[i].created) bring_to_life(i);
  }
  scheduler_.life().adopt(*threads_[0]->thread);
  if (limits_.decisions) {
    // Little room, so that it is used up now and then.
    decision_words_.resize(256);
    decision_stream_.capacity = decision_words_.size();
    scheduler_.decisions().use(*this, decision_stream_, decision_words_.data());
  }
  scheduler_.begin(plan,
                   {.most_steps = limits_.most_steps,
                    .timeouts = limits_.timeouts,
                    .trace = wire::TraceLevel::kSync,
                    .points = limits_.points,
                    .ticks = limits_.tick_every != 0,
                    .decisions = limits_.decisions},
                   seen_.counts);
  scheduler_.pairs().use(limits_.met, limits_.interrupted, nullptr);
  for (std::size_t i = 1; i < threads_.size(); ++i) {
    scheduler_.life().ready(*threads_[i]->thread, nullptr);
  }
  current_ = threads_[0].get();
  fibers_.switch_to(fibers_.home(), *current_->fiber);
  scheduler_.tell_end(*current_->thread);
  take_decisions();
  fibers_.abandon_all();
  active = nullptr;

  seen_.counts.last_words = seen_.words.kind;
  seen_.counts.failure = seen_.words.failure;
  seen_.now = scheduler_.time().now();
  close_last_slice();
  name_objects();
  return std::move(seen_);
}

void SimMachine::take_decisions() {
  seen_.decisions.insert(
      seen_.decisions.end(), decision_words_.begin(),
      decision_words_.begin() + static_cast<std::ptrdiff_t>(decision_stream_.count));
  decision_stream_.count = 0;
}

// As the driver does: a run that ends leaves the slice of whoever had the turn open.
void SimMachine::close_last_slice() {
  const wire::ThreadRecord& current = *current_->thread->record;
  std::vector<wire::Slice>& slices = seen_.schedule.slices;
  seen_.schedule.complete = seen_.words.kind != wire::LastWords::Kind::kUnresolved;
  if (slices.empty() && current.clock == wire::Clock{}) return;
  if (!slices.empty()) {
    const wire::Slice& last = slices.back();
    const bool is_closed = last.thread == current.thread &&
                           (last.end == wire::End::kEnded || last.until == current.clock);
    if (is_closed) return;
  }
  slices.push_back(
      {.thread = current.thread, .until = current.clock, .site = {}, .end = wire::End::kEnded});
}

void SimMachine::name_objects() {
  const auto begin = reinterpret_cast<std::uint64_t>(objects_.data());
  const auto name = [&](std::uint64_t& object) {
    const std::uint64_t place = (object - begin) / sizeof(SimObject);
    if (object >= begin && place < objects_.size()) object = place + 1;
    if (object == reinterpret_cast<std::uint64_t>(&process_signals_)) object = 0;
  };
  for (wire::Event& event : seen_.events) name(event.object);
  for (std::uint32_t i = 0; i < seen_.words.cycle_length; ++i) {
    name(seen_.words.cycle[i].wanted);
    name(seen_.words.cycle[i].held);
  }
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    seen_.objects.emplace_back(code_.objects[i], objects_[i].value);
  }
}

// --- Threads -----------------------------------------------------------------------------------

SimMachine::Live* SimMachine::bring_to_life(std::uint32_t code) {
  Thread* thread = scheduler_.life().make();
  if (!thread) return nullptr;
  auto live = std::make_unique<Live>();
  live->machine = this;
  live->code = &code_.threads[code];
  live->thread = thread;
  live->fiber = &fibers_.make(
      [](void* argument) {
        auto& self = *static_cast<Live*>(argument);
        self.machine->live(self);
      },
      live.get());
  by_code_[code] = live.get();
  threads_.push_back(std::move(live));
  return threads_.back().get();
}

void SimMachine::live(Live& self) {
  if (self.thread->ordinal != 0) scheduler_.did(*self.thread, self.thread->pending);
  while (self.next_step < self.code->steps.size()) {
    compare(self.thread);
    take_step(self, self.code->steps[self.next_step++]);
  }
  if (self.thread->ordinal == 0 && self.code->name == "main") process_ends(self, 0);
  if (!scheduler_.life().end(*self.thread)) {
    if (verdict_fails()) fail(self, wire::FailureKind::kAssert, "");
    end();
  }
  Live* next = after_end_;
  current_ = next;
  fibers_.leave_to(*self.fiber, *next->fiber);
}

void SimMachine::process_ends(Live& self, std::int64_t status) {
  const Op op = op_of(self, Operation::kProcessExit, nullptr);
  scheduler_.reach(*self.thread, op);
  scheduler_.did(*self.thread, op);
  if (status != 0) {
    fail(self, wire::FailureKind::kExit, "");
    seen_.words.number = static_cast<std::int32_t>(status);
  } else if (verdict_fails()) {
    fail(self, wire::FailureKind::kAssert, "");
  }
  end();
}

void SimMachine::fail(const Live& self, wire::FailureKind kind, const std::string& text) {
  // As Runtime::record_failure does: otherwise the run would end at the last hook that was
  // inspected, and which one that is depends on how the run is made.
  scheduler_.hooks().read_off(*self.thread);
  self.thread->record->clock = self.thread->clock;
  seen_.words.kind = wire::LastWords::Kind::kFailure;
  seen_.words.failure = kind;
  seen_.words.thread = {.ordinal = self.thread->ordinal};
  seen_.words.clock = self.thread->clock;
  std::strncpy(seen_.words.text, text.c_str(), sizeof(seen_.words.text) - 1);
}

void SimMachine::fault(const char* sentence) {
  seen_.words.kind = wire::LastWords::Kind::kError;
  std::strncpy(seen_.words.text, sentence, sizeof(seen_.words.text) - 1);
  end();
}

bool SimMachine::verdict_fails() const {
  if (code_.fails_if) return holds(nullptr, *code_.fails_if);
  if (!code_.fails_if_before) return false;
  const auto moment = [&](const Snapshot& which) {
    const Live* thread = by_code_[which.thread];
    const std::uint64_t at = !thread ? 0 : which.ended ? thread->ended_at : thread->began_at;
    return at ? at : kNever;
  };
  return moment(code_.fails_if_before->first) < moment(code_.fails_if_before->second);
}

// --- Switcher, Host ----------------------------------------------------------------------------

void SimMachine::hand_over(Thread& from, Thread& to) {
  compare(nullptr);
  current_ = &live_of(to);
  fibers_.switch_to(*live_of(from).fiber, *current_->fiber);
}

void SimMachine::leave_to(Thread& from, Thread& to) {
  Live& left = live_of(from);
  left.ended = true;
  after_end_ = &live_of(to);
  compare(nullptr);
}

void SimMachine::end() { fibers_.leave_to(*current_->fiber, fibers_.home()); }

wire::Site SimMachine::site_of(const void* address) {
  if (!address) return {};
  return wire::Site::of(kModule, reinterpret_cast<std::uint64_t>(address));
}

const void* SimMachine::address_of(wire::Site site) {
  // As in a real process: code of a module that is not loaded is nowhere.
  return site.module() == kModule ? reinterpret_cast<const void*>(site.offset()) : nullptr;
}

void SimMachine::slice(const wire::Slice& slice) {
  seen_.schedule.slices.push_back(slice);
  world_.pass_a_little();
}

void SimMachine::event(const wire::Event& event) {
  world_.pass_a_little();
  seen_.events.push_back(event);
  Live& thread = *threads_[event.thread.ordinal];
  ++moments_;
  if (!thread.began_at) thread.began_at = moments_;
  const bool ends =
      event.operation == Operation::kExit || event.operation == Operation::kProcessExit;
  if (ends) thread.ended_at = moments_;
  if (event.operation != Operation::kExit) return;
  for (const std::uint32_t code : thread.code->followers) {
    if (Live* follower = bring_to_life(code)) {
      scheduler_.life().ready(*follower->thread, nullptr);
    }
  }
}

void SimMachine::stop(wire::StopReason) {
  seen_.stopped.push_back({{.ordinal = current_->thread->ordinal}, current_->thread->clock});
}

bool SimMachine::is_as_before(std::uint64_t state, bool first) {
  std::vector<std::int64_t> now{static_cast<std::int64_t>(state)};
  for (const SimObject& object : objects_) {
    now.push_back(object.value);
    now.push_back(object.owner ? object.owner->ordinal : -1);
    now.push_back(object.readers);
    now.insert(now.end(), object.queue.begin(), object.queue.end());
  }
  for (const auto& live : threads_) {
    now.push_back(static_cast<std::int64_t>(live->next_step));
    now.insert(now.end(), std::begin(live->own), std::end(live->own));
  }
  const bool same = !first && now == round_;
  round_ = std::move(now);
  return same;
}

std::uint64_t SimMachine::take_waited() {
  constexpr std::uint64_t kMillisecond = 1'000'000;
  const std::uint64_t whole = waited_ - waited_ % kMillisecond;
  waited_ -= whole;
  return whole;
}

// --- Values ------------------------------------------------------------------------------------

std::int64_t SimMachine::value_of(const Live* self, const Operand& operand) const {
  const auto place = static_cast<std::size_t>(operand.value);
  switch (operand.kind) {
    case Operand::Kind::kNumber: return operand.value;
    case Operand::Kind::kShared: return objects_[place].value;
    case Operand::Kind::kOwn: return self ? self->own[place] : 0;
  }
  __builtin_unreachable();
}

std::int64_t SimMachine::value_of(const Live* self, const Sum& sum) const {
  const std::int64_t left = value_of(self, sum.left);
  return sum.sign == 0 ? left : left + sum.sign * value_of(self, sum.right);
}

bool SimMachine::holds(const Live* self, const Comparison& comparison) const {
  const std::int64_t left = value_of(self, comparison.left);
  const std::int64_t right = value_of(self, comparison.right);
  const std::string& sign = comparison.sign;
  if (sign == "==") return left == right;
  if (sign == "!=") return left != right;
  if (sign == "<") return left < right;
  if (sign == ">") return left > right;
  if (sign == "<=") return left <= right;
  return left >= right;
}

}  // namespace unravel::sim

namespace unravel {

void runtime_fault(const char* sentence) {
  if (sim::active) sim::active->fault(sentence);
  std::fprintf(stderr, "runtime fault: %s\n", sentence);
  std::abort();
}

}  // namespace unravel
