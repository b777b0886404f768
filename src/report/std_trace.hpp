/// A trace as other tools that analyse traces read it: the STD format of RAPID, `T1|w(V3)|17` for
/// thread 1 that writes variable 3 at place 17, an event on each line.
///
/// The format has reads, writes, locks that are taken and given back, threads that are forked and
/// joined. What else orders threads is put into these terms:
///   - a condition wait gives back its mutex and takes it again; a re-entrant lock is taken once;
///   - a reader takes a lock of its own, and a writer those of all readers;
///   - an atomic operation takes and gives back a lock that belongs to its address;
///   - a waker and who it wakes, and all who use a semaphore, a barrier or a call_once, take and
///   give
///     back a lock, one after the other.
/// A variable is an address for as long as its memory is not freed. Accesses of several bytes are
/// one access to the variable at their first byte.
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
  /// A first pass over the whole trace: who reads under which lock has to be known before the first
  /// writer comes.
  void prepare(std::span<const TraceEvent> events);

  /// The lines of these events, which were prepared before.
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
