#include "run/channel_checks.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace unravel {
namespace {

using wire::Operation;

bool is_operation(Operation operation) {
  return static_cast<std::size_t>(operation) < wire::kOperationCount;
}

bool is_thread(wire::ThreadId thread) { return thread.ordinal < wire::kMostThreadsInRun; }

bool is_failure(wire::FailureKind kind) {
  return static_cast<std::uint8_t>(kind) < wire::kFailureKindCount;
}

bool is_noted(wire::LastWords::Kind kind) { return kind <= wire::LastWords::Kind::kError; }

bool is_flag(std::uint8_t value) { return value <= 1; }

template <std::size_t size>
bool ends(const char (&text)[size]) {
  return std::memchr(text, 0, size) != nullptr;
}

bool is_slice(const wire::Slice& slice) {
  return is_thread(slice.thread) && static_cast<std::uint8_t>(slice.end) < wire::kEndCount &&
         is_operation(slice.pending);
}

}  // namespace

std::string_view fault_in(const wire::Slice& slice, std::uint32_t modules) {
  return is_slice(slice) && slice.site.module() < modules ? "" : "a slice of the schedule";
}

std::string_view fault_in(const wire::Choice& choice) {
  const bool good =
      is_thread(choice.thread) && static_cast<std::uint8_t>(choice.kind) < wire::kChoiceKindCount;
  return good ? "" : "a choice of the schedule";
}

std::string_view fault_in(const wire::ClockSwitch& clock_switch) {
  const bool good = is_thread(clock_switch.receiver) && is_flag(clock_switch.has_receiver);
  return good ? "" : "a switch of the schedule";
}

std::string_view fault_in(const wire::Event& event, std::uint32_t modules) {
  const bool good = is_thread(event.thread) && is_operation(event.operation) &&
                    static_cast<std::uint8_t>(event.result) < wire::kEventResultCount &&
                    event.site.module() < modules;
  return good ? "" : "an event";
}

std::string_view fault_in(const wire::Start& start) {
  const bool good = start.clock.operations <= wire::kMostCount &&
                    start.clock.hooks <= wire::kMostCount && start.time <= wire::kMostTime &&
                    start.wait_count <= wire::kMostStartWaits;
  return good ? "" : "what happened before the first thread";
}

std::string_view fault_in(const wire::RunSlot& slot) {
  const bool good = is_noted(slot.last_words) && is_failure(slot.failure) && is_flag(slot.ended) &&
                    is_flag(slot.uncontrolled) && slot.threads <= wire::kMostThreadsInRun;
  return good ? "" : "the numbers of a run";
}

// Sites are not checked: a new run starts with those of the last one, whose modules may be gone.
std::string_view fault_in(const wire::ThreadRecord& thread) {
  const bool good = is_thread(thread.thread) && thread.state <= wire::ThreadState::kEnded &&
                    is_operation(thread.pending) && thread.kernel_id >= 0;
  return good ? "" : "the state of a thread";
}

std::string_view fault_in(const wire::Module& module) {
  const bool good = ends(module.path) && (module.path[0] == 0 || module.path[0] == '/') &&
                    module.build_id_size <= sizeof module.build_id && module.base <= module.end;
  return good ? "" : "the table of modules";
}

std::string_view fault_in(const wire::LastWords& words) {
  const bool good = is_noted(words.kind) && is_failure(words.failure) && is_thread(words.thread) &&
                    words.cycle_length <= wire::kMostCycle && ends(words.text) &&
                    is_flag(words.has_expected) && is_operation(words.pending) &&
                    static_cast<std::size_t>(words.divergence) < wire::kDivergenceKindCount &&
                    (words.has_expected == 0 || is_slice(words.expected));
  if (!good) return "how a run ended";
  const std::span<const wire::CycleEdge> cycle(words.cycle, words.cycle_length);
  const bool has_good_edges =
      std::all_of(cycle.begin(), cycle.end(), [](const wire::CycleEdge& edge) {
        return is_thread(edge.thread) && is_operation(edge.wanted_operation) &&
               is_operation(edge.held_operation);
      });
  return has_good_edges ? "" : "who waits for whom";
}

}  // namespace unravel
