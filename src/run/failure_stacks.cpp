#include "run/failure_stacks.hpp"

#include <algorithm>
#include <filesystem>

#include "run/failure_key.hpp"
#include "run/object_names.hpp"
#include "run/outcome.hpp"
#include "symbolize/process_memory.hpp"

namespace unravel {
namespace {

Registers from_wire(const wire::Registers& saved) {
  Registers registers;
  registers.rip = saved.rip, registers.rsp = saved.rsp, registers.rbp = saved.rbp;
  registers.rbx = saved.rbx, registers.r12 = saved.r12, registers.r13 = saved.r13;
  registers.r14 = saved.r14, registers.r15 = saved.r15;
  registers.full = saved.full != 0;
  registers.rax = saved.rax, registers.rcx = saved.rcx, registers.rdx = saved.rdx;
  registers.rsi = saved.rsi, registers.rdi = saved.rdi, registers.r8 = saved.r8;
  registers.r9 = saved.r9, registers.r10 = saved.r10, registers.r11 = saved.r11;
  return registers;
}

bool is_runtime(const std::string& module) {
  return std::filesystem::path(module).filename() == "libunravel-rt.so";
}

bool is_live(const wire::ThreadRecord& thread) {
  return thread.state == wire::ThreadState::kRunnable ||
         thread.state == wire::ThreadState::kBlocked;
}

const StillThread* find(const std::vector<StillThread>& threads, wire::ThreadId thread) {
  const auto found = std::find_if(threads.begin(), threads.end(), [&](const StillThread& still) {
    return still.record.thread == thread;
  });
  return found == threads.end() ? nullptr : &*found;
}

std::string place_of(const Stack& stack) {
  if (const Frame* own = own_frame(stack)) return describe_place(*own);
  return stack.empty() ? "?" : describe_place(stack.front());
}

/// The blocked thread that represents the failure: the one whose place sorts first. The last thread
/// to block would depend on the interleaving.
const StillThread* representative(const std::vector<StillThread>& threads, FailureKind kind) {
  const StillThread* first = nullptr;
  for (const StillThread& thread : threads) {
    if (thread.record.state != wire::ThreadState::kBlocked) continue;
    if (kind == FailureKind::kLostWakeup && !wire::waits_for_wake(thread.record.pending)) continue;
    if (!first || place_of(thread.stack) < place_of(first->stack)) first = &thread;
  }
  return first;
}

std::vector<CycleSites> cycle_sites(const wire::LastWords& words,
                                    const std::vector<StillThread>& threads,
                                    const ChannelReading& channel, StackReader& stacks) {
  std::vector<CycleSites> sites;
  for (const wire::CycleEdge& edge : cycle_of(words)) {
    const StillThread* thread = find(threads, edge.thread);
    CycleSites places;
    places.wanted =
        thread && !thread->stack.empty()
            ? place_of(thread->stack)
            : place_of(stacks.at(channel.modules().path_of(edge.wanted_site), edge.wanted_site));
    // A join waits for the end of a thread, which no site took.
    places.held =
        edge.held_site == wire::Site{}
            ? "itself"
            : place_of(stacks.at(channel.modules().path_of(edge.held_site), edge.held_site));
    sites.push_back(std::move(places));
  }
  return sites;
}

}  // namespace

Stack StackReader::unwind(pid_t process, const Registers& registers) {
  const auto raw = unwinder_.unwind(process, registers);
  return raw ? symbolized(*raw) : Stack{};
}

Stack StackReader::symbolized(const std::vector<RawFrame>& raw) {
  Stack stack = symbolize(symbolizer_, raw);
  // The runtime's frames are at the top, and below main and signal handlers.
  std::erase_if(stack, [](const Frame& frame) { return is_runtime(frame.module); });
  return stack;
}

Stack StackReader::unwind(pid_t process, const wire::ThreadRecord& thread) {
  if (thread.registers.rip == 0) return {};
  return unwind(process, from_wire(thread.registers));
}

Stack StackReader::at(const std::string& module_path, wire::Site site, bool exact) {
  if (module_path.empty()) return {};
  return symbolizer_.frames(module_path, site.offset(), exact);
}

StoppedThreadView StackReader::view_stopped(const ChannelReading& channel, pid_t process,
                                            const wire::ThreadRecord& thread) {
  StoppedThreadView held{.record = thread, .stack = {}, .variable = {}};
  if (thread.registers.rip == 0) return held;
  const Unwinder::Visit visit(unwinder_, process);
  const auto frames = unwinder_.walk(process, from_wire(thread.registers));
  if (!frames) return held;
  std::vector<RawFrame> places;
  for (const FrameState& frame : *frames) places.push_back(frame.place);
  held.stack = symbolized(places);
  if (!acts_on_memory(thread.pending) || thread.object == 0) return held;
  std::vector<Registers> threads;
  for (const wire::ThreadRecord& other : channel.threads()) {
    if (is_live(other)) threads.push_back(from_wire(other.registers));
  }
  held.variable = variables_.find(process, thread.object, *frames, threads);
  return held;
}

std::optional<FrameState> StackReader::program_frame(pid_t process,
                                                     const wire::ThreadRecord& thread) {
  if (thread.registers.rip == 0) return std::nullopt;
  const auto frames = unwinder_.walk(process, from_wire(thread.registers));
  if (!frames) return std::nullopt;
  for (const FrameState& frame : *frames) {
    if (!is_runtime(frame.place.module)) return frame;
  }
  return std::nullopt;
}

std::vector<std::byte> StackReader::read(pid_t process, std::uint64_t address, std::size_t size) {
  std::vector<std::byte> bytes(size);
  ProcessMemory memory;
  if (!memory.open(process) || !memory.read(address, bytes.data(), size)) bytes.clear();
  return bytes;
}

std::vector<StillThread> StackReader::look(const ChannelReading& channel, pid_t process) {
  std::vector<StillThread> threads;
  const Unwinder::Visit visit(unwinder_, process);
  const std::uint32_t current = channel.current_slot();
  const std::vector<wire::ThreadRecord> records = channel.threads();
  for (std::uint32_t slot = 0; slot < records.size(); ++slot) {
    const wire::ThreadRecord& record = records[slot];
    if (!is_live(record)) continue;
    threads.push_back(
        {.record = record, .has_turn = slot == current, .stack = unwind(process, record)});
  }
  std::sort(threads.begin(), threads.end(), [](const StillThread& a, const StillThread& b) {
    return a.record.thread.ordinal < b.record.thread.ordinal;
  });
  return threads;
}

std::string describe_state(const StillThread& thread) {
  const wire::ThreadRecord& record = thread.record;
  if (record.state != wire::ThreadState::kBlocked) {
    return thread.has_turn ? "running" : "runnable";
  }
  const std::string operation = wire::traits(record.pending).name;
  if (wire::waits_for_wake(record.pending)) return "waiting in " + operation;
  if (record.pending == wire::Operation::kSleep) return "sleeping";
  return "blocked in " + operation;
}

std::vector<ThreadAtFailure> describe(const std::vector<StillThread>& threads) {
  std::vector<ThreadAtFailure> described;
  for (const StillThread& thread : threads) {
    described.push_back({.thread = thread.record.thread.ordinal,
                         .state = describe_state(thread),
                         .stack = thread.stack});
  }
  return described;
}

void place_failure(Failure& failure, const wire::LastWords& words,
                   const std::vector<StillThread>& threads, const ChannelReading& channel,
                   StackReader& stacks) {
  const bool has_cycle = failure.kind == FailureKind::kDeadlock && words.cycle_length > 0;
  const StillThread* failing = find(threads, words.thread);
  if (failure.kind == FailureKind::kLostWakeup ||
      (failure.kind == FailureKind::kDeadlock && !has_cycle)) {
    if (const StillThread* chosen = representative(threads, failure.kind)) failing = chosen;
  }
  failure.threads = describe(threads);
  if (failing) {
    failure.thread = failing->record.thread.ordinal;
    failure.stack = failing->stack;
  } else if (words.site != wire::Site{}) {
    failure.stack = stacks.at(channel.modules().path_of(words.site), words.site);
  }
  if (const Frame* own = own_frame(failure.stack)) failure.site = *own;
  set_key(failure,
          has_cycle ? cycle_sites(words, threads, channel, stacks) : std::vector<CycleSites>{});
}

}  // namespace unravel
