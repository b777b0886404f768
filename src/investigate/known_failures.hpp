/// Known failures that are not reported again.
///
/// A text with the key of one failure per line, as in reports:
///
///     # comment
///     deadlock: held f a.c:3, wanted f a.c:4; held g a.c:9, wanted g a.c:10
///     assert: Queue::push *
///
/// A `*` at the end matches any rest of a key; elsewhere it is part of the key.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace unravel {

class KnownFailures {
 public:
  /// `source` names the text in errors.
  static Result<KnownFailures> parse(std::string_view text, std::string_view source);
  static Result<KnownFailures> read(const std::filesystem::path& file);

  [[nodiscard]] bool knows(const std::string& key) const;

 private:
  std::vector<std::string> keys_;
  std::vector<std::string> beginnings_;
};

}  // namespace unravel
