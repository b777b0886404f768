/// What programs may tell a race detector, ask it or want it to call: there is none here, so that
/// nothing is done and nothing is known. libtsan has all of these, and who was linked with it must
/// find them. Left out are the barriers of its own tests, which would have to wait.
#include "runtime/interpose/hooks.hpp"

using namespace unravel;

/// Whatever it is called with, and whether the answer is a number or an address.
#define NOTHING(name) \
  UNRAVEL_EXPORT void* name() { return nullptr; }

// --- Locks, fibers and order that only the program knows of ---

NOTHING(__tsan_acquire);
NOTHING(__tsan_release);
NOTHING(__tsan_ignore_thread_begin);
NOTHING(__tsan_ignore_thread_end);
NOTHING(__tsan_flush_memory);
NOTHING(__tsan_mutex_create);
NOTHING(__tsan_mutex_destroy);
NOTHING(__tsan_mutex_pre_lock);
NOTHING(__tsan_mutex_post_lock);
NOTHING(__tsan_mutex_pre_unlock);
NOTHING(__tsan_mutex_post_unlock);
NOTHING(__tsan_mutex_pre_signal);
NOTHING(__tsan_mutex_post_signal);
NOTHING(__tsan_mutex_pre_divert);
NOTHING(__tsan_mutex_post_divert);
NOTHING(__tsan_get_current_fiber);
NOTHING(__tsan_create_fiber);
NOTHING(__tsan_destroy_fiber);
NOTHING(__tsan_switch_to_fiber);
NOTHING(__tsan_set_fiber_name);
NOTHING(__tsan_external_assign_tag);
NOTHING(__tsan_external_read);
NOTHING(__tsan_external_write);
NOTHING(__tsan_external_register_header);
NOTHING(__tsan_external_register_tag);
NOTHING(AnnotateHappensBefore);
NOTHING(AnnotateHappensAfter);
NOTHING(AnnotateBenignRace);
NOTHING(AnnotateBenignRaceSized);
NOTHING(AnnotateIgnoreReadsBegin);
NOTHING(AnnotateIgnoreReadsEnd);
NOTHING(AnnotateIgnoreWritesBegin);
NOTHING(AnnotateIgnoreWritesEnd);
NOTHING(AnnotateIgnoreSyncBegin);
NOTHING(AnnotateIgnoreSyncEnd);
NOTHING(AnnotateRWLockCreate);
NOTHING(AnnotateRWLockCreateStatic);
NOTHING(AnnotateRWLockDestroy);
NOTHING(AnnotateRWLockAcquired);
NOTHING(AnnotateRWLockReleased);
NOTHING(AnnotateNewMemory);
NOTHING(AnnotateThreadName);
