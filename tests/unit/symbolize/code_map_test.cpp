#include "symbolize/code_map.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>

namespace unravel {
namespace {

constexpr std::string_view kMaps =
    "00400000-00401000 r--p 00000000 08:01 17 /home/me/my program\n"
    "00401000-00402000 r-xp 00001000 08:01 17 /home/me/my program\n"
    "00402000-00403000 rw-p 00002000 08:01 17 /home/me/my program\n"
    "00500000-00521000 rw-p 00000000 00:00 0                  [heap]\n"
    "7f0000000000-7f0000001000 r--p 00000000 08:01 18 /usr/share/words\n"
    "7f0000100000-7f0000102000 r--p 00000000 08:01 19 /lib/libx.so\n"
    "7f0000102000-7f0000105000 r-xp 00002000 08:01 19 /lib/libx.so\n"
    "7f0000105000-7f0000106000 rw-p 00000000 00:00 0 \n"
    "7f0000106000-7f0000107000 r--p 00006000 08:01 19 /lib/libx.so\n"
    "7f0000200000-7f0000201000 rwxp 00000000 00:00 0 \n"
    "7ffff7fc1000-7ffff7fc5000 r--p 00000000 00:00 0 [vvar]\n"
    "7ffff7fc5000-7ffff7fc7000 r-xp 00000000 00:00 0 [vdso]\n"
    "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n";

TEST(CodeMap, HoldsTheFilesThatAreRun) {
  const CodeMap map = read_code_map(kMaps);

  ASSERT_EQ(map.modules.size(), 4u);
  EXPECT_EQ(map.modules[0].path, "/home/me/my program");
  EXPECT_EQ(map.modules[0].inode, 17u);
  EXPECT_EQ(map.modules[0].base, 0x400000u);
  EXPECT_EQ(map.modules[0].end, 0x403000u);
  EXPECT_EQ(map.modules[0].parts.size(), 2u);
  EXPECT_EQ(map.modules[1].path, "/lib/libx.so");
  EXPECT_EQ(map.modules[1].base, 0x7f0000100000u);
  EXPECT_EQ(map.modules[1].end, 0x7f0000107000u);
  EXPECT_EQ(map.modules[2].path, "[vdso]");
}

TEST(CodeMap, KnowsAPathWithAnEndOfLine) {
  const CodeMap map = read_code_map(
      "00400000-00401000 r--p 00000000 08:01 17 /home/a\\012b\\012/x\\y\n"
      "00401000-00402000 r-xp 00001000 08:01 17 /home/a\\012b\\012/x\\y\n");

  ASSERT_EQ(map.modules.size(), 1u);
  EXPECT_EQ(map.modules[0].path, "/home/a\nb\n/x\\y");
  EXPECT_EQ(map.modules[0].base, 0x400000u);
}

TEST(CodeMap, FindsWhatIsCodeAndWhoseItIs) {
  const CodeMap map = read_code_map(kMaps);

  EXPECT_EQ(map.find(0), nullptr);
  EXPECT_EQ(map.find(0x400fff), nullptr);
  ASSERT_NE(map.find(0x401000), nullptr);
  EXPECT_EQ(map.find(0x401000)->module, 0u);
  EXPECT_EQ(map.find(0x402000), nullptr);
  ASSERT_NE(map.find(0x7f0000104fff), nullptr);
  EXPECT_EQ(map.find(0x7f0000104fff)->module, 1u);
  ASSERT_NE(map.find(0x7f0000200000), nullptr);
  EXPECT_EQ(map.find(0x7f0000200000)->module, CodeMap::kNoModule);
  EXPECT_EQ(map.find(~std::uint64_t{0}), nullptr);
}

TEST(CodeMap, LeavesOutLinesItDoesNotUnderstand) {
  for (const std::string_view text :
       {"", "\n\n", "-", "1-2", "zz-ff r-xp 0 0:0 0 /x", "5-4 r-xp 0 0:0 0 /x", "1-2 r 0 0:0 0 /x",
        "1-2 r-xp 0 0:0 x /x", "1-2 r-xp", "11111111111111111-2 r-xp 0 0:0 0 /x"}) {
    const CodeMap map = read_code_map(text);

    EXPECT_TRUE(map.code.empty()) << text;
    EXPECT_TRUE(map.modules.empty()) << text;
    EXPECT_EQ(code_lines(text), "") << text;
  }
}

TEST(CodeLines, DoNotDependOnData) {
  std::string maps(kMaps);

  const std::string before = code_lines(maps);
  maps += "7ffff8000000-7ffff8100000 rw-p 00000000 00:00 0 \n";
  const std::string after = code_lines(maps);

  EXPECT_EQ(before, after);
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'), 5);
}

TEST(PathFromHere, LeavesOutWhatLiesAboveOurRoot) {
  struct stat status {};
  ASSERT_EQ(::stat("/etc/passwd", &status), 0);

  EXPECT_EQ(path_from_here("/etc/passwd", status.st_ino), "/etc/passwd");
  EXPECT_EQ(path_from_here("/srv/chroot/etc/passwd", status.st_ino), "/etc/passwd");
  EXPECT_EQ(path_from_here("/srv/chroot/etc/passwd", status.st_ino + 1), "/srv/chroot/etc/passwd");
  EXPECT_EQ(path_from_here("[vdso]", 0), "[vdso]");
  EXPECT_EQ(path_from_here("/", status.st_ino), "/");
}

}  // namespace
}  // namespace unravel
