#include "data/alignment.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "property/property.hpp"

namespace unravel {
namespace {

using Texts = std::vector<std::string>;

/// Single letters, for lists that can be read.
Texts letters(const std::string& text) {
  Texts list;
  for (const char letter : text) list.emplace_back(1, letter);
  return list;
}

/// `a` where both have it, `<b` and `>c` where one does.
std::string drawn(const std::string& left, const std::string& right) {
  std::string text;
  for (const AlignedRow& row : align(letters(left), letters(right))) {
    if (row.left && row.right) {
      text += left[*row.left];
    } else if (row.left) {
      text += std::string("<") + left[*row.left];
    } else {
      text += std::string(">") + right[*row.right];
    }
  }
  return text;
}

TEST(Alignment, PutsWhatBothHaveInOneRow) {
  EXPECT_EQ(drawn("", ""), "");
  EXPECT_EQ(drawn("abc", "abc"), "abc");
  EXPECT_EQ(drawn("abc", ""), "<a<b<c");
  EXPECT_EQ(drawn("", "abc"), ">a>b>c");
  EXPECT_EQ(drawn("abc", "xyz"), "<a<b<c>x>y>z");
  EXPECT_EQ(drawn("abXcd", "abYcd"), "ab<X>Ycd");
  EXPECT_EQ(drawn("abcd", "acbd"), "a<bc>bd");
  EXPECT_EQ(drawn("aXbYc", "abc"), "a<Xb<Yc");
  EXPECT_EQ(drawn("abc", "aXbYc"), "a>Xb>Yc");
}

TEST(Alignment, MovesAsLittleAsItMust) {
  // The threads A and b in another order: the longer of the two stays where it is.
  EXPECT_EQ(drawn("AAbbbZ", "bbbAAZ"), "<A<Abbb>A>AZ");
}

TEST(Alignment, OfElementsThatAreThereMoreThanOnce) {
  EXPECT_EQ(drawn("aaa", "aa"), "aa<a");
  EXPECT_EQ(drawn("xaay", "yaax"), "<x>yaa<y>x");
}

Texts any_list() {
  Texts list(*rc::gen::inRange<std::size_t>(0, 30));
  for (std::string& text : list) text = std::to_string(*rc::gen::inRange(0, 6));
  return list;
}

/// The length of a longest common subsequence, by the table of all beginnings.
std::size_t longest_common(const Texts& left, const Texts& right) {
  std::vector<std::vector<std::size_t>> length(left.size() + 1,
                                               std::vector<std::size_t>(right.size() + 1));
  for (std::size_t i = 0; i < left.size(); ++i) {
    for (std::size_t j = 0; j < right.size(); ++j) {
      length[i + 1][j + 1] =
          left[i] == right[j] ? length[i][j] + 1 : std::max(length[i][j + 1], length[i + 1][j]);
    }
  }
  return length[left.size()][right.size()];
}

PROPERTY(AlignmentProperty, EitherColumnReadDownGivesItsList, ()) {
  const Texts left = any_list();
  const Texts right = any_list();

  Texts down_left;
  Texts down_right;
  std::size_t shared = 0;
  for (const AlignedRow& row : align(left, right)) {
    RC_ASSERT(row.left || row.right);
    if (row.left) down_left.push_back(left.at(*row.left));
    if (row.right) down_right.push_back(right.at(*row.right));
    if (!row.left || !row.right) continue;
    RC_ASSERT(left.at(*row.left) == right.at(*row.right));
    ++shared;
  }

  RC_ASSERT(down_left == left);
  RC_ASSERT(down_right == right);
  RC_ASSERT(shared == longest_common(left, right));
}

PROPERTY(AlignmentProperty, ListsThatAreAlikeHaveNoOneSidedRow, ()) {
  const Texts list = any_list();

  const std::vector<AlignedRow> rows = align(list, list);

  RC_ASSERT(rows.size() == list.size());
  for (std::size_t i = 0; i < rows.size(); ++i) RC_ASSERT(rows[i] == (AlignedRow{i, i}));
}

PROPERTY(AlignmentProperty, ThePartingRowIsWhereTheListsPart, ()) {
  const Texts left = any_list();
  const Texts right = any_list();
  const std::size_t shorter = std::min(left.size(), right.size());
  std::size_t parting = 0;
  while (parting < shorter && left[parting] == right[parting]) ++parting;

  const std::vector<AlignedRow> rows = align(left, right);
  const auto first = std::find_if(rows.begin(), rows.end(),
                                  [](const AlignedRow& row) { return !row.left || !row.right; });

  if (left == right) {
    RC_ASSERT(first == rows.end());
  } else {
    RC_ASSERT(static_cast<std::size_t>(first - rows.begin()) == parting);
  }
}

TEST(Alignment, OfListsOfThousandsThatShareNothingInOrder) {
  Texts left;
  for (int i = 0; i < 3000; ++i) left.push_back(std::to_string(i));
  const Texts right(left.rbegin(), left.rend());

  const std::vector<AlignedRow> rows = align(left, right);

  EXPECT_EQ(rows.size(), 2 * left.size() - 1);
}

}  // namespace
}  // namespace unravel
