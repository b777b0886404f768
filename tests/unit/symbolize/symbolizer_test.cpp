#include "symbolize/symbolizer.hpp"

#include "fixture.hpp"

namespace unravel {
namespace {

// Prints where it was called from as `module offset`, as the dynamic linker sees it.
constexpr std::string_view kProbe = R"(
#include <dlfcn.h>
#include <stdio.h>
extern "C" __attribute__((noinline)) void probe() {
  char* from = static_cast<char*>(__builtin_return_address(0));
  Dl_info where;
  dladdr(from, &where);
  printf("%s %zx\n", where.dli_fname, (size_t)(from - static_cast<char*>(where.dli_fbase)));
}
)";

constexpr std::string_view kInlines = R"(
extern "C" void probe();
namespace bank {
struct Account {
  int amount = 0;
  inline __attribute__((always_inline)) void add(int more) {
    probe();  // line: add
    amount += more;
  }
};
namespace {
inline __attribute__((always_inline)) void add_twice(Account& account) {
  account.add(1);  // line: add_twice
  account.add(2);
}
}  // namespace
__attribute__((noinline)) int pay(Account& account) {
  add_twice(account);  // line: pay
  return account.amount;
}
}  // namespace bank
extern "C" int entry() {
  bank::Account account;
  return bank::pay(account) == 3 ? 0 : 1;  // line: entry
}
)";

constexpr std::string_view kMain = R"(
extern "C" int entry();
int main() { return entry(); }
)";

struct Address {
  std::string module;
  std::uint64_t offset = 0;
};

Address first_address(const std::string& printed) {
  Address address;
  std::istringstream(printed) >> address.module >> std::hex >> address.offset;
  return address;
}

struct Build {
  std::string name;
  std::string compiler;
  std::string flags;
  bool shared = false;
  bool relative = false;  // compiled by a name that is relative to the current folder
};

void PrintTo(const Build& build, std::ostream* out) {
  *out << build.compiler << " " << build.flags;
}

class SymbolizerOn : public testing::TestWithParam<Build> {
 protected:
  Address build_and_run() {
    const std::string main = folder_.write("main.cpp", kMain);
    source_ = folder_.write("inlines.cpp", kInlines);
    const std::string inlines = GetParam().relative ? "inlines.cpp" : source_;
    const std::string probe = folder_.write("probe.cpp", kProbe);
    const std::string program = folder_.path("program");
    const std::string compile =
        "cd " + folder_.path("") + " && " + GetParam().compiler + " " + GetParam().flags + " ";
    if (GetParam().shared) {
      const std::string library = folder_.path("libinlines.so");
      shell(compile + "-shared -fPIC -o " + library + " " + inlines + " " + probe);
      shell(compile + "-o " + program + " " + main + " " + library + " -ldl");
    } else {
      shell(compile + "-o " + program + " " + main + " " + inlines + " " + probe + " -ldl");
    }
    return first_address(output_of(program));
  }

  TemporaryFolder folder_;
  std::string source_;
};

TEST_P(SymbolizerOn, ExpandsInlinedCallsWithTheirLines) {
  const Address address = build_and_run();

  Symbolizer symbolizer;
  const std::vector<Frame> frames = symbolizer.frames(address.module, address.offset);

  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(short_name(frames[0].function), "bank::Account::add");
  EXPECT_EQ(frames[0].line, line_of(kInlines, "line: add\n"));
  EXPECT_TRUE(frames[0].inlined);
  EXPECT_NE(frames[1].function.find("add_twice"), std::string::npos) << frames[1].function;
  EXPECT_EQ(frames[1].line, line_of(kInlines, "line: add_twice"));
  EXPECT_TRUE(frames[1].inlined);
  EXPECT_EQ(short_name(frames[2].function), "bank::pay");
  EXPECT_EQ(frames[2].line, line_of(kInlines, "line: pay"));
  EXPECT_FALSE(frames[2].inlined);
  for (const Frame& frame : frames) {
    EXPECT_EQ(std::filesystem::path(frame.file).lexically_normal(), source_);
    EXPECT_EQ(frame.module, address.module);
    EXPECT_EQ(frame.offset, address.offset);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Builds, SymbolizerOn,
    testing::Values(Build{"GccPie", "g++", "-O2 -g"}, Build{"GccNoPie", "g++", "-O2 -g -no-pie"},
                    Build{"GccShared", "g++", "-O2 -g", true},
                    Build{"GccDwarf4", "g++", "-O2 -gdwarf-4"},
                    Build{"GccRelative", "g++", "-O2 -g", false, true},
                    Build{"GccRelativeDwarf4", "g++", "-O2 -gdwarf-4", false, true},
                    Build{"GccRelativeSplit", "g++", "-O2 -g -gsplit-dwarf", false, true},
                    Build{"ClangRelative", "clang++", "-O2 -g", false, true},
                    Build{"ClangSplit", "clang++", "-O2 -g -gsplit-dwarf"},
                    Build{"GccLto", "g++", "-O2 -g -flto"}, Build{"GccO0", "g++", "-O0 -g"},
                    Build{"GccSections", "g++", "-O2 -g -ffunction-sections -Wl,--gc-sections"},
                    Build{"GccSplit", "g++", "-O2 -g -gsplit-dwarf"},
                    Build{"ClangPie", "clang++", "-O2 -g -fPIE -pie"},
                    Build{"ClangNoPie", "clang++", "-O2 -g -no-pie"},
                    Build{"ClangShared", "clang++", "-O2 -g", true},
                    Build{"ClangDwarf4", "clang++", "-O2 -gdwarf-4"},
                    Build{"ClangAranges", "clang++", "-O2 -g -gdwarf-aranges"}),
    [](const auto& build) { return build.param.name; });

class Symbols : public testing::Test {
 protected:
  Address build(const std::string& flags) {
    const std::string source =
        folder_.write("all.cpp", std::string(kProbe) + std::string(kInlines) + std::string(kMain));
    shell("c++ -O2 " + flags + " -o " + program() + " " + source + " -ldl");
    return first_address(output_of(program()));
  }
  std::string program() const { return folder_.path("program"); }

  TemporaryFolder folder_;
};

TEST_F(Symbols, AreTheSameWhenAskedAgain) {
  const Address address = build("-g");
  Symbolizer symbolizer;

  const std::vector<Frame> frames = symbolizer.frames(address.module, address.offset);
  const std::vector<Frame> again = symbolizer.frames(address.module, address.offset);
  const std::vector<Frame> exact = symbolizer.frames(address.module, address.offset - 1, true);

  EXPECT_EQ(frames, again);
  EXPECT_EQ(exact.size(), frames.size());
  EXPECT_EQ(exact.front().line, frames.front().line);
  EXPECT_EQ(exact.front().offset, address.offset - 1);
}

// GCC records linkage names only for functions that other units can see.
TEST_F(Symbols, AreQualifiedWithAndWithoutALinkageName) {
  const Address address = build("-g");

  Symbolizer symbolizer;
  const std::vector<Frame> frames = symbolizer.frames(address.module, address.offset);

  ASSERT_EQ(frames.size(), 3u);
  EXPECT_TRUE(frames[1].function.starts_with("bank::(anonymous namespace)::add_twice"))
      << frames[1].function;
  EXPECT_EQ(frames[2].function, "bank::pay(bank::Account&)");
}

TEST_F(Symbols, NameFunctionsWithoutDebugInformation) {
  const Address address = build("");

  Symbolizer symbolizer;
  const std::vector<Frame> frames = symbolizer.frames(address.module, address.offset);

  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "bank::pay(bank::Account&)");
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(frames[0].line, 0);
}

TEST_F(Symbols, AreBlankInAStrippedProgram) {
  const Address address = build("-g -s");

  Symbolizer symbolizer;
  const std::vector<Frame> frames = symbolizer.frames(address.module, address.offset);

  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function, "");
  EXPECT_EQ(frames[0].file, "");
  EXPECT_EQ(frames[0].module, program());
  EXPECT_EQ(frames[0].offset, address.offset);
}

TEST_F(Symbols, ComeFromASeparateDebugFileNextToTheProgram) {
  const Address address = build("-g");
  shell("cd " + folder_.path("") + " && objcopy --only-keep-debug program program.debug && " +
        "strip program && objcopy --add-gnu-debuglink=program.debug program");

  Symbolizer symbolizer;
  const std::vector<Frame> frames = symbolizer.frames(address.module, address.offset);

  ASSERT_EQ(frames.size(), 3u);
  EXPECT_EQ(short_name(frames[2].function), "bank::pay");
  EXPECT_GT(frames[2].line, 0);
}

TEST_F(Symbols, AreNotTakenFromTheDebugFileOfAnotherBuild) {
  build("-g -DOTHER -O1");
  shell("cd " + folder_.path("") + " && objcopy --only-keep-debug program program.debug");
  const Address address = build("-g");
  shell("cd " + folder_.path("") +
        " && strip program && objcopy --add-gnu-debuglink=program.debug program");

  Symbolizer symbolizer;

  EXPECT_EQ(symbolizer.frames(address.module, address.offset).front().file, "");
}

TEST(Symbolizer, LeavesTheUnknownBlank) {
  const TemporaryFolder folder;
  Symbolizer symbolizer;

  for (const std::string& module :
       {std::string(), std::string("[vdso]"), folder.path("missing"),
        folder.write("text", "this is no ELF file, but has some length"), folder.path("")}) {
    const std::vector<Frame> frames = symbolizer.frames(module, 0x1234);

    ASSERT_EQ(frames.size(), 1u) << module;
    EXPECT_EQ(frames[0], (Frame{.module = module, .offset = 0x1234}));
  }
}

TEST(Symbolizer, LeavesAnOffsetOutsideTheCodeBlank) {
  Symbolizer symbolizer;

  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    const std::vector<Frame> frames = symbolizer.frames("/proc/self/exe", offset);

    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0].line, 0);
  }
}

TEST(Symbolizer, SaysWhereALambdaIsFrom) {
  constexpr std::string_view kLambda = R"(
extern "C" void probe();
volatile int sink;
namespace bank {
void run() {
  for (int i = 0; i < 1; ++i) {
    auto step = [&] { probe(); sink = i; };
    step();
  }
}
}  // namespace bank
int main() { bank::run(); }
)";
  for (const std::string compiler : {"g++ -O0", "g++ -O2", "clang++ -O0", "clang++ -O2"}) {
    const TemporaryFolder folder;
    const std::string source =
        folder.write("lambda.cpp", std::string(kProbe) + std::string(kLambda));
    shell(compiler + " -g -o " + folder.path("program") + " " + source + " -ldl");
    const Address address = first_address(output_of(folder.path("program")));

    Symbolizer symbolizer;
    const Frame frame = symbolizer.frames(address.module, address.offset).front();

    EXPECT_TRUE(frame.function.starts_with("bank::run()::{lambda")) << frame.function;
    EXPECT_NE(frame.function.find("}::operator()"), std::string::npos) << frame.function;
  }
}

// The lock is three functions deep in headers at -O0; each is a frame of its own on the stack.
TEST(OwnFrame, OfAMutexLockIsTheLineThatLocks) {
  constexpr std::string_view kLock = R"(
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <mutex>
std::mutex mutex;
extern "C" int pthread_mutex_lock(pthread_mutex_t*) noexcept {
  void* stack[16];
  int depth = backtrace(stack, 16);
  for (int i = 1; i < depth; ++i) {
    Dl_info where;
    dladdr(stack[i], &where);
    printf("%s %zx\n", where.dli_fname, (size_t)((char*)stack[i] - (char*)where.dli_fbase));
  }
  return 0;
}
int main() {
  std::lock_guard<std::mutex> hold(mutex);  // line: lock
}
)";
  for (const std::string compiler : {"g++", "clang++"}) {
    const TemporaryFolder folder;
    const std::string source = folder.write("lock.cpp", kLock);
    shell(compiler + " -O0 -g -o " + folder.path("lock") + " " + source + " -ldl");
    std::istringstream printed(output_of(folder.path("lock")));

    Symbolizer symbolizer;
    std::vector<Frame> stack;
    for (Address at; printed >> at.module >> std::hex >> at.offset;) {
      for (const Frame& frame : symbolizer.frames(at.module, at.offset)) stack.push_back(frame);
    }
    const Frame* own = own_frame(stack);

    ASSERT_GE(stack.size(), 4u);
    EXPECT_EQ(short_name(stack[0].function), "__gthread_mutex_lock");
    EXPECT_TRUE(is_system(stack[0])) << stack[0].file;
    EXPECT_TRUE(is_system(stack[1])) << stack[1].file;
    ASSERT_NE(own, nullptr);
    EXPECT_EQ(own->function, "main");
    EXPECT_EQ(own->file, source);
    EXPECT_EQ(own->line, line_of(kLock, "line: lock"));
  }
}

TEST(OwnFrame, IsAbsentWhereAllIsTheSystems) {
  EXPECT_EQ(own_frame({}), nullptr);
  EXPECT_EQ(own_frame({{.function = "raise", .module = "/lib/x86_64-linux-gnu/libc.so.6"},
                       {.function = "_start", .module = "/home/me/program"},
                       {.function = "", .module = ""}}),
            nullptr);
}

struct Case {
  std::string what;
  Frame frame;
  bool system;
};

TEST(IsSystem, GoesByFileThenModuleThenName) {
  const std::string program = "/home/me/program";
  const std::vector<Case> cases = {
      {"C header", {.file = "/usr/include/stdlib.h", .module = program}, true},
      {"C++ header", {.file = "/opt/gcc/include/c++/13/mutex", .module = program}, true},
      {"C++ header by Clang",
       {.file = "/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/thread",
        .module = program},
       true},
      {"gthr-default.h",
       {.file = "/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h", .module = program},
       true},
      {"libc source in a static program",
       {.file = "../sysdeps/x86_64/start.S", .module = program},
       true},
      {"libc source", {.file = "./nptl/./nptl/pthread_create.c", .module = program}, true},
      {"libc source, absolute",
       {.file = "/build/glibc-x/glibc-2.31/csu/../sysdeps/x86_64/start.S", .module = program},
       true},
      {"libc", {.module = "/lib/x86_64-linux-gnu/libc.so.6"}, true},
      {"old libc", {.module = "/lib/x86_64-linux-gnu/libc-2.31.so"}, true},
      {"libstdc++", {.module = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30"}, true},
      {"loader", {.module = "/lib64/ld-linux-x86-64.so.2"}, true},
      {"runtime", {.file = "/src/turn.cpp", .module = "/opt/lib/unravel/libunravel-rt.so"}, true},
      {"runtime in TSan's place", {.module = "/opt/lib/unravel/libtsan.so.2"}, true},
      {"vdso", {.module = "[vdso]"}, true},
      {"name only", {.function = "std::mutex::lock()", .module = program}, true},
      {"template by name",
       {.function = "void std::__invoke_impl<void, void (*)()>(int)", .module = program},
       true},

      {"own file", {.file = "/home/me/src/bits/main.cpp", .module = program}, false},
      {"own file, relative", {.file = "src/main.cpp", .module = program}, false},
      {"own header", {.file = "/home/me/include/queue.hpp", .module = program}, false},
      {"own library", {.module = "/home/me/libmine.so"}, false},
      {"own library with a system's name in its own", {.module = "/home/me/libcache.so"}, false},
      {"own function of library types",
       {.function = "std::vector<int> own<int>(std::mutex&)", .module = program},
       false},
      {"own hidden function",
       {.function = "(anonymous namespace)::go(std::mutex&)", .module = program},
       false},
      {"stripped", {.module = program}, false},
  };
  for (const Case& c : cases) EXPECT_EQ(is_system(c.frame), c.system) << c.what;
}

}  // namespace
}  // namespace unravel
