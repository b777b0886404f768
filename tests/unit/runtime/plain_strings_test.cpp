/// Our own mem* and str* answer as libc's do.
#include <gtest/gtest.h>
#include <string.h>
#include <strings.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "property/property.hpp"
#include "runtime/os/string_functions.hpp"

namespace unravel {
namespace {

int sign(int number) { return (number > 0) - (number < 0); }

/// Few different characters, so that parts of texts are equal; one of them has its highest bit set.
std::string any_text() {
  return *rc::gen::container<std::string>(rc::gen::element('a', 'b', 'A', 'B', '\xe1'));
}

std::size_t any_size(std::size_t most) { return *rc::gen::inRange<std::size_t>(0, most + 1); }

/// What both make of equal buffers.
template <class Plain, class Libc>
void check_same_writing(const std::string& before, std::size_t room, Plain plain, Libc libc) {
  std::vector<char> one(before.begin(), before.end());
  one.push_back('\0');
  one.resize(one.size() + room + 1, '#');
  std::vector<char> other = one;

  const auto plain_end = plain(one.data());
  const auto libc_end = libc(other.data());

  RC_ASSERT(one == other);
  RC_ASSERT(static_cast<char*>(plain_end) - one.data() ==
            static_cast<char*>(libc_end) - other.data());
}

PROPERTY(PlainStrings, CopyBytesLikeLibc, ()) {
  const std::string text = any_text();
  const std::size_t size = any_size(text.size());
  const auto check = [&](auto plain, auto libc) {
    check_same_writing(
        "", text.size(), [&](char* to) { return plain(to, text.data(), size); },
        [&](char* to) { return libc(to, text.data(), size); });
  };

  check(plain::memcpy, ::memcpy);
  check(plain::memmove, ::memmove);
  check(plain::mempcpy, ::mempcpy);
  check_same_writing(
      "", size, [&](char* to) { return plain::memset(to, 0x1e1, size); },
      [&](char* to) { return ::memset(to, 0x1e1, size); });
}

PROPERTY(PlainStrings, MoveWithinABufferLikeLibc, ()) {
  const std::string text = any_text();
  const std::size_t from = any_size(text.size());
  const std::size_t to = any_size(text.size());
  const std::size_t size = any_size(text.size() - std::max(from, to));

  check_same_writing(
      text, 0, [&](char* at) { return plain::memmove(at + to, at + from, size); },
      [&](char* at) { return ::memmove(at + to, at + from, size); });
  check_same_writing(
      text, 0,
      [&](char* at) {
        plain::bcopy(at + from, at + to, size);
        plain::bzero(at, to);
        return at;
      },
      [&](char* at) {
        ::bcopy(at + from, at + to, size);
        ::bzero(at, to);
        return at;
      });
}

PROPERTY(PlainStrings, CopyTextLikeLibc, ()) {
  const std::string before = any_text();
  const std::string text = any_text();
  const std::size_t size = any_size(text.size() + 3);
  const std::size_t room = text.size() + 5;
  const auto check = [&](const std::string& first, auto plain, auto libc, auto... arguments) {
    check_same_writing(
        first, room, [&](char* to) { return plain(to, text.c_str(), arguments...); },
        [&](char* to) { return libc(to, text.c_str(), arguments...); });
  };

  check("", plain::strcpy, ::strcpy);
  check("", plain::stpcpy, ::stpcpy);
  check("", plain::strncpy, ::strncpy, size);
  check("", plain::stpncpy, ::stpncpy, size);
  check(before, plain::strcat, ::strcat);
  check(before, plain::strncat, ::strncat, size);
}

PROPERTY(PlainStrings, CompareLikeLibc, ()) {
  const std::string one = any_text();
  // Often it begins in the same way.
  const std::string other = one.substr(0, any_size(one.size())) + any_text();
  const std::size_t shorter = std::min(one.size(), other.size());
  const std::size_t size = any_size(shorter + 2);

  const char* left = one.c_str();
  const char* right = other.c_str();
  RC_ASSERT(sign(plain::memcmp(left, right, shorter)) == sign(::memcmp(left, right, shorter)));
  RC_ASSERT((plain::bcmp(left, right, shorter) == 0) == (::bcmp(left, right, shorter) == 0));
  RC_ASSERT(sign(plain::strcmp(left, right)) == sign(::strcmp(left, right)));
  RC_ASSERT(sign(plain::strncmp(left, right, size)) == sign(::strncmp(left, right, size)));
  RC_ASSERT(sign(plain::strcasecmp(left, right)) == sign(::strcasecmp(left, right)));
  RC_ASSERT(sign(plain::strncasecmp(left, right, size)) == sign(::strncasecmp(left, right, size)));
}

PROPERTY(PlainStrings, FindLikeLibc, ()) {
  const std::string in = any_text();
  const std::string what = *rc::gen::oneOf(rc::gen::just(in.substr(any_size(in.size()), 2)),
                                           rc::gen::exec([] { return any_text(); }));
  const std::size_t size = any_size(in.size());
  const char* text = in.c_str();
  const char* sought = what.c_str();

  RC_ASSERT(plain::strlen(text) == ::strlen(text));
  RC_ASSERT(plain::strnlen(text, size) == ::strnlen(text, size));
  for (const int character : {int{'a'}, int{'\xe1'}, int{'z'}, 0}) {
    RC_ASSERT(plain::strchr(text, character) == ::strchr(text, character));
    RC_ASSERT(plain::strchrnul(text, character) == ::strchrnul(text, character));
    RC_ASSERT(plain::strrchr(text, character) == ::strrchr(text, character));
    RC_ASSERT((plain::memchr(text, character, size) == ::memchr(text, character, size)));
    RC_ASSERT((plain::memrchr(text, character, size) == ::memrchr(text, character, size)));
  }
  RC_ASSERT(plain::strstr(text, sought) == ::strstr(text, sought));
  RC_ASSERT(plain::strcasestr(text, sought) == ::strcasestr(text, sought));
  RC_ASSERT((plain::memmem(text, size, sought, what.size()) ==
             ::memmem(text, size, sought, what.size())));
  RC_ASSERT(plain::strspn(text, sought) == ::strspn(text, sought));
  RC_ASSERT(plain::strcspn(text, sought) == ::strcspn(text, sought));
  RC_ASSERT(plain::strpbrk(text, sought) == ::strpbrk(text, sought));
}

TEST(PlainStrings, FortifiedOnesCopyWhatHasRoomAndTrapOtherwise) {
  char to[8] = {};

  EXPECT_STREQ(plain::__strcpy_chk(to, "1234567", 8), "1234567");
  EXPECT_STREQ(plain::__strncpy_chk(to, "123", 8, 8), "123");
  EXPECT_STREQ(plain::__strcat_chk(to, "4567", 8), "1234567");
  EXPECT_EQ(plain::__stpcpy_chk(to, "12", 8), to + 2);
  EXPECT_STREQ(plain::__strncat_chk(to, "34567xyz", 5, 8), "1234567");
  EXPECT_EQ(plain::__mempcpy_chk(to, "abc", 3, 3), to + 3);
  EXPECT_EQ(plain::__stpncpy_chk(to, "ab", 3, 3), to + 2);
  EXPECT_EQ(plain::__memset_chk(to, 'x', 8, 8), to);
  EXPECT_EQ(plain::__memcpy_chk(to, "abc", 3, 8), to);
  EXPECT_EQ(plain::__memmove_chk(to + 1, to, 3, 7), to + 1);
  EXPECT_EQ(std::string(to, 8), "aabcxxxx");

  to[7] = '\0';
  EXPECT_DEATH(plain::__memcpy_chk(to, to, 5, 4), "");
  EXPECT_DEATH(plain::__memmove_chk(to, to, 5, 4), "");
  EXPECT_DEATH(plain::__mempcpy_chk(to, to, 5, 4), "");
  EXPECT_DEATH(plain::__memset_chk(to, 0, 5, 4), "");
  EXPECT_DEATH(plain::__strcpy_chk(to, "1234", 4), "");
  EXPECT_DEATH(plain::__stpcpy_chk(to, "1234", 4), "");
  EXPECT_DEATH(plain::__strncpy_chk(to, "1", 5, 4), "");
  EXPECT_DEATH(plain::__stpncpy_chk(to, "1", 5, 4), "");
  EXPECT_DEATH(plain::__strcat_chk(to, "1", 8), "");
  EXPECT_DEATH(plain::__strncat_chk(to, "12", 1, 8), "");
}

}  // namespace
}  // namespace unravel
