#include "runtime/os/string_functions.hpp"

#include <dlfcn.h>

namespace unravel::real {

void resolve_strings() {
#define UNRAVEL_STRING(result, name, ...) \
  name = reinterpret_cast<decltype(name)>(dlsym(RTLD_NEXT, #name))
#include "runtime/os/string_functions.inc"
#undef UNRAVEL_STRING
}

}  // namespace unravel::real
