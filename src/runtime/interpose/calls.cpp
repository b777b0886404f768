/// Function entries, as -fsanitize=thread tells of them, and loop back-edges, as
/// -fsanitize-coverage does: it tells of every block, and one that does not lie behind the last one
/// of its frame is the next round of a loop.
#include "runtime/interpose/hooks.hpp"

namespace unravel {
namespace {

/// Where the caller's stack is when it calls us.
#define CALLERS_STACK (reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()))

[[gnu::always_inline]] inline void pass_block(const void* site, std::uintptr_t stack) {
  if (call_stack.repeats(stack, reinterpret_cast<std::uintptr_t>(site))) {
    pass_call(wire::Operation::kBackEdge, site);
  }
}

}  // namespace
}  // namespace unravel

using namespace unravel;

/// What it is given is where the caller is; where the function is, is where we were called.
UNRAVEL_EXPORT void __tsan_func_entry(void* caller) {
  const void* site = UNRAVEL_HOOK_SITE;
  call_stack.enter(CALLERS_STACK, reinterpret_cast<std::uintptr_t>(site),
                   reinterpret_cast<std::uintptr_t>(caller));
  pass_call(wire::Operation::kEnter, site);
}
UNRAVEL_EXPORT void __tsan_func_exit() {}

/// GCC's.
UNRAVEL_EXPORT void __sanitizer_cov_trace_pc() { pass_block(UNRAVEL_HOOK_SITE, CALLERS_STACK); }

/// Clang's. The guards are its own affair.
UNRAVEL_EXPORT void __sanitizer_cov_trace_pc_guard(std::uint32_t*) {
  pass_block(UNRAVEL_HOOK_SITE, CALLERS_STACK);
}
UNRAVEL_EXPORT void __sanitizer_cov_trace_pc_guard_init(std::uint32_t*, std::uint32_t*) {}

// --- What else coverage may be asked to tell: nothing of it is a point
// ----------------------------

#define NOTHING(name) \
  UNRAVEL_EXPORT void name() {}

NOTHING(__sanitizer_cov_trace_pc_indir);
NOTHING(__sanitizer_cov_trace_cmp1);
NOTHING(__sanitizer_cov_trace_cmp2);
NOTHING(__sanitizer_cov_trace_cmp4);
NOTHING(__sanitizer_cov_trace_cmp8);
NOTHING(__sanitizer_cov_trace_cmpf);
NOTHING(__sanitizer_cov_trace_cmpd);
NOTHING(__sanitizer_cov_trace_const_cmp1);
NOTHING(__sanitizer_cov_trace_const_cmp2);
NOTHING(__sanitizer_cov_trace_const_cmp4);
NOTHING(__sanitizer_cov_trace_const_cmp8);
NOTHING(__sanitizer_cov_trace_switch);
NOTHING(__sanitizer_cov_trace_div4);
NOTHING(__sanitizer_cov_trace_div8);
NOTHING(__sanitizer_cov_trace_gep);
NOTHING(__sanitizer_cov_8bit_counters_init);
NOTHING(__sanitizer_cov_bool_flag_init);
NOTHING(__sanitizer_cov_pcs_init);
