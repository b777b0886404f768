/// The streams through which inputs come: pipes, sockets and terminals, each with its origin, which
/// is the same under other schedules; and files that the program opened, by descriptor.
#pragma once

#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdint>

#include "runtime/core/object_table.hpp"
#include "runtime/core/thread.hpp"
#include "wire/input.hpp"

namespace unravel {

/// A hash of what a program sends. It does not depend on the pieces in which the bytes are given.
class SentHash {
 public:
  void add(const void* bytes, std::size_t size);
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf2'9ce4'8422'2325;
};

/// A pipe, a socket or a terminal. Each has an inode, whatever its descriptors are.
struct StreamNode {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  wire::StreamOrigin origin;
  std::uint32_t number = 0;    // in the record, from 1 on; 0: none yet
  std::uint32_t served = 0;    // the index of what it is served from, plus one; 0: none
  std::uint32_t accepted = 0;  // connections that it gave
  std::uint32_t next = 0;      // of the same hash, from 1 on
  SentHash sent;               // while it is recorded
};

class Streams {
 public:
  explicit Streams(Arena& arena) : arena_(arena) {}

  /// The program made a socket or a pipe.
  void record_made(int descriptor, const Thread& maker);
  /// It is about to connect to an address.
  void record_connect(int descriptor, const Thread& maker, const sockaddr* address,
                      socklen_t length);
  /// The connection came from a listener.
  void record_accepted(int descriptor, const Thread& maker, StreamNode& listener);

  /// The stream at this descriptor. If its making was not seen, it was opened or inherited.
  StreamNode& at(int descriptor, const struct stat& status, const Thread& self);

  /// Whether it is a stream: a pipe, a socket or a terminal.
  static bool is_stream(int descriptor, const struct stat& status);

  // --- Files ---
  [[nodiscard]] std::uint32_t file_at(int descriptor) const;
  void record_file(int descriptor, std::uint32_t number);
  void record_copy(int descriptor, int copy) { record_file(copy, file_at(descriptor)); }

  /// The number of the next stream or file of a record.
  std::uint32_t next_number() { return ++numbers_; }

 private:
  // The oldest are forgotten first.
  static constexpr std::uint32_t kMostNodes = 1u << 16;
  static constexpr std::uint32_t kMostCounts = 1u << 16;
  static constexpr int kMostFiles = 1 << 16;

  struct Count {
    std::uint64_t key = 0;
    std::uint64_t value = 0;
  };

  StreamNode* find(const struct stat& status) const;
  StreamNode& make(const struct stat& status);
  void unlink(std::uint32_t index);
  void set_origin(StreamNode& node, int descriptor, wire::OriginKind kind, std::uint64_t name,
                  const Thread& maker);
  /// How many were counted with this key before.
  std::uint32_t count(std::uint64_t key);

  Arena& arena_;
  StreamNode* nodes_ = nullptr;  // a ring
  std::uint32_t* hashes_ = nullptr;
  Count* counts_ = nullptr;
  std::uint32_t* files_ = nullptr;
  std::uint64_t recorded_ = 0;
  std::uint32_t numbers_ = 0;
};

}  // namespace unravel
