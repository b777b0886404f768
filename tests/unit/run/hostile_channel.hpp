/// A channel that somebody overwrites, and everything that the driver reads from one. The unit
/// tests and bench/hostile share it.
#pragma once

#include <cstdint>
#include <string>

#include "run/channel.hpp"

namespace unravel {

class HostileChannel {
 public:
  HostileChannel();
  ~HostileChannel();
  HostileChannel(const HostileChannel&) = delete;
  HostileChannel& operator=(const HostileChannel&) = delete;

  /// How the channel is overwritten.
  enum class Way {
    kNoWords,    // not at all
    kAllWords,   // every word of the tables, and of the streams as far as they claim to be full
    kFewWords,   // one to eight words of a channel that is otherwise good
    kMeanwhile,  // few words again and again while it is read
  };

  /// Overwrites a fresh channel and reads all of it, as a session does. Gives what was noticed,
  /// empty if nothing was. What it must not do is crash, hang, or take memory without end.
  std::string attack(Way way, std::uint64_t seed);

 private:
  void fill_well();
  void overwrite_all(std::uint64_t seed);
  void overwrite_few(std::uint64_t seed);
  std::string read_everything();

  Channel channel_;
  void* peer_;  // as the program sees it
};

}  // namespace unravel
