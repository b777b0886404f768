#include "base/unique_fd.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace unravel {
namespace {

int open_null() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

TEST(UniqueFd, ClosesItsDescriptorWhenItGoesAway) {
  const int fd = open_null();

  { const UniqueFd owner(fd); }

  EXPECT_FALSE(is_open(fd));
}

TEST(UniqueFd, HasNoneToBeginWith) {
  const UniqueFd none;

  EXPECT_FALSE(none);
  EXPECT_EQ(none.get(), -1);
}

TEST(UniqueFd, MovesItsDescriptorToTheNewOwner) {
  const int fd = open_null();
  UniqueFd first(fd);

  const UniqueFd second = std::move(first);

  EXPECT_EQ(second.get(), fd);
  EXPECT_TRUE(is_open(fd));
}

TEST(UniqueFd, ClosesTheOldDescriptorWhenGivenAnother) {
  const int old = open_null();
  UniqueFd owner(old);

  owner = UniqueFd(open_null());

  EXPECT_FALSE(is_open(old));
  EXPECT_TRUE(is_open(owner.get()));
}

TEST(UniqueFd, LeavesAReleasedDescriptorOpen) {
  const int fd = open_null();

  const int released = UniqueFd(fd).release();

  EXPECT_TRUE(is_open(released));
  ::close(released);
}

}  // namespace
}  // namespace unravel
