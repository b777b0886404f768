/// Wrappers of real programs: what compilers write, at several levels.
#include "symbolize/wrappers.hpp"

#include <algorithm>

#include "fixture.hpp"
#include "symbolize/debug_info.hpp"
#include "symbolize/symbolizer.hpp"
#include "symbolize/system_code.hpp"

namespace unravel {
namespace {

constexpr std::string_view kSource = R"(
#include <mutex>
#include <thread>
std::mutex mutex;
int counted = 0;
void count() {
  std::lock_guard guard(mutex);
  ++counted;
}
int main() {
  std::thread other(count);
  count();
  other.join();
  return counted == 2 ? 0 : 1;
}
)";

// With optimisation, what the thread does becomes a part of functions of <thread> and <algorithm>.
constexpr std::string_view kInlined = R"(
#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>
std::mutex mutex;
std::vector<int> counted(100);
int main() {
  std::thread other([] {
    std::for_each(counted.begin(), counted.end(), [](int& one) {
      std::lock_guard guard(mutex);
      ++one;
    });
  });
  std::sort(counted.begin(), counted.end(), [](int one, int two) {
    std::lock_guard guard(mutex);
    return one < two;
  });
  other.join();
}
)";

struct Build {
  std::string name;
  std::string command;
};

void PrintTo(const Build& build, std::ostream* out) { *out << build.command; }

class WrappersOf : public testing::TestWithParam<Build> {
 protected:
  std::string build() {
    const std::string source = folder_.write("count.cpp", kSource);
    shell(GetParam().command + " -std=c++17 -pthread " + source + " -o " + folder_.path("count"));
    return folder_.path("count");
  }
  TemporaryFolder folder_;
};

const WrapperRange* find(const std::vector<WrapperRange>& ranges, std::uint64_t offset) {
  const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const WrapperRange& range) {
    return range.begin <= offset && offset < range.end;
  });
  return found == ranges.end() ? nullptr : &*found;
}

TEST_P(WrappersOf, AreFunctionsOfHeadersAndNoneOfTheProgram) {
  const std::string path = build();
  const std::vector<WrapperRange> ranges = find_wrappers(path);
  ASSERT_FALSE(ranges.empty());
  EXPECT_TRUE(std::is_sorted(
      ranges.begin(), ranges.end(),
      [](const WrapperRange& a, const WrapperRange& b) { return a.end <= b.begin; }));

  int wrappers = 0;
  int own = 0;
  DebugInfo(path).for_each_symbol([&](const DebugInfo::FunctionSymbol& symbol) {
    const std::string name = short_name(demangled(symbol.name));
    const WrapperRange* range = find(ranges, (symbol.begin + symbol.end) / 2);
    if (name == "count" || name == "main") {
      ++own;
      EXPECT_FALSE(range) << name;
    }
    if (name.find("std::thread::_State_impl") == 0) {
      ++wrappers;
      EXPECT_TRUE(range) << name;
    }
  });
  EXPECT_EQ(own, 2);
  EXPECT_GT(wrappers, 0);
}

TEST_P(WrappersOf, HaveRulesThatACompilerWrites) {
  for (const WrapperRange& range : find_wrappers(build())) {
    EXPECT_NE(range.kind, WrapperRange::Kind::kEnd);
    EXPECT_GE(range.offset, 8);
    EXPECT_EQ(range.offset % 8, 0);
    EXPECT_NE(range.saved, 8u) << "there is the return address";
  }
}

TEST_P(WrappersOf, HaveNoCodeOfTheProgramInside) {
  const std::string source = folder_.write("inlined.cpp", kInlined);
  const std::string path = folder_.path("inlined");
  shell(GetParam().command + " -std=c++17 -pthread " + source + " -o " + path);

  DebugInfo info(path);
  const std::vector<WrapperRange> ranges = find_wrappers(path);
  EXPECT_FALSE(ranges.empty());
  for (const WrapperRange& range : ranges) {
    for (std::uint64_t offset = range.begin; offset < range.end; ++offset) {
      std::vector<Frame> frames = info.frames(offset);
      for (Frame& frame : frames) frame.module = path;
      const Frame* own = own_frame(frames);
      ASSERT_FALSE(own) << own->function << " at " << offset;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, WrappersOf,
                         testing::Values(Build{"GccO0", "g++ -g -O0"}, Build{"GccO2", "g++ -g -O2"},
                                         Build{"GccNoDebugInformation", "g++ -O0"},
                                         Build{"GccNoPie", "g++ -g -O0 -no-pie"},
                                         Build{"ClangO0", "clang++ -g -O0"},
                                         Build{"ClangO2", "clang++ -g -O2"}),
                         [](const auto& one) { return one.param.name; });

TEST(Wrappers, HaveFramePointersWithoutOptimisation) {
  TemporaryFolder folder;
  const std::string source = folder.write("count.cpp", kSource);
  shell("g++ -g -O0 -pthread " + source + " -o " + folder.path("count"));
  const std::vector<WrapperRange> ranges = find_wrappers(folder.path("count"));
  bool has_lock = false;
  DebugInfo(folder.path("count")).for_each_symbol([&](const DebugInfo::FunctionSymbol& symbol) {
    if (demangled(symbol.name) != "std::mutex::lock()") return;
    has_lock = true;
    const WrapperRange* range = find(ranges, (symbol.begin + symbol.end) / 2);
    ASSERT_TRUE(range);
    EXPECT_EQ(*range, (WrapperRange{.begin = range->begin,
                                    .end = range->end,
                                    .kind = WrapperRange::Kind::kByFramePointer,
                                    .offset = 16,
                                    .saved = 16}));
  });
  EXPECT_TRUE(has_lock);
}

TEST(Wrappers, OfLibrariesOfTheLanguageAreEverywhere) {
  const std::vector<WrapperRange> ranges =
      find_wrappers("/usr/lib/x86_64-linux-gnu/libstdc++.so.6");
  ASSERT_FALSE(ranges.empty());
  std::uint64_t end = 0;
  for (const WrapperRange& range : ranges) {
    EXPECT_LT(range.begin - end, 16u) << "more than padding";
    end = range.end;
  }
  EXPECT_EQ(end, ~std::uint64_t{0});
}

TEST(Wrappers, OfTheCLibraryEndEveryWalk) {
  EXPECT_EQ(
      find_wrappers("/lib/x86_64-linux-gnu/libc.so.6"),
      (std::vector<WrapperRange>{{.end = ~std::uint64_t{0}, .kind = WrapperRange::Kind::kEnd}}));
}

TEST(Wrappers, AreNotTemplatesOfTheProgramsTypesIfOnlyNamesAreKnown) {
  EXPECT_TRUE(is_system_throughout("std::mutex::lock()"));
  EXPECT_TRUE(is_system_throughout("std::lock_guard<std::mutex>::lock_guard(std::mutex&)"));
  EXPECT_TRUE(is_system_throughout(
      "std::thread::_State_impl<std::thread::_Invoker<std::tuple<void (*)(int)> > >::_M_run()"));
  EXPECT_TRUE(is_system_throughout("std::array<unsigned long, 5ul>::size() const"));
  EXPECT_FALSE(is_system_throughout("std::vector<Account>::push_back(Account const&)"));
  EXPECT_FALSE(
      is_system_throughout("std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{"
                           "lambda()#1}> > >::_M_run()"));
  EXPECT_FALSE(is_system_throughout("Account::balance()"));
}

TEST(Wrappers, AreNoneWhereThereIsNoFile) {
  EXPECT_TRUE(find_wrappers("/nowhere/program").empty());
  TemporaryFolder folder;
  EXPECT_TRUE(find_wrappers(folder.write("text", "no program")).empty());
}

}  // namespace
}  // namespace unravel
