#include "runtime/interpose/callers.hpp"

#include "runtime/os/string_functions.hpp"

namespace unravel {

bool counts(const void* site) {
  // A thread that is not ours, or has passed on the turn, makes no hooks: the countdown belongs to
  // the thread that has the turn.
  return os::hooked_code.any() && current_thread && os::hooked_code.covers(site);
}

namespace {

/// The number of bytes up to and including the first that differs, or at which a text ends.
std::size_t equal_bytes(const char* one, const char* other, std::size_t most, bool is_text) {
  for (std::size_t i = 0; i < most; ++i) {
    if (one[i] != other[i] || (is_text && !one[i])) return i + 1;
  }
  return most;
}

}  // namespace

Sizes sizes_of(const Accesses& accesses, const void* const* values) {
  const bool has_size = accesses.size != Accesses::kNone;
  const std::size_t most =
      has_size ? reinterpret_cast<std::size_t>(values[accesses.size]) : PTRDIFF_MAX;
  const auto text = [values](int position) { return static_cast<const char*>(values[position]); };
  const auto text_size = [most](const char* from) {
    const std::size_t length = plain::strnlen(from, most);
    return length < most ? length + 1 : most;
  };
  Sizes sizes{.load = most, .store = most};
  if (accesses.load != Accesses::kNone && accesses.extent == Extent::kEqual) {
    sizes.load = equal_bytes(text(accesses.load), text(accesses.other_load), most, !has_size);
  } else if (accesses.load != Accesses::kNone && accesses.extent == Extent::kText) {
    sizes.load = text_size(text(accesses.load));
    if (!has_size || accesses.appends) sizes.store = sizes.load;
  }
  if (accesses.appends) sizes.store += plain::strlen(text(accesses.store));
  return sizes;
}

}  // namespace unravel

using namespace unravel;

/// Called by the constructor of every file compiled with hooks. Programs linked by GCC call it
/// before any other constructor, even ours.
UNRAVEL_EXPORT void __tsan_init() {
  os::hooked_code.scan_loaded();
  record_loaded_code();
}
