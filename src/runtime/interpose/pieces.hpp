/// Buffers in several pieces, as readv() and sendmsg() take them.
#pragma once

#include <sys/uio.h>

#include "runtime/interpose/unblocked.hpp"

namespace unravel {

/// A part of such a buffer. Of one in many pieces it may be less than was asked for, which calls on
/// streams may answer anyway; all of the buffer is as the program has it, and read by nobody but
/// the kernel.
class Pieces {
 public:
  Pieces(const iovec* pieces, std::size_t count, const Part& part, std::size_t done = 0)
      : begin_(pieces), count_(count) {
    if (done == 0 && part.is_whole()) return;
    std::size_t skip = part.skip + done;
    std::size_t most = part.most;
    begin_ = cut_;
    count_ = 0;
    for (std::size_t i = 0; i < count && count_ < kMost; ++i) {
      const std::size_t skipped = skip < pieces[i].iov_len ? skip : pieces[i].iov_len;
      const std::size_t rest = pieces[i].iov_len - skipped;
      const std::size_t used = rest < most ? rest : most;
      skip -= skipped;
      most -= used;
      if (used) cut_[count_++] = {static_cast<char*>(pieces[i].iov_base) + skipped, used};
    }
  }
  [[nodiscard]] const iovec* begin() const { return begin_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Of all pieces. Only of those that the kernel has used: others may not be there.
  static std::size_t size_of(const iovec* pieces, std::size_t count) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < count; ++i) size += pieces[i].iov_len;
    return size;
  }

 private:
  static constexpr std::size_t kMost = 32;
  iovec cut_[kMost];
  const iovec* begin_;
  std::size_t count_;
};

}  // namespace unravel
