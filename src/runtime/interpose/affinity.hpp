/// The CPUs that thread attributes name.
#pragma once

#include <pthread.h>

#include "runtime/core/thread.hpp"

namespace unravel {

/// While this lives, the attributes name no CPUs: the new thread would leave our CPU.
class AffinityOfAttributes {
 public:
  /// `attributes` may be null.
  explicit AffinityOfAttributes(const pthread_attr_t* attributes);
  ~AffinityOfAttributes();
  AffinityOfAttributes(const AffinityOfAttributes&) = delete;
  AffinityOfAttributes& operator=(const AffinityOfAttributes&) = delete;

  /// Records the CPUs in the thread. Returns 0 or an error number of pthread_create.
  int give_to(Thread& created) const;

 private:
  pthread_attr_t* attributes_ = nullptr;  // null: they name no CPUs
  cpu_set_t set_;
};

}  // namespace unravel
