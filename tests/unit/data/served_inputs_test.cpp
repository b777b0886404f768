#include "data/served_inputs.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "wire/served.hpp"

namespace unravel {
namespace {

using wire::InputHead;
using wire::InputKind;
using wire::Operation;

/// Builds a log entry by entry.
class LogBuilder {
 public:
  /// Returns where the entry is, in words.
  std::uint64_t add(InputHead head, const std::string& bytes = {}) {
    head.size = bytes.size();
    const std::size_t before = log_->words.size();
    log_->words.resize(before + wire::words_of_input(bytes.size()));
    std::memcpy(&log_->words[before], static_cast<const void*>(&head), sizeof(head));
    std::memcpy(reinterpret_cast<char*>(&log_->words[before]) + sizeof(head), bytes.data(),
                bytes.size());
    return before;
  }

  std::uint64_t stream(std::uint32_t number, const wire::StreamOrigin& origin) {
    return add({.kind = InputKind::kStream, .stream = number},
               {reinterpret_cast<const char*>(&origin), sizeof(origin)});
  }

  std::uint64_t received(std::uint32_t stream, long result, const std::string& bytes = {},
                         Operation operation = Operation::kRead, std::uint16_t bits = 0) {
    return add({.result = result,
                .kind = InputKind::kReceived,
                .operation = operation,
                .call = bits,
                .stream = stream},
               bytes);
  }

  std::uint64_t sent(std::uint32_t stream, long result, std::uint64_t hash = 0) {
    return add({.result = result,
                .kind = InputKind::kSent,
                .operation = Operation::kWrite,
                .stream = stream},
               {reinterpret_cast<const char*>(&hash), sizeof(hash)});
  }

  std::shared_ptr<const InputLog> log() const { return log_; }

 private:
  std::shared_ptr<InputLog> log_ = std::make_shared<InputLog>();
};

/// Reads what served_words() made.
class Reader {
 public:
  explicit Reader(const std::shared_ptr<const InputLog>& log) {
    const auto served = as_served(log);
    EXPECT_TRUE(served);
    const auto words = served_words(**served);
    EXPECT_TRUE(words);
    words_ = *words;
    std::memcpy(static_cast<void*>(&head_), words_.data(), sizeof(head_));
    mark_ = (**served).words.size() - log->words.size();
  }

  template <class T>
  std::vector<T> table(wire::ServedTable wire::ServedHead::*which) const {
    const wire::ServedTable& table = head_.*which;
    std::vector<T> rows(table.count);
    std::memcpy(static_cast<void*>(rows.data()), words_.data() + table.at, table.count * sizeof(T));
    return rows;
  }
  /// An entry of the log that was given, as the tables name it.
  [[nodiscard]] std::uint64_t named(std::uint64_t entry) const { return entry + mark_; }
  [[nodiscard]] const wire::ServedHead& head() const { return head_; }
  [[nodiscard]] std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::uint64_t> words_;
  wire::ServedHead head_;
  std::uint64_t mark_ = 0;
};

constexpr wire::StreamOrigin kPeer{
    .name = 7, .thread = 1, .kind = wire::OriginKind::kConnected, .is_socket = 1};
constexpr wire::StreamOrigin kOwnPipe{.name = 0, .kind = wire::OriginKind::kMade};

std::uint64_t hash_of(const std::string& bytes) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char one : bytes) {
    value = (value ^ static_cast<unsigned char>(one)) * 0x00000100000001b3;
  }
  return value;
}

TEST(ServedInputs, AreMarkedOnce) {
  LogBuilder builder;
  builder.stream(1, kPeer);
  builder.received(1, 2, "ab");
  EXPECT_FALSE(is_served(*builder.log()));
  const auto served = as_served(builder.log());
  ASSERT_TRUE(served);
  EXPECT_TRUE(is_served(**served));
  EXPECT_TRUE(totals_of((*served)->words));
  const auto again = as_served(*served);
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->words, (*served)->words);
}

TEST(ServedInputs, NeedStreams) {
  LogBuilder builder;
  builder.received(0, 2, "ab");
  const auto served = as_served(builder.log());
  ASSERT_FALSE(served);
  EXPECT_NE(served.error().why.find("which stream"), std::string::npos);
}

TEST(ServedInputs, ComeAfterWhatWasSentOnTheirStream) {
  LogBuilder builder;
  builder.stream(1, kPeer);
  builder.stream(2, kPeer);
  builder.sent(2, 100, 1);
  const auto first = builder.received(1, 2, "ab");
  builder.sent(1, 5, 17);
  const auto second = builder.received(1, 1, "c");
  const auto end = builder.received(1, 0);
  const Reader reader(builder.log());
  const auto streams = reader.table<wire::ServedStream>(&wire::ServedHead::streams);
  ASSERT_EQ(streams.size(), 2u);
  EXPECT_EQ(streams[0].origin, kPeer);
  EXPECT_EQ(streams[0].number, 1u);
  ASSERT_EQ(streams[0].inputs.count, 3u);
  const auto inputs = reader.table<wire::ServedInput>(&wire::ServedHead::inputs);
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].entry, reader.named(first));
  EXPECT_EQ(inputs[0].sent, 0u);
  EXPECT_EQ(inputs[1].entry, reader.named(second));
  EXPECT_EQ(inputs[1].sent, 5u);
  EXPECT_EQ(inputs[2].entry, reader.named(end));
  const auto sends = reader.table<wire::ServedSend>(&wire::ServedHead::sends);
  ASSERT_EQ(sends.size(), 2u);
  EXPECT_EQ(sends[streams[0].sends.first].total, 5u);
  EXPECT_EQ(sends[streams[0].sends.first].hash, 17u);
  EXPECT_EQ(sends[streams[1].sends.first].total, 100u);
  EXPECT_EQ(reader.head().words, reader.size());
}

TEST(ServedInputs, LeaveOutWhatIsNoAnswer) {
  LogBuilder builder;
  builder.stream(1, kPeer);
  builder.received(1, -EAGAIN);
  builder.received(1, -EINTR);
  builder.received(1, 2, "ab", Operation::kRead, wire::kPeeked);
  builder.received(1, 0, "", Operation::kRead, wire::kNoRoom);
  builder.sent(1, -EAGAIN);
  const auto reset = builder.received(1, -ECONNRESET);
  builder.sent(1, -EPIPE);
  const Reader reader(builder.log());
  const auto inputs = reader.table<wire::ServedInput>(&wire::ServedHead::inputs);
  ASSERT_EQ(inputs.size(), 1u);
  EXPECT_EQ(inputs[0].entry, reader.named(reset));
  const auto sends = reader.table<wire::ServedSend>(&wire::ServedHead::sends);
  ASSERT_EQ(sends.size(), 1u);
  EXPECT_EQ(sends[0].error, -EPIPE);
}

TEST(ServedInputs, KnowConnectionsApartFromBytes) {
  LogBuilder builder;
  builder.stream(1, kPeer);
  const auto connected = builder.received(1, -EINPROGRESS, "", Operation::kConnect);
  const Reader reader(builder.log());
  const auto streams = reader.table<wire::ServedStream>(&wire::ServedHead::streams);
  ASSERT_EQ(streams.size(), 1u);
  EXPECT_EQ(streams[0].inputs.count, 0u);
  ASSERT_EQ(streams[0].connects.count, 1u);
  EXPECT_EQ(reader.table<std::uint64_t>(&wire::ServedHead::answers)[streams[0].connects.first],
            reader.named(connected));
}

TEST(ServedInputs, ServeNothingThatTheProgramSentItself) {
  for (const bool same : {true, false}) {
    LogBuilder builder;
    builder.stream(1, kOwnPipe);
    builder.sent(1, 2, hash_of("ab"));
    builder.received(1, 1, "a");
    builder.received(1, 1, same ? "b" : "x");
    const Reader reader(builder.log());
    const auto streams = reader.table<wire::ServedStream>(&wire::ServedHead::streams);
    ASSERT_EQ(streams.size(), 1u);
    EXPECT_EQ(streams[0].is_own, same ? 1u : 0u);
  }
}

TEST(ServedInputs, ServeWhatAPeerSendsBack) {
  wire::StreamOrigin socket = kOwnPipe;
  socket.is_socket = 1;
  LogBuilder builder;
  builder.stream(1, socket);
  builder.sent(1, 2, hash_of("ab"));
  builder.received(1, 2, "ab");
  const Reader reader(builder.log());
  const auto streams = reader.table<wire::ServedStream>(&wire::ServedHead::streams);
  ASSERT_EQ(streams.size(), 1u);
  EXPECT_EQ(streams[0].is_own, 0u);
}

TEST(ServedInputs, GroupAnswersByWhatWasAsked) {
  LogBuilder builder;
  const auto call = [&](std::uint64_t asked, std::uint32_t stream) {
    return builder.add({.asked = asked, .kind = InputKind::kCall, .call = 4, .stream = stream});
  };
  const auto first = call(1, 0);
  call(2, 0);
  call(1, 9);
  const auto second = call(1, 0);
  // Files are found by their path, whichever number they have.
  builder.add({.asked = 1, .kind = InputKind::kFile, .call = 2, .stream = 3});
  builder.add({.asked = 1, .kind = InputKind::kFile, .call = 2, .stream = 4});
  const Reader reader(builder.log());
  const auto groups = reader.table<wire::ServedGroup>(&wire::ServedHead::groups);
  const auto answers = reader.table<std::uint64_t>(&wire::ServedHead::answers);
  ASSERT_EQ(groups.size(), 4u);
  for (const wire::ServedGroup& group : groups) {
    const bool is_file = group.kind == InputKind::kFile;
    const bool is_twice = group.kind == InputKind::kCall && group.asked == 1 && group.stream == 0;
    EXPECT_EQ(group.answers.count, is_file || is_twice ? 2u : 1u);
    if (!is_twice) continue;
    EXPECT_EQ(answers[group.answers.first], reader.named(first));
    EXPECT_EQ(answers[group.answers.first + 1], reader.named(second));
  }
}

TEST(ServedInputs, TellEndsOfChildrenAndSignals) {
  LogBuilder builder;
  const auto child = [&](std::int64_t ordinal, long result) {
    return builder.add({.result = result, .kind = InputKind::kChild},
                       {reinterpret_cast<const char*>(&ordinal), sizeof(ordinal)});
  };
  child(0, 0);              // nothing was new
  child(-ECHILD, -ECHILD);  // there was no child
  const auto ended = child(1, 1234);
  const auto signal = builder.add({.result = 10, .kind = InputKind::kSignal});
  const Reader reader(builder.log());
  EXPECT_EQ(reader.table<std::uint64_t>(&wire::ServedHead::children),
            std::vector<std::uint64_t>{reader.named(ended)});
  EXPECT_EQ(reader.table<std::uint64_t>(&wire::ServedHead::signals),
            std::vector<std::uint64_t>{reader.named(signal)});
}

}  // namespace
}  // namespace unravel
