/// Annotations for race detectors. Only those about order matter here, for a trace; all others do
/// nothing and return 0. libtsan has all of these functions, and a program that was linked with it
/// must find them. The barriers of its own tests are left out: they would have to wait.
#include "runtime/interpose/order.hpp"

using namespace unravel;

/// For any parameters; returns 0 as a number or an address.
#define NOTHING(name) \
  UNRAVEL_EXPORT void* name() { return nullptr; }

// --- Order that only the program knows ---

UNRAVEL_EXPORT void __tsan_acquire(void* object) { observe(object, UNRAVEL_HOOK_SITE); }
UNRAVEL_EXPORT void __tsan_release(void* object) { publish(object, UNRAVEL_HOOK_SITE); }
UNRAVEL_EXPORT void AnnotateHappensBefore(const char*, int, const volatile void* object) {
  publish(object, UNRAVEL_HOOK_SITE);
}
UNRAVEL_EXPORT void AnnotateHappensAfter(const char*, int, const volatile void* object) {
  observe(object, UNRAVEL_HOOK_SITE);
}

// --- Locks and fibers ---

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
NOTHING(AnnotateCondVarSignal);
NOTHING(AnnotateCondVarSignalAll);
NOTHING(AnnotateCondVarWait);
NOTHING(AnnotateEnableRaceDetection);
NOTHING(AnnotateExpectRace);
NOTHING(AnnotateFlushExpectedRaces);
NOTHING(AnnotateFlushState);
NOTHING(AnnotateMemoryIsInitialized);
NOTHING(AnnotateMemoryIsUninitialized);
NOTHING(AnnotateMutexIsNotPHB);
NOTHING(AnnotateMutexIsUsedAsCondVar);
NOTHING(AnnotateNoOp);
NOTHING(AnnotatePCQCreate);
NOTHING(AnnotatePCQDestroy);
NOTHING(AnnotatePCQGet);
NOTHING(AnnotatePCQPut);
NOTHING(AnnotatePublishMemoryRange);
NOTHING(AnnotateTraceMemory);
NOTHING(AnnotateUnpublishMemoryRange);
NOTHING(RunningOnValgrind);

// --- Memory of a Java virtual machine ---

NOTHING(__tsan_java_acquire);
NOTHING(__tsan_java_alloc);
NOTHING(__tsan_java_finalize);
NOTHING(__tsan_java_find);
NOTHING(__tsan_java_fini);
NOTHING(__tsan_java_free);
NOTHING(__tsan_java_init);
NOTHING(__tsan_java_move);
NOTHING(__tsan_java_mutex_lock);
NOTHING(__tsan_java_mutex_lock_rec);
NOTHING(__tsan_java_mutex_read_lock);
NOTHING(__tsan_java_mutex_read_unlock);
NOTHING(__tsan_java_mutex_unlock);
NOTHING(__tsan_java_mutex_unlock_rec);
NOTHING(__tsan_java_release);
NOTHING(__tsan_java_release_store);

// --- Reports: there are none ---

NOTHING(__tsan_get_alloc_stack);
NOTHING(__tsan_get_current_report);
NOTHING(__tsan_get_report_data);
NOTHING(__tsan_get_report_loc);
NOTHING(__tsan_get_report_loc_object_type);
NOTHING(__tsan_get_report_mop);
NOTHING(__tsan_get_report_mutex);
NOTHING(__tsan_get_report_stack);
NOTHING(__tsan_get_report_tag);
NOTHING(__tsan_get_report_thread);
NOTHING(__tsan_get_report_unique_tid);
NOTHING(__tsan_locate_address);

// --- Callbacks that a program may define itself ---

NOTHING(__tsan_default_options);
NOTHING(__tsan_default_suppressions);
NOTHING(__tsan_on_report);
NOTHING(__tsan_symbolize_external);
NOTHING(__tsan_symbolize_external_ex);

/// Returns the value of a named feature, as text.
UNRAVEL_EXPORT const char* ThreadSanitizerQuery(const char*) { return "0"; }
UNRAVEL_EXPORT double ValgrindSlowdown() { return 1; }
