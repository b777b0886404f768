#include "investigate/named_sites.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace unravel {

/// What the tests below look for by its address: it has a name and a line.
__attribute__((noinline)) int function_with_a_name(int number) {
  asm volatile("");
  return number + 1;
}

namespace {

std::uint64_t offset_of_function() {
  Dl_info info = {};
  void* const address = reinterpret_cast<void*>(&function_with_a_name);
  EXPECT_NE(::dladdr(address, &info), 0);
  return static_cast<std::uint64_t>(static_cast<char*>(address) -
                                    static_cast<char*>(info.dli_fbase));
}

TEST(NamedSites, HaveFunctionFileAndText) {
  const std::vector<ModuleId> modules = {
      {}, {.path = std::filesystem::read_symlink("/proc/self/exe").string(), .build_id = {}}};
  // A site is the address that a call returns to: behind the function's first instruction.
  const wire::Site site = wire::Site::of(1, offset_of_function() + 8);

  const auto named = name_sites({{site, wire::Operation::kLock}}, modules);

  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named[0].site, site);
  EXPECT_EQ(named[0].operation, wire::Operation::kLock);
  EXPECT_NE(named[0].function.find("function_with_a_name"), std::string::npos);
  EXPECT_TRUE(named[0].file.ends_with("named_sites_test.cpp")) << named[0].file;
  EXPECT_GT(named[0].line, 0);
}

TEST(NamedSites, WithoutSourceAreLeftOut) {
  const std::vector<ModuleId> modules = {{}, {.path = "/no/such/file", .build_id = {}}};

  EXPECT_TRUE(name_sites({{wire::Site{}, wire::Operation::kLock},
                          {wire::Site::of(1, 64), wire::Operation::kLock},
                          {wire::Site::of(2, 64), wire::Operation::kLock}},
                         modules)
                  .empty());
}

TEST(NamedSites, AreOfOperationsAndAccesses) {
  EXPECT_TRUE(is_constrainable(wire::Operation::kLock));
  EXPECT_TRUE(is_constrainable(wire::Operation::kLoad));
  EXPECT_TRUE(is_constrainable(wire::Operation::kStore));
  EXPECT_FALSE(is_constrainable(wire::Operation::kNone));
}

TEST(NamedSites, OfATraceThatIsNoneAreNone) {
  SiteCollector collector;
  const std::vector<std::uint64_t> nonsense(3, ~std::uint64_t{0});
  collector.begin();
  collector.take(nonsense, {});
  collector.finish({});

  EXPECT_TRUE(collector.damaged());
  EXPECT_TRUE(collector.sites().empty());
}

}  // namespace
}  // namespace unravel
