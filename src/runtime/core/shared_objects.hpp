/// The objects that threads share, and which threads can go on when one of them changes.
#pragma once

#include "runtime/core/deadlines.hpp"
#include "runtime/core/object_table.hpp"
#include "runtime/core/run_state.hpp"

namespace unravel {

class SharedObjects : public ObjectTable {
 public:
  SharedObjects(RunState& state, Deadlines& deadlines, Arena& arena)
      : ObjectTable(arena), state_(state), deadlines_(deadlines) {}

  void acquired(Thread& self, const Op& op);
  void released(Thread& self, const void* address);
  /// `object` changed: threads that want it may have become able or unable to run.
  void changed(Object& object);
  void changed_at(const void* address) {
    if (Object* object = find(address)) changed(*object);
  }

  /// Checks again whether `thread`, which does not have the turn, can go on.
  void refresh(Thread& thread);
  /// Checks every thread that is blocked and in no queue. Returns whether any thread can run.
  bool refresh_contenders();

 private:
  RunState& state_;
  Deadlines& deadlines_;
};

}  // namespace unravel
