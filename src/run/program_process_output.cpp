// The part of a program process that keeps the output of runs from filling the disk.

#include <algorithm>

#include "run/program_process.hpp"

namespace unravel {
namespace {

// Checking the disk costs a system call, which the output of ordinary runs is not worth. Chosen by
// hand.
constexpr std::uint64_t kLittle = std::uint64_t{1} << 20;

}  // namespace

/// Frees output that is not needed. Returns why the run must be stopped, if it must.
std::string ProgramProcess::watch_output(const Progress& progress, std::uint32_t run) {
  // Only the last run of a batch can be read completely. The run before may turn out to be the
  // last: the server has counted it, and is about to report that it ended the batch.
  Capture::Sizes before = progress.output_before;
  Capture::Sizes begin = progress.output_before;
  if (run > 0) {
    const wire::RunSlot ended = channel().run(run - 1);
    std::copy(std::begin(ended.output_begin), std::end(ended.output_begin), before.begin());
    std::copy(std::begin(ended.output_end), std::end(ended.output_end), begin.begin());
  }
  capture_.shed(before, begin);

  const std::uint64_t used = capture_.disk_use();
  if (used < kLittle) return {};
  const Capture::Sizes now = capture_.sizes();
  std::uint64_t written = 0;
  for (std::size_t i = 0; i < now.size(); ++i) written += now[i] - std::min(now[i], begin[i]);
  const std::uint64_t most = options_.limits.most_output;
  if (std::min(used, written) > most) {
    std::string why = "it wrote more than " + std::to_string(most) + " bytes of output";
    if (!options_.oracle.empty()) return why + ", which is the most that an oracle can be given";
    if (options_.expected_output) return why + ", which is the most that can be compared";
    return why + ", and the file system of the store cannot keep only a part of it";
  }
  if (written >= kLittle && capture_.is_disk_full()) {
    return "the disk that the store lies on is nearly full, and the program writes on; free some "
           "space, or choose another place with --store DIR";
  }
  return {};
}

}  // namespace unravel
