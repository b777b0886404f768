#include "runtime/core/recorder.hpp"

namespace unravel {

using wire::Operation;
using wire::TraceHead;

void Recorder::turn(const Thread& thread) {
  std::uint64_t* at = room();
  at[0] = TraceHead::of(thread.ordinal, wire::kTurn, 0).word;
  at[1] = thread.clock.operations;
  // At a hook the clock already counts it, and its record comes next.
  at[2] = thread.clock.hooks - (wire::is_hook(thread.pending.kind) ? 1 : 0);
  stream_->count += 3;
}

void Recorder::hook(HookKind kind, const volatile void* address, const void* site,
                    std::uint64_t more) {
  std::uint64_t* const at = room();
  std::uint64_t* next = at + 1;
  std::uint8_t detail = kind.detail;
  if (kind.has_order()) {
    detail |= static_cast<std::uint8_t>((more & TraceHead::kOrderMask) << TraceHead::kOrderShift);
  }
  if (wire::traces_object(kind.operation)) *next++ = reinterpret_cast<std::uint64_t>(address);
  const unsigned power = detail & TraceHead::kSizeMask;
  if (power == TraceHead::kSizeFollows) *next++ = more;
  const bool has_value = values_ && wire::is_access(kind.operation) &&
                         !wire::has_effect(kind.operation, wire::Effect::kFree) && power <= 3;
  if (has_value) {
    const unsigned size = 1u << power;
    const bool loads = wire::is_load(kind.operation);
    detail |= TraceHead::kValueFollows;
    *next = 0;
    if (loads) {
      host_->peek(address, size, next);
    } else {
      value_at_ = next;
      value_of_ = address;
      value_size_ = size;
    }
    ++next;
  }
  *at = head(kind.operation, detail, site);
  stream_->count += static_cast<std::uint64_t>(next - at);
}

void Recorder::settle_value() {
  if (!value_at_) return;
  host_->peek(value_of_, value_size_, value_at_);
  value_at_ = nullptr;
}

void Recorder::exchange_failed(int order) {
  std::uint64_t* at = words_ + stream_->count - (values_ ? 3 : 2);
  constexpr std::uint64_t kOrder = std::uint64_t{TraceHead::kOrderMask} << TraceHead::kOrderShift;
  *at &= ~(kOrder << TraceHead::kDetailShift);
  const std::uint64_t detail =
      TraceHead::kFailed | static_cast<std::uint64_t>(order & TraceHead::kOrderMask)
                               << TraceHead::kOrderShift;
  *at |= detail << TraceHead::kDetailShift;
}

void Recorder::operation(const Op& op, wire::EventResult result, std::uint64_t value) {
  std::uint64_t* at = room();
  at[0] = head(op.kind, static_cast<std::uint8_t>(result), op.site);
  at[1] = op.reported_object();
  at[2] = value;
  stream_->count += 3;
}

void Recorder::count(Operation operation, const void* object) {
  std::uint64_t* at = room();
  at[0] = head(operation, 0, nullptr);
  stream_->count += 1;
  if (!wire::traces_object(operation)) return;
  at[1] = reinterpret_cast<std::uint64_t>(object);
  stream_->count += 1;
}

void Recorder::annotate(Operation operation, std::uint64_t object, std::uint64_t value,
                        std::uint64_t size, const void* site) {
  std::uint64_t* at = room();
  at[0] = head(operation, 0, site);
  at[1] = object;
  at[2] = size;
  at[3] = value;
  stream_->count += 4;
}

}  // namespace unravel
