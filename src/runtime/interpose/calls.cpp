/// Function entries, from the hooks of -fsanitize=thread, and loop back-edges, from those of
/// -fsanitize-coverage. The latter has a hook in every block: one that does not come after the last
/// block of its frame begins the next round of a loop.
#include "runtime/interpose/hooks.hpp"

namespace unravel {
namespace {

/// The caller's stack pointer when it calls us.
#define CALLERS_STACK (reinterpret_cast<std::uintptr_t>(__builtin_dwarf_cfa()))

[[gnu::always_inline]] inline void pass_block(const void* site, std::uintptr_t stack) {
  if (!call_stack.repeats(stack, reinterpret_cast<std::uintptr_t>(site))) return;
  if (count_call()) [[unlikely]]
    inspect_hook(HookKind::of(wire::Operation::kBackEdge), nullptr, site, 0);
}

/// Neither an operation nor a hook: the trace alone has it.
[[gnu::noinline]] void note_frame(wire::Operation note, std::uintptr_t stack, const void* site) {
  if (current_thread) recorder.annotate(note, stack, 0, 0, site);
}

[[gnu::noinline]] void inspect_entry(std::uintptr_t stack, const void* site) {
  if (recorder.calls()) note_frame(wire::Operation::kFunctionEntry, stack, site);
  inspect_hook(HookKind::of(wire::Operation::kEnter), nullptr, site, 0);
}

}  // namespace
}  // namespace unravel

using namespace unravel;

/// The argument is the caller's address; our own return address is in the function that begins.
UNRAVEL_EXPORT void __tsan_func_entry(void* caller) {
  const void* site = UNRAVEL_HOOK_SITE;
  call_stack.enter(CALLERS_STACK, reinterpret_cast<std::uintptr_t>(site),
                   reinterpret_cast<std::uintptr_t>(caller));
  if (count_call()) [[unlikely]]
    inspect_entry(CALLERS_STACK, site);
}

/// The shift is in the cache since the last hook, and 0 while no trace is wanted.
UNRAVEL_EXPORT void __tsan_func_exit() {
  if (countdowns.hooks.shift != 0 && recorder.calls()) [[unlikely]]
    note_frame(wire::Operation::kFunctionExit, CALLERS_STACK, UNRAVEL_HOOK_SITE);
}

/// GCC's hook.
UNRAVEL_EXPORT void __sanitizer_cov_trace_pc() { pass_block(UNRAVEL_HOOK_SITE, CALLERS_STACK); }

/// Clang's hook. The guard is not used.
UNRAVEL_EXPORT void __sanitizer_cov_trace_pc_guard(std::uint32_t*) {
  pass_block(UNRAVEL_HOOK_SITE, CALLERS_STACK);
}
UNRAVEL_EXPORT void __sanitizer_cov_trace_pc_guard_init(std::uint32_t*, std::uint32_t*) {}

// --- Other hooks of -fsanitize-coverage: none of them is a point ---------------------------------

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
