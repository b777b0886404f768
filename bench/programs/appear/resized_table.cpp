// Shape: a table is resized while somebody looks something up. Who finds it half moved helps.
//
// Bug: when a helper is late, the resizing thread moves its slot too. It looks at the slot and
// fills it without the lock, so both may count the slot as moved.
//
// Needs: three levels. The lookup comes in the middle of the resize: only then does it help. The
// helper is preempted between claiming a slot and moving it, until the resize is at its end: only
// then is the helper late. One of the two is preempted between its look at the slot and its write,
// until the other one has moved it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

constexpr int kSlots = 3;

static int old_slots[kSlots] = {5, 6, 7};
static int new_slots[2 * kSlots];
static std::atomic<bool> moving;
static std::atomic<int> next_slot;
static std::mutex lock;
static std::atomic<int> moved;

static void move_slot(int slot) {
  std::lock_guard guard(lock);
  if (new_slots[slot] != 0) return;
  new_slots[slot] = old_slots[slot];
  ++moved;
}

static void move_late_slots() {
  for (int slot = 0; slot < kSlots; ++slot) {
    if (new_slots[slot] != 0) continue;
    new_slots[slot] = old_slots[slot];
    ++moved;
  }
}

static void resize() {
  moving.store(true);
  int slot = next_slot.fetch_add(1);
  while (slot < kSlots) {
    move_slot(slot);
    slot = next_slot.fetch_add(1);
  }
  if (moved.load() < kSlots) move_late_slots();
  moving.store(false);
}

static void look_up() {
  if (!moving.load()) return;
  const int slot = next_slot.fetch_add(1);
  if (slot < kSlots) move_slot(slot);
}

int main() {
  std::thread resizer(resize);
  std::thread reader(look_up);
  resizer.join();
  reader.join();
  assert(moved == kSlots);
}
