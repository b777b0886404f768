#include "sim/sim_code.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <stdexcept>

namespace unravel::sim {

namespace {

using Words = std::vector<std::string>;

Words words_of(const std::string& text) {
  std::istringstream in(text);
  Words words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// What a verb takes: n(umber or sum), o(bject), m(utex), t(hread); then perhaps "for T".
struct Form {
  Verb verb;
  const char* takes;
  bool may_time_out = false;
};

const std::map<std::string, Form, std::less<>> kForms = {
    {"lock", {Verb::kLock, "o", true}},
    {"trylock", {Verb::kTryLock, "o"}},
    {"unlock", {Verb::kUnlock, "o"}},
    {"rdlock", {Verb::kReadLock, "o", true}},
    {"wrlock", {Verb::kWriteLock, "o", true}},
    {"tryrdlock", {Verb::kTryReadLock, "o"}},
    {"trywrlock", {Verb::kTryWriteLock, "o"}},
    {"rwunlock", {Verb::kReadWriteUnlock, "o"}},
    {"wait", {Verb::kWait, "om", true}},
    {"signal", {Verb::kSignal, "o"}},
    {"broadcast", {Verb::kBroadcast, "o"}},
    {"sem_wait", {Verb::kSemWait, "o", true}},
    {"sem_trywait", {Verb::kSemTryWait, "o"}},
    {"post", {Verb::kPost, "o"}},
    {"barrier", {Verb::kBarrier, "on"}},
    {"futex_wait", {Verb::kFutexWait, "on", true}},
    {"futex_wake", {Verb::kFutexWake, "on"}},
    {"create", {Verb::kCreate, "t"}},
    {"join", {Verb::kJoin, "t", true}},
    {"tryjoin", {Verb::kTryJoin, "t"}},
    {"detach", {Verb::kDetach, "t"}},
    {"yield", {Verb::kYield, ""}},
    {"sleep", {Verb::kSleep, "d"}},
    {"step", {Verb::kStep, ""}},
    {"read", {Verb::kRead, "o"}},
    {"write", {Verb::kWrite, "on"}},
    {"clock", {Verb::kClock, ""}},
    {"hook", {Verb::kHook, ""}},
    {"access", {Verb::kAccess, "o"}},
    {"load", {Verb::kLoad, "o"}},
    {"store", {Verb::kStore, "on"}},
    {"call", {Verb::kCall, ""}},
    {"exit", {Verb::kExit, "n"}},
    {"receive", {Verb::kReceive, "o", true}},
    {"tryreceive", {Verb::kTryReceive, "o"}},
    {"receive_some", {Verb::kReceiveSome, "on"}},
    {"poll", {Verb::kPoll, "om", true}},
    {"sigwait", {Verb::kSignalWait, "", true}},
    {"pause", {Verb::kPause, ""}},
    {"block", {Verb::kBlock, ""}},
    {"unblock", {Verb::kUnblock, ""}},
};

std::uint64_t time_of(const std::string& text) {
  std::size_t digits = 0;
  const std::uint64_t number = std::stoull(text, &digits);
  const std::string unit = text.substr(digits);
  if (unit == "ns") return number;
  if (unit == "us") return number * 1'000;
  if (unit == "ms") return number * 1'000'000;
  if (unit == "s") return number * 1'000'000'000;
  throw std::invalid_argument("not a time");
}

class Compiler {
 public:
  explicit Compiler(const SimProgram& program) : program_(program) {}

  ProgramCode compile() {
    for (const SimThread& thread : program_.threads) code_.threads.push_back({thread.name, {}});
    for (const auto& [name, value] : program_.start) object(name);
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      compile_steps(i, program_.threads[i].steps, {"$result"});
    }
    for (std::uint32_t i = 0; i < program_.threads.size(); ++i) {
      const std::string& followed = program_.threads[i].follows;
      if (followed.empty()) continue;
      code_.threads[thread(followed)].followers.push_back(i);
      code_.threads[i].created = true;
    }
    compile_outside();
    code_.start.resize(code_.objects.size());
    for (const auto& [name, value] : program_.start) code_.start[object(name)] = value;
    if (!program_.fails_if.empty()) compile_verdict(words_of(program_.fails_if));
    code_.start.resize(code_.objects.size());
    return std::move(code_);
  }

 private:
  void compile_outside() {
    code_.has_child = program_.has_child;
    if (!program_.handler.empty()) {
      code_.handler = code_.threads.size();
      code_.threads.push_back({.name = "handler", .steps = {}, .created = true});
      compile_steps(*code_.handler, program_.handler, {"$result", "$signal"});
    }
    for (const auto& [channel, value, at] : program_.outside) {
      if (value <= 0) throw std::invalid_argument("what comes from outside is a positive number");
      code_.arrivals.push_back({channel == "signal" ? kSignals : object(channel), value, at});
    }
  }

  void compile_steps(std::size_t index, const Steps& texts, std::vector<std::string> own) {
    own_ = std::move(own);
    blocks_.clear();
    std::vector<Code>& steps = code_.threads[index].steps;
    for (const std::string& text : texts) {
      try {
        compile_step(steps, words_of(text));
        if (!steps.empty()) steps.back().text = text;
      } catch (const std::exception& error) {
        throw std::invalid_argument("step '" + text + "' of " + code_.threads[index].name + ": " +
                                    error.what());
      }
    }
    if (!blocks_.empty()) throw std::invalid_argument("a block has no end");
  }

  void compile_step(std::vector<Code>& steps, const Words& words) {
    if (words.empty()) throw std::invalid_argument("nothing to do");
    if (words[0] == "while" || words[0] == "if") {
      blocks_.push_back({steps.size(), words[0] == "while"});
      steps.push_back({.verb = Verb::kUnless, .comparison = comparison(words, 1)});
    } else if (words[0] == "assert") {
      steps.push_back({.verb = Verb::kAssert, .comparison = comparison(words, 1)});
    } else if (words[0] == "end") {
      end_block(steps);
    } else if (words.size() > 2 && words[1] == "=") {
      const bool own = words[0][0] == '$';
      steps.push_back({.verb = Verb::kSet,
                       .object = own ? own_variable(words[0]) : object(words[0]),
                       .own = own,
                       .value = sum(words, 2, words.size())});
    } else {
      steps.push_back(operation(words));
    }
  }

  // A loop's end is a jump back; an if's is nothing, but a step all the same, to carry its text.
  void end_block(std::vector<Code>& steps) {
    if (blocks_.empty()) throw std::invalid_argument("no block to end");
    const auto [begin, loops] = blocks_.back();
    blocks_.pop_back();
    const auto here = static_cast<std::uint32_t>(steps.size());
    steps.push_back(
        {.verb = Verb::kJump, .target = loops ? static_cast<std::uint32_t>(begin) : here + 1});
    steps[begin].target = here + 1;
  }

  Code operation(const Words& words) {
    const auto found = kForms.find(words[0]);
    if (found == kForms.end()) throw std::invalid_argument("unknown step");
    const Form& form = found->second;
    Code code{.verb = form.verb};
    std::size_t end = words.size();
    if (form.may_time_out && end >= 3 && words[end - 2] == "for") {
      code.time = time_of(words[end - 1]);
      end -= 2;
    }
    std::size_t next = 1;
    for (const char* take = form.takes; *take; ++take) {
      if (next >= end) throw std::invalid_argument("something is missing");
      switch (*take) {
        case 'o': code.object = object(words[next++]); break;
        case 'm': code.mutex = object(words[next++]); break;
        case 't': code.object = thread(words[next++]); break;
        case 'd': code.time = time_of(words[next++]); break;
        default: code.value = sum(words, next, end); next = end;
      }
    }
    if (next != end) throw std::invalid_argument("too much");
    if (code.verb == Verb::kCreate) code_.threads[code.object].created = true;
    return code;
  }

  void compile_verdict(const Words& words) {
    if (words.size() == 5 && words[2] == "before") {
      code_.fails_if_before = {{thread(words[0]), words[1] == "ended"},
                               {thread(words[3]), words[4] == "ended"}};
    } else {
      own_ = {"$result"};
      code_.fails_if = comparison(words, 0);
    }
  }

  Comparison comparison(const Words& words, std::size_t begin) {
    const auto sign = std::find_if(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end(),
                                   [](const std::string& word) {
                                     return word == "==" || word == "!=" || word == "<" ||
                                            word == ">" || word == "<=" || word == ">=";
                                   });
    if (sign == words.end()) throw std::invalid_argument("nothing is compared");
    const auto at = static_cast<std::size_t>(sign - words.begin());
    return {sum(words, begin, at), *sign, sum(words, at + 1, words.size())};
  }

  Sum sum(const Words& words, std::size_t begin, std::size_t end) {
    if (end == begin + 1) return {.left = operand(words[begin])};
    if (end != begin + 3 || (words[begin + 1] != "+" && words[begin + 1] != "-")) {
      throw std::invalid_argument("not a value");
    }
    return {operand(words[begin]), operand(words[begin + 2]), words[begin + 1] == "+" ? 1 : -1};
  }

  Operand operand(const std::string& word) {
    Operand number;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number.value);
    if (error == std::errc{} && end == word.data() + word.size()) return number;
    if (word[0] == '$') return {Operand::Kind::kOwn, own_variable(word)};
    return {Operand::Kind::kShared, object(word)};
  }

  std::uint32_t place_in(std::vector<std::string>& names, const std::string& name) {
    const auto found = std::find(names.begin(), names.end(), name);
    const auto place = static_cast<std::uint32_t>(found - names.begin());
    if (found == names.end()) names.push_back(name);
    return place;
  }

  std::uint32_t object(const std::string& name) { return place_in(code_.objects, name); }

  std::uint32_t own_variable(const std::string& name) {
    const std::uint32_t place = place_in(own_, name);
    if (place >= kMostOwn) throw std::invalid_argument("too many variables");
    return place;
  }

  std::uint32_t thread(const std::string& name) {
    for (std::uint32_t i = 0; i < code_.threads.size(); ++i) {
      if (code_.threads[i].name == name) return i;
    }
    throw std::invalid_argument("no such thread");
  }

  const SimProgram& program_;
  ProgramCode code_;
  std::vector<std::string> own_;
  std::vector<std::pair<std::size_t, bool>> blocks_;  // where they begin; whether they loop
};

}  // namespace

ProgramCode compile(const SimProgram& program) { return Compiler(program).compile(); }

}  // namespace unravel::sim
