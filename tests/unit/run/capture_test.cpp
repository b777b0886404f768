#include "run/capture.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace unravel {
namespace {

constexpr std::uint64_t kMegabyte = std::uint64_t{1} << 20;

std::string gap(std::uint64_t bytes) {
  return "[unravel: " + std::to_string(bytes) +
         " bytes of output are left out here; --max-output SIZE keeps more]\n";
}

class CaptureTest : public testing::Test {
 protected:
  Capture make(std::uint64_t most, bool sheds = true) {
    return Capture::create(std::filesystem::temp_directory_path().string(), most, sheds).value();
  }
  static void write(const Capture& capture, std::string_view text,
                    Capture::Stream stream = Capture::kOutput) {
    ASSERT_EQ(::write(capture.descriptor(stream), text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  static void write_much(const Capture& capture, std::uint64_t megabytes) {
    const std::string chunk(kMegabyte, '.');
    for (std::uint64_t i = 0; i < megabytes; ++i) write(capture, chunk);
  }
  static std::uint64_t size(const Capture& capture) { return capture.sizes()[Capture::kOutput]; }
};

TEST_F(CaptureTest, KeepsAllOfAShortOutput) {
  const Capture capture = make(10);
  write(capture, "0123456789");

  EXPECT_EQ(capture.read(Capture::kOutput, 0, 10), (KeptOutput{"0123456789", 0}));
  EXPECT_EQ(capture.read(Capture::kErrorOutput, 0, 0), (KeptOutput{}));
}

TEST_F(CaptureTest, KeepsHeadAndTailOfALongOutput) {
  const Capture capture = make(6);
  write(capture, "01\nxxxxabc");

  EXPECT_EQ(capture.read(Capture::kOutput, 0, 10), (KeptOutput{"01\n" + gap(4) + "abc", 4}));
  // The line is one of its own.
  EXPECT_EQ(capture.read(Capture::kOutput, 1, 10), (KeptOutput{"1\nx\n" + gap(3) + "abc", 3}));
}

TEST_F(CaptureTest, ReadsNothingThatIsNotThere) {
  Capture capture = make(4);
  write(capture, "ab");
  capture.end_start();
  write(capture, "cd");
  constexpr std::uint64_t kAnywhere = ~std::uint64_t{0};

  EXPECT_EQ(capture.read(Capture::kOutput, 2, kAnywhere), (KeptOutput{"abcd", 0}));
  EXPECT_EQ(capture.read(Capture::kOutput, kAnywhere, kAnywhere), (KeptOutput{"ab", 0}));
  EXPECT_EQ(capture.read(Capture::kOutput, kAnywhere, 0), (KeptOutput{"", 0}));
  capture.shed({kAnywhere, kAnywhere}, {kAnywhere, kAnywhere});
}

TEST_F(CaptureTest, KeepsNothingIfAskedTo) {
  const Capture capture = make(0);
  write(capture, "abc");

  EXPECT_EQ(capture.read(Capture::kOutput, 0, 3), (KeptOutput{gap(3), 3}));
}

TEST_F(CaptureTest, CountsTheProgramsStartAsPartOfEachRun) {
  Capture capture = make(8);
  write(capture, "start\n");
  capture.end_start();
  write(capture, "one\ntwo\n");

  EXPECT_EQ(capture.read(Capture::kOutput, 6, 8).text, "start\non");
  EXPECT_EQ(capture.read(Capture::kOutput, 10, 14).text, "star\n" + gap(2) + "two\n");
  EXPECT_EQ(capture.read(Capture::kOutput, 6, 14).text, "star\n" + gap(6) + "two\n");
  EXPECT_EQ(capture.read(Capture::kOutput, 6, 8).left_out, 0u);
  EXPECT_EQ(capture.read_front(Capture::kOutput, 10, 14, 8), "start\ntw");
}

TEST_F(CaptureTest, MapsAnyHeadAndTailOntoItsParts) {
  Capture capture = make(4);
  write(capture, "abcdefg");
  capture.end_start();
  write(capture, "---hi");

  // The tail begins in the start.
  EXPECT_EQ(capture.read(Capture::kOutput, 10, 11).text, "ab\n" + gap(4) + "gh");
  EXPECT_EQ(capture.read(Capture::kOutput, 10, 12).text, "ab\n" + gap(5) + "hi");
}

TEST_F(CaptureTest, GivesBackTheMiddleOfAnOutputThatGrows) {
  Capture capture = make(4 * kMegabyte);
  write(capture, "head\n");
  for (int i = 0; i < 64; ++i) {
    write_much(capture, 1);
    capture.shed({}, {});
    // Head, tail, and what is not worth a system call.
    EXPECT_LE(capture.disk_use(), 6 * kMegabyte + 65536);
  }
  write(capture, "tail\n");

  const KeptOutput kept = capture.read(Capture::kOutput, 0, size(capture));
  EXPECT_TRUE(kept.text.starts_with("head\n..."));
  EXPECT_TRUE(kept.text.ends_with("...tail\n"));
  EXPECT_EQ(kept.left_out, 60 * kMegabyte + 10);
  EXPECT_EQ(kept.text.find('\0'), std::string::npos) << "a hole was read";
}

TEST_F(CaptureTest, GivesBackEarlierRunsAndKeepsTheirStart) {
  Capture capture = make(4 * kMegabyte);
  write(capture, "start\n");
  capture.end_start();
  for (int run = 0; run < 20; ++run) {
    const std::uint64_t before = size(capture);
    write_much(capture, 3);
    write(capture, "end of a run\n");
    capture.shed({before, 0}, {size(capture), 0});
    EXPECT_LE(capture.disk_use(), 5 * kMegabyte);
    const std::string text = capture.read(Capture::kOutput, before, size(capture)).text;
    EXPECT_TRUE(text.starts_with("start\n..."));
    EXPECT_TRUE(text.ends_with("...end of a run\n"));
    EXPECT_EQ(text.find('\0'), std::string::npos) << "a hole was read";
  }
}

TEST_F(CaptureTest, GivesNothingBackIfSomebodyHasToSeeAllOfIt) {
  Capture capture = make(2 * kMegabyte, /*sheds=*/false);
  write(capture, "start\n");
  capture.end_start();
  write_much(capture, 20);
  capture.shed({size(capture), 0}, {0, 0});

  const Result<UniqueFd> copy = capture.copy(Capture::kOutput, 6, size(capture));

  ASSERT_TRUE(copy);
  std::string all(21 * kMegabyte, ' ');
  all.resize(static_cast<std::size_t>(::read(copy->get(), all.data(), all.size())));
  EXPECT_EQ(all, "start\n" + std::string(20 * kMegabyte, '.'));
}

}  // namespace
}  // namespace unravel
