#include "investigate/observer.hpp"

namespace unravel {

Error interrupted_error() {
  return {Error::Kind::kUser, "interrupted", "what was kept before is in the store", {}};
}

}  // namespace unravel
