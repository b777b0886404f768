/// Inputs by stream: what the driver makes of a record for runs under other schedules.
///
/// The recorded order of all inputs holds for one schedule only. Under another one, each stream
/// still brings the same bytes. A run is served from these tables: it finds a stream by its origin,
/// and what it brings by how much the program has sent on it. The tables refer to entries of the
/// record, which follows them.
#pragma once

#include <cstdint>

#include "wire/input.hpp"

namespace unravel::wire {

/// A table in words from the beginning.
struct ServedTable {
  std::uint64_t at = 0;
  std::uint64_t count = 0;
};

struct ServedHead {
  std::uint64_t words = 0;  // of everything
  std::uint64_t log = 0;    // where the entries of the record begin
  ServedTable streams;      // ServedStream
  ServedTable inputs;       // ServedInput, by stream
  ServedTable sends;        // ServedSend, by stream
  ServedTable groups;       // ServedGroup, ordered by kind, call, stream and what was asked
  ServedTable answers;      // entries: answers of groups, and results of connect()
  ServedTable children;     // entries
  ServedTable signals;      // entries
};
static_assert(sizeof(ServedHead) == 128);

/// A part of a table.
struct ServedRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct ServedStream {
  StreamOrigin origin;
  ServedRange inputs;
  ServedRange sends;
  ServedRange connects;  // of `answers`
  std::uint32_t number = 0;
  std::uint32_t is_own = 0;  // it brought only what the program itself had sent: nothing is served
};
static_assert(sizeof(ServedStream) == 56);

/// Bytes, the end of the stream, an error or a connection.
struct ServedInput {
  std::uint64_t entry = 0;  // in words from the beginning of the record
  std::uint64_t sent = 0;   // how many bytes the program had sent on the stream by then
};

/// A call that sent something.
struct ServedSend {
  std::uint64_t total = 0;  // all bytes on this stream so far
  std::uint64_t hash = 0;   // of all these bytes
  std::int64_t error = 0;   // if the call failed after them: a negative error number
};

/// The answers to one question: a system call, what it asked for, and on which stream or file.
struct ServedGroup {
  std::uint64_t asked = 0;
  std::uint32_t stream = 0;
  std::uint16_t call = 0;
  InputKind kind = InputKind::kNone;
  std::uint8_t reserved = 0;
  ServedRange answers;
};
static_assert(sizeof(ServedGroup) == 24);

}  // namespace unravel::wire
