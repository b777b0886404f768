// Two threads call every mem*, str* and malloc function that would stand for accesses if there were
// hooks.
//
// expect: passed
// within: random, 20 runs
// flags: -fno-builtin
#define WITHOUT_HOOKS
#include "memory_functions.c"
