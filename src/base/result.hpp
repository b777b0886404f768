/// Base: small things that every room of the driver needs.
///
/// This room knows the standard library and the operating system's files. It does not know
/// programs, schedules or the terminal, and never throws.
///
/// This header: how a function of the driver says that it failed.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace unravel {

/// An error of the tool itself: what happened, why, and what to do next.
struct Error {
  enum class Kind {
    kUser,         // what was asked for cannot be done
    kEnvironment,  // the machine does not allow it
    kInternal,     // a bug of unravel
  };

  Kind kind = Kind::kUser;
  std::string what;
  std::string why;
  std::string hint;

  bool operator==(const Error&) const = default;
};

/// The result of a function that can fail; no exception crosses rooms.
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

inline tl::unexpected<Error> user_error(std::string what, std::string why = {},
                                        std::string hint = {}) {
  return fail({Error::Kind::kUser, std::move(what), std::move(why), std::move(hint)});
}

inline tl::unexpected<Error> environment_error(std::string what, std::string why = {},
                                               std::string hint = {}) {
  return fail({Error::Kind::kEnvironment, std::move(what), std::move(why), std::move(hint)});
}

inline tl::unexpected<Error> internal_error(std::string what, std::string why = {},
                                            std::string hint = {}) {
  return fail({Error::Kind::kInternal, std::move(what), std::move(why), std::move(hint)});
}

}  // namespace unravel
