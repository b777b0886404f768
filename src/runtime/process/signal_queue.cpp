#include "runtime/process/signal_queue.hpp"

#include <limits.h>

#include "runtime/process/signal_set.hpp"

namespace unravel {

void SignalQueue::add(const SentSignal& sent) {
  const bool queues = sent.signal >= kFirstRealTime || sent.notice;
  for (const SentSignal* one = queues ? nullptr : first_; one; one = one->next) {
    if (one->signal == sent.signal && one->to_process == sent.to_process &&
        (sent.to_process || one->receiver == sent.receiver)) {
      return;
    }
  }
  SentSignal* place = free_;
  if (place) {
    free_ = place->next;
  } else {
    place = arena_.take_array<SentSignal>(1);
  }
  *place = sent;
  place->next = nullptr;
  (last_ ? last_->next : first_) = place;
  last_ = place;
  ++size_;
  to_process_ += sent.to_process;
  if (sent.notice) sent.notice->pending = true;
}

void SignalQueue::remove(SentSignal* before) {
  SentSignal* gone = before ? before->next : first_;
  (before ? before->next : first_) = gone->next;
  if (last_ == gone) last_ = before;
  if (gone->notice) gone->notice->pending = false;
  --size_;
  to_process_ -= gone->to_process;
  gone->next = free_;
  free_ = gone;
}

bool SignalQueue::take(std::uint32_t receiver, int signal, siginfo_t* info) {
  SentSignal* found = nullptr;
  SentSignal* before_found = nullptr;
  SentSignal* before = nullptr;
  for (SentSignal* one = first_; one; before = one, one = one->next) {
    if (one->signal != signal || one->receiver != receiver) continue;
    if (found && one->to_process) continue;
    found = one;
    before_found = before;
    if (!one->to_process || !has_any_to_thread()) break;
  }
  if (!found) return false;
  if (TimerNotice* notice = found->notice) {
    notice->last_overruns = notice->overruns < INT_MAX ? notice->overruns : INT_MAX;
    notice->overruns = 0;
    found->info.si_overrun = static_cast<int>(notice->last_overruns);
  }
  if (info) *info = found->info;
  remove(before_found);
  return true;
}

template <class Matches>
void SignalQueue::remove_if(Matches matches) {
  SentSignal* before = nullptr;
  for (SentSignal* one = first_; one; one = before ? before->next : first_) {
    if (matches(*one)) {
      remove(before);
    } else {
      before = one;
    }
  }
}

void SignalQueue::discard(int signal) {
  remove_if([signal](const SentSignal& one) { return one.signal == signal; });
}

void SignalQueue::discard_of(std::uint32_t receiver) {
  remove_if([receiver](const SentSignal& one) { return one.receiver == receiver; });
}

void SignalQueue::forget(const TimerNotice* notice) {
  for (SentSignal* one = first_; one; one = one->next) {
    if (one->notice == notice) one->notice = nullptr;
  }
}

bool SignalQueue::has(std::uint32_t receiver, int signal) const {
  for (const SentSignal* one = first_; one; one = one->next) {
    if (one->receiver == receiver && one->signal == signal) return true;
  }
  return false;
}

std::uint64_t SignalQueue::bits(std::uint32_t receiver) const {
  std::uint64_t bits = 0;
  for (const SentSignal* one = first_; one; one = one->next) {
    if (one->receiver == receiver) bits |= signal_bit(one->signal);
  }
  return bits;
}

}  // namespace unravel
