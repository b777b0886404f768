#include "data/bytes_frames.hpp"

#include <limits>

namespace unravel {

FrameTable::Fields FrameTable::fields(const Frame& frame) {
  return {frame.function, frame.file, frame.line, frame.module, frame.offset, frame.inlined};
}

void FrameTable::add(const Frame& frame) {
  if (numbers_.emplace(fields(frame), frames_.size()).second) frames_.push_back(frame);
}

void FrameTable::add(const Stack& stack) {
  for (const Frame& frame : stack) add(frame);
}

void FrameTable::write(FieldWriter& out) const {
  out.number(frames_.size());
  for (const Frame& frame : frames_) {
    out.text(frame.function);
    out.text(frame.file);
    out.difference(static_cast<std::uint64_t>(frame.line), 0);
    out.text(frame.module);
    out.number(frame.offset);
    out.flag(frame.inlined);
  }
}

void FrameTable::write(FieldWriter& out, const Frame& frame) const {
  out.number(numbers_.at(fields(frame)));
}

void FrameTable::write(FieldWriter& out, const Stack& stack) const {
  out.number(stack.size());
  for (const Frame& frame : stack) write(out, frame);
}

std::vector<Frame> read_frames(FieldReader& in) {
  std::vector<Frame> frames(in.count(6));
  for (Frame& frame : frames) {
    frame.function = in.text();
    frame.file = in.text();
    const auto line = static_cast<std::int64_t>(in.difference(0));
    frame.module = in.text();
    frame.offset = in.number();
    frame.inlined = in.flag();
    if (line < std::numeric_limits<int>::min() || line > std::numeric_limits<int>::max()) {
      in.refuse("there is no line " + std::to_string(line));
    }
    if (!in.good()) return {};
    frame.line = static_cast<int>(line);
  }
  return frames;
}

Frame read_frame(FieldReader& in, const std::vector<Frame>& frames) {
  const std::uint64_t number = in.number_below(frames.size(), "frame");
  if (!in.good()) return {};
  const Frame& frame = frames[number];
  in.charge(sizeof(Frame) + frame.function.size() + frame.file.size() + frame.module.size());
  return in.good() ? frame : Frame{};
}

Stack read_stack(FieldReader& in, const std::vector<Frame>& frames) {
  const std::size_t depth = in.count(1);
  Stack stack;
  for (std::size_t i = 0; i < depth && in.good(); ++i) stack.push_back(read_frame(in, frames));
  return stack;
}

}  // namespace unravel
