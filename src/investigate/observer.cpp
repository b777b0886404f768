#include "investigate/observer.hpp"

namespace unravel {

Error interrupted_error() {
  return {Error::Kind::kUser, "interrupted", "runs that were stored before are still in the store",
          "`unravel list` shows them; run the command again to start over"};
}

}  // namespace unravel
