/// Code that only wraps what the program calls, such as the headers of the C++ library.
///
/// Every lock of a std::mutex returns to one line of a system header, at least in a build without
/// optimisation. What a program does there is known by the line of the program that came to it, so
/// a site is the innermost return address outside such code. The driver knows it from the debug
/// information, and how to get to its callers from the unwind information.
#pragma once

#include <cstdint>

#include "wire/wrapper.hpp"

namespace unravel {

class WrapperCode {
 public:
  // A lock of std::scoped_lock takes five. Deeper code is no mere wrapper.
  static constexpr std::uint32_t kMostFrames = 8;

  /// `rows` are sorted, and live as long as the process.
  void use(const wire::WrapperRow* rows, std::uint32_t count);
  [[nodiscard]] std::uint32_t count() const { return count_; }

  /// The site of a call. `frame` is the frame address of the function that was called: there lies
  /// the caller's frame pointer, and above it the return address. Only with the turn in hand.
  const void* site_of(const void* const* frame) {
    const void* const site = frame[1];
    if (count_ == 0) return site;
    Known& known = known_[reinterpret_cast<std::uintptr_t>(site) / 4 % kMostKnown];
    if (known.site != site) known = {site, find(site)};
    return known.row ? walk(frame) : site;
  }

 private:
  /// Recently asked for.
  struct Known {
    const void* site = nullptr;
    const wire::WrapperRow* row = nullptr;
  };
  static constexpr std::uint32_t kMostKnown = 256;

  [[nodiscard]] const wire::WrapperRow* find(const void* site) const;
  [[nodiscard]] const void* walk(const void* const* frame) const;

  const wire::WrapperRow* rows_ = nullptr;
  std::uint32_t count_ = 0;
  Known known_[kMostKnown] = {};
};

}  // namespace unravel
