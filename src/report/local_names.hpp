/// Names of variables on the stack, told in full once.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/run.hpp"

namespace unravel {

/// `counter in main()` is `counter` from its second mention on, unless another variable is called
/// `counter` too.
class LocalNames {
 public:
  explicit LocalNames(std::span<const Step> steps);

  /// The text of a row; rows come in the order in which they are read.
  std::string shortened(std::string text);

 private:
  struct Name {
    std::string full;
    std::string alone;
    bool was_told = false;
  };

  std::vector<Name> names_;
};

}  // namespace unravel
