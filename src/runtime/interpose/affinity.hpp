/// CPUs that a thread is to run on, by the attributes that it is made with.
#pragma once

#include <pthread.h>

#include "runtime/core/thread.hpp"

namespace unravel {

/// While it lives the attributes do not name any: the thread would leave our CPU.
class AffinityOfAttributes {
 public:
  /// `attributes` may be null.
  explicit AffinityOfAttributes(const pthread_attr_t* attributes);
  ~AffinityOfAttributes();
  AffinityOfAttributes(const AffinityOfAttributes&) = delete;
  AffinityOfAttributes& operator=(const AffinityOfAttributes&) = delete;

  /// Records them in the thread. 0, or an error number of pthread_create.
  int give_to(Thread& created) const;

 private:
  pthread_attr_t* attributes_ = nullptr;  // null: they name none
  cpu_set_t set_;
};

}  // namespace unravel
