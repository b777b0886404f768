#include "runtime/core/wrapper_code.hpp"

#include <algorithm>

namespace unravel {

using wire::WrapperRow;

void WrapperCode::use(const WrapperRow* rows, std::uint32_t count) {
  rows_ = rows;
  count_ = count;
  for (Known& known : known_) known = {};
}

/// A return address lies behind its call, which may be the last instruction of a function.
const WrapperRow* WrapperCode::find(const void* site) const {
  const std::uint64_t call = reinterpret_cast<std::uint64_t>(site) - 1;
  const WrapperRow* const after = std::upper_bound(
      rows_, rows_ + count_, call,
      [](std::uint64_t wanted, const WrapperRow& row) { return wanted < row.begin; });
  if (after == rows_) return nullptr;
  const WrapperRow& row = after[-1];
  return call - row.begin < row.size ? &row : nullptr;
}

const void* WrapperCode::walk(const void* const* frame) const {
  const void* site = frame[1];
  auto frame_pointer = reinterpret_cast<std::uintptr_t>(frame[0]);
  auto stack = reinterpret_cast<std::uintptr_t>(frame + 2);
  const auto word = [](std::uintptr_t at) { return *reinterpret_cast<const std::uintptr_t*>(at); };
  for (std::uint32_t i = 0; i < kMostFrames; ++i) {
    const WrapperRow* const row = find(site);
    if (!row) return site;
    if (row->kind == WrapperRow::Kind::kEnd) break;
    const std::uintptr_t base = row->kind == WrapperRow::Kind::kByStack ? stack : frame_pointer;
    const std::uintptr_t caller = base + static_cast<std::uintptr_t>(std::intptr_t{row->offset});
    if (caller <= stack || caller % sizeof(void*) != 0) break;  // no stack: better no answer
    site = reinterpret_cast<const void*>(word(caller - sizeof(void*)));
    if (row->saved) frame_pointer = word(caller - row->saved);
    stack = caller;
  }
  return frame[1];
}

}  // namespace unravel
