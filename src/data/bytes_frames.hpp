/// Stacks as bytes: each text and each frame once, stacks as lists of numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "data/bytes.hpp"
#include "data/frame.hpp"

namespace unravel {

/// Collects the frames of all stacks of a file. It is written before the stacks.
class FrameTable {
 public:
  void add(const Frame& frame);
  void add(const Stack& stack);

  void write(FieldWriter& out) const;
  void write(FieldWriter& out, const Frame& frame) const;
  void write(FieldWriter& out, const Stack& stack) const;

 private:
  using Fields = std::tuple<std::string, std::string, int, std::string, std::uint64_t, bool>;
  static Fields fields(const Frame& frame);

  std::map<Fields, std::uint64_t> numbers_;
  std::vector<Frame> frames_;  // sorted by number
};

/// Reads what FrameTable::write() wrote.
std::vector<Frame> read_frames(FieldReader& in);

Frame read_frame(FieldReader& in, const std::vector<Frame>& frames);
Stack read_stack(FieldReader& in, const std::vector<Frame>& frames);

}  // namespace unravel
