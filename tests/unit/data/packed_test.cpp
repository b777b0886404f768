#include "data/packed.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "data/bytes.hpp"
#include "data/input_log.hpp"
#include "wire/version.hpp"

namespace unravel {
namespace {

std::shared_ptr<const InputLog> some_inputs() {
  auto log = std::make_shared<InputLog>();
  const wire::InputHead head{.size = 5, .result = 5, .kind = wire::InputKind::kReceived};
  log->words.resize(wire::words_of_input(5));
  std::memcpy(log->words.data(), &head, sizeof(head));
  std::memcpy(reinterpret_cast<char*>(log->words.data()) + sizeof(head), "hello", 5);
  return log;
}

PackedRun some_run() {
  PackedRun packed;
  Run& run = packed.run;
  run.program = {
      .arguments = {"./client", "5555"}, .path = "/home/alice/client", .directory = "/home/alice"};
  run.environment = std::make_shared<const Environment>(
      Environment{.variables = {"LANG=C", "____="}, .umask = 077, .limits = {}});
  run.inputs = some_inputs();
  run.summary.outcome = Outcome::kFailed;
  run.summary.threads = 3;
  run.summary.steps = 41;
  run.summary.schedule_hash = 0x123456789abcdef0;
  run.summary.seconds = 0.290001;
  run.failure =
      Failure{.kind = FailureKind::kAssert, .detail = "total == 2", .key = "assert:x.c:3"};
  run.summary.failure = run.failure->kind;
  run.strategy = "random";
  run.schedule.slices = {{.thread = {.ordinal = 1}, .until = {.operations = 3, .hooks = 1}}};
  run.schedule.modules = {{}, {.path = "/home/alice/client", .build_id = "abcd"}};
  run.output = "total 1\n";
  run.error_output = "x.c:3: total == 2\n";
  packed.settings.most_steps = 1000;
  packed.created = 1'700'000'000;
  packed.input = "typed\n";
  packed.expected_output = "total 2\n";
  packed.files = {{.path = "/home/alice/client",
                   .content = std::string("\x7f"
                                          "ELF\0x",
                                          6)},
                  {.path = "/lib/libc.so.6", .content = ""}};
  return packed;
}

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

TEST(PackedRun, IsReadBackAsItWasWritten) {
  const PackedRun written = some_run();
  const std::vector<std::byte> bytes = encode(written);
  const Result<PackedRun> read = decode_packed_run(bytes);
  ASSERT_TRUE(read) << read.error().what << ": " << read.error().why;
  EXPECT_EQ(read->run.program, written.run.program);
  EXPECT_EQ(*read->run.environment, *written.run.environment);
  EXPECT_EQ(*read->run.inputs, *written.run.inputs);
  EXPECT_EQ(read->run.failure, written.run.failure);
  EXPECT_EQ(read->run.summary.outcome, Outcome::kFailed);
  EXPECT_EQ(read->run.summary.failure, FailureKind::kAssert);
  EXPECT_EQ(read->run.summary.steps, 41u);
  EXPECT_EQ(read->run.summary.schedule_hash, written.run.summary.schedule_hash);
  EXPECT_DOUBLE_EQ(read->run.summary.seconds, written.run.summary.seconds);
  EXPECT_EQ(read->run.schedule, written.run.schedule);
  EXPECT_EQ(read->run.output, written.run.output);
  EXPECT_EQ(read->run.error_output, written.run.error_output);
  EXPECT_EQ(read->settings, written.settings);
  EXPECT_EQ(read->created, written.created);
  EXPECT_EQ(read->input, written.input);
  EXPECT_EQ(read->expected_output, written.expected_output);
  EXPECT_EQ(read->files, written.files);
  EXPECT_EQ(encode(*read), bytes);
}

TEST(PackedRun, MayLackWhatWasNotRecorded) {
  PackedRun packed = some_run();
  packed.run.environment = nullptr;
  packed.run.inputs = nullptr;
  packed.run.failure.reset();
  packed.run.summary.outcome = Outcome::kPassed;
  packed.expected_output.reset();
  packed.files.clear();
  const Result<PackedRun> read = decode_packed_run(encode(packed));
  ASSERT_TRUE(read) << read.error().why;
  EXPECT_EQ(read->run.environment, nullptr);
  EXPECT_EQ(read->run.inputs, nullptr);
  EXPECT_FALSE(read->run.failure);
  EXPECT_FALSE(read->expected_output);
}

TEST(PackedRun, IsRefusedIfItIsCutOrChangedAnywhere) {
  const std::vector<std::byte> bytes = encode(some_run());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_packed_run(std::span(bytes).first(size))) << size;
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::byte> changed = bytes;
    changed[at] ^= std::byte{0x40};
    EXPECT_FALSE(decode_packed_run(changed)) << at;
  }
}

/// The error for a run that is written as it is.
std::string why_refused(const PackedRun& packed) {
  const Result<PackedRun> read = decode_packed_run(encode(packed));
  return read ? "not refused" : read.error().what + ": " + read.error().why;
}

TEST(PackedRun, HasNoPathsThatLeadElsewhere) {
  for (const char* path : {"../x", "x", "", "/", "/a/../b", "/a/./b", "/a//b", "/a/", "/.."}) {
    PackedRun packed = some_run();
    packed.files[0].path = path;
    EXPECT_NE(why_refused(packed).find("path is not absolute, or has `..`"), std::string::npos)
        << path << ": " << why_refused(packed);
  }
  PackedRun twice = some_run();
  twice.files[1].path = twice.files[0].path;
  EXPECT_NE(why_refused(twice).find("same path"), std::string::npos);
  for (const char* path : {"client", "", "/", "/a/", "/a/.", "/a/..", "../client"}) {
    PackedRun packed = some_run();
    packed.run.program.path = path;
    EXPECT_NE(why_refused(packed).find("program is not absolute"), std::string::npos) << path;
  }
  PackedRun typed = some_run();
  typed.run.program.path = "/home/alice/../alice/client";
  EXPECT_EQ(why_refused(typed), "not refused") << "a user may type this";
  for (const char* path : {"../etc", "", "/a/", "/a/../b", "etc"}) {
    PackedRun packed = some_run();
    packed.run.program.directory = path;
    EXPECT_NE(why_refused(packed).find("working directory is not"), std::string::npos) << path;
  }
  typed.run.program.directory = "/";
  EXPECT_EQ(why_refused(typed), "not refused");
  PackedRun zero = some_run();
  zero.files[0].path = std::string("/a\0b", 4);
  EXPECT_NE(why_refused(zero), "not refused");
}

TEST(PackedRun, HasNothingThatNoRunHas) {
  PackedRun packed = some_run();
  packed.run.program.arguments.clear();
  EXPECT_NE(why_refused(packed).find("has no name"), std::string::npos);
  packed = some_run();
  packed.run.program.arguments[1] = std::string("a\0b", 3);
  EXPECT_NE(why_refused(packed).find("zero byte"), std::string::npos);
  packed = some_run();
  packed.run.failure.reset();
  EXPECT_NE(why_refused(packed).find("contradict"), std::string::npos);
  packed = some_run();
  auto cut = std::make_shared<InputLog>(*packed.run.inputs);
  cut->words.pop_back();
  packed.run.inputs = cut;
  EXPECT_NE(why_refused(packed).find("inputs are not whole"), std::string::npos);
}

TEST(PackedRun, IsOfThisVersionAndHasItsMagic) {
  const std::vector<std::byte> bytes = encode(some_run());
  EXPECT_TRUE(is_packed_run(bytes));
  EXPECT_FALSE(is_packed_run(as_bytes("UNRAVSCHxxxx")));
  EXPECT_FALSE(is_packed_run({}));
  std::vector<std::byte> newer = bytes;
  newer[8] = std::byte{9};
  EXPECT_EQ(decode_packed_run(newer).error().why, "it was written by a newer unravel");
  EXPECT_EQ(decode_packed_run({}).error().why, "it is empty");
  FieldWriter other({.magic = "UNRAVPAK",
                     .noun = "packed run",
                     .version = 1,
                     .operation_table = wire::kOperationTableVersion + 1});
  const Result<PackedRun> read = decode_packed_run(other.seal());
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().what.find("operation table version"), std::string::npos)
      << read.error().what;
}

/// The beginning of a packed run up to its first part, which is `part`.
std::vector<std::byte> with_first_part(std::string_view part) {
  FieldWriter out({.magic = "UNRAVPAK",
                   .noun = "packed run",
                   .version = 1,
                   .operation_table = wire::kOperationTableVersion});
  out.number(0);
  out.text("passed");
  for (int i = 0; i < 10; ++i) out.number(0);
  out.text("");
  out.flag(false);
  out.text(part);
  return out.seal();
}

TEST(PackedRun, ClaimsNoMoreThanItCanHave) {
  // A frame of zstd that claims a terabyte.
  std::string claims("\x28\xb5\x2f\xfd\xe0", 5);
  const std::uint64_t terabyte = std::uint64_t{1} << 40;
  claims.append(reinterpret_cast<const char*>(&terabyte), sizeof(terabyte));
  const Result<PackedRun> read = decode_packed_run(with_first_part(claims));
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().why.find("claims to be 1099511627776 bytes"), std::string::npos)
      << read.error().why;

  // A part that really becomes 64 MiB of zeros is not a run either.
  const std::vector<std::byte> zeros(std::size_t{64} << 20);
  const std::vector<std::byte> small = compress_fast(zeros);
  EXPECT_FALSE(decode_packed_run(
      with_first_part({reinterpret_cast<const char*>(small.data()), small.size()})));
  EXPECT_FALSE(decode_packed_run(with_first_part("not compressed")));
}

}  // namespace
}  // namespace unravel
