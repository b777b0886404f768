#include "symbolize/unwinder.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>

#include "fixture.hpp"

namespace unravel {
namespace {

// Parks in the way its first argument says, once in each of as many forked children as its second
// says. A parked child has written its pid and registers, nine words, to standard output; of a
// fault those at the fault follow, seventeen words in the order of `Registers`.
constexpr std::string_view kParks = R"(
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__((noinline))
volatile int sink;
unsigned long at_fault[17];
bool has_fault;

extern "C" APART void park() {
  unsigned long words[26] = {(unsigned long)getpid()};
  asm volatile(
      "leaq 0f(%%rip), %%rax\n"
      "0: movq %%rax, 8(%0)\n"
      "movq %%rsp, 16(%0)\n"
      "movq %%rbp, 24(%0)\n"
      "movq %%rbx, 32(%0)\n"
      "movq %%r12, 40(%0)\n"
      "movq %%r13, 48(%0)\n"
      "movq %%r14, 56(%0)\n"
      "movq %%r15, 64(%0)\n"
      :
      : "D"(words)
      : "rax", "memory");
  memcpy(words + 9, at_fault, sizeof at_fault);
  if (write(1, words, has_fault ? sizeof words : 72) < 0) abort();
  for (;;) pause();
}

extern "C" APART void inner(int n) { if (n == 7) park(); sink += n; }
// Enough live values to fill the registers that calls preserve.
extern "C" APART int middle(int a, int b, int c, int d, int e) {
  inner(a); inner(b); inner(c); inner(d); inner(e);
  return a * b + c * d - e;
}
extern "C" APART int outer(int n) {
  volatile char* room = (volatile char*)alloca((size_t)n * 100);
  room[0] = 1;
  int r = middle(n, n + 1, n + 2, n + 3, n + 4);
  return r + room[0];
}

extern "C" APART void recurse(int n) { if (n == 0) park(); else recurse(n - 1); sink = n; }

extern "C" APART void on_signal(int, siginfo_t*, void* context) {
  greg_t* r = ((ucontext_t*)context)->uc_mcontext.gregs;
  int order[] = {REG_RIP, REG_RSP, REG_RBP, REG_RBX, REG_R12, REG_R13, REG_R14, REG_R15, REG_RAX,
                 REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11};
  for (int i = 0; i < 17; ++i) at_fault[i] = (unsigned long)r[order[i]];
  has_fault = true;
  park();
  sink = 1;
}
int* volatile nowhere;
void (*volatile no_function)();
extern "C" APART void faults(int n) { if (n == 5) *nowhere = n; sink = n; }
extern "C" APART void calls_nothing(int n) { if (n == 5) no_function(); sink = n; }

void act(char how) {
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  switch (how) {
    case 'c': outer(5); break;
    case 't':
      pthread_t thread;
      pthread_create(&thread, nullptr, [](void*) -> void* { outer(5); return nullptr; }, nullptr);
      pthread_join(thread, nullptr);
      break;
    case 'r': recurse(1000); break;
    case 'f': faults(5); break;
    case 'n': calls_nothing(5); break;
  }
}

int main(int, char** argv) {
  for (int i = atoi(argv[2]); i > 0; --i) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      act(argv[1][0]);
      _exit(1);
    }
  }
  while (wait(nullptr) > 0) {}
}
)";

struct Parked {
  pid_t pid = 0;
  Registers regs;
  Registers at_fault;
};

/// A running fixture with parked children, ended with the object.
class ParkedProgram {
 public:
  ParkedProgram(const std::string& program, const std::string& how, int children) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], 1);
      ::execl(program.c_str(), program.c_str(), how.c_str(), std::to_string(children).c_str(),
              nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    const bool faults = how == "f" || how == "n";
    for (int i = 0; i < children; ++i) parked_.push_back(read_parked(ends[0], faults));
    ::close(ends[0]);
  }
  ~ParkedProgram() {
    for (const Parked& child : parked_) {
      if (child.pid > 0) ::kill(child.pid, SIGKILL);
    }
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ParkedProgram(const ParkedProgram&) = delete;
  ParkedProgram& operator=(const ParkedProgram&) = delete;

  const Parked& child(std::size_t i) const { return parked_.at(i); }

 private:
  static Parked read_parked(int from, bool faults) {
    std::uint64_t w[26] = {};
    const ssize_t size = faults ? 26 * 8 : 9 * 8;  // one write of this size to a pipe is whole
    EXPECT_EQ(::read(from, w, static_cast<std::size_t>(size)), size);
    return {.pid = static_cast<pid_t>(w[0]),
            .regs = {w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]},
            .at_fault = {w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16], true, w[17], w[18],
                         w[19], w[20], w[21], w[22], w[23], w[24], w[25]}};
  }

  pid_t pid_ = -1;
  std::vector<Parked> parked_;
};

class UnwinderOn : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string source = folder_.write("parks.cpp", kParks);
    shell(GetParam() + " -o " + program() + " " + source + " -pthread");
  }

  std::string program() const { return folder_.path("program"); }

  /// Names of the frames that have one, innermost first.
  std::vector<std::string> names(const std::vector<RawFrame>& stack) {
    std::vector<std::string> names;
    for (const Frame& frame : symbolize(symbolizer_, stack)) {
      if (!frame.function.empty()) names.push_back(short_name(frame.function));
    }
    return names;
  }

  TemporaryFolder folder_;
  Symbolizer symbolizer_;
  Unwinder unwinder_;
};

std::vector<std::string> first(std::size_t count, std::vector<std::string> names) {
  names.resize(std::min(count, names.size()));
  return names;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST_P(UnwinderOn, WalksFromAParkedThreadToMain) {
  const ParkedProgram running(program(), "c", 1);
  const Parked& child = running.child(0);

  const auto stack = unwinder_.unwind(child.pid, child.regs);

  ASSERT_TRUE(stack) << stack.error().what;
  EXPECT_EQ(first(4, names(*stack)),
            (std::vector<std::string>{"park", "inner", "middle", "outer"}));
  EXPECT_TRUE(has(names(*stack), "main"));
  EXPECT_EQ(names(*stack).back(), "_start");
  EXPECT_EQ(stack->front().module, program());
  EXPECT_TRUE(stack->front().exact);
  EXPECT_FALSE(stack->at(1).exact);
}

TEST_P(UnwinderOn, WalksAThreadToWhereItBegan) {
  const ParkedProgram running(program(), "t", 1);
  const Parked& child = running.child(0);

  const auto stack = unwinder_.unwind(child.pid, child.regs);

  ASSERT_TRUE(stack) << stack.error().what;
  EXPECT_EQ(first(4, names(*stack)),
            (std::vector<std::string>{"park", "inner", "middle", "outer"}));
  EXPECT_FALSE(has(names(*stack), "main"));
  EXPECT_LT(stack->size(), 20u);
  EXPECT_NE(stack->back().module.find("libc.so"), std::string::npos);
}

TEST_P(UnwinderOn, WalksThroughASignalHandler) {
  const ParkedProgram running(program(), "f", 1);
  const Parked& child = running.child(0);

  const auto stack = unwinder_.unwind(child.pid, child.regs);

  ASSERT_TRUE(stack) << stack.error().what;
  EXPECT_EQ(first(2, names(*stack)), (std::vector<std::string>{"park", "on_signal"}));
  ASSERT_GE(stack->size(), 4u);
  EXPECT_TRUE(stack->at(3).exact) << "the instruction that faulted is not a return address";
  EXPECT_EQ(stack->at(3).offset, unwinder_.unwind(child.pid, child.at_fault)->front().offset);
  const std::vector<Frame> fault = symbolizer_.frames(program(), stack->at(3).offset, true);
  EXPECT_EQ(short_name(fault.back().function), "faults");
  EXPECT_TRUE(has(names(*stack), "main"));
}

TEST_P(UnwinderOn, WalksFromTheRegistersOfAFault) {
  const ParkedProgram running(program(), "f", 1);
  const Parked& child = running.child(0);

  const auto stack = unwinder_.unwind(child.pid, child.at_fault);

  ASSERT_TRUE(stack) << stack.error().what;
  EXPECT_EQ(names(*stack).front(), "faults");
  EXPECT_TRUE(has(names(*stack), "main"));
}

TEST_P(UnwinderOn, FindsWhoCalledThroughANullPointer) {
  const ParkedProgram running(program(), "n", 1);
  const Parked& child = running.child(0);

  const auto stack = unwinder_.unwind(child.pid, child.at_fault);

  ASSERT_TRUE(stack) << stack.error().what;
  EXPECT_EQ(stack->front(), (RawFrame{.module = "", .offset = 0, .exact = true}));
  EXPECT_EQ(names(*stack).front(), "calls_nothing");
  EXPECT_FALSE(stack->at(1).exact);
  EXPECT_TRUE(has(names(*stack), "main"));
}

TEST_P(UnwinderOn, StopsAtTheGivenNumberOfFrames) {
  const ParkedProgram running(program(), "r", 1);
  const Parked& child = running.child(0);

  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{128}}) {
    EXPECT_EQ(unwinder_.unwind(child.pid, child.regs, most)->size(), most);
  }
  EXPECT_GT(unwinder_.unwind(child.pid, child.regs, 2000)->size(), 1000u);
}

TEST_P(UnwinderOn, OpensAProgramOnceForAllItsChildren) {
  const ParkedProgram running(program(), "c", 3);

  const auto stack = unwinder_.unwind(running.child(0).pid, running.child(0).regs);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(unwinder_.unwind(running.child(i).pid, running.child(i).regs), stack);
  }

  EXPECT_EQ(unwinder_.opened(), 1u);
}

TEST_P(UnwinderOn, ReadsWhatIsMappedOnceInAVisit) {
  const ParkedProgram running(program(), "c", 2);
  const Parked& child = running.child(0);
  const auto alone = unwinder_.unwind(child.pid, child.regs);
  const std::size_t before = unwinder_.maps_read();

  {
    const Unwinder::Visit visit(unwinder_, child.pid);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(unwinder_.unwind(child.pid, child.regs), alone);
    EXPECT_TRUE(unwinder_.modules(child.pid).has_value());
    EXPECT_EQ(unwinder_.maps_read(), before + 1);
    // Somebody else is not taken for it.
    EXPECT_EQ(unwinder_.unwind(running.child(1).pid, running.child(1).regs), alone);
    EXPECT_EQ(unwinder_.maps_read(), before + 2);
    EXPECT_EQ(unwinder_.unwind(child.pid, child.regs), alone);
  }
  EXPECT_EQ(unwinder_.unwind(child.pid, child.regs), alone);
  EXPECT_EQ(unwinder_.maps_read(), before + 3);
}

TEST_P(UnwinderOn, SaysInAVisitToNobodyThatThereIsNone) {
  const Unwinder::Visit visit(unwinder_, 0);

  EXPECT_FALSE(unwinder_.unwind(0, {}).has_value());
}

TEST_P(UnwinderOn, WalksAProgramWhoseFileIsGone) {
  const ParkedProgram running(program(), "c", 1);
  const Parked& child = running.child(0);
  const std::string kept = folder_.path("kept");
  shell("cp " + program() + " " + kept + " && rm " + program());

  auto stack = unwinder_.unwind(child.pid, child.regs);

  ASSERT_TRUE(stack) << stack.error().what;
  EXPECT_EQ(stack->front().module, program() + " (deleted)");
  for (RawFrame& frame : *stack) {
    if (frame.module == program() + " (deleted)") frame.module = kept;
  }
  EXPECT_EQ(first(4, names(*stack)),
            (std::vector<std::string>{"park", "inner", "middle", "outer"}));
  EXPECT_TRUE(has(names(*stack), "main"));
}

TEST_P(UnwinderOn, EndsWellOnGarbage) {
  const ParkedProgram running(program(), "c", 1);
  const Parked& child = running.child(0);
  std::uint64_t random = 88172645463325252;  // any but 0
  const auto next = [&] {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random;
  };

  for (int i = 0; i < 500; ++i) {
    // Real code with a stack pointer that is off, near the stack or anywhere; then any code at all.
    Registers regs = child.regs;
    if (i % 2 == 0) regs.rsp += next() % 4096;
    if (i % 3 == 0) regs.rsp = next();
    if (i % 5 == 0) regs.rbp = next();
    if (i % 7 == 0) regs.rip = next();
    if (i % 11 == 0) regs.rip += next() % 4096;
    regs.full = i % 13 == 0;

    const auto stack = unwinder_.unwind(child.pid, regs);

    ASSERT_TRUE(stack) << stack.error().what;
    EXPECT_GE(stack->size(), 1u);
    EXPECT_LE(stack->size(), 128u);
  }
  EXPECT_EQ(unwinder_.unwind(child.pid, {})->front(), (RawFrame{"", 0, true}));
}

INSTANTIATE_TEST_SUITE_P(Builds, UnwinderOn,
                         testing::Values("g++ -O2 -g", "g++ -O0 -g", "g++ -O2 -no-pie",
                                         "clang++ -O2 -g", "clang++ -O2 -no-pie"),
                         [](const auto& build) {
                           std::string name;
                           for (const char c : build.param) {
                             if (std::isalnum(static_cast<unsigned char>(c))) name.push_back(c);
                           }
                           return name;
                         });

TEST(Unwinder, SaysThatAProcessIsGone) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  ::waitpid(pid, nullptr, 0);

  Unwinder unwinder;
  const auto stack = unwinder.unwind(pid, {});

  ASSERT_FALSE(stack);
  EXPECT_EQ(stack.error().kind, Error::Kind::kEnvironment);
  EXPECT_NE(stack.error().what.find(std::to_string(pid)), std::string::npos);
}

TEST(Symbolize, OfAnEmptyStackIsEmpty) {
  Symbolizer symbolizer;

  EXPECT_TRUE(symbolize(symbolizer, {}).empty());
}

}  // namespace
}  // namespace unravel
