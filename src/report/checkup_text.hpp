/// What `doctor` found, in plain words.
#pragma once

#include <cstddef>
#include <string>

#include "data/checkup.hpp"
#include "report/text.hpp"

namespace unravel {

/// `T1:12 lock 0x5555…`: an event as both sides of a difference show it.
std::string describe(const wire::Event& event);

/// What a likely source means, and what to do about it.
struct SourceText {
  std::string meaning;
  std::string advice;
};
SourceText source_text(const Difference& difference);

/// One line: controlled, or what is the matter.
std::string checkup_line(const Checkup& checkup, Paint paint);

/// All of it, in lines of at most `columns` where words allow that.
std::string checkup_text(const Checkup& checkup, std::size_t columns, Paint paint);

}  // namespace unravel
