#include "run/outcome.hpp"

#include <cxxabi.h>
#include <string.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace unravel {
namespace {

using Noted = wire::LastWords::Kind;

constexpr int kCannotTell = 125;  // the same as for `git bisect run`

/// A run that ended badly without naming a kind has its exit status.
FailureKind kind_of(const wire::LastWords& words) {
  return words.failure == FailureKind::kNone ? FailureKind::kExit : words.failure;
}

std::string text_of(const wire::LastWords& words) {
  return {words.text, ::strnlen(words.text, sizeof words.text)};
}

std::string demangled(const std::string& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : type;
}

/// As the parent sees it: exit(-1) is 255.
std::string exit_detail(int status) { return "exit status " + std::to_string(status & 0xff); }

std::string detail_of(const wire::LastWords& words) {
  const std::string text = text_of(words);
  if (words.failure == FailureKind::kSignal) return signal_name(words.number);
  if (kind_of(words) == FailureKind::kExit) return exit_detail(words.number);
  if (words.failure == FailureKind::kDeadlock && words.cycle_length > 0) {
    ObjectNames names;
    return describe_cycle(cycle_of(words), names);
  }
  if (text.empty()) return wire::traits(words.failure).usual_detail;
  return words.failure == FailureKind::kTerminate ? "uncaught " + demangled(text) : text;
}

std::string describe_divergence(const wire::LastWords& words) {
  const std::string text = text_of(words);
  std::string told = "at " + describe(words.thread, words.clock) + " the run left its schedule";
  if (!text.empty()) told += ": " + text;
  if (words.has_expected) {
    const wire::Slice& expected = words.expected;
    told += "; there it has " + describe(expected.thread, expected.until);
    if (expected.pending != wire::Operation::kNone) {
      told += std::string(" before ") + wire::traits(expected.pending).name;
    }
  }
  return told;
}

Verdict failed(FailureKind kind, std::string detail, std::uint32_t thread, const Targets& targets) {
  if (!targets.allow(kind)) return no_target(kind, detail);
  Failure failure;
  failure.kind = kind;
  failure.detail = std::move(detail);
  failure.thread = thread;
  return {.outcome = Outcome::kFailed, .failure = std::move(failure), .explanation = {}};
}

Verdict out_of_limits(const std::string& why, std::uint32_t thread, const Targets& targets) {
  if (targets.allow(FailureKind::kTimeout)) {
    return failed(FailureKind::kTimeout, why, thread, targets);
  }
  return {.outcome = Outcome::kUnresolved,
          .failure = std::nullopt,
          .explanation = why,
          .reason = Reason::kLimit};
}

Verdict exited(int status, std::uint32_t thread, const Targets& targets,
               std::optional<int> skip_status) {
  if (status != skip_status) {
    return failed(FailureKind::kExit, exit_detail(status), thread, targets);
  }
  return {.outcome = Outcome::kUnresolved,
          .failure = std::nullopt,
          .explanation = "the program skipped the test (" + exit_detail(status) + ")",
          .reason = Reason::kSkipped};
}

Verdict judge_note(const Ending& ending, Noted noted, const Targets& targets,
                   std::optional<int> skip_status) {
  const wire::LastWords& words = ending.words;
  const std::string text = text_of(words);
  const std::string where = describe(words.thread, words.clock);
  switch (noted) {
    case Noted::kFailure:
      if (kind_of(words) == FailureKind::kExit) {
        return exited(words.number & 0xff, words.thread.ordinal, targets, skip_status);
      }
      return failed(kind_of(words), detail_of(words), words.thread.ordinal, targets);
    case Noted::kDivergence: return {Outcome::kDiverged, std::nullopt, describe_divergence(words)};
    case Noted::kUnresolved: {
      const bool too_long = words.failure == wire::FailureKind::kTimeout ||
                            (ending.most_steps > 0 && ending.slot.steps >= ending.most_steps);
      const std::string why =
          text.empty() ? "still running after " + std::to_string(ending.slot.steps) + " steps"
                       : text;
      // What is missing from the recorded inputs is told with its place.
      if (text.starts_with(wire::kNotRecorded)) {
        return {Outcome::kUnresolved, std::nullopt, "at " + where + " " + text,
                Reason::kUncontrolled};
      }
      if (too_long) return out_of_limits(why, words.thread.ordinal, targets);
      return {Outcome::kUnresolved, std::nullopt, why, Reason::kUncontrolled};
    }
    case Noted::kError:
      return {Outcome::kError, std::nullopt,
              text.empty() ? "the runtime gave up at " + where : text};
    case Noted::kNothing: break;
  }
  return {};
}

}  // namespace

Verdict no_target(FailureKind kind, const std::string& detail) {
  return {.outcome = Outcome::kPassed,
          .failure = std::nullopt,
          .explanation = "it ended with " + std::string(name(kind)) + " (" + detail +
                         "), which is not among the targets"};
}

Verdict judge(const Ending& ending, const Targets& targets, std::optional<int> skip_status) {
  // A run outside a batch has no slot, only last words.
  const Noted noted =
      ending.slot.last_words != Noted::kNothing ? ending.slot.last_words : ending.words.kind;
  if (noted != Noted::kNothing) return judge_note(ending, noted, targets, skip_status);
  if (ending.out_of_time) return out_of_limits(ending.stopped, ending.stopped_thread, targets);
  if (!ending.stopped.empty()) {
    return {Outcome::kUnresolved, std::nullopt, ending.stopped, Reason::kLimit};
  }

  const int status = ending.slot.wait_status;
  if (WIFSIGNALED(status)) {
    return failed(FailureKind::kSignal, signal_name(WTERMSIG(status)), 0, targets);
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) {
    return exited(WEXITSTATUS(status), 0, targets, skip_status);
  }
  return {};
}

Verdict judge_client(const ClientEnd& end, const Targets& targets, std::optional<int> skip_status) {
  const auto unresolved = [](std::string why, Reason reason) {
    return Verdict{Outcome::kUnresolved, std::nullopt, std::move(why), reason};
  };
  switch (end.kind) {
    case ClientEnd::Kind::kNotStarted:
      return unresolved(
          "the client was not started: the program ended without waiting for anything from outside",
          Reason::kClient);
    case ClientEnd::Kind::kUnfinished:
      return unresolved("the client did not end in time after the program had ended",
                        Reason::kClient);
    case ClientEnd::Kind::kKilled: break;
    case ClientEnd::Kind::kExited:
      if (end.number == 0) return {};
      if (end.number == kCannotTell) {
        return unresolved("the client could not tell (exit status 125)", Reason::kOracle);
      }
      if (end.number == skip_status) {
        return unresolved("the client skipped the test (" + exit_detail(end.number) + ")",
                          Reason::kSkipped);
      }
      break;
  }
  return failed(FailureKind::kOracle, "client " + describe(end), 0, targets);
}

Verdict judge_oracle(int exit_status, const Targets& targets) {
  if (exit_status == 0) return {};
  if (exit_status == kCannotTell) {
    return {Outcome::kUnresolved, std::nullopt, "the oracle could not tell (exit status 125)",
            Reason::kOracle};
  }
  return failed(FailureKind::kOracle, "oracle " + exit_detail(exit_status), 0, targets);
}

Verdict judge_output(const std::string& difference, const Targets& targets) {
  return failed(FailureKind::kOracle, "output differs from expected: " + difference, 0, targets);
}

Verdict doubt(Verdict verdict, const std::string& escape) {
  if (!verdict.failure) return verdict;
  const FailureKind kind = verdict.failure->kind;
  if (!wire::traits(kind).is_standstill) return verdict;
  return {Outcome::kUnresolved, std::nullopt,
          "it ended as " + std::string(name(kind)) + " (" + verdict.failure->detail + "), but " +
              escape + " took part, which is not controlled and could have let it go on",
          Reason::kUncontrolled};
}

Verdict cannot_tell(const Failure& failure, const LateDeadline& late) {
  return {Outcome::kUnresolved, std::nullopt,
          "it ended as " + std::string(name(failure.kind)) + " (" + failure.detail + "), but " +
              describe(late) +
              ": natively that wait would have ended. If it does not matter, use --timeouts idle",
          Reason::kLateDeadline};
}

Verdict if_tested(Verdict verdict, const wire::RunSlot& slot, const std::string& escape) {
  if (verdict.outcome != Outcome::kPassed || slot.threads > 1) return verdict;
  verdict.outcome = Outcome::kUnresolved;
  verdict.reason = slot.children > 0 ? Reason::kChildren : Reason::kNoSecondThread;
  if (!verdict.explanation.empty()) verdict.explanation += "; ";
  if (!escape.empty()) {
    verdict.reason = Reason::kUncontrolled;
    verdict.explanation +=
        "unravel controls only one thread of this program; " + escape + " is not controlled";
    return verdict;
  }
  if (slot.children > 0) {
    const std::string count = slot.children == 1
                                  ? "a child process, which is"
                                  : std::to_string(slot.children) + " child processes, which are";
    verdict.explanation += "the program starts no second thread, but " + count +
                           " not controlled: what runs in children is not tested";
  } else {
    verdict.explanation += "the program starts no second thread: nothing to interleave";
  }
  return verdict;
}

std::span<const wire::CycleEdge> cycle_of(const wire::LastWords& words) {
  return {words.cycle, std::min(words.cycle_length, wire::kMostCycle)};
}

std::string describe_cycle(std::span<const wire::CycleEdge> cycle, ObjectNames& names) {
  std::string text;
  for (const wire::CycleEdge& edge : cycle) {
    text += "T" + std::to_string(edge.thread.ordinal) + "→";
    text += acts_on_thread(edge.wanted_operation) ? "join"
                                                  : names.name(edge.wanted_operation, edge.wanted);
    text += "→";
  }
  if (!cycle.empty()) text += "T" + std::to_string(cycle.front().thread.ordinal);
  return text;
}

std::string signal_name(int number) {
  const char* abbreviation = ::sigabbrev_np(number);
  return abbreviation ? "SIG" + std::string(abbreviation) : "signal " + std::to_string(number);
}

std::string describe(wire::ThreadId thread, wire::Clock clock) {
  std::string text = "T" + std::to_string(thread.ordinal) + ":" + std::to_string(clock.operations);
  if (clock.hooks > 0) text += "+" + std::to_string(clock.hooks);
  return text;
}

}  // namespace unravel
