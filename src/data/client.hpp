/// The client of a run: a process that is started beside it and is not controlled.
#pragma once

#include <cstdint>
#include <string>

namespace unravel {

struct ClientCommand {
  std::string command;  // for the shell; empty: there is no client
  int signal = 0;       // what the program gets when the client has ended; 0: nothing

  friend bool operator==(const ClientCommand&, const ClientCommand&) = default;
};

/// How a client ended.
struct ClientEnd {
  enum class Kind : std::uint8_t {
    kNotStarted,  // the program never waited for anything from outside
    kExited,
    kKilled,      // by a signal
    kUnfinished,  // unravel ended it
  };
  std::string command;
  Kind kind = Kind::kNotStarted;
  int number = 0;           // its exit status, or the signal
  bool has_signal = false;  // the program got its signal
  std::string output;       // of both streams, or its head and tail

  friend bool operator==(const ClientEnd&, const ClientEnd&) = default;
};

/// "exit status 3", "SIGSEGV", "not started".
std::string describe(const ClientEnd& end);

}  // namespace unravel
