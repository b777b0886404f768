/// Which line a call is from: stacks as compilers lay them out, made by hand.
#include "runtime/core/wrapper_code.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace unravel {
namespace {

using wire::WrapperRow;
using Kind = WrapperRow::Kind;

const void* address(std::uint64_t value) { return reinterpret_cast<const void*>(value); }

/// A stack of words, the innermost frame first.
class Stack {
 public:
  std::size_t push(std::uint64_t word) {
    words_.push_back(address(word));
    return words_.size() - 1;
  }
  void set_to_place(std::size_t at, std::size_t place) { words_[at] = &words_[place]; }
  [[nodiscard]] const void* const* frame() const { return words_.data(); }

 private:
  std::vector<const void*> words_ = [] {
    std::vector<const void*> words;
    words.reserve(100);
    return words;
  }();
};

constexpr std::uint64_t kInLock = 0x1010, kInGuard = 0x2020, kInProgram = 0x3030, kInC = 0x4040;

const std::vector<WrapperRow> kRows = {
    {.begin = 0x1000, .size = 0x100, .offset = 16, .saved = 16, .kind = Kind::kByFramePointer},
    {.begin = 0x2000, .size = 0x100, .offset = 24, .kind = Kind::kByStack},
    {.begin = 0x4000, .size = 0x100, .kind = Kind::kEnd},
};

/// A lock in a guard: `caller` called the guard's constructor, which keeps two words and no frame
/// pointer; that called the lock, which has a frame pointer.
Stack lock_in_guard(std::uint64_t caller) {
  Stack stack;
  const std::size_t pointer = stack.push(0);  // of the function that was called
  stack.push(kInLock);
  stack.push(111);                              // the lock's own
  const std::size_t saved = stack.push(0x777);  // where the lock's frame pointer points
  stack.push(kInGuard);
  stack.push(222);
  stack.push(333);
  stack.push(caller);
  stack.push(444);
  stack.set_to_place(pointer, saved);
  return stack;
}

TEST(WrapperCode, LeavesSitesAsTheyAreWithoutATable) {
  WrapperCode code;
  EXPECT_EQ(code.site_of(lock_in_guard(kInProgram).frame()), address(kInLock));
}

TEST(WrapperCode, GoesThroughFramesOfBothKindsToTheProgram) {
  WrapperCode code;
  code.use(kRows.data(), static_cast<std::uint32_t>(kRows.size()));
  const Stack stack = lock_in_guard(kInProgram);
  EXPECT_EQ(code.site_of(stack.frame()), address(kInProgram));
  EXPECT_EQ(code.site_of(stack.frame()), address(kInProgram)) << "as known";
}

TEST(WrapperCode, TellsCallersOfOneWrapperApart) {
  WrapperCode code;
  code.use(kRows.data(), static_cast<std::uint32_t>(kRows.size()));
  EXPECT_EQ(code.site_of(lock_in_guard(kInProgram).frame()), address(kInProgram));
  EXPECT_EQ(code.site_of(lock_in_guard(kInProgram + 8).frame()), address(kInProgram + 8));
}

TEST(WrapperCode, KeepsTheWrapperWhereNoProgramCalledIt) {
  WrapperCode code;
  code.use(kRows.data(), static_cast<std::uint32_t>(kRows.size()));
  EXPECT_EQ(code.site_of(lock_in_guard(kInC).frame()), address(kInLock));
}

TEST(WrapperCode, LooksForTheCallNotForWhatIsBehindIt) {
  WrapperCode code;
  code.use(kRows.data(), static_cast<std::uint32_t>(kRows.size()));
  // The call is the last instruction of a wrapper: the return address is the next function's.
  EXPECT_EQ(code.site_of(lock_in_guard(0x1000).frame()), address(0x1000)) << "before the wrapper";
  EXPECT_EQ(code.site_of(lock_in_guard(0x4100).frame()), address(kInLock)) << "the wrapper's end";
}

TEST(WrapperCode, GivesUpWhereAFrameIsNotAboveTheLast) {
  WrapperCode code;
  const WrapperRow down{.begin = 0x1000, .size = 0x100, .offset = -64, .kind = Kind::kByStack};
  code.use(&down, 1);
  EXPECT_EQ(code.site_of(lock_in_guard(kInProgram).frame()), address(kInLock));
  const WrapperRow odd{.begin = 0x1000, .size = 0x100, .offset = 17, .kind = Kind::kByStack};
  code.use(&odd, 1);
  EXPECT_EQ(code.site_of(lock_in_guard(kInProgram).frame()), address(kInLock));
}

TEST(WrapperCode, GivesUpAfterManyFrames) {
  const WrapperRow each{.begin = 0x1000, .size = 0x100, .offset = 8, .kind = Kind::kByStack};
  for (const std::uint32_t depth : {7u, 8u, 9u}) {
    WrapperCode code;
    code.use(&each, 1);
    Stack stack;
    stack.push(0);
    for (std::uint32_t i = 0; i < depth; ++i) stack.push(kInLock + i);
    stack.push(kInProgram);
    stack.push(0);
    // The last of the eight has to leave the wrappers.
    const std::uint64_t expected = depth < WrapperCode::kMostFrames ? kInProgram : kInLock;
    EXPECT_EQ(code.site_of(stack.frame()), address(expected)) << depth;
  }
}

TEST(WrapperCode, ForgetsWhatItKnewOfAnotherTable) {
  WrapperCode code;
  code.use(kRows.data(), static_cast<std::uint32_t>(kRows.size()));
  code.site_of(lock_in_guard(kInProgram).frame());
  code.use(kRows.data() + 2, 1);
  EXPECT_EQ(code.site_of(lock_in_guard(kInProgram).frame()), address(kInLock));
}

}  // namespace
}  // namespace unravel
