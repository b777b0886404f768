#include "predict/pattern_text.hpp"

#include <algorithm>
#include <string>

namespace unravel {

namespace {

constexpr const char* kLineOfEvent = "an event is a line such as `t1 u1 write x`";

/// Names of one sort, numbered in the order in which they come.
class Names {
 public:
  explicit Names(std::size_t most) : most_(most) {}

  /// The number of a name; the most that there may be, if there are too many.
  std::size_t number(std::string_view name) {
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return static_cast<std::size_t>(known - names_.begin());
    if (names_.size() == most_) return most_;
    names_.emplace_back(name);
    return names_.size() - 1;
  }
  [[nodiscard]] const std::string& at(std::size_t number) const { return names_[number]; }
  [[nodiscard]] std::size_t count() const { return names_.size(); }
  [[nodiscard]] std::size_t most() const { return most_; }

 private:
  std::size_t most_;
  std::vector<std::string> names_;
};

std::vector<std::string_view> words_of(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::vector<std::string_view> words;
  constexpr std::string_view kBlanks = " \t\r";
  while (true) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  Result<std::vector<Pattern>> read(std::string_view text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      const Result<void> taken = take(words_of(text.substr(begin, end - begin)));
      if (!taken) return fail(taken.error());
      begin = end + 1;
    }
    const Result<void> ended = end_pattern();
    if (!ended) return fail(ended.error());
    if (patterns_.empty()) {
      return user_error(std::string(source_) + " has no pattern", "all its lines are empty",
                        "a pattern begins with a line such as `pattern NAME`");
    }
    return std::move(patterns_);
  }

 private:
  Result<void> wrong(const std::string& what, const std::string& why, const std::string& hint,
                     std::size_t line) const {
    const std::string place = std::string(source_) + ":" + std::to_string(line);
    return user_error(place + ": " + what, why, hint);
  }
  Result<void> wrong(const std::string& what, const std::string& why,
                     const std::string& hint = kLineOfEvent) const {
    return wrong(what, why, hint, line_);
  }

  Result<void> take(const std::vector<std::string_view>& words) {
    if (words.empty()) return {};
    if (words.front() == "pattern") return begin_pattern(words);
    if (!is_open_) {
      return wrong("'" + std::string(words.front()) + "' comes before any pattern",
                   "each event belongs to a pattern", "begin with a line such as `pattern NAME`");
    }
    return add_event(words);
  }

  Result<void> begin_pattern(const std::vector<std::string_view>& words) {
    const Result<void> ended = end_pattern();
    if (!ended) return ended;
    if (words.size() < 2) {
      return wrong("the pattern has no name", "a line `pattern` needs one",
                   "write `pattern NAME`, `pattern NAME adjacent` or `pattern NAME set`");
    }
    pattern_ = {};
    pattern_.name = words[1];
    for (const Pattern& other : patterns_) {
      if (other.name == pattern_.name) {
        return wrong("there is a pattern '" + pattern_.name + "' already",
                     "reports tell patterns apart by their names", "give it another name");
      }
    }
    for (std::size_t i = 2; i < words.size(); ++i) {
      if (words[i] == "adjacent") {
        pattern_.is_adjacent = true;
      } else if (words[i] == "set") {
        pattern_.is_of_set = true;
      } else {
        return wrong("'" + std::string(words[i]) + "' is not known here",
                     "after the name of a pattern come `adjacent`, `set` or nothing",
                     "comments begin with #");
      }
    }
    is_open_ = true;
    began_ = line_;
    threads_ = Names(Pattern::kMostThreads);
    units_ = Names(Pattern::kMostEvents);
    variables_ = Names(Pattern::kMostVariables);
    return {};
  }

  Result<void> add_event(const std::vector<std::string_view>& words) {
    if (words.size() != 4) {
      return wrong("an event has " + std::to_string(words.size()) + " words instead of 4",
                   "it names a thread, a unit, `read` or `write`, and a variable");
    }
    if (words[2] != "read" && words[2] != "write") {
      return wrong("'" + std::string(words[2]) + "' is not known here",
                   "the third word is `read` or `write`");
    }
    if (pattern_.events.size() == Pattern::kMostEvents) {
      return too_many("events", Pattern::kMostEvents);
    }
    const std::size_t thread = threads_.number(words[0]);
    const std::size_t unit = units_.number(words[1]);
    const std::size_t variable = variables_.number(words[3]);
    if (thread == threads_.most()) return too_many("threads", Pattern::kMostThreads);
    if (variable == variables_.most()) return too_many("variables", Pattern::kMostVariables);
    for (const PatternEvent& earlier : pattern_.events) {
      if (earlier.unit == unit && earlier.thread != thread) {
        return wrong("unit '" + std::string(words[1]) + "' belongs to thread '" +
                         threads_.at(earlier.thread) + "'",
                     "the events of a unit are made by one thread",
                     "give the unit of '" + std::string(words[0]) + "' another name");
      }
    }
    pattern_.events.push_back({.thread = static_cast<std::uint8_t>(thread),
                               .unit = static_cast<std::uint8_t>(unit),
                               .variable = static_cast<std::uint8_t>(variable),
                               .is_write = words[2] == "write"});
    return {};
  }

  Result<void> too_many(const std::string& what, std::size_t most) const {
    return wrong("the pattern has too many " + what,
                 "there may be " + std::to_string(most) + " " + what + " in one pattern",
                 "split it, or leave out what it does not need");
  }

  Result<void> end_pattern() {
    if (!is_open_) return {};
    is_open_ = false;
    const std::string what = "pattern '" + pattern_.name + "' ";
    if (pattern_.events.empty()) {
      return wrong(what + "has no events", "it says nothing", kLineOfEvent, began_);
    }
    if (threads_.count() < 2) {
      return wrong(what + "has one thread only", "an anomaly needs two threads", kLineOfEvent,
                   began_);
    }
    for (std::size_t variable = 0; variable < variables_.count(); ++variable) {
      const Result<void> bound = check_variable(variable, what);
      if (!bound) return bound;
    }
    patterns_.push_back(std::move(pattern_));
    return {};
  }

  /// Two threads have to access it, and one of them has to write: otherwise any order is the same.
  Result<void> check_variable(std::size_t variable, const std::string& what) const {
    std::size_t threads = 0;
    bool is_written = false;
    for (const PatternEvent& event : pattern_.events) {
      if (event.variable != variable) continue;
      threads |= std::size_t{1} << event.thread;
      is_written |= event.is_write;
    }
    const bool is_shared = (threads & (threads - 1)) != 0;
    if (is_shared && is_written) return {};
    return wrong(what + "leaves the variable '" + variables_.at(variable) + "' open",
                 is_shared ? "no thread writes it, so that the order of its accesses is no matter"
                           : "one thread alone accesses it, so that any variable would do",
                 "a variable is accessed by two threads, and one of them writes it", began_);
  }

  std::string_view source_;
  std::size_t line_ = 0;
  std::size_t began_ = 0;  // the line at which the pattern began
  bool is_open_ = false;
  Pattern pattern_;
  Names threads_{Pattern::kMostThreads};
  Names units_{Pattern::kMostEvents};
  Names variables_{Pattern::kMostVariables};
  std::vector<Pattern> patterns_;
};

}  // namespace

Result<std::vector<Pattern>> parse_patterns(std::string_view text, std::string_view source) {
  return Reader(source).read(text);
}

}  // namespace unravel
