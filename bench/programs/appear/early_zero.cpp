// Shape: a reference count that drops to zero early: an object is shared before it is counted.
//
// Bug: who drops the object buries it. The owner may come in time to revive it. It looks at the
// grave and closes it in two steps, so both may take the object out.
//
// Needs: three levels. The taker gives the object back before the owner has counted it: only then
// is there a grave. The owner comes before the taker has closed the grave: only then does it revive
// the object. It is preempted between its two steps, until the taker has closed the grave.
#include <atomic>
#include <cassert>
#include <thread>

struct Grave {
  std::atomic<bool> open = true;
};

static std::atomic<int> references = 1;
static std::atomic<bool> offered;
static std::atomic<Grave*> grave;
static std::atomic<int> buried;
static std::atomic<int> revived;

static void revive(Grave* from) {
  if (!from->open.load()) return;
  from->open.store(false);
  ++revived;
}

static void own() {
  offered.store(true);
  if (references.fetch_add(1) > 0) return;
  if (Grave* found = grave.load()) revive(found);
}

static void take() {
  if (!offered.exchange(false)) return;
  if (references.fetch_sub(1) > 1) return;
  auto* made = new Grave;  // never deleted: the owner may still look at it
  grave.store(made);
  if (made->open.exchange(false)) ++buried;
  grave.store(nullptr);
}

int main() {
  std::thread owner(own);
  std::thread taker(take);
  owner.join();
  taker.join();
  assert(buried + revived <= 1);
}
