#include "run/program_state.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/unique_fd.hpp"
#include "run/checkup.hpp"
#include "symbolize/process_memory.hpp"

namespace unravel {
namespace {

constexpr std::uint64_t kPage = 4096;

// DWARF numbers of the registers that a call preserves, of the stack pointer and of the instruction
// pointer.
constexpr std::array<std::size_t, 8> kPreserved = {3, 6, kStackPointer, 12, 13, 14, 15, 16};

// Reading more would take longer than a run may take.
constexpr std::uint64_t kMostMemory = std::uint64_t{16} << 30;

// About the length of a function to both sides of a thread's position.
constexpr std::uint64_t kCodeNearby = 2048;

class Hash {
 public:
  Hash() : state_(XXH64_createState(), XXH64_freeState) { XXH64_reset(state_.get(), 0); }
  void add(const void* bytes, std::size_t size) { XXH64_update(state_.get(), bytes, size); }
  void add(std::uint64_t value) { add(&value, sizeof value); }
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::uint64_t value() const { return XXH64_digest(state_.get()); }

 private:
  std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state_;
};

struct Mapping {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  bool writable = false;
  std::string_view path;
};

/// Lines of /proc/PID/maps: "start-end rwxp offset device inode path".
std::vector<Mapping> mappings_of(std::string_view maps) {
  std::vector<Mapping> found;
  while (!maps.empty()) {
    const std::string_view line = maps.substr(0, maps.find('\n'));
    maps.remove_prefix(std::min(line.size() + 1, maps.size()));
    Mapping mapping;
    const char* end = line.data() + line.size();
    auto number = std::from_chars(line.data(), end, mapping.start, 16);
    if (number.ec != std::errc() || number.ptr == end) continue;
    number = std::from_chars(number.ptr + 1, end, mapping.end, 16);
    if (number.ec != std::errc() || end - number.ptr < 4) continue;
    mapping.writable = number.ptr[2] == 'w';
    const std::size_t path = line.find('/');
    if (path != line.npos) mapping.path = line.substr(path);
    found.push_back(mapping);
  }
  return found;
}

bool is_runtime(std::string_view path) {
  return std::filesystem::path(path).filename() == "libunravel-rt.so";
}

bool is_ours(const Mapping& mapping) {
  return mapping.start >= wire::kChannelAddress &&
         mapping.end <= wire::kChannelAddress + wire::Layout::kReserved;
}

/// Hashes those pages of a process that exist.
class Pages {
 public:
  explicit Pages(pid_t process)
      : pages_(::open((folder_of_memory(process) + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC)),
        memory_(::open((folder_of_memory(process) + "/mem").c_str(), O_RDONLY | O_CLOEXEC)) {}

  bool add(Hash& hash, std::uint64_t start, std::uint64_t end) {
    if (!pages_ || !memory_ || (total_ += end - start) > kMostMemory) return false;
    std::array<std::uint64_t, 512> entries;
    std::vector<char> bytes(kPage);
    for (std::uint64_t page = start - start % kPage; page < end;) {
      const std::uint64_t wanted =
          std::min<std::uint64_t>(entries.size(), (end - page + kPage - 1) / kPage);
      const ssize_t got = ::pread(pages_.get(), entries.data(), wanted * sizeof entries[0],
                                  static_cast<off_t>(page / kPage * sizeof entries[0]));
      if (got != static_cast<ssize_t>(wanted * sizeof entries[0])) return false;
      for (std::uint64_t i = 0; i < wanted; ++i, page += kPage) {
        // In memory or swapped out; any other page was never written.
        if (entries[i] >> 62 == 0) continue;
        const std::uint64_t from = std::max(page, start);
        const std::uint64_t size = std::min(page + kPage, end) - from;
        if (::pread(memory_.get(), bytes.data(), size, static_cast<off_t>(from)) !=
            static_cast<ssize_t>(size)) {
          return false;
        }
        hash.add(from);
        hash.add(bytes.data(), size);
      }
    }
    return true;
  }

 private:
  UniqueFd pages_;
  UniqueFd memory_;
  std::uint64_t total_ = 0;
};

/// Hashes where threads are in the program's own code. Returns false if that is not known for all.
bool add_registers(Hash& hash, const ChannelReading& channel, pid_t process, StackReader& stacks,
                   std::vector<std::uint64_t>& stack_pointers) {
  for (const wire::ThreadRecord& thread : channel.threads()) {
    if (thread.state != wire::ThreadState::kRunnable &&
        thread.state != wire::ThreadState::kBlocked) {
      continue;
    }
    const std::optional<FrameState> frame = stacks.program_frame(process, thread);
    if (!frame) return false;
    hash.add(thread.thread.ordinal);
    for (const std::size_t number : kPreserved) {
      if (!frame->registers[number]) return false;
      hash.add(*frame->registers[number]);
    }
    stack_pointers.push_back(*frame->registers[kStackPointer]);
    const std::uint64_t place = *frame->registers[16];
    const auto code = StackReader::read(process, place - kCodeNearby, 2 * kCodeNearby);
    const std::vector<Source> sources = varying_instructions(code, kCodeNearby);
    if (std::find(sources.begin(), sources.end(), Source::kTime) != sources.end()) return false;
  }
  return true;
}

bool add_memory(Hash& hash, pid_t process, Memory which,
                const std::vector<std::uint64_t>& stack_pointers) {
  const auto maps = read_text_file(folder_of_memory(process) + "/maps");
  if (!maps) return false;
  Pages pages(process);
  std::uint64_t end_of_runtime = 0;
  for (const Mapping& mapping : mappings_of(*maps)) {
    // A file's zeroed memory follows it, without a file.
    const bool behind_runtime = mapping.path.empty() && mapping.start == end_of_runtime;
    const bool is_in_runtime = is_runtime(mapping.path) || behind_runtime;
    if (is_in_runtime) end_of_runtime = mapping.end;
    if (which == Memory::kOfProgram && (is_in_runtime || is_ours(mapping))) continue;
    if (!mapping.writable) continue;
    // Memory below a stack pointer has no meaning, and our own calls write there.
    std::uint64_t start = mapping.end;
    for (const std::uint64_t pointer : stack_pointers) {
      if (pointer >= mapping.start && pointer < mapping.end) start = std::min(start, pointer);
    }
    if (start == mapping.end) start = mapping.start;
    if (!pages.add(hash, start, mapping.end)) return false;
  }
  return true;
}

bool add_files(Hash& hash, pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process) + "/fdinfo";
  std::error_code error;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    names.insert(entry.path().filename().string());
  }
  if (error) return false;
  for (const std::string& name : names) {
    const auto text = read_text_file(folder + "/" + name);
    if (!text) return false;
    hash.add(name);
    hash.add(*text);
  }
  return true;
}

}  // namespace

std::optional<std::uint64_t> state_of_program(const ChannelReading& channel, pid_t process,
                                              StackReader& stacks) {
  Hash hash;
  hash.add(channel.round().state);
  std::vector<std::uint64_t> stack_pointers;
  if (!add_registers(hash, channel, process, stacks, stack_pointers)) return std::nullopt;
  if (!add_memory(hash, process, Memory::kOfProgram, stack_pointers)) return std::nullopt;
  if (!add_files(hash, process)) return std::nullopt;
  return hash.value();
}

std::optional<std::uint64_t> memory_of(pid_t process, Memory which,
                                       const std::vector<std::uint64_t>& stack_pointers) {
  Hash hash;
  if (!add_memory(hash, process, which, stack_pointers)) return std::nullopt;
  return hash.value();
}

}  // namespace unravel
