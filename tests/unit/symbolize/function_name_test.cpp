#include "symbolize/function_name.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

using Names = std::vector<std::string>;

TEST(FunctionNames, HaveNoParameters) {
  EXPECT_EQ(bare_name("add(int)"), "add");
  EXPECT_EQ(bare_name("Account::deposit(int) const"), "Account::deposit");
  EXPECT_EQ(bare_name("add"), "add");
  EXPECT_EQ(bare_name(""), "");
  EXPECT_EQ(bare_name("f(void (*)(int), int)"), "f");
  EXPECT_EQ(bare_name("Account::~Account()"), "Account::~Account");
}

TEST(FunctionNames, OfTemplatesHaveNoTypeBeforeThem) {
  EXPECT_EQ(bare_name("void add<int>(int)"), "add<int>");
  EXPECT_EQ(bare_name("std::vector<int, std::allocator<int> > make<int>(int)"), "make<int>");
  EXPECT_EQ(bare_name("void call<void (*)(int)>(void (*)(int))"), "call<void (*)(int)>");
  EXPECT_EQ(bare_name("Queue<Pair<int, long> >::push(Pair<int, long>)"),
            "Queue<Pair<int, long> >::push");
}

TEST(FunctionNames, MayBeOperators) {
  EXPECT_EQ(bare_name("Functor::operator()(int) const"), "Functor::operator()");
  EXPECT_EQ(bare_name("operator<(A const&, A const&)"), "operator<");
  EXPECT_EQ(bare_name("A::operator->() const"), "A::operator->");
  EXPECT_EQ(bare_name("A::operator unsigned long() const"), "A::operator unsigned long");
  EXPECT_EQ(bare_name("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(bare_name("operators(int)"), "operators");
}

TEST(FunctionNames, KeepTheScopesAroundThem) {
  EXPECT_EQ(bare_name("(anonymous namespace)::add(int)"), "(anonymous namespace)::add");
  EXPECT_EQ(bare_name("bank::(anonymous namespace)::add(int)"), "bank::(anonymous namespace)::add");
  EXPECT_EQ(bare_name("A::f(int) const::Local::g(long)"), "A::f(int) const::Local::g");
  EXPECT_EQ(bare_name("main::{lambda(int)#1}::operator()(int) const"),
            "main::{lambda(int)#1}::operator()");
}

TEST(FunctionNames, OfASymbolAreAllThatUsersKnow) {
  EXPECT_EQ(names_of_symbol("add"), Names{"add"});
  EXPECT_EQ(names_of_symbol("add.constprop.0"), (Names{"add.constprop.0", "add"}));
  EXPECT_EQ(names_of_symbol("_ZN7Account7depositEi"),
            (Names{"_ZN7Account7depositEi", "Account::deposit(int)", "Account::deposit"}));
  EXPECT_EQ(names_of_symbol("_ZN7Account7depositEi.part.0"),
            (Names{"_ZN7Account7depositEi.part.0", "_ZN7Account7depositEi", "Account::deposit(int)",
                   "Account::deposit"}));
}

}  // namespace
}  // namespace unravel
