#include "run/uses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "run/mapped_file.hpp"

namespace unravel {
namespace {

TEST(Concerns, AboutAPlainProgramAreNone) {
  const LinkedFile files[] = {{"/home/me/prog", {{"libc.so.6"}, {}, {"pthread_create", "read"}}},
                              {"/lib/libc.so.6", {{}, {}, {"getaddrinfo_a", "daemon"}}}};

  EXPECT_TRUE(concerns_about(files, "").empty());
}

TEST(Concerns, AreToldByLibrariesAndByFunctions) {
  struct Case {
    LinkedFile file;
    const char* preloaded;
    const char* name;
    const char* evidence;
  };
  const Case cases[] = {
      {{"/x/prog", {{"libgomp.so.1"}, {}, {}}}, "", "OpenMP (GCC)", "prog needs libgomp.so.1"},
      {{"/usr/lib/libtbb.so.12", {}}, "", "Threading Building Blocks", "libtbb.so.12 is loaded"},
      {{"/x/prog", {}}, "/lib/libjemalloc.so.2", "jemalloc", "LD_PRELOAD names libjemalloc.so.2"},
      {{"/x/prog", {{}, {}, {"getaddrinfo_a"}}},
       "",
       "asynchronous name lookup",
       "prog calls getaddrinfo_a"},
      {{"/x/prog", {{}, {}, {"daemon"}}}, "", "daemon()", "prog calls daemon"},
  };
  for (const Case& one : cases) {
    const auto concerns = concerns_about(std::span(&one.file, 1), one.preloaded);

    ASSERT_EQ(concerns.size(), 1) << one.name;
    EXPECT_EQ(concerns[0].name, one.name);
    EXPECT_EQ(concerns[0].evidence, one.evidence);
    EXPECT_FALSE(concerns[0].advice.empty());
  }
}

TEST(Concerns, OfOneKindAreToldOnce) {
  const LinkedFile file{"/x/prog", {{}, {}, {"svc_run", "clnt_create"}}};

  EXPECT_EQ(concerns_about(std::span(&file, 1), "").size(), 1);
}

TEST(Concerns, AboutChildrenAreToldByWhatStartsThem) {
  const LinkedFile shell{"/bin/sh", {{}, {}, {"waitpid", "vfork"}}};
  const LinkedFile plain[] = {{"/x/prog", {{}, {}, {"waitpid", "execve"}}},
                              {"/lib/libc.so.6", {{}, {}, {"vfork"}}}};

  const auto concern = concern_about_children(std::span(&shell, 1));

  ASSERT_TRUE(concern.has_value());
  EXPECT_EQ(concern->evidence, "sh calls vfork");
  EXPECT_EQ(concern->weight, Concern::Weight::kPossible);
  EXPECT_FALSE(concern_about_children(plain).has_value());
}

TEST(Links, OfThisProgramNameTheCLibraryAndWhatItCalls) {
  const std::string self = "/proc/self/exe";

  const auto files = read_links(std::vector<std::string>{self, self, "/nonexistent"});

  ASSERT_EQ(files.size(), 1);
  const ElfLinks& links = files[0].links;
  EXPECT_NE(std::find(links.needed.begin(), links.needed.end(), "libc.so.6"), links.needed.end());
  EXPECT_FALSE(links.imports.empty());
}

TEST(Links, OfBytesThatNobodyVouchesForAreReadWithinTheirBounds) {
  const auto file = MappedFile::open("/proc/self/exe");
  ASSERT_TRUE(file);
  for (const std::size_t size : {0, 1, 63, 64, 100, 1'000, 5'000, 20'000}) {
    const std::span<const std::byte> part =
        file->bytes().first(std::min<std::size_t>(size, file->bytes().size()));
    EXPECT_TRUE(links_of(part).needed.empty()) << size;
    EXPECT_FALSE(sanitizer_of(part)) << size;
  }
}

}  // namespace
}  // namespace unravel
