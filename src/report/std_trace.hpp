/// A trace in the STD format of RAPID, for other trace analysis tools. One event per line:
/// `T1|w(V3)|17` means that thread 1 writes variable 3 at place 17.
///
/// The format has only reads, writes, acquires, releases, forks and joins. Other synchronisation is
/// expressed by these:
///   - a condition wait releases its mutex and acquires it again; a recursive lock is acquired
///   once;
///   - a reader acquires its own lock, and a writer acquires the locks of all readers;
///   - an atomic operation acquires and releases a lock for its address;
///   - a waking thread and the woken thread acquire and release a common lock in this order, and so
///     do all users of a semaphore, a barrier or a call_once.
/// A variable is an address until its memory is freed. An access of several bytes is one access to
/// the variable at its first byte.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>

#include "data/trace.hpp"

namespace unravel {

class StdTrace {
 public:
  /// First pass over the whole trace: the readers of each lock must be known before the first
  /// writer.
  void prepare(std::span<const TraceEvent> events);

  /// The lines for these events; call prepare() before.
  std::string lines(std::span<const TraceEvent> events);

 private:
  struct Held {
    std::uint64_t depth = 0;
    bool writes = false;
    std::uint64_t given_up = 0;  // depth before a wait
  };

  void line(std::string& out, const TraceEvent& event, const std::string& what) const;
  void take(std::string& out, const TraceEvent& event, const std::string& lock) const;
  void give(std::string& out, const TraceEvent& event, const std::string& lock) const;
  void pass(std::string& out, const TraceEvent& event, const std::string& lock) const;
  void access(std::string& out, const TraceEvent& event, char kind);
  void lock_lines(std::string& out, const TraceEvent& event);
  void access_lines(std::string& out, const TraceEvent& event);
  void lock(std::string& out, const TraceEvent& event);
  void unlock(std::string& out, const TraceEvent& event);
  void read_write_lock(std::string& out, const TraceEvent& event, bool writes);
  void read_write_unlock(std::string& out, const TraceEvent& event);
  std::string lock_name(std::uint64_t object);
  std::string variable_name(std::uint64_t address);
  void forget(std::uint64_t address, std::uint64_t size);

  std::map<std::uint64_t, std::set<std::uint32_t>> readers_;  // of each rwlock
  std::map<std::uint64_t, std::uint64_t> locks_;              // numbers, by address
  std::map<std::uint64_t, std::uint64_t> variables_;          // likewise
  std::map<std::uint64_t, std::uint64_t> blocks_;             // sizes of allocated memory
  std::uint64_t next_variable_ = 0;
  std::uint64_t wakes_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Held> held_;
};

}  // namespace unravel
