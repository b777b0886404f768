#include "run/sandbox_places.hpp"

#include <gtest/gtest.h>

namespace unravel {
namespace {

TEST(MountPoints, AreReadWithTheirSpaces) {
  const std::string text =
      "22 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n"
      "35 22 0:30 / /mnt/with\\040space rw shared:7 - tmpfs tmpfs rw\n";

  EXPECT_EQ(mount_points(text),
            (std::vector<MountPoint>{{"/", "ext4"}, {"/mnt/with space", "tmpfs"}}));
}

TEST(MountPoints, AreInADirectoryByWholeNames) {
  EXPECT_TRUE(is_in("/tmp/a", "/tmp"));
  EXPECT_TRUE(is_in("/tmp", "/tmp"));
  EXPECT_TRUE(is_in("/tmp", "/"));
  EXPECT_FALSE(is_in("/tmpfile", "/tmp"));
}

}  // namespace
}  // namespace unravel
