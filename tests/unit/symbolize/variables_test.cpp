#include "symbolize/variables.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>

#include "fixture.hpp"

namespace unravel {
namespace {

// Parks once for each name that is asked for, in a child each. A parked child has written its pid,
// its registers and the address that it is about to use, ten words, to standard output.
constexpr std::string_view kProgram = R"(
#include <atomic>
#include <memory>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#define APART __attribute__((noinline))
volatile int sink;
volatile bool never;

extern "C" APART void park(const volatile void* address) {
  unsigned long words[10] = {(unsigned long)getpid()};
  words[9] = (unsigned long)address;
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
  if (write(1, words, sizeof words) < 0) abort();
  while (!never) pause();
}

enum Color : unsigned char { kRed, kGreen = 7 };
struct Inner { int first; int second; };
struct Config {
  long id;
  Inner pairs[3];
  union { int number; char bytes[4]; };
  unsigned ready : 1;
  unsigned done : 3;
  int limit;
  Color color;
};
struct Base { int in_base; };
struct Derived : Base { int own; Config config; };
struct Node { int value; Node* next; };
struct Shape { virtual ~Shape() {} int sides = 4; };
struct Plain { virtual ~Plain() {} int extra = 1; };
struct Circle : Shape, Plain { double radius = 2.5; };

struct Owners { std::shared_ptr<Inner> shared; std::unique_ptr<Inner> unique; } owners;
Config config = {1, {}, {}, 1, 2, 77, kGreen};
int table[4];
int matrix[2][3];
Node* list_head;
namespace app {
static std::atomic<int> flag{3};
struct Counters { static int shared; };
int Counters::shared;
}
namespace { Derived hidden; }

template <class F> APART void run(F work) { work(); sink = 2; }
template <class T> struct Queue {
  T* head_ = nullptr;
  int count_ = 5;
  static int instances;
  APART void push(int n) { park(&count_); count_ += n; }
  APART void drop() { park(&head_->next); head_ = head_->next; }
  APART void later() { run([this] { park(&count_); count_++; }); sink = count_; }
};
template <class T> int Queue<T>::instances;

APART int statics(int n) {
  static int calls = 9;
  park(&calls);
  return calls += n;
}
APART void use(Config& settings) { park(&settings.limit); settings.limit++; }
APART void use(Node* node) { park(&node->next); sink = node->value; }
static inline __attribute__((always_inline)) void inlined(Node* chosen) {
  park(&chosen->value);
  sink = chosen->value;
}
APART void through_inlined(Node* node) { inlined(node); sink = 1; }
APART void through_caller(volatile int* address) { park(address); sink = *address; }
APART void calls_with(Node* owner) { through_caller(&owner->value); sink = owner->value; }
APART void nowhere(const volatile void* address) { park(address); sink = 1; }
APART void through_scalar(int* scalar) { park(scalar); sink = *scalar; }
APART void through_owner(std::unique_ptr<Inner> owner) { park(&owner->second); sink = owner->first; }
APART void through_shared(std::shared_ptr<Inner> shared) { park(&shared->second); sink = shared->first; }
APART void through_vector(const std::vector<Inner>& list) { park(&list[2].second); sink = list[0].first; }
APART void behind_capture(Node* chosen) {
  run([&] { park(&chosen->next); chosen = chosen->next; });
  sink = chosen->value;
}
APART Node* new_nodes() {
  Node* nodes = (Node*)calloc(2, sizeof(Node));
  nodes[0].next = &nodes[1];
  return nodes;
}
APART Queue<Node>* new_queue() {
  Queue<Node>* queue = new Queue<Node>;
  queue->head_ = new_nodes();
  return queue;
}

template <class F> APART void hold(const F* function) { park(function); (*function)(); }

APART void in_main_frame(const char* how) {
  Config state = {2, {}, {}, 0, 0, 5, kRed};
  int counter = 1;
  volatile int* counted = &counter;
  *counted = 2;
  if (!strcmp(how, "local")) through_caller(counted);
  if (!strcmp(how, "local_member")) through_caller(&state.pairs[1].second);
  if (!strcmp(how, "lambda_reference")) run([&] { park(&counter); counter++; });
  if (!strcmp(how, "closure")) {
    const auto work = [&counter] { counter++; };
    hold(new auto(work));
  }
  if (!strcmp(how, "unknown")) nowhere(malloc(64));
  sink = state.limit + counter;
}

void act(const char* how) {
  const auto is = [&](const char* name) { return strcmp(how, name) == 0; };
  if (is("global_member")) park(&config.limit);
  if (is("global_element")) park(&config.pairs[2].second);
  if (is("global_union")) park(&config.number);
  if (is("global_bits")) park((char*)&config.number + 4);
  if (is("global_enum")) park(&config.color);
  if (is("padding")) park((char*)&config.color + 2);
  if (is("array")) park(&table[3]);
  if (is("matrix")) park(&matrix[1][2]);
  if (is("atomic")) park(&app::flag);
  if (is("static_member")) park(&app::Counters::shared);
  if (is("template_static")) park(&Queue<Node>::instances);
  if (is("anonymous")) park(&hidden.own);
  if (is("base_member")) park(&hidden.in_base);
  if (is("local_static")) statics(1);
  if (is("reference")) use(*(Config*)calloc(1, sizeof(Config)));
  if (is("pointer")) use(new_nodes());
  if (is("inlined")) through_inlined(new_nodes());
  if (is("caller")) calls_with(new_nodes());
  if (is("scalar")) through_scalar((int*)calloc(1, sizeof(int)));
  if (is("this")) new_queue()->push(1);
  if (is("behind_this")) new_queue()->drop();
  if (is("owner")) through_owner(std::make_unique<Inner>());
  if (is("behind_global")) nowhere(&(list_head = new_nodes())->value);
  if (is("class")) nowhere(&(new Circle)->radius);
  if (is("second_base")) nowhere(&(new Circle)->extra);
  if (is("captured_this")) new_queue()->later();
  if (is("shared_pointer")) through_shared(std::make_shared<Inner>());
  if (is("shared_itself")) park(&owners.shared);
  if (is("unique_itself")) park(&owners.unique);
  if (is("vector")) through_vector(std::vector<Inner>(3, Inner{7, 8}));
  if (is("behind_capture")) behind_capture(new_nodes());
  in_main_frame(how);
}

int main(int count, char** names) {
  for (int i = 1; i < count; ++i) {
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      act(names[i]);
      _exit(1);
    }
  }
  while (wait(nullptr) > 0) {}
}
)";

struct Case {
  const char* how;
  const char* expression;
  const char* type;
  const char* value;         // "-" if there is none
  bool may_be_lost = false;  // by the optimiser; what is not known must not be guessed
};

const Case kCases[] = {
    {"global_member", "config.limit", "Config.limit", "77"},
    {"global_element", "config.pairs[2].second", "Config.pairs[2].second", "0"},
    {"global_union", "config.number", "Config.number", "0"},
    {"global_bits", "config.{ready,done}", "Config.{ready,done}", "-"},
    {"global_enum", "config.color", "Config.color", "kGreen"},
    {"padding", "config+46", "Config+46", "-"},
    {"array", "table[3]", "int[3]", "0"},
    {"matrix", "matrix[1][2]", "int[1][2]", "0"},
    {"atomic", "app::flag", "atomic<int>", "3"},
    {"static_member", "app::Counters::shared", "int", "0"},
    {"template_static", "Queue<Node>::instances", "int", "0"},
    {"anonymous", "(anonymous namespace)::hidden.own", "Derived.own", "0"},
    {"base_member", "(anonymous namespace)::hidden.in_base", "Derived.in_base", "0"},
    {"local_static", "statics(int)::calls", "int", "9"},
    {"local", "counter in in_main_frame()", "int", "2"},
    {"local_member", "state.pairs[1].second in in_main_frame()", "Config.pairs[1].second", "0"},
    {"lambda_reference", "counter in in_main_frame()", "int", "2"},
    {"closure", "", "", "-"},
    {"unknown", "", "", "-"},
    {"reference", "settings.limit", "Config.limit", "0"},
    {"pointer", "node->next", "Node.next", "0x"},
    {"inlined", "chosen->value", "Node.value", "0"},
    {"caller", "owner->value", "Node.value", "0"},
    {"shared_pointer", "shared->second", "Inner.second", "0"},
    {"shared_itself", "owners.shared._M_ptr", "Owners.shared._M_ptr", "null"},
    {"unique_itself", "owners.unique", "Owners.unique", "null"},
    {"vector", "list[2].second", "Inner.second", "8"},
    {"behind_capture", "chosen->next", "Node.next", "0x", true},
    {"scalar", "*scalar", "int", "0"},
    {"owner", "owner->second", "Inner.second", "0"},
    {"captured_this", "this->count_", "Queue<Node>.count_", "5"},
    {"this", "this->count_", "Queue<Node>.count_", "5"},
    {"behind_this", "this->head_->next", "Node.next", "0x"},
    {"behind_global", "list_head->value", "Node.value", "0"},
    {"class", "Circle.radius", "Circle.radius", "2.5"},
    {"second_base", "Circle.extra", "Circle.extra", "1"},
};

struct Parked {
  pid_t pid = 0;
  Registers regs;
  std::uint64_t address = 0;
};

/// Starts the program for one case; its child is killed with the object.
class ParkedCase {
 public:
  ParkedCase(const std::string& program, const char* how) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], 1);
      ::execl(program.c_str(), program.c_str(), how, nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    std::uint64_t w[10] = {};
    EXPECT_EQ(::read(ends[0], w, sizeof w), static_cast<ssize_t>(sizeof w)) << how;
    ::close(ends[0]);
    parked = {static_cast<pid_t>(w[0]), {w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]}, w[9]};
  }
  ~ParkedCase() {
    if (parked.pid > 0) ::kill(parked.pid, SIGKILL);
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ParkedCase(const ParkedCase&) = delete;
  ParkedCase& operator=(const ParkedCase&) = delete;

  Parked parked;

 private:
  pid_t pid_ = -1;
};

class VariablesOn : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string source = folder_.write("variables.cpp", kProgram);
    shell(GetParam() + " -o " + program() + " " + source + " -pthread");
  }

  std::string program() const { return folder_.path("program"); }

  std::optional<Variable> find(const Parked& parked) {
    const auto stack = unwinder_.walk(parked.pid, parked.regs);
    EXPECT_TRUE(stack) << stack.error().what;
    return variables_.find(parked.pid, parked.address, *stack, {&parked.regs, 1});
  }

  std::string value(const Parked& parked, const ValueShape& shape) {
    std::vector<std::byte> bytes(shape.size);
    ProcessMemory memory;
    EXPECT_TRUE(memory.open(parked.pid) && memory.read(parked.address, bytes.data(), shape.size));
    return value_text(shape, bytes);
  }

  TemporaryFolder folder_;
  Symbolizer symbolizer_;
  Unwinder unwinder_;
  Variables variables_{symbolizer_, unwinder_};
};

TEST_P(VariablesOn, AreCalledAsTheProgramCallsThem) {
  for (const Case& one : kCases) {
    const ParkedCase running(program(), one.how);

    const auto found = find(running.parked);

    if (!found && one.may_be_lost && GetParam().find("-O1") != std::string::npos) continue;
    EXPECT_EQ(found ? found->name.expression : "", one.expression) << one.how;
    EXPECT_EQ(found ? found->name.type : "", one.type) << one.how;
    const bool has_value = found && found->shape;
    EXPECT_EQ(has_value, std::strcmp(one.value, "-") != 0) << one.how;
    if (!has_value) continue;
    const std::string text = value(running.parked, *found->shape);
    if (std::strcmp(one.value, "0x") == 0) {
      EXPECT_TRUE(text.starts_with("0x")) << one.how << ": " << text;
    } else {
      EXPECT_EQ(text, one.value) << one.how;
    }
  }
}

TEST_P(VariablesOn, HaveNoNamesAtAddressesThatMeanNothing) {
  const ParkedCase running(program(), "local");
  Parked parked = running.parked;
  for (const std::uint64_t address :
       {std::uint64_t{0}, std::uint64_t{8}, ~std::uint64_t{0}, parked.regs.rip}) {
    parked.address = address;
    EXPECT_FALSE(find(parked)) << address;
  }
}

TEST_P(VariablesOn, EndWellOnGarbage) {
  const ParkedCase running(program(), "this");
  std::uint64_t random = 88172645463325252;  // any but 0
  const auto next = [&] {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random;
  };
  for (int i = 0; i < 200; ++i) {
    // Registers that are off a little, or anything; addresses near the stack, the code or nowhere.
    Parked parked = running.parked;
    if (i % 2 == 0) parked.regs.rsp += next() % 4096;
    if (i % 3 == 0) parked.regs.rbp = next();
    if (i % 5 == 0) parked.regs.rbx = next();
    if (i % 7 == 0) parked.regs.rip += next() % 4096;
    const std::uint64_t near[] = {parked.address, parked.regs.rsp, parked.regs.rip, next()};
    parked.address = near[i % 4] + next() % 4096;

    const auto found = find(parked);

    EXPECT_TRUE(!found || !found->name.expression.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Builds, VariablesOn,
                         testing::Values("g++ -g -O0", "g++ -g -O1", "g++ -gdwarf-4 -O1",
                                         "g++ -gdwarf-4 -O0 -no-pie", "clang++ -g -O0",
                                         "clang++ -g -O1", "clang++ -gdwarf-4 -O1",
                                         "clang++ -gdwarf-4 -O0 -no-pie"),
                         [](const auto& build) {
                           std::string name = build.param;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); },
                               '_');
                           return name;
                         });

}  // namespace
}  // namespace unravel
