#include "runtime/interpose/opened_files.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "runtime/interpose/unblocked.hpp"
#include "runtime/os/descriptor_path.hpp"
#include "runtime/process/runtime.hpp"

namespace unravel {

namespace {

using os::CaughtCall;
using wire::InputKind;

/// What the record has of an opened file.
enum class Content : std::uint64_t {
  kNone,   // nothing to read, or no regular file
  kWhole,  // all its bytes
  kOwn,    // this run wrote it
  kLarge,  // not copied; its size and time of change tell whether it is still the same
};

/// What tells a large file from another one, or from an earlier state.
struct Version {
  std::int64_t size = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;

  friend bool operator==(const Version&, const Version&) = default;
};

Version version_of(const struct stat& status) {
  return {.size = status.st_size,
          .seconds = status.st_mtim.tv_sec,
          .nanoseconds = status.st_mtim.tv_nsec};
}

struct Opening {
  int directory = AT_FDCWD;
  long path = 0;
  int flags = 0;
  mode_t mode = 0;
};

Opening opening_of(const CaughtCall& call) {
  const long(&a)[6] = call.arguments;
  switch (call.number) {
    case SYS_openat:
      return {static_cast<int>(a[0]), a[1], static_cast<int>(a[2]), static_cast<mode_t>(a[3])};
    case SYS_creat:
      return {AT_FDCWD, a[0], O_CREAT | O_WRONLY | O_TRUNC, static_cast<mode_t>(a[1])};
    default: return {AT_FDCWD, a[0], static_cast<int>(a[1]), static_cast<mode_t>(a[2])};
  }
}

long open_really(const Opening& opening) {
  return os::call(SYS_openat, opening.directory, opening.path, opening.flags,
                  static_cast<long>(opening.mode));
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_TRUNC | O_CREAT)); }
bool reads(int flags) { return (flags & O_ACCMODE) != O_WRONLY && !(flags & (O_TRUNC | O_PATH)); }

/// Copies `size` bytes, or all that there are, to `use`. Returns how many.
template <class Use>
std::uint64_t copy_content(int descriptor, std::uint64_t size, Use use) {
  char block[4096];
  std::uint64_t done = 0;
  while (done < size) {
    const std::uint64_t most = size - done < sizeof(block) ? size - done : sizeof(block);
    const long got = os::call(SYS_pread64, descriptor, os::as_argument(block),
                              static_cast<long>(most), static_cast<long>(done));
    if (got <= 0) break;
    use(block, static_cast<std::size_t>(got));
    done += static_cast<std::uint64_t>(got);
  }
  return done;
}

bool is_made_by_kernel(int descriptor) {
  struct statfs system {};
  return os::call(SYS_fstatfs, descriptor, os::as_argument(&system)) == 0 &&
         (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC);
}

/// A file in memory that takes the place of `wanted`, a descriptor that is open already or the next
/// free one. Opened with the access of `flags`, at its beginning.
long file_in_memory(long wanted, int flags) {
  const long made = os::call(SYS_memfd_create, os::as_argument("input"), 0);
  if (made < 0) return made;
  if (wanted < 0 || made == wanted) return made;
  const long moved = os::call(SYS_dup3, made, wanted, flags & O_CLOEXEC);
  os::call(SYS_close, made);
  return moved;
}

/// Opens the same file again, with other flags, under the same number.
void reopen(long descriptor, int flags) {
  const os::DescriptorPath path(static_cast<int>(descriptor));
  const long again = os::call(SYS_open, os::as_argument(path.text()),
                              flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW));
  if (again < 0) return;
  os::call(SYS_dup3, again, descriptor, flags & O_CLOEXEC);
  os::call(SYS_close, again);
}

/// What the kernel tells in /proc and /sys is written anew for every read. A copy stays as it is.
void keep_still(int descriptor, int flags) {
  // Larger ones, such as a process's memory, are left alone. Chosen by hand.
  constexpr std::uint64_t kMost = 4 << 20;
  const long copy = file_in_memory(-1, 0);
  if (copy < 0) return;
  std::uint64_t at = 0;
  const std::uint64_t size = copy_content(descriptor, kMost, [&](const char* bytes, std::size_t n) {
    os::call(SYS_pwrite64, copy, os::as_argument(bytes), static_cast<long>(n),
             static_cast<long>(at));
    at += n;
  });
  if (size > 0 && size < kMost) {
    os::call(SYS_dup3, copy, descriptor, flags & O_CLOEXEC);
    reopen(descriptor, flags);
  }
  os::call(SYS_close, copy);
}

InputCall input_of(const CaughtCall& call) {
  return {.kind = InputKind::kFile, .call = static_cast<std::uint16_t>(call.number)};
}

/// Begins an entry with `size` bytes, and gives the opened file a number.
void begin_opening(Thread& self, const CaughtCall& call, long result, std::uint64_t size) {
  InputCall input = input_of(call);
  if (result >= 0) {
    input.stream = runtime().streams().next_number();
    runtime().streams().record_file(static_cast<int>(result), input.stream);
  }
  runtime().inputs().begin(self, input, result, size, hash_of_path(opening_of(call).path));
}

void record_opening(Thread& self, const CaughtCall& call, long result, Content content,
                    std::uint64_t size) {
  Inputs& inputs = runtime().inputs();
  begin_opening(self, call, result, sizeof(content) + size);
  inputs.add(&content, sizeof(content));
  if (!size) return inputs.end();
  // The file may shrink while it is read; the rest is zeros then.
  std::uint64_t missing =
      size - copy_content(static_cast<int>(result), size,
                          [&](const char* bytes, std::size_t n) { inputs.add(bytes, n); });
  for (constexpr char kZero = 0; missing > 0; --missing) inputs.add(&kZero, 1);
  inputs.end();
}

void record_large(Thread& self, const CaughtCall& call, long result, const Version& version) {
  Inputs& inputs = runtime().inputs();
  constexpr Content kContent = Content::kLarge;
  begin_opening(self, call, result, sizeof(kContent) + sizeof(version));
  inputs.add(&kContent, sizeof(kContent));
  inputs.add(&version, sizeof(version));
  inputs.end();
}

long record_open(Thread& self, const CaughtCall& call, const Opening& opening) {
  const long result = open_really(opening);
  const auto descriptor = static_cast<int>(result);
  struct stat status {};
  const bool is_file = result >= 0 && !(opening.flags & O_PATH) &&
                       os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 &&
                       S_ISREG(status.st_mode);
  if (!is_file) {
    record_opening(self, call, result, Content::kNone, 0);
    return result;
  }
  if (status.st_size == 0 && (opening.flags & O_ACCMODE) == O_RDONLY &&
      is_made_by_kernel(descriptor)) {
    keep_still(descriptor, opening.flags);
    os::call(SYS_fstat, descriptor, os::as_argument(&status));
  }
  Inputs& inputs = runtime().inputs();
  const bool is_own = inputs.is_own_file(status.st_dev, status.st_ino);
  if (writes(opening.flags)) inputs.record_own_file(status.st_dev, status.st_ino);
  const bool has_content = reads(opening.flags) && status.st_size > 0;
  if (has_content && !is_own &&
      static_cast<std::uint64_t>(status.st_size) > runtime().settings().most_content) {
    record_large(self, call, result, version_of(status));
    return result;
  }
  record_opening(self, call, result,
                 is_own        ? Content::kOwn
                 : has_content ? Content::kWhole
                               : Content::kNone,
                 has_content && !is_own ? static_cast<std::uint64_t>(status.st_size) : 0);
  return result;
}

/// Whether a large file is the one that the record names.
bool is_still(int descriptor, RecordedInput& input) {
  Version recorded;
  struct stat status {};
  return input.read(&recorded, sizeof(recorded)) &&
         os::call(SYS_fstat, descriptor, os::as_argument(&status)) == 0 &&
         version_of(status) == recorded;
}

// Where a descriptor is expected: a file that was too large for the record is another one now.
constexpr long kNotTheSame = -4096;
constexpr char kLargeChanged[] = "a file that was too large for the record has changed or is gone";

/// Opens what stands for a recorded file; kNotTheSame if that is not possible.
long open_stand_in(const Opening& opening, Content content, RecordedInput& input) {
  long opened = -1;
  if (content == Content::kWhole) {
    opened = file_in_memory(-1, opening.flags);
    char block[4096];
    while (opened >= 0 && input.left() > 0) {
      const std::size_t size = input.left() < sizeof(block) ? input.left() : sizeof(block);
      input.read(block, size);
      os::call(SYS_write, opened, os::as_argument(block), static_cast<long>(size));
    }
    if (opened >= 0) reopen(opened, opening.flags);
  } else if (content == Content::kLarge) {
    opened = open_really(opening);
    if (!is_still(static_cast<int>(opened), input)) return kNotTheSame;
  } else {
    opened = open_really(opening);
    // It could be opened then; what this run does with it is not seen by anybody else.
    if (opened < 0 && (opening.flags & O_DIRECTORY)) {
      opened = os::call(SYS_open, os::as_argument("/"), opening.flags);
    }
    if (opened < 0) opened = file_in_memory(-1, opening.flags);
  }
  return opened;
}

long replay_open(Thread& self, const CaughtCall& call, const Opening& opening) {
  Inputs& inputs = runtime().inputs();
  RecordedInput input = inputs.take(self, input_of(call));
  // The C library draws names of files that it makes for a moment, as in sem_open().
  if (!(opening.flags & O_EXCL) && input.asked() != hash_of_path(opening.path)) {
    inputs.diverge(self, "the program opens another file than the recorded run");
  }
  const long wanted = input.result();
  Content content = Content::kNone;
  if (!input.read(&content, sizeof(content))) {
    inputs.diverge(self, "the record of an opened file is not whole");
  }
  if (wanted < 0) return wanted;
  const long opened = open_stand_in(opening, content, input);
  if (opened == kNotTheSame) inputs.diverge(self, kLargeChanged);
  if (opened != wanted) {
    inputs.diverge(self, "a file would get another descriptor than in the recorded run");
  }
  return opened;
}

/// Opens the file that was recorded under this path, whatever the order.
long serve_open(Thread& self, const CaughtCall& call, const Opening& opening) {
  const wire::InputHead* known =
      runtime().served().answer(input_of(call), 0, hash_of_path(opening.path), self);
  const bool only_writes = writes(opening.flags) && !reads(opening.flags);
  if (!known && (only_writes || (opening.flags & O_EXCL))) return open_really(opening);
  Content content = Content::kNone;
  if (!known) {
    runtime().inputs().end_unresolved(
        self,
        "the program asked for an input that was not recorded: it opens a file that the recorded "
        "run did not open");
  }
  RecordedInput input(*known);
  if (known->result < 0 || !input.read(&content, sizeof(content))) {
    return static_cast<long>(known->result);
  }
  const long opened = open_stand_in(opening, content, input);
  if (opened == kNotTheSame) runtime().inputs().end_unresolved(self, kLargeChanged);
  if (opened >= 0) runtime().streams().record_file(static_cast<int>(opened), known->stream);
  return opened;
}

}  // namespace

bool is_open(long number) {
  return number == SYS_open || number == SYS_openat || number == SYS_creat;
}

long answer_open(Thread& self, const CaughtCall& call) {
  const Opening opening = opening_of(call);
  if (runtime().inputs().serves()) return serve_open(self, call, opening);
  return runtime().inputs().replays() ? replay_open(self, call, opening)
                                      : record_open(self, call, opening);
}

}  // namespace unravel
