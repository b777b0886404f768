/// The rules, and how many hooks a thread may make before a rule has to decide.
#include <algorithm>

#include "runtime/core/decide.hpp"

namespace unravel {

namespace {

// After this many points at hooks without an operation, a thread may be spinning, and others go
// first. A loop that computes loses little by a hand-over now and then. Chosen by hand.
constexpr std::uint64_t kSpinPoints = 100'000;

// Clock form names its switches itself; only a loop that would never end needs help. This is more
// points than a thread makes between two ticks of a machine's clock. Chosen by hand.
constexpr std::uint64_t kSpinPointsInClockForm = 10'000'000;

// Points between two checks of the driver's tick: they take far less time than a tick. Chosen by
// hand.
constexpr std::uint64_t kTickPoints = 100;

}  // namespace

std::uint64_t RuleRandom::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// The high half of a 32x32 product. Its bias is below 2^-32 * bound, which is negligible.
std::uint32_t RuleRandom::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
}

void Plan::start_rule() {
  random_ = RuleRandom(rule_.seed);
  // A separate stream: the number of threads must not change the other draws.
  priorities_ = RuleRandom(rule_.seed ^ 0xa5a5a5a5a5a5a5a5);
  probability_ = rule_.switch_probability;
  if (rule_.kind == wire::RuleKind::kRandom && probability_ == 0) {
    // Switching at every point hides bugs that need a long undisturbed stretch (a full queue), so
    // seeds differ in how often they switch. Chosen by hand.
    constexpr std::uint32_t kRestless[] = {wire::kCertain, wire::kCertain / 2, wire::kCertain / 6,
                                           wire::kCertain / 32};
    probability_ = kRestless[random_.below(4)];
  }
  // Seeds also differ in how often deadlines come early: a sleep that never ends early hides what
  // happens on a slow machine, and one that always does hides everything after it. Chosen by hand.
  constexpr std::uint32_t kImpatient[] = {0, wire::kCertain / 16, wire::kCertain / 3};
  timeout_probability_ = kImpatient[random_.below(3)];
  lowest_priority_ = std::uint64_t{1} << 32;
  if (rule_.kind == wire::RuleKind::kPriority && rule_.drawn_change_points) draw_change_points();
}

// Uniform over the steps of a run, as in the paper.
void Plan::draw_change_points() {
  rule_.change_point_count =
      std::min<std::uint8_t>(rule_.drawn_change_points, std::uint8_t{wire::kMostChangePoints});
  const std::uint64_t length = std::max<std::uint64_t>(rule_.length, 1);
  for (std::uint32_t i = 0; i < rule_.change_point_count; ++i) {
    rule_.change_points[i] = random_.next() % length + 1;
  }
  std::sort(rule_.change_points, rule_.change_points + rule_.change_point_count);
}

void Plan::use(wire::PointSet points, bool ticks, bool is_asked_always) {
  points_ = points;
  ticks_ = ticks;
  is_asked_always_ = is_asked_always;
  const bool drawn = rule_.kind == wire::RuleKind::kRandom && rule_.switch_probability == 0;
  // The set `auto` has only points that matter, like synchronisation alone.
  const bool few = points == wire::PointSet::kSync || points == wire::PointSet::kAuto;
  if (few || !drawn) return;
  // There are far more points, and most of them do not matter. Chosen by hand.
  constexpr std::uint32_t kRestless[] = {wire::kCertain / 2, wire::kCertain / 12,
                                         wire::kCertain / 80, wire::kCertain / 500};
  probability_ = kRestless[random_.below(4)];
}

// --- Hooks ---

bool Plan::is_spinning(const Thread& thread) const {
  const std::uint64_t passed = waiting_points(thread);
  return !strict() && passed > 0 && passed % spin_points() == 0;
}

// The same for every kind of schedule: these points count as steps.
bool Plan::needs_point(const Thread& thread) const {
  return points_ == wire::PointSet::kAuto && thread.clock.hooks > 0 &&
         thread.clock.hooks % kSpinPoints == 0;
}

bool Plan::is_point(wire::Operation hook, bool marked) const {
  switch (points_) {
    case wire::PointSet::kSync: return false;
    case wire::PointSet::kCalls: return wire::has_effect(hook, wire::Effect::kPassCode);
    case wire::PointSet::kMemory: return true;
    case wire::PointSet::kAuto: return marked;
  }
  return false;
}

Distance Plan::distance(const Thread& thread, std::uint64_t step, bool has_others) {
  const auto up_to = [&thread](const wire::Clock& clock) {
    const bool ahead =
        clock.operations == thread.clock.operations && clock.hooks > thread.clock.hooks;
    return ahead ? clock.hooks - thread.clock.hooks - 1 : std::uint64_t{Countdown::kFar};
  };
  due_ = false;
  Distance far;
  const bool in_slices = slice_ < slice_count_;
  if (in_slices && slices_[slice_].thread.ordinal == thread.ordinal) {
    far.hooks = up_to(slices_[slice_].until);
  }
  std::uint64_t& left = points_ == wire::PointSet::kCalls  ? far.calls
                        : points_ == wire::PointSet::kAuto ? far.marked
                                                           : far.hooks;
  if (points_ != wire::PointSet::kSync && has_others && !strict()) {
    const std::uint64_t points = in_slices && !rule_.watches ? points_to_spin(thread)
                                 : inspects_every_point()    ? 0
                                 : following_ == wire::Following::kClockForm
                                     ? points_in_clock_form(thread, step)
                                     : points_by_rule(thread, step);
    left = std::min(left, points);
  }
  if (points_ == wire::PointSet::kAuto && has_others) {
    far.hooks = std::min(far.hooks, kSpinPoints - thread.clock.hooks % kSpinPoints - 1);
  }
  // The next choice comes at a hook without a switch.
  if (following_ == wire::Following::kStrict && choice_ < choice_count_ &&
      choices_[choice_].thread.ordinal == thread.ordinal) {
    far.hooks = std::min(far.hooks, up_to(choices_[choice_].clock));
  }
  const wire::StopAt* stop = stops_.next();
  if (stop && stop->thread.ordinal == thread.ordinal && up_to(stop->clock) < far.hooks) {
    far.hooks = up_to(stop->clock);
    due_ = false;
  }
  if (debugger_stop_.is_watched()) {
    const wire::Clock* clock = debugger_stop_.clock_of(thread);
    if (clock) far.hooks = std::min(far.hooks, up_to(*clock));
    if (points_ != wire::PointSet::kSync) {
      left = std::min(left, debugger_stop_.points_left(step));
    }
  }
  return far;
}

std::uint64_t Plan::points_in_clock_form(const Thread& thread, std::uint64_t step) {
  while (switch_ < switch_count_ && switches_[switch_].count <= step) ++switch_;
  std::uint64_t points = points_to_spin(thread);
  if (switch_ < switch_count_) {
    points = std::min(points, switches_[switch_].count - step - 1);
  }
  return ticks_ ? std::min(points, kTickPoints) : points;
}

std::uint64_t Plan::points_by_rule(const Thread& thread, std::uint64_t step) {
  const std::uint64_t to_spin = points_to_spin(thread);
  switch (rule_.kind) {
    case wire::RuleKind::kRandom: {
      // Draws for every point until one is a switch; that point needs no further draw.
      std::uint64_t points = 0;
      while (points < to_spin) {
        if (random_.below(wire::kCertain) < probability_) {
          due_ = true;
          return points;
        }
        ++points;
      }
      return to_spin;
    }
    case wire::RuleKind::kPriority: {
      if (change_point_ == rule_.change_point_count) return to_spin;
      const std::uint64_t at = rule_.change_points[change_point_];
      const std::uint64_t to_change = at > step + 1 ? at - step - 1 : 0;
      return std::min(to_change, to_spin);
    }
    case wire::RuleKind::kStay: break;
  }
  return to_spin;
}

std::uint64_t Plan::spin_points() const {
  return following_ == wire::Following::kClockForm ? kSpinPointsInClockForm : kSpinPoints;
}

std::uint64_t Plan::points_to_spin(const Thread& thread) const {
  return spin_points() - waiting_points(thread) % spin_points() - 1;
}

std::uint64_t Plan::waiting_points(const Thread& thread) const {
  return points_ == wire::PointSet::kAuto ? thread.clock.hooks : thread.hook_points;
}

void Plan::thread_appeared(Thread& thread) {
  if (rule_.kind != wire::RuleKind::kPriority) return;
  thread.rule.starved = rule_.starving && priorities_.below(wire::kCertain) < rule_.starving;
  redraw(thread);
}

// The new priority is above all lowered ones; starved threads stay below the others.
void Plan::redraw(Thread& thread) {
  const std::uint64_t drawn = priorities_.next();
  thread.rule.priority = thread.rule.starved ? (std::uint64_t{1} << 33) + (drawn >> 2)
                                             : (std::uint64_t{1} << 63) | (drawn >> 1);
}

Decision Plan::by_rule(const View& view) {
  return constraints_.active() ? under_constraints(view) : by_rule_alone(view);
}

Decision Plan::under_constraints(const View& view) {
  Thread& current = *view.by_slot[view.current->slot];
  current.rule.spun = view.leave != Leave::kMayStay;
  constraints_.reached(current);
  View limited = view;
  ThreadSet others = *view.fireable;
  if (view.current_fireable) others.add(view.current->slot);
  limited.runnable = &constraints_.allowed(*view.runnable, others, view.by_slot, view.step);
  limited.can_go_on = limited.runnable->contains(view.current->slot);
  // Only time can end what these threads wait for.
  const Decision decision =
      limited.runnable->empty()
          ? Decision{.next = others.nth(random_.below(others.count())), .fires_timeout = true}
          : by_rule_alone(limited);
  constraints_.passes(*view.by_slot[decision.next]);
  return decision;
}

Decision Plan::by_rule_alone(const View& view) {
  switch (rule_.kind) {
    case wire::RuleKind::kStay: return stay(view);
    case wire::RuleKind::kRandom: return random(view);
    case wire::RuleKind::kPriority: return priority(view);
  }
  return stay(view);
}

int Plan::waiter_by_rule(const Thread* first, std::uint32_t count) {
  switch (rule_.kind) {
    case wire::RuleKind::kRandom: return static_cast<int>(random_.below(count));
    case wire::RuleKind::kPriority: {
      int best = 0;
      int index = 0;
      std::uint64_t highest = 0;
      for (const Thread* waiter = first; waiter; waiter = waiter->list.next, ++index) {
        if (waiter->rule.priority <= highest) continue;
        highest = waiter->rule.priority;
        best = index;
      }
      return best;
    }
    case wire::RuleKind::kStay: break;
  }
  return 0;
}

Decision Plan::stay(const View& view) const {
  if (view.can_go_on && view.leave == Leave::kMayStay) return Decision{.next = view.current->slot};
  return Decision{.next = view.runnable->next_after(view.current->slot)};
}

Decision Plan::random(const View& view) {
  const std::uint32_t current = view.current->slot;
  const bool may_stay = view.can_go_on && view.leave == Leave::kMayStay;
  const bool draws = may_stay && !view.due && probability_ < wire::kCertain;
  if (draws && random_.below(wire::kCertain) >= probability_) {
    return Decision{.next = current};
  }
  const std::uint32_t fireable = timeout_probability_ ? view.fireable->count() : 0;
  if (fireable && random_.below(wire::kCertain) < timeout_probability_) {
    return Decision{.next = view.fireable->nth(random_.below(fireable)), .fires_timeout = true};
  }
  const std::uint32_t runnable = view.runnable->count();
  // A thread that yields or spins is left out if another one can run.
  const bool without_current = view.can_go_on && !may_stay && runnable > 1;
  std::uint32_t slot = view.runnable->nth(random_.below(runnable - (without_current ? 1 : 0)));
  // Skip over the current thread: members from its position on move up by one.
  if (without_current && slot >= current) slot = view.runnable->first_from(slot + 1);
  return Decision{.next = slot};
}

// Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS
// 2010. A thread that yields or spins drops below all others without using up a change point; the
// paper has no spinning programs.
//
// With redraws: Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling", CAV 2018. Every
// operation has a priority of its own, drawn when its thread reaches it, and drawn again whenever
// an operation that races with it goes first. Points without an object keep the thread's priority.
Decision Plan::priority(const View& view) {
  Thread& thread = *view.by_slot[view.current->slot];
  thread.rule.spun = view.leave != Leave::kMayStay;
  if (rule_.redraws && acts(thread)) redraw(thread);
  if (thread.rule.spun) thread.rule.priority = --lowest_priority_;
  while (change_point_ < rule_.change_point_count &&
         rule_.change_points[change_point_] <= view.step) {
    ++change_point_;
    thread.rule.priority = --lowest_priority_;
  }
  const std::uint32_t fireable = timeout_probability_ ? view.fireable->count() : 0;
  if (fireable && rule_.redraws && random_.below(wire::kCertain) < timeout_probability_) {
    return Decision{.next = view.fireable->nth(random_.below(fireable)), .fires_timeout = true};
  }
  std::uint32_t best = ThreadSet::kNone;
  for (std::uint32_t slot = view.runnable->first_from(0); slot != ThreadSet::kNone;
       slot = view.runnable->first_from(slot + 1)) {
    if (best == ThreadSet::kNone ||
        view.by_slot[slot]->rule.priority > view.by_slot[best]->rule.priority) {
      best = slot;
    }
  }
  if (rule_.redraws) redraw_rivals(view, *view.by_slot[best]);
  return Decision{.next = best};
}

/// Whether the pending operation is an event of its own. With the set `sync`, a point without an
/// object stands for the memory accesses that follow it.
bool Plan::acts(const Thread& thread) const {
  return thread.pending.object || points_ == wire::PointSet::kSync;
}

/// `next` goes first: draws new priorities for all operations that race with it.
void Plan::redraw_rivals(const View& view, const Thread& next) {
  if (!next.pending.object) return;
  const bool reads = wire::is_load(next.pending.kind);
  for (std::uint32_t slot = 0; slot < view.slots; ++slot) {
    Thread& other = *view.by_slot[slot];
    // Two spinning threads would raise each other above the one that both wait for.
    if (&other == &next || !other.in_use || other.ended || other.rule.spun) continue;
    if (other.pending.object != next.pending.object) continue;
    if (!reads || !wire::is_load(other.pending.kind)) redraw(other);
  }
}

}  // namespace unravel
