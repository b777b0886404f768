#include "data/served_inputs.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "wire/served.hpp"

namespace unravel {

namespace {

using wire::InputHead;
using wire::InputKind;
using wire::Operation;

constexpr std::size_t kHeadWords = sizeof(InputHead) / sizeof(std::uint64_t);

// The runtime keeps its place in each of them. Chosen by hand.
constexpr std::size_t kMostStreams = std::size_t{1} << 16;

InputHead head_at(std::span<const std::uint64_t> words) {
  InputHead head;
  std::memcpy(static_cast<void*>(&head), words.data(), sizeof(head));
  return head;
}

/// One entry of a log.
struct Entry {
  InputHead head;
  std::uint64_t at = 0;  // in words
  std::span<const std::byte> bytes;

  template <class T>
  [[nodiscard]] std::optional<T> read() const {
    if (bytes.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof(T));
    return value;
  }
};

/// Calls `use` for each entry of a log, whose entries are whole.
template <class Use>
void for_each_entry(const InputLog& log, Use use) {
  for (std::size_t at = 0; at + kHeadWords <= log.words.size();) {
    const auto rest = std::span(log.words).subspan(at);
    const InputHead head = head_at(rest);
    const auto bytes = std::as_bytes(rest.subspan(kHeadWords)).first(head.size);
    use(Entry{.head = head, .at = at, .bytes = bytes});
    at += wire::words_of_input(head.size);
  }
}

/// The runtime's hash of bytes that are sent.
class RunningHash {
 public:
  void add(std::span<const std::byte> bytes) {
    constexpr std::uint64_t kPrime = 0x0000'0100'0000'01b3;
    for (const std::byte one : bytes) {
      value_ = (value_ ^ static_cast<std::uint64_t>(one)) * kPrime;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325;
};

bool is_no_answer(std::int64_t result) { return result == -EAGAIN || result == -EINTR; }

struct Stream {
  wire::ServedStream row;
  std::vector<wire::ServedInput> inputs;
  std::vector<wire::ServedSend> sends;
  std::vector<std::uint64_t> connects;
  std::uint64_t sent = 0;
  // Whether it brought only what the program itself had sent.
  RunningHash received;
  std::uint64_t received_bytes = 0;
  bool is_echo = true;
  bool is_compared = false;
};

/// Builds the tables.
class Tables {
 public:
  void add(const Entry& entry) {
    switch (entry.head.kind) {
      case InputKind::kStream:
        if (const auto origin = entry.read<wire::StreamOrigin>()) add_stream(entry, *origin);
        break;
      case InputKind::kReceived:
        if (Stream* stream = find(entry)) receive(*stream, entry);
        break;
      case InputKind::kSent:
        if (Stream* stream = find(entry)) send(*stream, entry);
        break;
      case InputKind::kChild: add_child(entry); break;
      case InputKind::kSignal: signals_.push_back(entry.at); break;
      case InputKind::kCall:
      case InputKind::kFile: {
        // A file has a number of its own, given when it was opened.
        const std::uint32_t on = entry.head.kind == InputKind::kFile ? 0 : entry.head.stream;
        groups_[{entry.head.kind, entry.head.call, on, entry.head.asked}].push_back(entry.at);
        break;
      }
      case InputKind::kNone:
      case InputKind::kReady:
      case InputKind::kServed: break;
    }
  }

  [[nodiscard]] std::size_t streams() const { return streams_.size(); }

  std::vector<std::uint64_t> finish(const InputLog& log) {
    std::vector<wire::ServedStream> rows;
    std::vector<wire::ServedInput> inputs;
    std::vector<wire::ServedSend> sends;
    std::vector<wire::ServedGroup> groups;
    std::vector<std::uint64_t> answers;
    for (Stream& stream : streams_) {
      stream.row.inputs = append(inputs, stream.inputs);
      stream.row.sends = append(sends, stream.sends);
      stream.row.connects = append(answers, stream.connects);
      stream.row.is_own = is_own(stream);
      rows.push_back(stream.row);
    }
    for (const auto& [key, entries] : groups_) {
      const auto& [kind, call, on, asked] = key;
      groups.push_back({.asked = asked,
                        .stream = on,
                        .call = call,
                        .kind = kind,
                        .answers = append(answers, entries)});
    }
    words_.assign(sizeof(wire::ServedHead) / sizeof(std::uint64_t), 0);
    wire::ServedHead head;
    head.streams = put(rows);
    head.inputs = put(inputs);
    head.sends = put(sends);
    head.groups = put(groups);
    head.answers = put(answers);
    head.children = put(children_);
    head.signals = put(signals_);
    head.log = words_.size();
    words_.insert(words_.end(), log.words.begin(), log.words.end());
    head.words = words_.size();
    std::memcpy(words_.data(), &head, sizeof(head));
    return std::move(words_);
  }

 private:
  using Key = std::tuple<InputKind, std::uint16_t, std::uint32_t, std::uint64_t>;

  template <class T>
  static wire::ServedRange append(std::vector<T>& to, const std::vector<T>& from) {
    const auto first = static_cast<std::uint32_t>(to.size());
    to.insert(to.end(), from.begin(), from.end());
    return {.first = first, .count = static_cast<std::uint32_t>(from.size())};
  }

  template <class T>
  wire::ServedTable put(const std::vector<T>& rows) {
    static_assert(sizeof(T) % sizeof(std::uint64_t) == 0);
    const std::size_t at = words_.size();
    words_.resize(at + rows.size() * sizeof(T) / sizeof(std::uint64_t));
    if (!rows.empty()) {
      std::memcpy(words_.data() + at, static_cast<const void*>(rows.data()),
                  rows.size() * sizeof(T));
    }
    return {.at = at, .count = rows.size()};
  }

  void add_stream(const Entry& entry, const wire::StreamOrigin& origin) {
    by_number_[entry.head.stream] = streams_.size();
    streams_.push_back({});
    streams_.back().row.origin = origin;
    streams_.back().row.number = entry.head.stream;
  }

  Stream* find(const Entry& entry) {
    const auto found = by_number_.find(entry.head.stream);
    return found == by_number_.end() ? nullptr : &streams_[found->second];
  }

  static void receive(Stream& stream, const Entry& entry) {
    const InputHead& head = entry.head;
    if (is_no_answer(head.result) || (head.call & (wire::kPeeked | wire::kNoRoom))) return;
    if (head.operation == Operation::kConnect) {
      stream.connects.push_back(entry.at);
      return;
    }
    stream.inputs.push_back({.entry = entry.at, .sent = stream.sent});
    std::span<const std::byte> bytes = entry.bytes;
    if (const auto message = entry.read<wire::MessageHead>();
        message && (head.call & wire::kHasMessage)) {
      const std::size_t skipped = sizeof(*message) + message->name_bytes + message->control_bytes;
      bytes = bytes.subspan(std::min(skipped, bytes.size()));
    }
    stream.received.add(bytes);
    stream.received_bytes += bytes.size();
    if (head.operation != Operation::kRead || head.result <= 0 ||
        stream.received_bytes > stream.sent) {
      stream.is_echo = false;
    }
    check_echo(stream);
  }

  static void send(Stream& stream, const Entry& entry) {
    const std::int64_t result = entry.head.result;
    if (is_no_answer(result)) return;
    if (result < 0) {
      stream.sends.push_back({.total = stream.sent, .hash = 0, .error = result});
      return;
    }
    stream.sent += static_cast<std::uint64_t>(result);
    stream.sends.push_back(
        {.total = stream.sent, .hash = entry.read<std::uint64_t>().value_or(0), .error = 0});
    check_echo(stream);
  }

  /// Where as many bytes were received as were sent, they must be the same.
  static void check_echo(Stream& stream) {
    if (!stream.is_echo || stream.received_bytes == 0) return;
    const auto at =
        std::lower_bound(stream.sends.begin(), stream.sends.end(), stream.received_bytes,
                         [](const auto& one, std::uint64_t total) { return one.total < total; });
    if (at == stream.sends.end() || at->error || at->total != stream.received_bytes) return;
    stream.is_compared = true;
    if (at->hash != stream.received.value()) stream.is_echo = false;
  }

  static std::uint32_t is_own(const Stream& stream) {
    // A peer at a socket may send back what it gets.
    const bool is_pipe =
        stream.row.origin.kind == wire::OriginKind::kMade && !stream.row.origin.is_socket;
    return is_pipe && stream.is_echo && stream.is_compared ? 1 : 0;
  }

  void add_child(const Entry& entry) {
    // What was no news about a child is known without the record.
    const auto child = entry.read<std::int64_t>();
    if (entry.head.result >= 0 && child && *child > 0) children_.push_back(entry.at);
  }

  std::vector<Stream> streams_;
  std::unordered_map<std::uint32_t, std::size_t> by_number_;
  std::map<Key, std::vector<std::uint64_t>> groups_;
  std::vector<std::uint64_t> children_;
  std::vector<std::uint64_t> signals_;
  std::vector<std::uint64_t> words_;
};

}  // namespace

bool is_served(const InputLog& log) {
  return log.words.size() >= kHeadWords && head_at(log.words).kind == InputKind::kServed;
}

Result<std::shared_ptr<const InputLog>> as_served(std::shared_ptr<const InputLog> log) {
  if (is_served(*log)) return log;
  bool is_known = true;
  for_each_entry(*log, [&](const Entry& entry) {
    const bool is_traffic =
        entry.head.kind == InputKind::kReceived || entry.head.kind == InputKind::kSent;
    if (is_traffic && entry.head.stream == 0) is_known = false;
  });
  if (!is_known) {
    return user_error("the recorded inputs cannot be used under another schedule",
                      "an earlier version of unravel made the record: it does not say which "
                      "stream brought what",
                      "record the run once more");
  }
  auto served = std::make_shared<InputLog>();
  const InputHead mark{.kind = InputKind::kServed};
  served->words.resize(kHeadWords);
  std::memcpy(served->words.data(), static_cast<const void*>(&mark), sizeof(mark));
  served->words.insert(served->words.end(), log->words.begin(), log->words.end());
  return std::shared_ptr<const InputLog>(std::move(served));
}

Result<std::vector<std::uint64_t>> served_words(const InputLog& log) {
  Tables tables;
  for_each_entry(log, [&](const Entry& entry) { tables.add(entry); });
  if (tables.streams() > kMostStreams) {
    return user_error("the recorded inputs cannot be used under another schedule",
                      "they came on more than " + std::to_string(kMostStreams) + " streams",
                      "replay the run itself, or take live inputs");
  }
  return tables.finish(log);
}

}  // namespace unravel
