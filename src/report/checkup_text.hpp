/// The result of `doctor` as text.
#pragma once

#include <cstddef>
#include <string>

#include "data/checkup.hpp"
#include "report/text.hpp"

namespace unravel {

/// `T1:12 lock 0x5555…`: an event on one side of a difference.
std::string describe(const wire::Event& event);

/// What the likely source of a difference means, and what to do about it.
struct SourceText {
  std::string meaning;
  std::string advice;
};
SourceText source_text(const Difference& difference);

/// One line: controlled, or why not.
std::string checkup_line(const Checkup& checkup, Paint paint);

/// The whole text, in lines of at most `columns` where possible.
std::string checkup_text(const Checkup& checkup, std::size_t columns, Paint paint);

}  // namespace unravel
