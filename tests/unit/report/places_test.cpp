#include "report/places.hpp"

#include <gtest/gtest.h>

#include "symbolize/source_lines.hpp"

namespace unravel {
namespace {

TEST(Places, ShortenFunctions) {
  EXPECT_EQ(short_function("main"), "main()");
  EXPECT_EQ(short_function("Queue::push(int) const"), "Queue::push()");
  EXPECT_EQ(short_function("(anonymous namespace)::f(int)"), "f()");
  EXPECT_EQ(short_function("A::operator()(int) const"), "A::operator()()");
  EXPECT_EQ(short_function("A<int>::f(std::vector<int>)"), "A<int>::f()");
  EXPECT_EQ(short_function("Map<std::string, std::vector<int>>::at(int)"), "Map<…>::at()");
  EXPECT_EQ(short_function("operator<(A, B)"), "operator<()");
  EXPECT_EQ(short_function("f(int)::{lambda()#1}::operator()() const"), "f()");
  EXPECT_EQ(short_function(""), "");
}

TEST(Places, ShortenVariables) {
  EXPECT_EQ(short_variable("counter"), "counter");
  EXPECT_EQ(short_variable("state.ready in main()"), "state.ready in main()");
  EXPECT_EQ(short_variable("(anonymous namespace)::pool.size"), "pool.size");
  EXPECT_EQ(short_variable("next(int, char)::last"), "next()::last");
  EXPECT_EQ(short_variable("Queue<int>::count"), "Queue<int>::count");
  EXPECT_EQ(short_variable("Map<std::string, std::vector<int>>::count"), "Map<…>::count");
  EXPECT_EQ(short_variable("queue->head_->next"), "queue->head_->next");
  EXPECT_EQ(short_variable("(*table)[3]"), "(*table)[3]");
  EXPECT_EQ(short_variable("f("), "f(");
}

TEST(Places, KeepTheLineWhenTheyAreCut) {
  const Frame frame = {.function = "push(int)", .file = "/src/queue.cpp", .line = 48};

  EXPECT_EQ(fit_place(frame, 30), "queue.cpp:48 push()");
  EXPECT_EQ(fit_place(frame, 18), "queue.cpp:48 push…");
  EXPECT_EQ(fit_place(frame, 14), "queue.cpp:48");
  EXPECT_EQ(fit_place(frame, 8), "queu…:48");
}

TEST(Places, NameTheModuleWithoutDebugInformation) {
  EXPECT_EQ(short_place({.module = "/opt/libx.so", .offset = 0xabc}), "libx.so+0xabc");
  EXPECT_EQ(short_place({.function = "f(int)", .file = "/a/b.c", .line = 3}), "b.c:3 f()");
}

TEST(Places, HaveNoLineInAFileThatIsNotThere) {
  SourceLines lines;

  EXPECT_EQ(lines.line("/no/such/file.c", 1), std::nullopt);
  EXPECT_EQ(lines.line("/dev/zero", 1), std::nullopt);
  EXPECT_EQ(lines.line(__FILE__, 0), std::nullopt);
  EXPECT_EQ(lines.line(__FILE__, 1), "#include \"report/places.hpp\"");
}

}  // namespace
}  // namespace unravel
