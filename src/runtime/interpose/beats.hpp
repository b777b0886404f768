/// Steps that interposed functions share.
#pragma once

#include "runtime/process/runtime.hpp"

namespace unravel {

/// Counts an operation with the error number that the real function returned.
inline void did(Thread& self, const Op& op, int error) {
  scheduler().did(self, op, error ? wire::EventResult::kFailed : wire::EventResult::kDone,
                  static_cast<std::uint64_t>(error));
}

/// A try-form: reaches the point and tries once. The answer `busy` is recorded as a failed attempt.
template <class Attempt>
int try_once(Thread& self, const Op& op, int busy, Attempt attempt) {
  scheduler().reach_attempt(self, op);
  const int error = attempt();
  if (error == 0) scheduler().objects().acquired(self, op);
  if (error == busy) scheduler().failed_attempt(self, op);
  did(self, op, error);
  return error;
}

/// An object is initialised or destroyed: no thread holds it.
inline void forget(const void* object) {
  Thread* self = controlled_thread();
  if (!self) return;
  scheduler().hook(*self, wire::Operation::kDestroy, object);
  scheduler().objects().forget_holders(object);
}

}  // namespace unravel
