/// Buffers in several pieces, as readv() and sendmsg() take them.
#pragma once

#include <sys/uio.h>

#include "runtime/interpose/unblocked.hpp"

namespace unravel {

/// A part of such a buffer. If there are many pieces it may be shorter than requested; a call on a
/// stream may return less anyway. The whole buffer is passed on as the program gave it, and only
/// the kernel reads it.
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

  /// The size of all pieces. Call it only for pieces that the kernel has used: others may be
  /// unreadable.
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
