// Two threads call every mem*, str* and malloc function that stands for accesses, and compare what
// each answers with what the C library's manual says.
//
// expect: passed
// within: random, 50 runs
// flags: -fsanitize=thread -fno-builtin
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// What fortified programs call.
void* __memcpy_chk(void*, const void*, size_t, size_t);
void* __memmove_chk(void*, const void*, size_t, size_t);
void* __mempcpy_chk(void*, const void*, size_t, size_t);
void* __memset_chk(void*, int, size_t, size_t);
char* __strcpy_chk(char*, const char*, size_t);
char* __strncpy_chk(char*, const char*, size_t, size_t);
char* __stpcpy_chk(char*, const char*, size_t);
char* __stpncpy_chk(char*, const char*, size_t, size_t);
char* __strcat_chk(char*, const char*, size_t);
char* __strncat_chk(char*, const char*, size_t, size_t);

static int same(const void* bytes, const char* expected, size_t size) {
  const char* at = bytes;
  for (size_t i = 0; i < size; i++) {
    if (at[i] != expected[i]) return 0;
  }
  return 1;
}

static void copy_bytes(char* to) {
  assert(memset(to, '.', 16) == to && same(to, "................", 16));
  assert(memcpy(to, "abcdef", 6) == to && same(to, "abcdef..", 8));
  assert(memmove(to + 2, to, 6) == to + 2 && same(to, "ababcdef..", 10));
  assert(memmove(to, to + 2, 6) == to && same(to, "abcdefef..", 10));
  assert(mempcpy(to + 8, "xyz", 3) == to + 11 && same(to, "abcdefefxyz..", 13));
  bcopy(to, to + 1, 4);
  assert(same(to, "aabcdfef", 8));
  bzero(to, 2);
  assert(same(to, "\0\0bcd", 5));
  assert(memcpy(to, "!", 0) == to && memset(to, '!', 0) == to && same(to, "\0\0b", 3));
  assert(__memset_chk(to, '-', 16, 16) == to && same(to, "----------------", 16));
  assert(__memcpy_chk(to, "abc", 3, 16) == to && same(to, "abc-", 4));
  assert(__memmove_chk(to + 1, to, 3, 15) == to + 1 && same(to, "aabc-", 5));
  assert(__mempcpy_chk(to, "xy", 2, 16) == to + 2 && same(to, "xybc-", 5));
}

static void look_at_bytes(const char* in) {  // "hello, hello"
  assert(memcmp(in, "hello", 5) == 0 && memcmp(in, "hellp", 5) < 0 && memcmp(in, "aello", 5) > 0);
  assert(memcmp("\xff", "\1", 1) > 0 && memcmp("a", "b", 0) == 0);
  assert(bcmp(in, "hello", 5) == 0 && bcmp(in, "hellp", 5) != 0);
  assert(memchr(in, 'l', 12) == in + 2 && !memchr(in, 'l', 2) && !memchr(in, 'h', 0));
  assert(memrchr(in, 'l', 12) == in + 10 && memrchr(in, 'h', 7) == in && !memrchr(in, 'x', 12));
  assert(memmem(in, 12, "lo, ", 4) == in + 3 && !memmem(in, 5, "lo, ", 4));
  assert(memmem(in, 12, "", 0) == in);
}

static void copy_text(char* to) {
  assert(strcpy(to, "one") == to && same(to, "one", 4));
  assert(stpcpy(to, "four") == to + 4 && same(to, "four", 5));
  assert(strcat(to, "teen") == to && same(to, "fourteen", 9));
  assert(strncat(to, "s and more", 1) == to && same(to, "fourteens", 10));
  assert(strncpy(to, "ab", 5) == to && same(to, "ab\0\0\0eens", 10));
  assert(strncpy(to, "abcdef", 3) == to && same(to, "abc\0\0eens", 10));
  assert(stpncpy(to, "xy", 4) == to + 2 && same(to, "xy\0\0\0eens", 10));
  assert(stpncpy(to, "wxyz", 2) == to + 2 && same(to, "wx\0", 3));
  assert(strncpy(to, "!", 0) == to && strncat(to, "!", 0) == to && same(to, "wx\0", 3));
  assert(__strcpy_chk(to, "one", 16) == to && same(to, "one", 4));
  assert(__stpcpy_chk(to, "four", 16) == to + 4 && same(to, "four", 5));
  assert(__strcat_chk(to, "teen", 16) == to && same(to, "fourteen", 9));
  assert(__strncat_chk(to, "s and more", 1, 16) == to && same(to, "fourteens", 10));
  assert(__strncpy_chk(to, "ab", 4, 16) == to && same(to, "ab\0\0teens", 10));
  assert(__stpncpy_chk(to, "xyz", 3, 16) == to + 3 && same(to, "xyz\0teens", 10));
}

static void look_at_text(const char* in) {  // "hello, hello"
  assert(strlen(in) == 12 && strlen("") == 0);
  assert(strnlen(in, 5) == 5 && strnlen(in, 50) == 12 && strnlen(in, 0) == 0);
  assert(strcmp(in, "hello, hello") == 0 && strcmp(in, "hello") > 0 && strcmp(in, "help") < 0);
  assert(strncmp(in, "help", 3) == 0 && strncmp(in, "help", 4) < 0 && strncmp("a", "b", 0) == 0);
  assert(strcasecmp(in, "HELLO, hellO") == 0 && strcasecmp(in, "HELP") < 0);
  assert(strncasecmp(in, "HELP", 3) == 0 && strncasecmp(in, "HELL!", 5) > 0);
  assert(strchr(in, 'l') == in + 2 && !strchr(in, 'x') && strchr(in, 0) == in + 12);
  assert(strchrnul(in, 'l') == in + 2 && strchrnul(in, 'x') == in + 12);
  assert(strrchr(in, 'l') == in + 10 && !strrchr(in, 'x') && strrchr(in, 0) == in + 12);
  assert(strstr(in, "lo") == in + 3 && !strstr(in, "lol") && strstr(in, "") == in);
  assert(strcasestr(in, "LO, H") == in + 3 && !strcasestr(in, "LOL"));
  assert(strspn(in, "leh") == 4 && strspn(in, "x") == 0 && strspn("hh", "h") == 2);
  assert(strcspn(in, ",") == 5 && strcspn(in, "") == 12 && strcspn(in, "h") == 0);
  assert(strpbrk(in, " ,") == in + 5 && !strpbrk(in, "xyz"));
}

static int is_aligned(const void* memory, uintptr_t alignment) {
  return memory && (uintptr_t)memory % alignment == 0;
}

static void allocate(void) {
  char* text = strdup("a copy");
  assert(same(text, "a copy", 7));
  text = realloc(text, 100000);
  assert(same(text, "a copy", 7) && malloc_usable_size(text) >= 100000);
  text = reallocarray(text, 3, 4);
  assert(same(text, "a copy", 7));
#ifdef WITHOUT_HOOKS  // ThreadSanitizer's own functions end the program
  errno = 0;
  void* none = reallocarray(text, SIZE_MAX - (uintptr_t)text, 4);
  assert(!none && errno == ENOMEM);
  errno = 0;
  none = malloc(SIZE_MAX - (uintptr_t)text);
  assert(!none && errno == ENOMEM);
  assert(posix_memalign(&none, 3, 10) == EINVAL);
#endif
  errno = EDOM;
  free(text);
  free(NULL);
  assert(errno == EDOM);

  text = strndup("a part", 1);
  assert(same(text, "a", 2));
  free(text);
  char* zeroes = calloc(40, 25);
  for (int i = 0; i < 1000; i++) assert(zeroes[i] == 0);
  free(zeroes);
  void* fresh = realloc(NULL, 10);
  assert(fresh);
  free(fresh);
  void* empty = malloc(0);
  assert(empty);
  free(empty);

  void* blocks[5] = {aligned_alloc(256, 512), memalign(128, 100), valloc(100), pvalloc(100)};
  assert(is_aligned(blocks[0], 256) && is_aligned(blocks[1], 128));
  assert(is_aligned(blocks[2], 4096) && is_aligned(blocks[3], 4096));
  assert(malloc_usable_size(blocks[3]) >= 4096);
  assert(posix_memalign(&blocks[4], 1024, 10) == 0 && is_aligned(blocks[4], 1024));
  for (int i = 0; i < 5; i++) free(blocks[i]);
}

static void* call_all(void* unused) {
  char buffer[32];
  const char text[] = "hello, hello";
  errno = EDOM;
  copy_bytes(buffer);
  look_at_bytes(text);
  copy_text(buffer);
  look_at_text(text);
  assert(errno == EDOM);
  allocate();
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, call_all, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  puts("ok");
}
