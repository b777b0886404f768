/* Marks what is to be atomic, for `unravel predict`: accesses of other threads that come between
 * those of a marked region are told, whether or not the program fails by them.
 *
 * C99 and C++11; it needs no library. Natively a mark costs a load and a branch. With
 * -DUNRAVEL_DISABLE, and on other machines than Linux on x86-64, marks are nothing at all. */
#ifndef UNRAVEL_ATOMIC_H
#define UNRAVEL_ATOMIC_H

#if !defined(UNRAVEL_DISABLE) && defined(__linux__) && defined(__x86_64__) && \
    !defined(__ILP32__) && defined(__GNUC__)
/* Calls a function of unravel's runtime if it is there. The address comes from the global offset
 * table: in executables without PIE, linkers take any other use of a weak function for missing. */
#define UNRAVEL_CALL_RUNTIME_(name)                                                        \
  do {                                                                                     \
    void (*unravel_found_)(void);                                                          \
    __asm__(".weak " name "\n\tmovq " name "@GOTPCREL(%%rip), %0" : "=r"(unravel_found_)); \
    if (unravel_found_) unravel_found_();                                                  \
  } while (0)
#else
#define UNRAVEL_CALL_RUNTIME_(name) ((void)0)
#endif

#ifdef __GNUC__
#define UNRAVEL_ALWAYS_INLINE_ __attribute__((always_inline))
#else
#define UNRAVEL_ALWAYS_INLINE_
#endif

/** Call this where something begins that no other thread may interrupt; calls nest, and each needs
 *  its own unravel_atomic_end() in the same thread. */
UNRAVEL_ALWAYS_INLINE_ static inline void unravel_atomic_begin(void) {
  UNRAVEL_CALL_RUNTIME_("unravel_runtime_atomic_begin");
}

/** Call this where it ends, on every path out of it; a region that is never ended lasts to the end
 *  of its thread. */
UNRAVEL_ALWAYS_INLINE_ static inline void unravel_atomic_end(void) {
  UNRAVEL_CALL_RUNTIME_("unravel_runtime_atomic_end");
}

#ifdef __cplusplus
namespace unravel {

/** Declare one of these, with a name, to mark the rest of a block as atomic, also where an
 *  exception leaves it. */
class atomic_region {
 public:
  UNRAVEL_ALWAYS_INLINE_ atomic_region() { unravel_atomic_begin(); }
  UNRAVEL_ALWAYS_INLINE_ ~atomic_region() { unravel_atomic_end(); }
  atomic_region(const atomic_region&) = delete;
  atomic_region& operator=(const atomic_region&) = delete;
};

}  // namespace unravel
#endif

#undef UNRAVEL_CALL_RUNTIME_
#undef UNRAVEL_ALWAYS_INLINE_

#endif /* UNRAVEL_ATOMIC_H */
